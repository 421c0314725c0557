/**
 * Takes the money of a transaction. The order is locked and the capture written down before the provider is asked; its key
 * stays until the outcome is known. Caller: capture-activities.ts.
 */

import { dueMinor } from '../../../workflows/orders/rules/spent-draft.ts';
import type { CaptureStep, Refusal } from '../../../workflows/payments/activities.ts';
import { BOOK } from '../../../workflows/payments/rules/book.ts';
import { isNeedless } from '../../../workflows/payments/rules/cancelling.ts';
import {
  assertCapturable,
  assertOwed,
  beginCapture,
  challengeDue,
  noteCaptured,
  noteRejected,
  noteSoftDecline,
  refusedByIssuer,
} from '../../../workflows/payments/rules/capture.ts';
import type { ProviderIntent } from '../../../workflows/payments/rules/payment.ts';
import { combine, unchanged } from '../../../workflows/payments/rules/payment-change.ts';
import { noteSessionEnded } from '../../../workflows/payments/rules/terminal.ts';
import { isTaken, transactionOf } from '../../../workflows/payments/rules/transactions.ts';
import type { MoneyOutcome } from '../provider/payment-provider.ts';
import { type CaptureContext, refusalOf, type Standing, unlessUnknown } from './capture-context.ts';
import { settleOrder } from './order-steps.ts';
import { readSession } from './session-steps.ts';
import { cancel, finishVoid } from './void-steps.ts';

export async function takeMoney(context: CaptureContext): Promise<CaptureStep> {
  const found = await context.read();
  const { intent } = found.transaction;
  if (intent?.kind === 'VOID') return await refuseCancelled(context, found);
  if (isTaken(found.transaction)) return await settleOrder(context, found);
  if (intent) return await resumeCapture(context, found, intent);
  const standing = needsSession(found) ? await readSession(context, found) : found;
  // Nothing was begun: the caller may try again.
  if (!standing) {
    await context.unlock();
    return context.step(found, NO_ANSWER);
  }
  if (standing.transaction.intent?.kind === 'VOID') {
    await context.unlock();
    return await refuseCancelled(context, standing);
  }
  let begun: Standing;
  try {
    assertCapturable(standing.payment, standing.transaction);
    begun = await begin(context, standing);
  } catch (error) {
    return await refuse(context, refusalOf(error));
  }
  const { transaction } = begun;
  if (isTaken(transaction)) return await settleOrder(context, begun);
  // An earlier attempt of this step has its outcome.
  if (transaction.intent?.kind !== 'CAPTURE') return await endDeclined(context, begun);
  return await ask(context, begun, transaction.intent, true);
}

/** Goes on with a capture that was written down. */
export async function resumeCapture(
  context: CaptureContext,
  standing: Standing,
  intent: ProviderIntent,
): Promise<CaptureStep> {
  return await ask(context, standing, intent, false);
}

/** What the order can never take is given back at once. */
async function refuse(context: CaptureContext, refusal: Refusal): Promise<CaptureStep> {
  // Also where an earlier attempt of this step has locked it.
  await context.unlock();
  const standing = await context.read();
  const { payment, transaction } = standing;
  if (!isNeedless(payment, transaction, await context.readOrder())) return context.step(standing, refusal);
  const step = await cancel(context);
  // Another capture of it runs, whose outcome decides.
  if (step.refusal) return step;
  // A lock that ends changes nothing of it: there is nothing to try again.
  const { code, detail } = refusal.code === 'ORDER_LOCKED' ? PAST : refusal;
  return { ...step, refusal: { code, detail: `${detail} ${NOTHING_TAKEN}` } };
}

async function begin(context: CaptureContext, { payment }: Standing): Promise<Standing> {
  const { dependencies, input, work } = context;
  const { organisationId, orderId, transactionId, callId } = input;
  const orders = dependencies.orders();
  const order = await orders.lockForCapture(organisationId, orderId, payment.orderVersion, work);
  return await context.change((before, now) => {
    context.assertMayBegin();
    assertOwed(before, transactionOf(before, transactionId), dueMinor(order));
    return beginCapture(before, { transactionId }, now);
  }, `capture/${callId}`);
}

async function ask(
  context: CaptureContext,
  standing: Standing,
  { key }: ProviderIntent,
  isFirst: boolean,
): Promise<CaptureStep> {
  const { payment, transaction } = standing;
  const { authorisationId = key, amountMinor } = transaction;
  const provider = context.providerOf(transaction);
  const money = { authorisationId, amountMinor, currency: payment.currency };
  const outcome = await unlessUnknown(async () => {
    const known = isFirst ? undefined : await provider.outcomeOf(key, money);
    // The same key takes no money twice, also when the first call is still on its way.
    return known && known.outcome !== 'NEVER_SEEN' ? known : await provider.capture({ key, ...money });
  });
  if (!outcome) return context.step(standing);
  return await note(context, standing, key, outcome);
}

async function note(
  context: CaptureContext,
  standing: Standing,
  key: string,
  { outcome, rrn, sessionEnded }: MoneyOutcome,
): Promise<CaptureStep> {
  const { transactionId } = context.input;
  if (outcome === 'PENDING' || outcome === 'NEVER_SEEN') return context.step(standing);
  if (outcome === 'DONE') {
    const captured = { transactionId, key, ...(rrn !== undefined && { rrn }) };
    return await settleOrder(context, await context.change((payment, now) => noteCaptured(payment, captured, now)));
  }
  const declined = await context.change((payment, now) => {
    if (outcome === 'REFUSED') return noteRejected(payment, { transactionId, key }, now);
    const sessionId = standing.transaction.session?.sessionId;
    return combine(payment, [
      (before) => noteSoftDecline(before, { transactionId, key }, now),
      (before) =>
        sessionEnded && sessionId !== undefined
          ? noteSessionEnded(before, { transactionId, sessionId }, now)
          : unchanged(before),
    ]);
  });
  return await endDeclined(context, declined);
}

async function endDeclined(context: CaptureContext, standing: Standing): Promise<CaptureStep> {
  await context.unlock();
  await context.dependencies.callbacks.note(standing);
  const { status, needsChallenge } = standing.transaction;
  if (status === 'REJECTED') return context.step(standing, refusalOf(refusedByIssuer()));
  return context.step(standing, needsChallenge ? refusalOf(challengeDue()) : CANCELLED);
}

export const NO_ANSWER: Refusal = {
  code: 'PSP_TIMEOUT',
  detail: 'The payment provider has not answered; try again.',
};

const NOTHING_TAKEN = 'The transaction is cancelled: nothing will be taken.';

const PAST: Refusal = {
  code: 'ORDER_VERSION_MISMATCH',
  detail: 'The version of the order that the payment is for takes no money any more.',
};

const CANCELLED: Refusal = { code: 'INVALID_STATE', detail: NOTHING_TAKEN };

async function refuseCancelled(context: CaptureContext, standing: Standing): Promise<CaptureStep> {
  const step = await finishVoid(context, standing);
  return { ...step, refusal: CANCELLED };
}

function needsSession({ transaction }: Standing): boolean {
  const { provider, authorisationId, needsChallenge } = transaction;
  return provider !== BOOK && (authorisationId === undefined || needsChallenge === true);
}
