/**
 * What the handlers of the API ask of the workflow of a transaction. Each call is repeatable, and returns when the document
 * of the payment holds the outcome. What the call needs, such as return addresses, is in that document before.
 */
import type { TransactionStatus } from '../../workflows/payments/rules/payment.ts';
import type { OrderId, OrganisationId, PaymentId, PaymentPageId, TransactionId } from '../../workflows/shared/ids.ts';

export interface TransactionPlace {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly paymentId: PaymentId;
  readonly transactionId: TransactionId;
  readonly paymentPageId?: PaymentPageId;
}

export interface CaptureWork {
  /** The same in every attempt of one request. */
  readonly workId: string;
  readonly correlationId: string;
  readonly clientId: string;
}

export interface CaptureCalls {
  /**
   * Opens the session that the transaction names; its document then has the terminal's address. Throws INVALID_STATE,
   * PAYMENT_INACTIVE, PSP_ERROR, PSP_TIMEOUT.
   */
  openTerminal(place: TransactionPlace, work: CaptureWork): Promise<TransactionStatus>;
  /**
   * Takes the money, and confirms the order when it is paid. Once that is done it has no effect. Throws SOFT_DECLINE,
   * REFUSED_BY_ISSUER, RESOURCE_BUSY while the outcome is unknown, INVALID_STATE, AMOUNT_MISMATCH, PAYMENT_INACTIVE, and what locking
   * the order throws.
   */
  capture(place: TransactionPlace, work: CaptureWork): Promise<TransactionStatus>;
  /** Cancels it and gives back what was authorised. Throws INVALID_STATE once the money is captured, RESOURCE_BUSY. */
  cancel(place: TransactionPlace, work: CaptureWork): Promise<TransactionStatus>;
}
