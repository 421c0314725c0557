/** What becomes of a draft that is due. Pure. */
import { ServiceError } from '../../shared/service-error.ts';
import { excessMinor } from './amounts.ts';
import { confirmOrder } from './confirmation.ts';
import { abandonDraft, expireOrder, isSettled } from './endings.ts';
import { isDue } from './guards.ts';
import type { Order } from './order.ts';
import { type OrderChange, unchanged } from './order-change.ts';

/** `WORKFLOW`: transactions, or money, must be waited for. */
export type DueDraft = 'NOT_DUE' | 'WORKFLOW' | 'ENDS';

export function assessDue(order: Order, now: Date): DueDraft {
  if (!isDue(order, now)) return 'NOT_DUE';
  return order.lock === undefined && isSettled(order) ? 'ENDS' : 'WORKFLOW';
}

/** For the sweep: ends the draft, if nothing must be waited for. */
export function endIfDue(order: Order, now: Date): OrderChange {
  return assessDue(order, now) === 'ENDS' ? expireOrder(order, {}, now) : unchanged(order);
}

/**
 * For the workflow that holds the lock: what was captured confirms the order where it pays it. Throws INVALID_STATE where
 * the draft is not settled.
 */
export function endLockedDraft(order: Order, orderVersion: number, lockOwner: string, now: Date): OrderChange {
  if (excessMinor(order) !== 0) {
    try {
      return confirmOrder(order, { orderVersion, lockOwner }, now);
    } catch (error) {
      // Not paid exactly, or not to be sold any more: the money is credited.
      if (!(error instanceof ServiceError)) throw error;
    }
  }
  return abandonDraft(order, { orderVersion, lockOwner }, now);
}
