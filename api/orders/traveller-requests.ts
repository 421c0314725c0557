/** Travellers of requests. */

import type { FareReader } from '../../activities/shared/fares.ts';
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import { type UserTypeFault, userTypeOf } from '../../workflows/offers/rules/user-types.ts';
import type { OrderTraveller } from '../../workflows/orders/rules/order.ts';
import type { TravellerId } from '../../workflows/shared/ids.ts';
import { plainUuid } from '../../workflows/shared/uuid.ts';
import type { Schemas } from './contract.gen.ts';
import { invalidMember } from './requests.ts';

type Given = Schemas['NewTraveller'];

const DETAILS: Readonly<Record<UserTypeFault, string>> = {
  MISSING: 'is required',
  UNKNOWN_USER_TYPE: 'is no user type of the catalogue',
  NO_USER_TYPE_FOR_AGE: 'has no user type',
  AGE_OUTSIDE_USER_TYPE: 'does not fit the age',
};

export interface TravellerOptions {
  readonly fares: FareReader;
  readonly workId: string;
  /** JSON pointer of the list. */
  readonly pointer: string;
}

/** Travellers without an id get one that follows from the request. Throws VALIDATION_FAILED (422). */
export async function readTravellers(
  given: readonly Given[],
  { fares, workId, pointer }: TravellerOptions,
): Promise<readonly OrderTraveller[]> {
  if (given.length === 0) return [];
  const { userTypes } = await fares.current();
  const travellers = given.map(({ id, customerRef, userType, age }, at) => {
    const found = userTypeOf({ userType, age }, userTypes);
    if ('fault' in found) {
      throw invalidMember(`${pointer}/${at}/userType`, found.fault, DETAILS[found.fault], 422);
    }
    return {
      id: (id === undefined ? workItemId(workId, `traveller/${at}`) : plainUuid(id)) as TravellerId,
      userTypeId: found.userTypeId,
      ...(age !== undefined && { age }),
      ...(customerRef && { customerNumber: customerRef.id }),
    };
  });
  if (new Set(travellers.map(({ id }) => id)).size < travellers.length) {
    throw invalidMember(pointer, 'UNIQUE_ITEMS', 'must have different ids', 422);
  }
  return travellers;
}
