/**
 * The activities of the workflow of refunds: types only, implemented in `activities/refunds`.
 *
 * Each may run twice, and two at once, with the same effect as one run: the documents say what has happened. Histories hold the
 * names of the functions: they never change.
 */
import type { RefundInput, ResolveRequest } from './messages.ts';
import type { Failure, RefundStatus, Resolution } from './rules/refund.ts';

/** BUSY: another party holds the order's lock. REFUSED: nothing can be refunded; `failure` says why. ENDED: it is over. */
export interface BeginStep {
  readonly outcome: 'BEGUN' | 'BUSY' | 'REFUSED' | 'ENDED';
  readonly failure?: Failure;
  readonly status: RefundStatus;
}

/**
 * PAID: all of it. UNKNOWN: a provider has yet to say. REFUSED: nothing was paid. PART: a part was paid, the rest refused. A
 * compensation that is refused whole is PART until an operator gives it up: its money is still owed.
 */
export interface CreditStep {
  readonly outcome: 'PAID' | 'UNKNOWN' | 'REFUSED' | 'PART';
  readonly creditedMinor: number;
  /** With REFUSED, where it was not a provider that has refused it. */
  readonly failure?: Failure;
  /** An operator has decided on what is not paid. */
  readonly resolution?: Resolution;
}

export interface RefundActivities {
  /** Locks the order, and then disables the tickets. */
  beginRefund(input: RefundInput): Promise<BeginStep>;
  /** Asks the providers to pay. */
  creditRefund(input: RefundInput): Promise<void>;
  /** Waits some seconds for their answers, unless it only looks. */
  awaitCredit(input: RefundInput & { readonly looksOnce?: boolean }): Promise<CreditStep>;
  needAttention(input: RefundInput): Promise<void>;
  /** Writes an operator's decision down. */
  noteResolution(input: RefundInput & ResolveRequest): Promise<RefundStatus>;
  /**
   * Carries the decision out. UNKNOWN: a provider has yet to say what became of a part. PART after CREDITED_ELSEWHERE: it cannot be
   * carried out, and is withdrawn.
   */
  settleCredit(input: RefundInput & { readonly resolution: Resolution }): Promise<CreditStep>;
  /** Confirms the order without what was given back, and completes the refund. A compensation ends the draft that it holds. */
  completeRefund(input: RefundInput & { readonly creditedMinor: number }): Promise<void>;
  /** Gives the tickets back and unlocks the order; of a compensation, ends the draft without its money. */
  undoRefund(input: RefundInput & { readonly failure: Failure }): Promise<void>;
}
