/**
 * A draft that has no end of its own: its money was paid back, and what it changes or cancels was travelled on all the same. Nobody may
 * confirm it, and the version before it is not paid. Its caller has that version paid again, and resets the draft. Pure.
 */
import { balanceMinor, excessMinor } from './amounts.ts';
import { isSpent } from './confirmation.ts';
import { assertWritable, invalidState } from './guards.ts';
import type { Order } from './order.ts';
import type { Commanded } from './order-change.ts';

/** What may be captured for the order, and entered. Of such a draft, what the sold version lacks: the draft itself is never sold. */
export function dueMinor(order: Order): number {
  return lacksPayment(order) ? -excessMinor(order) : balanceMinor(order);
}

export function lacksPayment(order: Order): boolean {
  return order.status === 'DRAFT' && order.confirmed !== undefined && excessMinor(order) < 0 && isSpent(order);
}

/** Of a draft that lacks a payment. Throws ORDER_LOCKED, and INVALID_STATE for the payment of another version. */
export function assertPayableAgain(
  order: Order,
  { orderVersion, ...command }: { readonly orderVersion: number } & Commanded,
): void {
  assertWritable(order, command);
  if (order.version !== orderVersion) throw invalidState(`The payment is of another version than ${order.version}.`);
}
