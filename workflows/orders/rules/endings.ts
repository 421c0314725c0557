/** How orders and their drafts end without being sold: cancelled, reset or expired. Pure. */

import type { ServiceError } from '../../shared/service-error.ts';
import { excessMinor } from './amounts.ts';
import { assertWritable, invalidState, isDue } from './guards.ts';
import type { Order, SealedText } from './order.ts';
import { type OrderChange, type OrderCommand, unchanged } from './order-change.ts';
import { withSeatEffects } from './seat-effects.ts';
import { assertTicketsGivenBack } from './ticket-withdrawal.ts';

/** A first draft, or an order whose lines are all cancelled. */
export const cancelOrder: OrderCommand<{ readonly reason?: SealedText }> = (order, command, _now) => {
  assertWritable(order, command);
  if (order.status === 'DRAFT' && order.confirmed) throw changedSinceSold(order);
  if (order.orderLines.some(({ status }) => status === 'CONFIRMED')) {
    throw invalidState('The order has lines that are not cancelled: cancel them, and confirm that draft first.');
  }
  if (order.status === 'DRAFT') assertSettled(order);
  const cancelled = ended(order, 'CANCELLED');
  return {
    order: { ...cancelled, ...(command.reason && { cancelReason: command.reason }) },
    events: [{ type: 'OrderCancelled', orderVersion: order.version }],
  };
};

function changedSinceSold({ orderLines }: Order): ServiceError {
  const isOver = orderLines.every(({ status }) => status === 'CANCELLED' || status === 'CANCELLATION_DRAFT');
  return invalidState(
    isOver
      ? 'The lines are cancelled when this draft is confirmed: settle its balance and confirm it, then cancel the order.'
      : 'The order was confirmed before: reset its draft, or cancel all its lines and confirm, then cancel the order.',
  );
}

/** Drops the draft of an order that was confirmed before. */
export const resetOrder: OrderCommand<object> = (order, command, _now) => {
  assertWritable(order, command);
  if (order.status !== 'DRAFT') throw invalidState('The order has no draft to drop.');
  if (!order.confirmed) throw invalidState('There is no confirmed version to go back to.');
  assertSettled(order);
  return restored(order);
};

/**
 * Ends a draft whose time is over; without an effect on any other order. The caller has ended its open transactions,
 * and credited what was captured for the draft.
 */
export const expireOrder: OrderCommand<object> = (order, command, now) => {
  if (!isDue(order, now)) return unchanged(order);
  assertWritable(order, command);
  return endDraft(order);
};

/** Whatever its time: after money was captured that no confirmation can use, and was credited. */
export const abandonDraft: OrderCommand<{ readonly orderVersion: number }> = (order, command, _now) => {
  if (order.status !== 'DRAFT' || order.version !== command.orderVersion) return unchanged(order);
  assertWritable(order, command);
  return endDraft(order);
};

/** Nothing may be captured any more, and what the draft has captured was credited. */
export function isSettled(order: Order): boolean {
  return excessMinor(order) === 0 && hasNoOpenTransactions(order);
}

export function hasNoOpenTransactions({ paymentRefs }: Order): boolean {
  return paymentRefs.every(({ openTransactions }) => openTransactions === 0);
}

function endDraft(order: Order): OrderChange {
  if (!isSettled(order)) throw invalidState('Transactions of the draft are open, or its money was not credited.');
  return dropDraft(order);
}

/** Whatever it has captured: the caller knows what becomes of that. */
export function dropDraft(order: Order): OrderChange {
  if (order.confirmed) return restored(order);
  return { order: ended(order, 'EXPIRED'), events: [{ type: 'OrderExpired', orderVersion: order.version }] };
}

function restored(order: Order): OrderChange {
  const { confirmed } = order;
  if (!confirmed) throw new RangeError('An order that was never confirmed is not restored');
  assertTicketsGivenBack(order);
  const { version, confirmedAt, ...content } = confirmed;
  const after: Order = {
    ...withoutDraft(order),
    ...content,
    version,
    status: 'CONFIRMED',
    lastConfirmedAt: confirmedAt,
  };
  return {
    order: withSeatEffects(order, after),
    events: [{ type: 'OrderReset', orderVersion: version, droppedVersion: order.version }],
  };
}

function ended(order: Order, status: 'CANCELLED' | 'EXPIRED'): Order {
  return withSeatEffects(order, { ...withoutDraft(order), status });
}

function withoutDraft(order: Order): Order {
  const {
    expireAt: _expireAt,
    expireAtSet: _set,
    creditBalance: _credit,
    lock: _lock,
    paymentPageId: _page,
    ...rest
  } = order;
  return rest;
}

function assertSettled(order: Order): void {
  const excess = excessMinor(order);
  if (excess > 0) throw invalidState('The money of this draft must be credited first.');
  if (excess < 0) throw invalidState('Money of the earlier version was credited: balance this draft and confirm it.');
}
