/** What becomes of a draft that is due. Pure. */
import { ServiceError } from '../../shared/service-error.ts';
import { excessMinor } from './amounts.ts';
import { confirmOrder } from './confirmation.ts';
import { abandonDraft, expireOrder, hasNoOpenTransactions, isSettled } from './endings.ts';
import { isDue } from './guards.ts';
import type { Order } from './order.ts';
import { type OrderChange, unchanged } from './order-change.ts';

/** `WORKFLOW`: transactions, or money, must be waited for, or tickets be given back. */
export type DueDraft = 'NOT_DUE' | 'WORKFLOW' | 'ENDS';

export function assessDue(order: Order, now: Date): DueDraft {
  if (!isDue(order, now)) return 'NOT_DUE';
  return order.lock === undefined && order.withdrawal === undefined && isSettled(order) ? 'ENDS' : 'WORKFLOW';
}

/**
 * More was credited than the draft has captured, and it cannot be confirmed: the version before it is no longer paid. The
 * draft waits, unlocked and without an end, until its caller has it balanced and confirms it.
 */
export function withoutEnd(order: Order): OrderChange {
  const { lock: _lock, expireAt: _expireAt, expireAtSet: _set, ...rest } = order;
  return { order: rest, events: [] };
}

/** For the sweep: ends the draft, if nothing must be waited for. */
export function endIfDue(order: Order, now: Date): OrderChange {
  return assessDue(order, now) === 'ENDS' ? expireOrder(order, {}, now) : unchanged(order);
}

/**
 * For the workflow that holds the lock: what was captured confirms the order where it pays it. While a refund pays money of the draft
 * back, what is left between two of its parts may seem to pay it: the draft is not confirmed then. Throws INVALID_STATE where it is
 * not settled.
 */
export function endLockedDraft(order: Order, orderVersion: number, lockOwner: string, now: Date): OrderChange {
  return unlessDropped(order, orderVersion, lockOwner, now) ?? abandonDraft(order, { orderVersion, lockOwner }, now);
}

/**
 * {@link endLockedDraft} would not confirm the draft: the tickets that its confirmation has withdrawn are given back before, also where
 * other money of the draft is credited first.
 */
export function needsTicketsBack(order: Order, orderVersion: number, lockOwner: string, now: Date): boolean {
  return order.withdrawal !== undefined && confirmedWherePaid(order, orderVersion, lockOwner, now) === undefined;
}

function unlessDropped(order: Order, orderVersion: number, lockOwner: string, now: Date): OrderChange | undefined {
  if (order.lock?.compensation !== undefined) return undefined;
  const confirmed = confirmedWherePaid(order, orderVersion, lockOwner, now);
  return confirmed ?? (excessMinor(order) < 0 && hasNoOpenTransactions(order) ? withoutEnd(order) : undefined);
}

function confirmedWherePaid(order: Order, orderVersion: number, lockOwner: string, now: Date): OrderChange | undefined {
  if (excessMinor(order) === 0) return undefined;
  try {
    return confirmOrder(order, { orderVersion, lockOwner }, now);
  } catch (error) {
    // Not paid exactly, or not to be sold any more: the money is credited.
    if (!(error instanceof ServiceError)) throw error;
    return undefined;
  }
}
