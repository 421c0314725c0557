/**
 * The terms of a search as a filter of the database. Terms on transactions hold where one transaction meets all terms of
 * their field, so that two bounds make a range. Each field has its index (payment-indexes.ts). Pure.
 */
import type { mongo } from 'mongoose';
import { type SearchTerm, toMongoFilter } from '../../platform/mongo/search-filter.ts';
import type { PaymentDocument } from './payment-document.ts';

/** Where a field stands in the document. Amounts are in minor units, times are dates: the caller converts. */
export const PAYMENT_SEARCH_MEMBERS = {
  paymentId: 'paymentId',
  orderId: 'orderId',
  orderVersion: 'orderVersion',
  status: 'status',
  customerNumber: 'customerNumber',
  totalAmount: 'totalMinor',
  currency: 'currency',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
  organisationId: 'organisationId',
} as const;

/** Where a field stands in a transaction. */
export const TRANSACTION_SEARCH_MEMBERS = {
  paymentType: 'paymentType',
  paymentTypeGroup: 'paymentTypeGroup',
  cardNumber: 'last4',
  rrn: 'rrn',
  settlementId: 'settlementId',
  externalTransactionId: 'externalTransactionId',
  paymentTransactionId: 'id',
} as const;

export type PaymentSearchField = keyof typeof PAYMENT_SEARCH_MEMBERS | keyof typeof TRANSACTION_SEARCH_MEMBERS;
export interface PaymentSearchTerm extends Pick<SearchTerm, 'operator'> {
  readonly field: PaymentSearchField;
  readonly values: readonly (string | number | Date)[];
}

/** `owned` names the organisations. */
export function toPaymentFilter(owned: object, terms: readonly PaymentSearchTerm[]): mongo.Filter<PaymentDocument> {
  const own = terms.filter(({ field }) => field in PAYMENT_SEARCH_MEMBERS);
  const ofTransactions = terms.filter(({ field }) => field in TRANSACTION_SEARCH_MEMBERS);
  const byField = [...Map.groupBy(ofTransactions, ({ field }) => field).values()];
  const filters = [
    ...own.map((term) => filterOf([term], PAYMENT_SEARCH_MEMBERS)),
    ...byField.flatMap(transactionFilters),
  ];
  return { $and: [owned, ...filters] } as mongo.Filter<PaymentDocument>;
}

/** No transaction may meet a negative term; one must meet all others. */
function transactionFilters(terms: readonly PaymentSearchTerm[]): readonly object[] {
  const negative = terms.filter(({ operator }) => operator === 'ne' || operator === 'nin');
  const positive = terms.filter((term) => !negative.includes(term));
  const members = Object.entries(TRANSACTION_SEARCH_MEMBERS);
  const ofPayment = Object.fromEntries(members.map(([field, member]) => [field, `transactions.${member}`]));
  return [
    ...negative.map((term) => filterOf([term], ofPayment)),
    ...(positive.length > 0 ? [{ transactions: { $elemMatch: filterOf(positive, TRANSACTION_SEARCH_MEMBERS) } }] : []),
  ];
}

function filterOf(terms: readonly PaymentSearchTerm[], members: Readonly<Record<string, string>>): object {
  const stored = Object.fromEntries(Object.entries(members).map(([field, member]) => [field, { member }]));
  return toMongoFilter(terms as readonly SearchTerm[], stored);
}
