/**
 * What every operation of this area takes from a request: whom it may reach, which profile, and the marks of a write. The
 * document has checked shapes; what a shape cannot say of a body stands in profile-requests.ts and item-requests.ts.
 */
import type { Tenancy, Write } from '../../activities/customers/customer-types.ts';
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Caller, OperationContext } from '../shared/operation.ts';
import { requireCaller } from '../shared/require-caller.ts';

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
export function customerNumberOf({ path }: Pick<OperationContext, 'path'>): CustomerNumber {
  return (path.customerNumber ?? path.customerIdentifier ?? '') as CustomerNumber;
}

export function isCustomerNumber(text: string): text is CustomerNumber {
  return NUMBER.test(text);
}

/** Tenancy and number: the first arguments of whatever a store does for a request. */
export function targetOf(context: OperationContext): readonly [Tenancy, CustomerNumber] {
  return [tenancyOf(requireCaller(context)), customerNumberOf(context)];
}

export interface Changed {
  readonly changedBy: string;
  readonly changedByChannel: string;
}

export async function writeOf(context: OperationContext, changed?: Changed): Promise<Write> {
  const { workId } = await context.idempotency.claim();
  return {
    workId,
    correlationId: context.correlationId,
    organisationId: requireCaller(context).organisationId,
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
