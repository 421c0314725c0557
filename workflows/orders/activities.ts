/**
 * The activities of the workflows of orders: types only, implemented in `activities/orders`.
 *
 * Every function may run twice, and two at once, with the same effect as one run. Histories hold the names of the
 * functions: they never change.
 */
import type { DraftEnd, OrderExpiryInput } from './messages.ts';

/** One conditional write each. */
export interface OrderExpiryRecords {
  /**
   * Locks the draft, so that no transaction captures any more. `BUSY`: another workflow holds the lock. `OVER`: the
   * draft has ended or is not due.
   */
  lockDraft(input: OrderExpiryInput): Promise<'LOCKED' | 'BUSY' | 'OVER'>;
  /** `UNSETTLED`: transactions are open, captured money was not credited yet, or a credit has no outcome. */
  endDraft(input: OrderExpiryInput): Promise<DraftEnd | 'UNSETTLED'>;
}

/** Ask the area of payments. */
export interface OrderExpiryActivities {
  /** Asks each open transaction to cancel, and answers how many may still capture. */
  endOpenTransactions(input: OrderExpiryInput): Promise<{ readonly open: number }>;
  /** Begins to credit what the draft has captured. */
  creditDraft(input: OrderExpiryInput): Promise<void>;
}
