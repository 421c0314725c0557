/**
 * Starts, signals and updates the workflow of one payment page. Callers: the handlers right after their write, the sweep,
 * the server of the pages.
 *
 * Each may be repeated and raced. A message finds the running workflow or starts one, which first reads the page. So a
 * workflow that was terminated by hand, or lost with Temporal's storage, comes back with any message.
 */
import { randomUUID } from 'node:crypto';
import type { UpdateDefinition } from '@temporalio/common';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { signalWithStart, startWorkflow, updateWithStart } from '../../platform/temporal/workflow-calls.ts';
import {
  type CancelRequest,
  cancelUpdate,
  captureSettledSignal,
  deliverySettledSignal,
  orderChangedSignal,
  type PageAnswer,
  type PatchRequest,
  type PaymentPageInput,
  type PayRequest,
  patchUpdate,
  paymentPageWorkflow,
  paymentPageWorkflowId,
  payUpdate,
} from '../../workflows/payment-page/messages.ts';
import type { SettledCapture, SettledDelivery } from '../../workflows/shared/payment-page-signals.ts';
import { orderAttributes } from '../../workflows/shared/search-attributes.ts';

/** Longer than Temporal takes to give a dead worker's task to another one: ten seconds. */
const UPDATE_TIMEOUT_MS = 15_000;
/** The provider opens a terminal meanwhile. */
const PAY_TIMEOUT_MS = 25_000;

export async function startPaymentPage(temporal: TemporalClient, input: PaymentPageInput): Promise<void> {
  await startWorkflow(temporal, paymentPageWorkflow, startOf(input));
}

/** Call after the page or its order was changed. */
export async function signalOrderChanged(temporal: TemporalClient, input: PaymentPageInput): Promise<void> {
  await signalWithStart(temporal, paymentPageWorkflow, startOf(input), orderChangedSignal);
}

/** The outcome of an attempt. Repeatable; a page that has ended is told too. */
export async function signalSettled(
  temporal: TemporalClient,
  input: PaymentPageInput,
  settled: SettledCapture,
): Promise<void> {
  await signalWithStart(temporal, paymentPageWorkflow, startOf(input), captureSettledSignal, settled);
}

/** The tickets and the receipt were sent. Repeatable; also for a page whose workflow has ended. */
export async function signalDelivered(
  temporal: TemporalClient,
  input: PaymentPageInput,
  settled: SettledDelivery,
): Promise<void> {
  await signalWithStart(temporal, paymentPageWorkflow, startOf(input), deliverySettledSignal, settled);
}

/** Repeats join one attempt by its number, so each may be an update of its own. */
export async function callPay(
  temporal: TemporalClient,
  input: PaymentPageInput,
  request: PayRequest,
): Promise<PageAnswer> {
  return await call(temporal, input, { update: payUpdate, request, updateId: randomUUID(), timeoutMs: PAY_TIMEOUT_MS });
}

export async function callPatch(
  temporal: TemporalClient,
  input: PaymentPageInput,
  request: PatchRequest,
): Promise<PageAnswer> {
  const updateId = `idem:${request.workId}/${randomUUID()}`;
  return await call(temporal, input, { update: patchUpdate, request, updateId, timeoutMs: UPDATE_TIMEOUT_MS });
}

export async function callCancel(
  temporal: TemporalClient,
  input: PaymentPageInput,
  request: CancelRequest,
): Promise<PageAnswer> {
  const updateId = `idem:${request.workId}/${randomUUID()}`;
  return await call(temporal, input, { update: cancelUpdate, request, updateId, timeoutMs: UPDATE_TIMEOUT_MS });
}

interface Call<Request> {
  readonly update: UpdateDefinition<PageAnswer, [Request]>;
  readonly request: Request;
  readonly updateId: string;
  readonly timeoutMs: number;
}

async function call<Request>(
  temporal: TemporalClient,
  input: PaymentPageInput,
  { update, request, updateId, timeoutMs }: Call<Request>,
): Promise<PageAnswer> {
  const updateCall = { updateId, args: [request] as [Request], timeoutMs };
  return await updateWithStart(temporal, paymentPageWorkflow, startOf(input), update, updateCall);
}

function startOf({ organisationId, orderId, pageId }: PaymentPageInput) {
  return {
    workflowId: paymentPageWorkflowId(pageId),
    args: [{ organisationId, orderId, pageId }] as [PaymentPageInput],
    searchAttributes: orderAttributes({ organisationId, orderId }),
  };
}
