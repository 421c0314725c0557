/**
 * The activities of the workflow of payment pages: types only, implemented in `activities/payment-page`.
 *
 * Every function may run twice, and two at once, with the same effect as one run. Histories hold the names of the
 * functions: they never change.
 */
import type { SettledCapture, SettledDelivery } from '../shared/payment-page-signals.ts';
import type { CancelRequest, PageAnswer, PatchRequest, PaymentPageInput, PayRequest } from './messages.ts';
import type { PageError, PageStatus } from './rules/page.ts';

/** The page after a step, as far as the workflow must know it. */
export interface PageStep {
  readonly status: PageStatus;
  readonly lastError?: PageError;
  /** Nothing more can happen but what a caller asks for. */
  readonly isOver: boolean;
  /** When time alone changes it next. */
  readonly deadlineMs?: number;
  /** The running attempt is to end. */
  readonly isEnding: boolean;
}

export interface AnsweredStep {
  readonly answer: PageAnswer;
  readonly step: PageStep;
}

/** A read and conditional writes each; `beginAttempt` opens a terminal too. Run in the worker that runs the workflow. */
export interface PaymentPageRecords {
  /** Lets the page follow its order and the time, and ties the two together. */
  lookAtPage(input: PaymentPageInput): Promise<PageStep>;
  beginAttempt(input: PaymentPageInput & PayRequest): Promise<AnsweredStep>;
  patchPage(input: PaymentPageInput & PatchRequest): Promise<AnsweredStep>;
  cancelPage(input: PaymentPageInput & CancelRequest): Promise<AnsweredStep>;
  settleAttempt(input: PaymentPageInput & SettledCapture): Promise<PageStep>;
  noteDelivery(input: PaymentPageInput & SettledDelivery): Promise<PageStep>;
}

/** Asks the area of payments, which may wait for a provider. */
export interface AttemptActivities {
  /** Cancels the attempt that is to end. The step is still ending where the outcome is not known yet. */
  endAttempt(input: PaymentPageInput): Promise<PageStep>;
}
