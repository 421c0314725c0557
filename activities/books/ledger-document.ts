/** The ledger as it is stored: one document for each entry, never changed. Callers: the stores of this folder. */
import type { mongo } from 'mongoose';
import type { Posting } from '../../platform/events/journal-entry.ts';
import { CollectionDefinition, type NamedIndex } from '../../platform/mongo/collection.ts';
import type {
  CreditId,
  OrderId,
  OrganisationId,
  PaymentId,
  SettlementId,
  TransactionId,
} from '../../workflows/shared/ids.ts';

/** Whose money an entry is. */
export interface EntryReferences {
  readonly orderId?: OrderId;
  readonly paymentId?: PaymentId;
  readonly transactionId?: TransactionId;
  readonly creditId?: CreditId;
  readonly refundId?: string;
}

/** What an event means: debits and credits that add up to nothing. */
export interface EntryDocument extends EntryReferences {
  /** The event that has caused it. */
  readonly _id: string;
  readonly kind: 'ENTRY';
  readonly organisationId: OrganisationId;
  /** When the money moved, or the order was sold. */
  readonly at: Date;
  /** As `service.payment.TransactionCaptured.v1`. */
  readonly cause: string;
  readonly currency: string;
  readonly postings: readonly Posting[];
  /** The settlement that counts it. */
  readonly settlementId?: SettlementId;
  /** The settlement that it was meant for, which had been closed when it came. */
  readonly lateFor?: SettlementId;
  /** Of its first posting, among those of the settlement or those that are late for it: gapless from 1. */
  readonly number?: number;
  readonly storedAt: Date;
}

/** The end of a settlement: no entry that it counts has a higher number. */
export interface ClosingDocument {
  /** `settlement/<settlementId>` */
  readonly _id: string;
  readonly kind: 'CLOSING';
  readonly organisationId: OrganisationId;
  readonly settlementId: SettlementId;
  readonly number: number;
  readonly storedAt: Date;
}

export type LedgerDocument = EntryDocument | ClosingDocument;
export type LedgerCollection = mongo.Collection<LedgerDocument>;

/** Unique: no two writers give one number of a settlement to different documents. */
export const NUMBERS_INDEX = 'numbers_of_settlement';
export const ORDER_INDEX = 'of_order';
export const PAYMENT_INDEX = 'of_payment';
export const LATE_INDEX = 'late_for_settlement';

export const LEDGER_ENTRIES = new CollectionDefinition<LedgerDocument>('ledger_entries', [
  { ...partial(NUMBERS_INDEX, 'settlementId'), key: { settlementId: 1, number: 1 }, unique: true },
  { ...partial(LATE_INDEX, 'lateFor'), key: { lateFor: 1, number: 1 }, unique: true },
  { ...partial(ORDER_INDEX, 'orderId'), key: { orderId: 1 } },
  { ...partial(PAYMENT_INDEX, 'paymentId'), key: { paymentId: 1 } },
  { ...partial('by_time', 'at'), key: { at: 1, _id: 1 } },
]);

function partial(name: string, member: string): Omit<NamedIndex, 'key'> & Pick<NamedIndex, 'name'> {
  return { name, partialFilterExpression: { [member]: { $exists: true } } };
}
