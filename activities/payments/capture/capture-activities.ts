/** The activities of `capture`, on the queue `sales-payments`. Temporal retries what fails without end. */
import type { CaptureActivities, CaptureStep } from '../../../workflows/payments/activities.ts';
import { isIdle, isNeedless } from '../../../workflows/payments/rules/cancelling.ts';
import { isOpen, isTaken } from '../../../workflows/payments/rules/transactions.ts';
import { CaptureContext, type CaptureDependencies, refusalOf } from './capture-context.ts';
import { NO_ANSWER, resumeCapture, takeMoney } from './money-steps.ts';
import { settleOrder } from './order-steps.ts';
import { openSession, readSession, withNextSession } from './session-steps.ts';
import { cancel, finishVoid } from './void-steps.ts';

/** Definite for a transaction that captures itself; the others are tried again. */
const TRANSIENT = new Set(['ORDER_LOCKED', 'RESOURCE_BUSY', 'SOFT_DECLINE', 'PSP_TIMEOUT']);

export function createCaptureActivities(dependencies: CaptureDependencies): CaptureActivities {
  const contextOf = (input: ConstructorParameters<typeof CaptureContext>[1]) => new CaptureContext(dependencies, input);
  return {
    openTerminal: async (input) => await openTerminal(contextOf(input)),
    captureMoney: async (input) => await takeMoney(contextOf(input)),
    lookAgain: async (input) => await lookAgain(contextOf(input)),
    cancelTransaction: async (input) => await cancel(contextOf(input)),
    concludeCredited: async (input) => {
      const context = contextOf(input);
      return await settleOrder(context, await context.read());
    },
  };
}

async function openTerminal(context: CaptureContext): Promise<CaptureStep> {
  const found = await context.read();
  if (!isOpen(found.transaction)) return context.step(found);
  let standing = found;
  try {
    standing = await withNextSession(context, found);
    const opened = await openSession(context, standing);
    if (opened) return context.step(opened);
  } catch (error) {
    return context.step(standing, refusalOf(error));
  }
  return context.step(standing, NO_ANSWER);
}

async function lookAgain(context: CaptureContext): Promise<CaptureStep> {
  const found = await context.read();
  const { intent } = found.transaction;
  if (intent?.kind === 'VOID') return await finishVoid(context, found);
  if (intent) return await resumeCapture(context, found, intent);
  if (isTaken(found.transaction)) return await settleOrder(context, found);
  // A step that was lost between its lock and its capture has left the lock.
  await context.unlock();
  const standing = await readSession(context, found);
  if (!standing) return { ...context.step(found), next: 'POLL' };
  const { payment, transaction } = standing;
  if (transaction.intent) return await finishVoid(context, standing);
  if (!isOpen(transaction)) {
    await context.dependencies.callbacks.note(standing);
    return context.step(standing);
  }
  const { session, capturesItself, authorisationId, needsChallenge } = transaction;
  const isUnused = capturesItself && session?.endedAt !== undefined && !needsChallenge;
  if (isIdle(transaction, context.now()) || isUnused || !payment.active) return await cancel(context);
  if (isNeedless(payment, transaction, await context.readOrder())) return await cancel(context);
  if (capturesItself && authorisationId !== undefined && !needsChallenge) return await captureItself(context);
  return context.step(standing);
}

/** Nobody asks for it again: what is refused for good is given back. */
async function captureItself(context: CaptureContext): Promise<CaptureStep> {
  const step = await takeMoney(context);
  const { next, refusal } = step;
  if (next !== 'WAIT' || !refusal) return step;
  if (refusal.code === 'SOFT_DECLINE') return step;
  return TRANSIENT.has(refusal.code) ? { ...step, next: 'POLL' } : await cancel(context);
}
