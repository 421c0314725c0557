/**
 * A payment page as the rules of this folder see it: a link on which the customer pays one version of an order. Types
 * only. Amounts are in the smallest unit of the page's currency.
 */
import type {
  DistributionChannelId,
  OrderId,
  OrganisationId,
  PaymentId,
  PaymentPageId,
  TransactionId,
} from '../../shared/ids.ts';

/**
 * OPEN: the customer may choose a method. PROCESSING: an attempt to pay runs. PAID: the money is taken and the order is
 * confirmed. COMPLETED: tickets and receipt were sent, or nobody has an address for them. EXPIRED and CANCELLED:
 * nothing can be paid any more.
 */
export type PageStatus = 'OPEN' | 'PROCESSING' | 'PAID' | 'COMPLETED' | 'EXPIRED' | 'CANCELLED';

/**
 * CREDITED: money was taken that could not be used, and was paid back. CREDIT_OUTSTANDING: such money could not be paid back
 * automatically; an operator decides on it, or has given it up. DELIVERY_FAILED: the tickets cannot be sent. DELIVERY_OUTSTANDING:
 * nobody has said so far that they were sent.
 */
export type PageError = 'CREDITED' | 'CREDIT_OUTSTANDING' | 'DELIVERY_FAILED' | 'DELIVERY_OUTSTANDING';

export interface PageMethod {
  readonly paymentTypeGroup: string;
  /** `VISA`, `VIPPS`, … */
  readonly paymentType: string;
}

export interface AttemptIds {
  readonly paymentId: PaymentId;
  readonly transactionId: TransactionId;
}

/**
 * Why a running attempt is to end. ORDER_CHANGED: it pays for something else than the order is now. OTHER_METHOD: the
 * customer has asked for it. ABANDONED: nothing has happened for too long. EXPIRED: the page's time is over.
 */
export type AttemptEnding = 'ORDER_CHANGED' | 'OTHER_METHOD' | 'ABANDONED' | 'EXPIRED';

/** One try of the customer to pay. */
export interface PayAttempt extends PageMethod {
  /** From 1; never used twice on one page. */
  readonly number: number;
  readonly amountMinor: number;
  /** {@link OrderFacts.contentMark} when it began. */
  readonly contentMark: string;
  /** When it began, or was last declined softly. */
  readonly activeAt: Date;
  /** Absent until the area of payments has made its transaction. */
  readonly place?: AttemptIds;
  /** It is being cancelled; the outcome decides. */
  readonly ending?: AttemptEnding;
}

/**
 * FAILED: given up, or no terminal could be opened. ORDER_CHANGED: it was ended because the order is another than the customer
 * was paying for.
 */
export type LastAttempt = 'REFUSED' | 'CANCELLED' | 'FAILED' | 'ORDER_CHANGED';

export interface PaymentPage {
  readonly id: PaymentPageId;
  readonly organisationId: OrganisationId;
  readonly distributionChannelId: DistributionChannelId;
  readonly orderId: OrderId;
  readonly orderVersion: number;
  readonly status: PageStatus;
  readonly expireAt: Date;
  readonly paymentMethods: readonly PageMethod[];
  readonly amountMinor: number;
  readonly currency: string;
  /** Of the order when the page was made, or last followed it. */
  readonly contentMark: string;
  /** How many attempts have begun. */
  readonly attempts: number;
  /** Present while PROCESSING. */
  readonly attempt?: PayAttempt;
  /** How the attempt before ended that the customer did not leave. */
  readonly lastAttempt?: LastAttempt;
  readonly createdAt: Date;
  /** When it was paid, or ended unpaid. */
  readonly endedAt?: Date;
  /** When the tickets were sent, or it was known that nobody has an address. */
  readonly completedAt?: Date;
  /** COMPLETED, and nothing was sent. */
  readonly isUnaddressed?: true;
  readonly lastError?: PageError;
}

/** What the rules ask of the order. */
export interface OrderFacts {
  readonly status: 'DRAFT' | 'CONFIRMED' | 'CANCELLED' | 'EXPIRED';
  readonly version: number;
  readonly currency: string;
  /** Positive: the customer owes it. */
  readonly balanceMinor: number;
  /** The same as long as lines, travellers, fees and seats are the same. */
  readonly contentMark: string;
  /** A refund holds the order, and the balance is not settled: nobody is asked to pay. */
  readonly isHeld: boolean;
  /** What this payment has captured and not credited. */
  readonly heldMinor: (paymentId: PaymentId) => number;
}
