/**
 * What a capture makes of its order: confirmed when it is paid, else unlocked. Money that the order cannot use is credited
 * in full, and the draft ends. Under the lock of the capture nothing else is written meanwhile. Caller: capture-activities.ts.
 */

import { balanceMinor } from '../../../workflows/orders/rules/amounts.ts';
import type { CaptureStep } from '../../../workflows/payments/activities.ts';
import { creditStatusOf } from '../../../workflows/payments/rules/credit.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { type CaptureContext, PAYMENTS_WORKER, type Standing } from './capture-context.ts';

/** Captured. Without an effect where the lock has ended: all was done before. */
export async function settleOrder(context: CaptureContext, standing: Standing): Promise<CaptureStep> {
  await context.dependencies.callbacks.note(standing);
  const begun = await findCompensation(context);
  if (begun) return await concludeCredited(context, standing);
  const order = await lockedOrder(context);
  if (!order) return context.step(standing);
  const balance = balanceMinor(order);
  if (balance > 0) {
    await context.unlock();
    return context.step(standing);
  }
  if (balance === 0 && (await tryToConfirm(context, standing))) return context.step(standing);
  return await compensate(context, standing);
}

/** The credit of the capture is on its way, or has its outcome. */
export async function concludeCredited(context: CaptureContext, standing: Standing): Promise<CaptureStep> {
  const stored = await findCompensation(context);
  if (!stored) return await settleOrder(context, standing);
  const status = creditStatusOf(stored.credit);
  if (status === 'CREATED') {
    return { status: standing.transaction.status, next: 'CREDIT', creditId: stored.credit.id };
  }
  const order = await lockedOrder(context);
  if (order) {
    const isPaid = status === 'CREDITED' && balanceMinor(order) === 0;
    if (!(isPaid && (await tryToConfirm(context, standing)))) await giveUpDraft(context, standing);
  }
  return { ...context.step(standing), isCredited: status === 'CREDITED' };
}

/** The order, while this capture holds its lock. */
async function lockedOrder({ dependencies, input, work }: CaptureContext) {
  const order = await dependencies.orderReads().get(input.organisationId, input.orderId);
  return order.lock?.owner === work.lockOwner ? order : undefined;
}

/** False: it is refused for good. */
async function tryToConfirm({ dependencies, input, work }: CaptureContext, { payment }: Standing): Promise<boolean> {
  try {
    await dependencies.orders().confirm(input.organisationId, input.orderId, payment.orderVersion, work);
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    dependencies.log.warn({ orderId: input.orderId, code: error.code }, 'a paid order is refused its confirmation');
    return false;
  }
}

async function compensate(context: CaptureContext, { payment, transaction }: Standing): Promise<CaptureStep> {
  const { input, dependencies } = context;
  const { distributionChannelId, orderVersion, currency, customerNumber } = payment;
  const { id: transactionId, amountMinor, paymentTypeGroup, paymentType, settlementId, status } = transaction;
  const { organisationId, orderId, paymentId } = input;
  const { credit } = await dependencies.credits.create(
    organisationId,
    { ...workOf(context), correlationId: input.correlationId, clientId: PAYMENTS_WORKER },
    (id) => ({
      ...{ id, organisationId, distributionChannelId, orderId, orderVersion, currency, reason: 'COMPENSATION' },
      ...(customerNumber !== undefined && { customerNumber }),
      ...(settlementId !== undefined && { settlementId }),
      parts: [{ paymentId, transactionId, amountMinor, paymentTypeGroup, paymentType }],
    }),
    { pendingStart: true },
  );
  return { status, next: 'CREDIT', creditId: credit.id };
}

async function findCompensation(context: CaptureContext) {
  return await context.dependencies.credits.findCreated(context.input.organisationId, workOf(context));
}

/** A transaction is compensated once. */
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
