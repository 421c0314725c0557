/**
 * What a capture makes of its order: confirmed when it is paid, else unlocked. Money that the order cannot use is paid back by a
 * refund, and the draft ends. Under the lock of the capture nothing else is written meanwhile. Caller: capture-activities.ts.
 */

import { balanceMinor, excessMinor } from '../../../workflows/orders/rules/amounts.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import type { CaptureStep } from '../../../workflows/payments/activities.ts';
import { isInVain } from '../../../workflows/payments/rules/capture.ts';
import {
  type CompensationPlan,
  pagesOf,
  planCompensation,
} from '../../../workflows/payments/rules/compensation-plan.ts';
import type { Credit } from '../../../workflows/payments/rules/credit.ts';
import type { Payment } from '../../../workflows/payments/rules/payment.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import type { CompensationState } from '../../shared/compensations.ts';
import type { CaptureContext, Standing } from './capture-context.ts';

/** Captured. Without an effect where the lock has ended: all was done before. */
export async function settleOrder(context: CaptureContext, standing: Standing): Promise<CaptureStep> {
  const { callbacks, compensations } = context.dependencies;
  await callbacks.note(standing);
  const compensated = await compensations().find(context.input.organisationId, workOf(context));
  if (compensated) return await concludeAs(context, standing, compensated);
  const order = await context.readOrder();
  if (!isLocked(context, order)) return await sold(context, standing, order);
  // Begun before refunds carried compensations, and perhaps paid: the refund goes on with it.
  const earlier = await context.dependencies.credits.findCreated(context.input.organisationId, workOf(context));
  if (earlier)
    return await compensate(context, standing, planOfEarlier(await paymentsOf(context, order), earlier.credit));
  const balance = balanceMinor(order);
  const confirmed = balance === 0 ? await tryToConfirm(context, standing) : undefined;
  if (confirmed) return await sold(context, standing, confirmed);
  const plan = isInVain(standing.transaction, balance) ? await planOf(context, standing, order) : undefined;
  if (plan && plan.parts.length > 0) return await compensate(context, standing, plan);
  await context.unlock();
  return context.step(standing);
}

/** The refund of the captured money is on its way, or has its outcome. */
async function concludeAs(context: CaptureContext, standing: Standing, state: CompensationState): Promise<CaptureStep> {
  if (state === 'RUNNING') return { status: standing.transaction.status, next: 'POLL' };
  if (state === 'OUTSTANDING') return { ...context.step(standing), isOutstanding: true };
  const order = await context.readOrder();
  if (isLocked(context, order)) {
    const confirmed = balanceMinor(order) === 0 ? await tryToConfirm(context, standing) : undefined;
    if (confirmed) await sold(context, standing, confirmed);
    else await giveUpDraft(context, standing);
  }
  // The transaction was credited meanwhile.
  return { ...context.step(await context.read()), isCredited: true };
}

/** This capture holds its lock. */
function isLocked({ work }: CaptureContext, { lock }: Order): boolean {
  return lock?.owner === work.lockOwner;
}

/** Also of an earlier attempt, which may have died right after the confirmation. Nobody pays for the same a second time. */
async function sold(context: CaptureContext, standing: Standing, order: Order): Promise<CaptureStep> {
  await context.dependencies.needless.wake(order, context.input.correlationId);
  return context.step(standing);
}

/** Undefined: it is refused for good. */
async function tryToConfirm(
  { dependencies, input, work }: CaptureContext,
  { payment }: Standing,
): Promise<Order | undefined> {
  try {
    return await dependencies.orders().confirm(input.organisationId, input.orderId, payment.orderVersion, work);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    dependencies.log.warn({ orderId: input.orderId, code: error.code }, 'a paid order is refused its confirmation');
    return undefined;
  }
}

async function compensate(context: CaptureContext, standing: Standing, plan: CompensationPlan): Promise<CaptureStep> {
  const { input, dependencies, work } = context;
  const { payment, transaction } = standing;
  const { organisationId, orderId, correlationId } = input;
  const { distributionChannelId, orderVersion, currency } = payment;
  const { settlementId, id: askedFor } = transaction;
  const state = await dependencies.compensations().begin(
    {
      ...{ organisationId, orderId, orderVersion, distributionChannelId, currency, askedBy: work.lockOwner },
      ...(settlementId !== undefined && { settlementId }),
      ...{ ...plan, askedFor },
      creditWorkId: workOf(context).workId,
    },
    { ...workOf(context), correlationId },
  );
  return await concludeAs(context, standing, state);
}

/** All that the draft has captured, where it cannot be confirmed; where it is paid without this capture, what this one has taken. */
async function planOf(
  context: CaptureContext,
  { payment, transaction }: Standing,
  order: Order,
): Promise<CompensationPlan> {
  const { id: transactionId, paymentTypeGroup, paymentType } = transaction;
  const excess = excessMinor(order);
  const payments = await paymentsOf(context, order);
  if (balanceMinor(order) === 0 && excess > transaction.amountMinor) {
    const stored = await context.dependencies.credits.listOfOrder(order.organisationId, order.id);
    const credits = stored.map(({ credit }) => credit);
    return planCompensation(payments, excess, order.version, credits);
  }
  // Another credit may have paid a part of it back.
  const amountMinor = Math.min(transaction.amountMinor, excess);
  const part = { paymentId: payment.id, transactionId, amountMinor, paymentTypeGroup, paymentType };
  const parts = amountMinor > 0 ? [part] : [];
  return { parts, pages: pagesOf(payments, parts) };
}

async function paymentsOf(
  { dependencies }: CaptureContext,
  { organisationId, id }: Order,
): Promise<readonly Payment[]> {
  return (await dependencies.payments.listOfOrder(organisationId, id)).map(({ payment }) => payment);
}

function planOfEarlier(payments: readonly Payment[], credit: Credit): CompensationPlan {
  const parts = credit.parts.map(({ status: _status, rrn: _rrn, paidOtherwise: _how, at: _at, ...part }) => part);
  return { parts, pages: pagesOf(payments, parts) };
}

/** A transaction is compensated once. Its credit had the same before refunds carried compensations. */
function workOf({ input }: CaptureContext): { readonly workId: string } {
  return { workId: `compensation/${input.transactionId}` };
}

async function giveUpDraft(context: CaptureContext, { payment }: Standing): Promise<void> {
  const { dependencies, input, work } = context;
  try {
    await dependencies.orders().abandonDraft(input.organisationId, input.orderId, payment.orderVersion, work);
  } catch (error) {
    // Other money or open transactions of the draft: its expiry ends it.
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    await context.unlock();
  }
}
