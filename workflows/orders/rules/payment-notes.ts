/**
 * What payments tell an order. They are facts about money: no state of the order and no lock refuses them. Payments have
 * events of their own, so these changes have none. Pure.
 */
import { sumOf } from '../../shared/money.ts';
import { assertWritable, invalidState } from './guards.ts';
import type { Order, PaymentRef } from './order.ts';
import { type OrderCommand, unchanged } from './order-change.ts';

/**
 * The payment as it is after a capture, a credit, or a transaction that was opened or has ended. Its revision rises and
 * sums of money never fall, so a note that comes late changes nothing.
 */
export const notePayment: OrderCommand<{ readonly payment: PaymentRef }> = (order, { payment }, _now) => {
  const earlier = order.paymentRefs.find(({ paymentId }) => paymentId === payment.paymentId);
  const isLate =
    earlier !== undefined &&
    (payment.capturedMinor < earlier.capturedMinor ||
      payment.creditedMinor < earlier.creditedMinor ||
      (payment.revision ?? Infinity) < (earlier.revision ?? 0));
  if (isLate || (earlier && isSame(earlier, payment))) return unchanged(order);
  if (payment.creditedMinor > payment.capturedMinor) throw new RangeError('More is credited than was captured');
  const others = order.paymentRefs.filter((ref) => ref !== earlier);
  const paymentRefs = [...others, payment].sort((one, other) => one.paymentId - other.paymentId);
  return { order: { ...order, paymentRefs, money: moneyAfter(order, earlier, payment) }, events: [] };
};

/** The page of the order's draft; undefined when it is closed. */
export const attachPaymentPage: OrderCommand<{ readonly paymentPageId: string | undefined }> = (
  order,
  command,
  _now,
) => {
  assertWritable(order, command);
  const { paymentPageId } = command;
  if (paymentPageId === order.paymentPageId) return unchanged(order);
  if (paymentPageId !== undefined && order.status !== 'DRAFT') throw invalidState('Only a draft is paid by a page.');
  const { paymentPageId: _earlier, ...rest } = order;
  return { order: { ...rest, ...(paymentPageId !== undefined && { paymentPageId }) }, events: [] };
};

/** Its page is closed. No lock refuses it; another page stays. */
export const detachPaymentPage: OrderCommand<{ readonly paymentPageId: string }> = (order, { paymentPageId }, _now) => {
  if (order.paymentPageId !== paymentPageId) return unchanged(order);
  const { paymentPageId: _closed, ...rest } = order;
  return { order: rest, events: [] };
};

function isSame(one: PaymentRef, other: PaymentRef): boolean {
  return (
    one.capturedMinor === other.capturedMinor &&
    one.creditedMinor === other.creditedMinor &&
    one.openTransactions === other.openTransactions &&
    one.orderVersion === other.orderVersion &&
    one.revision === other.revision
  );
}

/** Money that was imported with the order has no payment at first, so the sums change by the difference. */
function moneyAfter({ money }: Order, earlier: PaymentRef | undefined, payment: PaymentRef) {
  const counted = earlier ?? { capturedMinor: payment.cameWithOrder ? payment.capturedMinor : 0, creditedMinor: 0 };
  return {
    capturedMinor: sumOf([money.capturedMinor, payment.capturedMinor, -counted.capturedMinor]),
    creditedMinor: sumOf([money.creditedMinor, payment.creditedMinor, -counted.creditedMinor]),
  };
}
