/** The lock of an order: while a capture, confirmation or refund runs, nobody else writes. Pure. */

import type { OrderLineId, RefundId } from '../../shared/ids.ts';
import { assertWritable } from './guards.ts';
import type { Order } from './order.ts';
import type { OrderChange, OrderCommand } from './order-change.ts';
import { unchanged } from './order-change.ts';

interface Owned {
  /** Id of the workflow. */
  readonly owner: string;
}

export interface Locking extends Owned {
  /** Of the money of another system that the owner enters. */
  readonly importKey?: string | undefined;
  /** Of a refund: the lines that it may give back. */
  readonly orderLineIds?: readonly OrderLineId[] | undefined;
  /** That pays money of the draft back. */
  readonly compensation?: RefundId | undefined;
}

/** Repeatable by its owner. Throws ORDER_LOCKED, and what a write of an ended order throws. */
export const lockOrder: OrderCommand<Locking> = (order, { owner, importKey, orderLineIds, compensation }, now) => {
  assertWritable(order, { lockOwner: owner });
  if (order.lock) return unchanged(order);
  const facts = {
    ...(importKey !== undefined && { importKey }),
    ...(orderLineIds && { orderLineIds }),
    ...(compensation !== undefined && { compensation }),
  };
  const lock = { owner, since: now, ...facts };
  return { order: { ...order, lock }, events: [] };
};

/**
 * In place of another owner, which is lost. The money that it was about to enter stays its own until payments have told. What pays
 * money of the draft back goes on.
 */
export function takeOverLock({ lock, ...free }: Order, owner: string, now: Date): OrderChange {
  return lockOrder(free, { owner, importKey: lock?.importKey, compensation: lock?.compensation }, now);
}

/** Repeated by its owner, the lock begins anew: what the owner writes under it is timed from then. */
export function renewLock(order: Order, owner: string, now: Date): OrderChange {
  const { lock } = order;
  if (lock?.owner !== owner) throw new RangeError('Another owner holds the lock');
  return { order: { ...order, lock: { ...lock, since: now } }, events: [] };
}

/** Without an effect where another one holds the lock, or nobody, and while a refund pays money of the draft back. */
export const unlockOrder: OrderCommand<Owned> = (order, { owner }, _now) => {
  if (order.lock?.owner !== owner || order.lock.compensation !== undefined) return unchanged(order);
  const { lock: _lock, ...rest } = order;
  return { order: rest, events: [] };
};
