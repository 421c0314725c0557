/**
 * A penalty fare invoice as it is stored: never changed but by an erasure. Whether it is paid follows from its transaction.
 * Callers: the stores of invoices; nothing else knows the collection.
 */
import type { mongo } from 'mongoose';
import { AGGREGATE_INDEXES, type AggregateDocument } from '../../platform/aggregate/aggregate-document.ts';
import { CollectionDefinition, type NamedIndex } from '../../platform/mongo/collection.ts';
import type {
  CustomerNumber,
  InvoiceId,
  OrderId,
  OrganisationId,
  PaymentId,
  TransactionId,
} from '../../workflows/shared/ids.ts';

export interface Invoice {
  readonly id: InvoiceId;
  readonly organisationId: OrganisationId;
  /** Unique in the organisation. */
  readonly externalInvoiceNumber: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** `YYYY-MM-DD` */
  readonly dueDate: string;
  readonly customerNumber?: CustomerNumber;
  readonly orderId: OrderId;
  /** The order holds nothing else, and ends with the invoice. */
  readonly ownsOrder: boolean;
  readonly paymentId: PaymentId;
  readonly transactionId: TransactionId;
  readonly createdAt: Date;
  /** Who is to pay, and why: sealed with the key of the order that `keyId` names. Both are gone after an erasure. */
  readonly sealed?: Uint8Array;
  readonly keyId?: string;
}

export interface InvoiceDocument extends AggregateDocument, Omit<Invoice, 'id'> {
  readonly _id: InvoiceId;
}

export type InvoiceCollection = mongo.Collection<InvoiceDocument>;

export const INVOICE_ID_INDEX = 'organisation_and_id';
export const INVOICE_NUMBER_INDEX = 'external_number';

export const INVOICES_COLLECTION = new CollectionDefinition<InvoiceDocument>('penalty_fare_invoices', [
  ...AGGREGATE_INDEXES,
  { name: INVOICE_ID_INDEX, key: { organisationId: 1, _id: 1 } },
  { name: INVOICE_NUMBER_INDEX, key: { organisationId: 1, externalInvoiceNumber: 1 }, unique: true },
  { name: 'by_creation', key: { organisationId: 1, createdAt: 1, _id: 1 } },
  by('order', 'orderId'),
  by('payment', 'paymentId'),
  by('due_date', 'dueDate'),
  { ...by('customer', 'customerNumber'), partialFilterExpression: { customerNumber: { $exists: true } } },
]);

/** Searches begin with the organisation and answer by creation. */
function by(name: string, member: string): NamedIndex {
  return { name: `by_${name}`, key: { organisationId: 1, [member]: 1, createdAt: 1, _id: 1 } };
}
