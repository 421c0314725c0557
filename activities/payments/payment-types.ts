/** What the stores of payments take and answer. Types only. */
import type { Connection } from 'mongoose';
import type { EventEnvironment } from '../../platform/events/outbox.ts';
import type { Payment } from '../../workflows/payments/rules/payment.ts';
import type { PaymentChange } from '../../workflows/payments/rules/payment-change.ts';
import type { OrganisationId, PaymentId, TransactionId } from '../../workflows/shared/ids.ts';

/** `ANY`: payments of every organisation. */
export type Tenancy = OrganisationId | 'ANY';

export interface PaymentStoreOptions {
  readonly connection: Connection;
  readonly environment: EventEnvironment;
  readonly now?: () => Date;
}

export interface StoredPayment {
  readonly payment: Payment;
  /** Every write raises it. */
  readonly revision: number;
  /** The order has yet to be told of a change; see order-notes.ts. */
  readonly isUntold: boolean;
}

/** The party that writes. */
export interface PaymentWork {
  readonly workId: string;
  readonly correlationId: string;
  readonly clientId: string;
  readonly causationId?: string;
}

/** Without a work id the change removes its own condition, so that a repeat finds nothing to do. */
export type ChangeWork = Omit<PaymentWork, 'workId'> & Partial<Pick<PaymentWork, 'workId'>>;

/** The ids that what this work makes is to have. */
export interface NewIds {
  readonly paymentId: PaymentId;
  readonly transactionId: TransactionId;
}

/**
 * Pure: it is called again when another writer came first, or when something else has the ids. It answers the payment
 * itself for no change, and refuses by throwing. `now` is the time of the write.
 */
export type Decide = (payment: Payment, now: Date, ids: NewIds) => PaymentChange;
export type MakePayment = (ids: NewIds, now: Date) => PaymentChange;
