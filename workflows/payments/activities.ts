/**
 * The activities of the workflows of payments: types only, implemented in `activities/payments`.
 *
 * Every function may run twice, and two at once, with the same effect as one run: what is to be done is written down before a
 * provider is called, and each call has a key. Histories hold the names of the functions: they never change.
 */
import type { CreditId } from '../shared/ids.ts';
import type { CaptureCall, CreditInput } from './messages.ts';
import type { CreditStatus } from './rules/credit.ts';
import type { TransactionStatus } from './rules/payment.ts';

/**
 * WAIT: for the customer, the caller or the provider. POLL: the outcome of a call or a compensation is unknown, or the order is
 * busy. CREDIT: money was taken that the order cannot use, and is paid back by a credit of before 2026-11-27. OVER: nothing is left
 * to do.
 */
export type CaptureNext = 'WAIT' | 'POLL' | 'CREDIT' | 'OVER';

/** Why the caller does not get what it asked for; `code` is one of the service. */
export interface Refusal {
  readonly code: string;
  readonly detail: string;
}

/** How a transaction stands after a step. */
export interface CaptureStep {
  readonly status: TransactionStatus;
  readonly next: CaptureNext;
  /** With WAIT: the transaction is cancelled then. */
  readonly idleAtMs?: number;
  /** With WAIT: it captures itself once it is authorised, so the provider is asked from time to time. */
  readonly watches?: boolean;
  /** With CREDIT. */
  readonly creditId?: CreditId;
  readonly refusal?: Refusal;
  /** With OVER: the money was taken and paid back. */
  readonly isCredited?: boolean;
  /** With OVER: the money was taken, and its refund waits for an operator. The refund tells the page. */
  readonly isOutstanding?: boolean;
}

export interface CaptureActivities {
  /** Opens the session that the document names. */
  openTerminal(input: CaptureCall): Promise<CaptureStep>;
  /** Locks the order, takes the money, and confirms the order when it is paid. */
  captureMoney(input: CaptureCall): Promise<CaptureStep>;
  /** Asks the provider how the session and the calls stand, and goes on with what that allows. Cancels what is idle. */
  lookAgain(input: CaptureCall): Promise<CaptureStep>;
  /** Ends the session and gives back what it has authorised. */
  cancelTransaction(input: CaptureCall): Promise<CaptureStep>;
  /** After a credit of before 2026-11-27: confirms the order, or ends its draft, and unlocks it. */
  concludeCredited(input: CaptureCall): Promise<CaptureStep>;
}

export interface CreditActivities {
  /** Pays back every part whose outcome is not known yet. CREATED: some are still unknown. */
  payBack(input: CreditInput): Promise<CreditStatus>;
}
