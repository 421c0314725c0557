/**
 * A payment as it is stored: one aggregate (platform/aggregate) with its transactions, and what searches and sweeps need.
 * Callers: the stores of this folder; nothing else knows the collection.
 */
import type { mongo } from 'mongoose';
import { AGGREGATE_INDEXES, type AggregateDocument } from '../../platform/aggregate/aggregate-document.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import type { Payment, PaymentStatus } from '../../workflows/payments/rules/payment.ts';
import type { PaymentId } from '../../workflows/shared/ids.ts';
import { PAYMENT_INDEXES } from './payment-indexes.ts';

export interface PaymentDocument extends AggregateDocument, Omit<Payment, 'id'> {
  /** The number as text. */
  readonly _id: string;
  readonly paymentId: PaymentId;
  /** Derived from the transactions, for searches. */
  readonly status: PaymentStatus;
  /** `<day>/<rrn>` of each import; absent where there is none. */
  readonly importKeys?: readonly string[];
  /** The order has yet to be told what has changed. */
  readonly untoldSince?: Date;
  /** The earliest step of a transaction that may still capture, for the sweep of idle ones; of no invoice. */
  readonly openSince?: Date;
  /** The earliest call of a provider whose outcome is unknown, for the sweep of lost workflows. */
  readonly callingSince?: Date;
}

export type PaymentCollection = mongo.Collection<PaymentDocument>;

export const PAYMENTS_COLLECTION = new CollectionDefinition<PaymentDocument>('payments', [
  ...AGGREGATE_INDEXES,
  ...PAYMENT_INDEXES,
]);
