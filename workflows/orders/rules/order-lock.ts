/** The lock of an order: while a capture, confirmation or refund runs, nobody else writes. Pure. */

import { assertWritable } from './guards.ts';
import type { OrderCommand } from './order-change.ts';
import { unchanged } from './order-change.ts';

interface Owned {
  /** Id of the workflow. */
  readonly owner: string;
}

/** Repeatable by its owner. Throws ORDER_LOCKED, and what a write of an ended order throws. */
export const lockOrder: OrderCommand<Owned> = (order, { owner }, now) => {
  assertWritable(order, { lockOwner: owner });
  if (order.lock) return unchanged(order);
  return { order: { ...order, lock: { owner, since: now } }, events: [] };
};

/** Without an effect where another one holds the lock, or nobody. */
export const unlockOrder: OrderCommand<Owned> = (order, { owner }, _now) => {
  if (order.lock?.owner !== owner) return unchanged(order);
  const { lock: _lock, ...rest } = order;
  return { order: rest, events: [] };
};
