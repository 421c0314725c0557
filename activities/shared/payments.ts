/** What other areas ask of payments. Provided by the payments area. Types, and the key of the interface. */
import { interfaceKey } from '../../platform/interfaces.ts';
import type {
  DistributionChannelId,
  OrderId,
  OrganisationId,
  PaymentId,
  PaymentPageId,
  TransactionId,
} from '../../workflows/shared/ids.ts';

/** One try of a customer to pay on a page. Its ids derive from the page and the number, so a repeat makes the same ones. */
export interface PageAttempt {
  readonly organisationId: OrganisationId;
  readonly distributionChannelId: DistributionChannelId;
  readonly orderId: OrderId;
  readonly orderVersion: number;
  readonly amountMinor: number;
  readonly currency: string;
  readonly paymentTypeGroup: string;
  readonly paymentType: string;
  readonly pageId: PaymentPageId;
  /** From 1. */
  readonly attempt: number;
  /** Makes the link of the page, where the customer comes back. */
  readonly keyId: string;
  /** ISO 639-3 */
  readonly language: string;
  readonly correlationId: string;
}

export interface AttemptPlace {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly paymentId: PaymentId;
  readonly transactionId: TransactionId;
}

/**
 * OPEN: the customer may pay at `terminalUri`. RETRY: the same after a soft decline; without `terminalUri` see `openAgain`. BUSY:
 * authorised or being captured.
 * CAPTURED: the money is taken. ENDED: refused or cancelled. CREDITED: taken and paid back. CREDIT_OUTSTANDING: taken, and the
 * provider has refused to pay it back.
 */
export interface AttemptState {
  readonly state: 'OPEN' | 'RETRY' | 'BUSY' | 'CAPTURED' | 'ENDED' | 'CREDITED' | 'CREDIT_OUTSTANDING';
  /** A secret: never logged, never in a workflow. */
  readonly terminalUri?: string;
  /** Of ENDED, for the customer: by the issuer, or by the customer at the provider. */
  readonly endedBy?: 'REFUSAL' | 'CUSTOMER';
}

export interface PagePayments {
  /** Whether the configuration of this process names the payment provider. */
  usesProvider(provider: string): boolean;
  /**
   * Makes the payment and its transaction, which captures itself once it is authorised, and opens its terminal. Repeatable.
   * Throws ORDER_VERSION_MISMATCH, AMOUNT_MISMATCH, PAYMENT_METHOD_NOT_ALLOWED, PSP_ERROR, PSP_TIMEOUT.
   */
  beginAttempt(attempt: PageAttempt): Promise<AttemptPlace>;
  /** Throws NOT_FOUND. */
  getAttempt(place: AttemptPlace): Promise<AttemptState>;
  /**
   * The customer is back: the provider is asked now, whether or not it has called. Returns when its answer is noted. Throws
   * when it has none in time.
   */
  lookAgain(place: AttemptPlace): Promise<void>;
  /**
   * The customer is to go on, and there is no terminal: the provider has ended it with a soft decline. Another one is opened for the
   * challenge. Where that fails the state names no terminal: a repeat tries again. Without an effect while there is one.
   */
  openAgain(place: AttemptPlace): Promise<AttemptState>;
  /** Cancels and voids it, unless the money was captured before. Waits while the outcome of a capture is unknown. */
  endAttempt(place: AttemptPlace): Promise<AttemptState>;
}

export const PAGE_PAYMENTS = interfaceKey<PagePayments>('page-payments');
