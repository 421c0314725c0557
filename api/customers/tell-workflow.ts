/**
 * Tells a profile's workflow of a write that is done. Callers: the handlers, after the write. Never fails a request: the
 * write says itself that a workflow is wanted, and the sweep sees to it within seconds when nobody could be told.
 */
import type { Profile, Tenancy } from '../../activities/customers/customer-types.ts';
import type { CustomerInput } from '../../workflows/customers/messages.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import type { OperationContext } from '../shared/operation.ts';
import type { CustomersDependencies } from './dependencies.ts';

export type Tell = (input: CustomerInput) => Promise<void>;

export async function tellOfProfile(
  { lifecycle }: Pick<CustomersDependencies, 'lifecycle'>,
  { log }: Pick<OperationContext, 'log'>,
  { organisationId, customerNumber, revision }: Profile,
  tell: Tell,
): Promise<void> {
  try {
    await tell({ organisationId, customerNumber });
    await lifecycle.clearPendingStart(customerNumber, revision);
  } catch (error) {
    log.warn({ err: error }, 'the workflow of a temporary profile could not be told');
  }
}

/** `organisationId` undefined: whose profile it was is no longer told; the sweep finds it. */
export async function tellOfErasure(
  { lifecycle }: Pick<CustomersDependencies, 'lifecycle'>,
  { log }: Pick<OperationContext, 'log'>,
  customerNumber: CustomerNumber,
  organisationId: CustomerInput['organisationId'] | undefined,
  tell: Tell,
): Promise<void> {
  if (organisationId === undefined) return;
  try {
    await tell({ organisationId, customerNumber });
    await lifecycle.clearPendingStart(customerNumber);
  } catch (error) {
    log.warn({ err: error }, 'the erasure of a profile could not be started');
  }
}

/** Whose the profile is; asked before a write after which it is not told any more. */
export async function organisationOf(
  { profiles }: Pick<CustomersDependencies, 'profiles'>,
  tenancy: Tenancy,
  customerNumber: CustomerNumber,
): Promise<CustomerInput['organisationId'] | undefined> {
  if (tenancy !== 'ANY') return tenancy;
  return (await profiles.find(tenancy, { customerNumber }))?.organisationId;
}
