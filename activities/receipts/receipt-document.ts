/** A receipt as it is stored: one aggregate without events. Callers: the stores of this folder; nothing else knows the collection. */
import type { mongo } from 'mongoose';
import { AGGREGATE_INDEXES, type AggregateDocument } from '../../platform/aggregate/aggregate-document.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import type { Mailing } from '../../workflows/receipts/rules/mailing.ts';
import type { Receipt } from '../../workflows/receipts/rules/receipt.ts';
import type { CustomerNumber, ReceiptReference } from '../../workflows/shared/ids.ts';

export interface ReceiptDocument extends AggregateDocument, Omit<Receipt, 'reference'> {
  readonly _id: ReceiptReference;
  /** Of the receipt that has claimed the number. Copies have the same number, and `copyOf` in its place. */
  readonly isOriginal?: true;
  readonly copyOf?: ReceiptReference;
  /** When this document was made; `createdAt` is that of the original. */
  readonly recordedAt: Date;
  /** Of the catalogue at the time of the original: its year and its dates are of this zone. */
  readonly timeZone: string;
  /** Of the order at the time of the receipt: to whom the delivery sends it. */
  readonly contact?: CustomerNumber;
  readonly mailings: readonly Mailing[];
  /** When a mail of a caller is tried next, for the sweep of lost workflows. */
  readonly mailDueAt?: Date;
  readonly correlationId: string;
}

export type ReceiptCollection = mongo.Collection<ReceiptDocument>;

export const RECEIPT_INDEX = {
  serial: 'serial_numbers',
  id: 'organisation_and_receipt',
  order: 'of_order',
  due: 'due_mails',
} as const;

export const RECEIPT_DOCUMENTS = new CollectionDefinition<ReceiptDocument>('receipts', [
  ...AGGREGATE_INDEXES,
  // Numbers are claimed by it, one after the other.
  {
    name: RECEIPT_INDEX.serial,
    key: { organisationId: 1, year: 1, number: 1 },
    unique: true,
    partialFilterExpression: { isOriginal: true },
  },
  // With this index a receipt of another organisation costs what an absent one costs.
  { name: RECEIPT_INDEX.id, key: { organisationId: 1, _id: 1 } },
  // For the erasure of a customer.
  { name: RECEIPT_INDEX.order, key: { orderId: 1 } },
  { name: 'by_order', key: { organisationId: 1, orderId: 1, recordedAt: 1, _id: 1 } },
  { name: 'by_creation', key: { organisationId: 1, recordedAt: 1, _id: 1 } },
  { name: 'by_type', key: { organisationId: 1, receiptType: 1, recordedAt: 1, _id: 1 } },
  { name: RECEIPT_INDEX.due, key: { mailDueAt: 1 }, partialFilterExpression: { mailDueAt: { $exists: true } } },
]);
