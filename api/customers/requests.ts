/**
 * Reads what all operations of this area share: the organisations the caller may reach, the profile, and the ids of a
 * write. The document has checked the shapes; checks that a schema cannot express are in profile-requests.ts and
 * item-requests.ts.
 */
import type { Tenancy, Write } from '../../activities/customers/customer-types.ts';
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Caller, OperationContext } from '../shared/operation.ts';

const EVERY_ORGANISATION = 'organisation:any';
const NUMBER = /^\d{7,12}$/;

export function tenancyOf(caller: Caller): Tenancy {
  return caller.scopes.has(EVERY_ORGANISATION) ? 'ANY' : caller.organisationId;
}

export function mayReach(caller: Caller, organisationId: OrganisationId): boolean {
  const tenancy = tenancyOf(caller);
  return tenancy === 'ANY' || tenancy === organisationId;
}

/** The path of PUT, PATCH and DELETE of a profile shares its member's name with GET, which also takes a reference. */
type ProfilePath = { readonly customerNumber: CustomerNumber } | { readonly customerIdentifier: CustomerNumber };

/** The profile that a request names, and its caller. */
export interface ProfileRequest {
  readonly path: ProfilePath;
  readonly caller: Caller;
}

/** A request that writes. */
export type WriteRequest = Pick<OperationContext, 'correlationId' | 'idempotency'> & { readonly caller: Caller };

function customerNumberOf(path: ProfilePath): CustomerNumber {
  return 'customerNumber' in path ? path.customerNumber : path.customerIdentifier;
}

export function isCustomerNumber(text: string): text is CustomerNumber {
  return NUMBER.test(text);
}

/** Tenancy and number: the first arguments of the stores' methods. */
export function targetOf({ path, caller }: ProfileRequest): readonly [Tenancy, CustomerNumber] {
  return [tenancyOf(caller), customerNumberOf(path)];
}

export interface Changed {
  readonly changedBy: string;
  readonly changedByChannel: string;
}

export async function writeOf({ idempotency, correlationId, caller }: WriteRequest, changed?: Changed): Promise<Write> {
  const { workId } = await idempotency.claim();
  return {
    workId,
    correlationId,
    organisationId: caller.organisationId,
    ...(changed && { by: changed.changedBy, channel: changed.changedByChannel }),
  };
}

export function invalidMember(pointer: string, code: string, detail: string, status?: 422): ServiceError {
  return new ServiceError('VALIDATION_FAILED', `${pointer} ${detail}`, {
    errors: [{ pointer, code, detail }],
    ...(status && { status }),
  });
}

export function noSuchProfile(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such profile');
}
