/**
 * Makes the tickets and the receipt of one version of an order, and sends them, for up to 24 hours.
 *
 * Started after a confirmation by the sweep of mailings, and by calls, whose updates find the running workflow or start one. The
 * database holds the truth: each step reads it, and what is to be sent is written down before it is sent. So a workflow that was
 * lost comes back with the sweep or any call. Tickets are made one call at a time, beside the mails that are being sent.
 *
 * It outlives deployments and continues on whichever build is current (auto-upgrade). So every change of its steps is made with
 * `patched`, and recorded histories are replayed.
 */
import { ApplicationFailure, continueAsNew, log, patched, setHandler } from '@temporalio/workflow';
import { Mutex } from '../shared/mutex.ts';
import type { IssueStep } from './activities.ts';
import { documents } from './activity-proxies.ts';
import {
  type DeliveryInput,
  type DeliveryResult,
  deliveryStateQuery,
  deliveryWorkflowId,
  distributeUpdate,
  type GenerateRequest,
  generateUpdate,
} from './messages.ts';
import { DeliveryLife } from './rules/delivery-life.ts';
import { isDistributeRequest, isGenerateRequest } from './rules/requests.ts';
import { sendUntilOver, tellPage } from './sending.ts';

/** Histories hold it. */
const REFUSAL_TOLD_PATCH = 'refusal-told';
/** Before, a call waited for the mails that were being sent. */
const SENDS_BESIDE_PATCH = 'sends-beside-calls';

export async function delivery(input: DeliveryInput): Promise<DeliveryResult> {
  const life = new DeliveryLife();
  const turns = new Mutex();
  handleMessages(input, life, turns);
  if (input.cause === 'CONFIRMED') {
    await turns.run(() => issue(input, life, { mailing: deliveryWorkflowId(input) }));
    // Its receipt may be made much later.
    if (life.isRefused && patched(REFUSAL_TOLD_PATCH)) await tellPage(life);
  }
  // Also where nothing is refused: mails of an earlier run may be due.
  life.mailsWritten();
  // A mail server may take a minute for each mail: calls do not wait for it.
  const isOver = await sendUntilOver(input, life, patched(SENDS_BESIDE_PATCH) ? new Mutex() : turns);
  if (!isOver) return await continueAsNew<typeof delivery>({ ...input, cause: 'ASKED' });
  await tellPage(life);
  const { outcome } = life;
  log.info('A delivery has ended', { orderId: input.orderId, orderVersion: input.orderVersion, outcome });
  return { outcome };
}

function handleMessages(input: DeliveryInput, life: DeliveryLife, turns: Mutex): void {
  const answer = async (request: GenerateRequest & { readonly mailing?: string }): Promise<void> => {
    life.messageArrived();
    const { refusal } = await turns.run(() => issue(input, life, request));
    if (refusal) throw ApplicationFailure.nonRetryable(refusal.detail, refusal.code);
  };
  setHandler(generateUpdate, answer, { validator: (request) => assertForm(isGenerateRequest(request)) });
  setHandler(distributeUpdate, answer, { validator: (request) => assertForm(isDistributeRequest(request)) });
  setHandler(deliveryStateQuery, () => life.state);
}

async function issue(
  input: DeliveryInput,
  life: DeliveryLife,
  request: GenerateRequest & { readonly mailing?: string },
): Promise<IssueStep> {
  const step = await documents.issueDocuments({ ...input, ...request });
  life.issued(step);
  if (request.mailing !== undefined) life.mailsWritten();
  return step;
}

function assertForm(isRight: boolean): void {
  if (isRight) return;
  throw ApplicationFailure.nonRetryable('The request lacks something, or has more than it may', 'VALIDATION_FAILED');
}
