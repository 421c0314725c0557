/**
 * Starts, signals and updates the workflow of one temporary profile. Callers: the handlers right after their write, the sweep for
 * messages that a crash has prevented.
 *
 * Each may be repeated and raced. A message finds the running workflow or starts one, which first reads the profile's
 * state in the database. So a workflow that was terminated by hand, or lost with Temporal's storage, comes back with
 * any message.
 */
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { signalWithStart, startWorkflow, updateWithStart } from '../../platform/temporal/workflow-calls.ts';
import {
  type ConversionOutcome,
  type ConversionRequest,
  type CustomerInput,
  convertUpdate,
  eraseNowSignal,
  expirationChangedSignal,
  temporaryProfileWorkflow,
  temporaryProfileWorkflowId,
} from '../../workflows/customers/messages.ts';
import { organisationAttributes } from '../../workflows/shared/search-attributes.ts';

/** Longer than Temporal takes to give a dead worker's task to another one: ten seconds. */
const CONVERSION_TIMEOUT_MS = 15_000;

export async function startTemporaryProfile(temporal: TemporalClient, input: CustomerInput): Promise<void> {
  await startWorkflow(temporal, temporaryProfileWorkflow, startOf(input));
}

/** Call after the date was written. */
export async function signalExpirationChanged(temporal: TemporalClient, input: CustomerInput): Promise<void> {
  await signalWithStart(temporal, temporaryProfileWorkflow, startOf(input), expirationChangedSignal);
}

/** Call after the deletion was written. */
export async function signalEraseNow(temporal: TemporalClient, input: CustomerInput): Promise<void> {
  await signalWithStart(temporal, temporaryProfileWorkflow, startOf(input), eraseNowSignal);
}

export interface Conversion extends CustomerInput, ConversionRequest {
  /** The same in every attempt of one request, `idem:<workId>`: they join one update. */
  readonly updateId: string;
}

/**
 * Lets the workflow decide between the conversion and expiry, and answers the outcome. Throws when Temporal or a worker
 * is unavailable for too long: the conversion may still happen later, and a repeat joins it.
 */
export async function convertTemporaryProfile(
  temporal: TemporalClient,
  { updateId, conversionId, ...input }: Conversion,
): Promise<ConversionOutcome> {
  const call = { updateId, args: [{ conversionId }] as [ConversionRequest], timeoutMs: CONVERSION_TIMEOUT_MS };
  try {
    return await updateWithStart(temporal, temporaryProfileWorkflow, startOf(input), convertUpdate, call);
  } catch (error) {
    if (isRefusal(error)) return 'EXPIRED';
    throw error;
  }
}

function startOf({ organisationId, customerNumber }: CustomerInput) {
  return {
    workflowId: temporaryProfileWorkflowId(customerNumber),
    args: [{ organisationId, customerNumber }] as [CustomerInput],
    searchAttributes: organisationAttributes(organisationId),
  };
}

/** The update's validator refused it: the workflow has begun to expire the profile. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof WorkflowUpdateFailedError &&
    error.cause instanceof ApplicationFailure &&
    error.cause.type === 'INVALID_STATE'
  );
}
