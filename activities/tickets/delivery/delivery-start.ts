/**
 * Starts and updates the workflows of tickets. Callers: the calls of the API, the sweep.
 *
 * Each may be repeated and raced: it finds the running workflow or starts one, which first reads the database.
 */
import { randomUUID } from 'node:crypto';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure, type UpdateDefinition } from '@temporalio/common';
import type { TemporalClient } from '../../../platform/temporal/temporal.ts';
import {
  sendUpdateWithStart,
  startUnlessRunning,
  startWorkflow,
  updateWithStart,
} from '../../../platform/temporal/workflow-calls.ts';
import { ERROR_STATUS, type ErrorCode } from '../../../workflows/shared/error-codes.ts';
import { orderAttributes } from '../../../workflows/shared/search-attributes.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import {
  type DeliveryInput,
  type DistributeRequest,
  deliveryWorkflow,
  deliveryWorkflowId,
  distributeUpdate,
  type ReissueInput,
  reissueWorkflow,
  reissueWorkflowId,
} from '../../../workflows/tickets/messages.ts';
import type { DeliveryWork } from '../delivery-calls.ts';
import { underRefund } from '../ticket-refusals.ts';

/** Longer than an order with many tickets takes, and than Temporal takes to give a dead worker's task to another one. */
const CALL_TIMEOUT_MS = 25_000;

/** False: it runs already, perhaps for another cause. */
export async function startDelivery(temporal: TemporalClient, input: DeliveryInput): Promise<boolean> {
  return await startUnlessRunning(temporal, deliveryWorkflow, deliveryStart(input));
}

export async function startReissue(temporal: TemporalClient, input: ReissueInput): Promise<void> {
  const { organisationId, orderId, groupId, number, correlationId } = input;
  await startWorkflow(temporal, reissueWorkflow, {
    workflowId: reissueWorkflowId(input),
    args: [{ organisationId, orderId, groupId, number, correlationId }],
    searchAttributes: orderAttributes(input),
  });
}

/** Each attempt has an update of its own: an earlier one that has failed would answer its failure again. */
export async function updateDelivery<Request>(
  temporal: TemporalClient,
  input: DeliveryInput,
  update: UpdateDefinition<void, [Request]>,
  request: Request,
  { workId }: Pick<DeliveryWork, 'workId'>,
): Promise<void> {
  const call = { updateId: `idem:${workId}/${randomUUID()}`, args: [request] as [Request], timeoutMs: CALL_TIMEOUT_MS };
  try {
    await updateWithStart(temporal, deliveryWorkflow, deliveryStart(input), update, call);
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

/**
 * Has the workflow plan a mailing, and waits for nothing: what one order waits for must not delay others. As long as the mailing has
 * this revision, a repeat joins the update.
 */
export async function askToPlan(
  temporal: TemporalClient,
  input: DeliveryInput,
  { mailing, revision }: DistributeRequest & { readonly revision: number },
): Promise<void> {
  const call = { updateId: `mailing/${mailing}/${revision}`, args: [{ mailing }] as [DistributeRequest] };
  await sendUpdateWithStart(temporal, deliveryWorkflow, deliveryStart(input), distributeUpdate, call);
}

function deliveryStart(input: DeliveryInput) {
  const { organisationId, orderId, orderVersion, cause, correlationId } = input;
  return {
    workflowId: deliveryWorkflowId(input),
    args: [{ organisationId, orderId, orderVersion, cause, correlationId }] as [DeliveryInput],
    searchAttributes: orderAttributes(input),
  };
}

function refusalOf(error: unknown): ServiceError | undefined {
  if (!(error instanceof WorkflowUpdateFailedError) || !(error.cause instanceof ApplicationFailure)) return undefined;
  const { type, message } = error.cause;
  if (typeof type !== 'string' || !Object.hasOwn(ERROR_STATUS, type)) return undefined;
  if (type === 'ORDER_LOCKED') return underRefund(message);
  const headers = type === 'UNAVAILABLE' ? { headers: { 'Retry-After': '2' } } : {};
  return new ServiceError(type as ErrorCode, message, { cause: error, ...headers });
}
