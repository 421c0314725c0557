/**
 * Starts or signals a profile's workflow after a write. Callers: the handlers. Never fails a request: the write has
 * recorded the pending start, and the sweep does it within seconds when the handler fails.
 */
import type { Profile, Tenancy } from '../../activities/customers/customer-types.ts';
import { type PendingStart, startPending } from '../../platform/aggregate/pending-starts.ts';
import type { CustomerInput } from '../../workflows/customers/messages.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import type { OperationContext } from '../shared/operation.ts';
import type { CustomersDependencies } from './dependencies.ts';

export type StartWorkflow = (input: CustomerInput) => Promise<void>;

export async function startForProfile(
  dependencies: Pick<CustomersDependencies, 'lifecycle'>,
  { log }: Pick<OperationContext, 'log'>,
  { organisationId, customerNumber, revision }: Profile,
  start: StartWorkflow,
): Promise<void> {
  await startPending({ organisationId, customerNumber }, pendingStart(dependencies, log, start, revision));
}

/**
 * `organisationId` undefined: the profile is already absent, so its organisation is unknown; the sweep starts the
 * erasure.
 */
export async function startForErasure(
  dependencies: Pick<CustomersDependencies, 'lifecycle'>,
  { log }: Pick<OperationContext, 'log'>,
  customerNumber: CustomerNumber,
  organisationId: CustomerInput['organisationId'] | undefined,
  start: StartWorkflow,
): Promise<void> {
  if (organisationId === undefined) return;
  await startPending({ organisationId, customerNumber }, pendingStart(dependencies, log, start));
}

function pendingStart(
  { lifecycle }: Pick<CustomersDependencies, 'lifecycle'>,
  log: OperationContext['log'],
  start: StartWorkflow,
  revision?: number,
): PendingStart<CustomerInput> {
  return {
    start,
    clear: ({ organisationId, customerNumber }) =>
      lifecycle.clearPendingStart(organisationId, customerNumber, revision),
    describe: ({ organisationId, customerNumber }) => ({ organisationId, customerNumber }),
    log,
  };
}

/** The profile's organisation; read before a write that makes the profile absent. */
export async function organisationOf(
  { profiles }: Pick<CustomersDependencies, 'profiles'>,
  tenancy: Tenancy,
  customerNumber: CustomerNumber,
): Promise<CustomerInput['organisationId'] | undefined> {
  if (tenancy !== 'ANY') return tenancy;
  return (await profiles.find(tenancy, { customerNumber }))?.organisationId;
}
