/**
 * Ends a transaction without money: its session is ended, and what the customer has authorised is given back. What is to be
 * done is written down first, so nothing captures it meanwhile. Caller: capture-activities.ts.
 */
import type { CaptureStep } from '../../../workflows/payments/activities.ts';
import { cancelTransaction, noteVoided } from '../../../workflows/payments/rules/cancelling.ts';
import type { ProviderIntent } from '../../../workflows/payments/rules/payment.ts';
import { noteAuthorised } from '../../../workflows/payments/rules/terminal.ts';
import type { PaymentProvider } from '../provider/payment-provider.ts';
import { type CaptureContext, refusalOf, type Standing, unlessUnknown } from './capture-context.ts';
import { findSession } from './session-steps.ts';

export async function cancel(context: CaptureContext): Promise<CaptureStep> {
  const { transactionId } = context.input;
  let standing: Standing;
  try {
    standing = await context.change((payment, now) => cancelTransaction(payment, { transactionId }, now));
  } catch (error) {
    return context.step(await context.read(), refusalOf(error));
  }
  return await finishVoid(context, standing);
}

/** Goes on with a void that was written down. Without an effect where there is none. */
export async function finishVoid(context: CaptureContext, standing: Standing): Promise<CaptureStep> {
  const { intent } = standing.transaction;
  if (intent?.kind !== 'VOID') return await ended(context, standing);
  const opened = await findSession(context, standing);
  const closed = opened && (await closeSession(context, opened, intent));
  if (!closed || !(await giveBack(context, closed, intent))) return context.step(opened ?? standing);
  const { transactionId } = context.input;
  const voided = await context.change((payment, now) => noteVoided(payment, { transactionId, key: intent.key }, now));
  return await ended(context, voided);
}

/** Afterwards the session authorises nothing more; what it had authorised before is known. Undefined: no answer. */
async function closeSession(
  context: CaptureContext,
  standing: Standing,
  intent: ProviderIntent,
): Promise<Standing | undefined> {
  const { session } = standing.transaction;
  const sessionId = session?.sessionId;
  if (!session || sessionId === undefined) return standing;
  const provider = context.providerOf(standing.transaction);
  const state = await unlessUnknown(async () => {
    if (!session.endedAt) await provider.cancelSession(sessionId, `${intent.key}-session`);
    return await provider.session(sessionId);
  });
  if (!state) return undefined;
  const { authorisationId, challengeDone } = state;
  if (authorisationId === undefined || authorisationId === standing.transaction.authorisationId) return standing;
  const { transactionId } = context.input;
  const authorised = { transactionId, sessionId, authorisationId, challengeDone };
  return await context.change((payment, now) => noteAuthorised(payment, authorised, now));
}

/** False: the provider has not said yet. */
async function giveBack(context: CaptureContext, standing: Standing, { key }: ProviderIntent): Promise<boolean> {
  const { payment, transaction } = standing;
  const { authorisationId, amountMinor } = transaction;
  if (authorisationId === undefined) return true;
  const provider: PaymentProvider = context.providerOf(transaction);
  const money = { authorisationId, amountMinor, currency: payment.currency };
  const outcome = await unlessUnknown(async () => {
    const known = await provider.outcomeOf(key, money);
    return known.outcome === 'NEVER_SEEN' ? await provider.void({ key, ...money }) : known;
  });
  if (!outcome || outcome.outcome === 'PENDING' || outcome.outcome === 'NEVER_SEEN') return false;
  if (outcome.outcome !== 'DONE') {
    const { log } = context.dependencies;
    log.warn({ transactionId: transaction.id, outcome }, 'the provider voids no authorisation that has ended already');
  }
  return true;
}

async function ended(context: CaptureContext, standing: Standing): Promise<CaptureStep> {
  await context.dependencies.callbacks.note(standing);
  return context.step(standing);
}
