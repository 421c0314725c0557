/**
 * Starts, wakes and asks the workflow of one temporary profile. Callers: the handlers right after their write, the sweep for
 * what a crash left untold.
 *
 * Each may be repeated and raced. A message finds the running workflow or starts one, which reads from the database how the
 * profile stands; so a workflow that was terminated by hand, or lost with Temporal's storage, comes back with any message.
 */
import {
  WithStartWorkflowOperation,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import {
  CONVERT_UPDATE,
  type ConversionOutcome,
  type ConversionRequest,
  type CustomerInput,
  ERASE_NOW_SIGNAL,
  EXPIRATION_CHANGED_SIGNAL,
  SALES_CUSTOMERS_QUEUE,
  temporaryProfileWorkflowId,
} from '../../workflows/customers/messages.ts';
import { organisationAttributes } from '../../workflows/customers/search-attributes.ts';

const WORKFLOW = 'temporaryProfile';
/** More than Temporal takes to give a task to another worker when one has died with it in its hands: ten seconds. */
const CONVERSION_TIMEOUT_MS = 15_000;

export async function startTemporaryProfile(temporal: TemporalClient, input: CustomerInput): Promise<void> {
  await temporal.withDeadline((client) => client.workflow.start(WORKFLOW, optionsOf(input)));
}

/** After the date was written. */
export async function signalExpirationChanged(temporal: TemporalClient, input: CustomerInput): Promise<void> {
  await signal(temporal, input, EXPIRATION_CHANGED_SIGNAL);
}

/** After the deletion was written. */
export async function signalEraseNow(temporal: TemporalClient, input: CustomerInput): Promise<void> {
  await signal(temporal, input, ERASE_NOW_SIGNAL);
}

export interface Conversion extends CustomerInput, ConversionRequest {
  /** The same in every attempt of one request, `idem:<workId>`: they join one update. */
  readonly updateId: string;
}

/**
 * Has the workflow decide between the conversion and expiry, and answers what has come of it. Throws when Temporal, or a
 * worker, is away for too long: then it may still be done later, and a repetition joins it.
 */
export async function convertTemporaryProfile(
  temporal: TemporalClient,
  { updateId, conversionId, ...input }: Conversion,
): Promise<ConversionOutcome> {
  try {
    return await temporal.withDeadline(
      (client) =>
        client.workflow.executeUpdateWithStart<typeof workflowType, ConversionOutcome, [ConversionRequest]>(
          CONVERT_UPDATE,
          {
            updateId,
            args: [{ conversionId }],
            startWorkflowOperation: new WithStartWorkflowOperation<typeof workflowType>(WORKFLOW, optionsOf(input)),
          },
        ),
      CONVERSION_TIMEOUT_MS,
    );
  } catch (error) {
    if (isRefusal(error)) return 'EXPIRED';
    throw error;
  }
}

declare function workflowType(input: CustomerInput): Promise<unknown>;

async function signal(temporal: TemporalClient, input: CustomerInput, name: string): Promise<void> {
  await temporal.withDeadline((client) =>
    client.workflow.signalWithStart(WORKFLOW, { ...optionsOf(input), signal: name, signalArgs: [] }),
  );
}

function optionsOf({ organisationId, customerNumber }: CustomerInput) {
  return {
    taskQueue: SALES_CUSTOMERS_QUEUE,
    workflowId: temporaryProfileWorkflowId(customerNumber),
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    args: [{ organisationId, customerNumber }] as [CustomerInput],
    typedSearchAttributes: organisationAttributes(organisationId),
  };
}

/** By the validator: the workflow has begun to expire the profile. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof WorkflowUpdateFailedError &&
    error.cause instanceof ApplicationFailure &&
    error.cause.type === 'INVALID_STATE'
  );
}
