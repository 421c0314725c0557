/** Finds the user type of each traveller, and what is wrong with the ids that travellers name. Pure. */
import type { SearchedTraveller } from '../../workflows/offers/rules/offer.ts';
import { type UserTypeFault, userTypeOf } from '../../workflows/offers/rules/user-types.ts';
import type { WantingTraveller } from '../../workflows/offers/rules/wanted-travel.ts';
import type { ErrorItem } from '../../workflows/shared/service-error.ts';
import type { Fares } from '../shared/fares.ts';
import { fault } from './search-faults.ts';
import type { GivenTraveller } from './wanted-search.ts';

export interface ReadTravellers {
  readonly travellers: readonly WantingTraveller[];
  readonly faults: readonly ErrorItem[];
}

type FaultPlace = readonly [member: string, code: string, detail: string];

const USER_TYPE_FAULTS: Readonly<Record<UserTypeFault, FaultPlace>> = {
  MISSING: ['', 'REQUIRED', 'needs age or userType'],
  UNKNOWN_USER_TYPE: ['/userType', 'UNKNOWN_REFERENCE', 'is no user type of the catalogue'],
  NO_USER_TYPE_FOR_AGE: ['/age', 'UNKNOWN_REFERENCE', 'is in the range of no user type: name one'],
  AGE_OUTSIDE_USER_TYPE: ['/age', 'RANGE', 'is outside the range of the user type'],
};

export function readTravellers(given: readonly GivenTraveller[], fares: Fares): ReadTravellers {
  const read = given.map((traveller, at) => readTraveller(traveller, `/travellers/${at}`, fares));
  return {
    travellers: read.flatMap(({ traveller }) => traveller ?? []),
    faults: [...read.flatMap(({ faults }) => faults), ...repeatedIds(given)],
  };
}

/** What offers keep of a traveller: not what the search alone needs. */
export function keptTraveller({ productIds: _, ...traveller }: WantingTraveller): SearchedTraveller {
  return traveller;
}

function readTraveller(
  given: GivenTraveller,
  pointer: string,
  fares: Fares,
): { readonly traveller?: WantingTraveller; readonly faults: readonly ErrorItem[] } {
  const { id, age, customerNumber, entitlementIds = [], productIds = [] } = given;
  const type = userTypeOf(given, fares.userTypes);
  const entitlements = new Set(fares.entitlements.map((each) => each.id));
  const faults = [
    ...entitlementIds.flatMap((each, at) =>
      entitlements.has(each) ? [] : [unknown(`${pointer}/entitlementIds/${at}`, 'entitlement')],
    ),
    ...productIds.flatMap((each, at) =>
      fares.products.has(each) ? [] : [unknown(`${pointer}/productIds/${at}`, 'product')],
    ),
  ];
  if ('fault' in type) {
    const [member, code, detail] = USER_TYPE_FAULTS[type.fault];
    return { faults: [fault(`${pointer}${member}`, code, detail), ...faults] };
  }
  const traveller = { id, userTypeId: type.userTypeId, entitlementIds, productIds };
  return {
    traveller: { ...traveller, ...(age !== undefined && { age }), ...(customerNumber && { customerNumber }) },
    faults,
  };
}

function unknown(pointer: string, what: string): ErrorItem {
  return fault(pointer, 'UNKNOWN_REFERENCE', `is no ${what} of the catalogue`);
}

function repeatedIds(given: readonly GivenTraveller[]): readonly ErrorItem[] {
  const seen = new Set<string>();
  return given.flatMap(({ id }, at) => {
    if (seen.has(id)) return [fault(`/travellers/${at}/id`, 'DUPLICATE', 'is the id of another traveller')];
    seen.add(id);
    return [];
  });
}
