/** The indexes of payments: what must be unique, and one for each way in which payments are looked for. */
import type { NamedIndex } from '../../platform/mongo/collection.ts';

const EXISTS = { $exists: true };

export const ID_INDEX = 'organisation_and_id';
export const TRANSACTION_INDEX = 'transaction';
export const IMPORTS_INDEX = 'imports';

/**
 * Searches begin with the organisation and answer by creation where nothing else is asked for. Members of transactions are
 * indexed wholly: a condition on one transaction uses no partial index.
 */
export const PAYMENT_INDEXES: readonly NamedIndex[] = [
  { name: ID_INDEX, key: { organisationId: 1, _id: 1 } },
  // A provider reports by the transaction alone.
  { ...partial(TRANSACTION_INDEX, 'transactions.id'), key: { 'transactions.id': 1 }, unique: true },
  // No money that another system has taken is entered twice.
  { ...partial(IMPORTS_INDEX, 'importKeys'), key: { organisationId: 1, importKeys: 1 }, unique: true },
  { name: 'of_order', key: { orderId: 1 } },
  { ...partial('untold', 'untoldSince'), key: { untoldSince: 1 } },
  { ...partial('open', 'openSince'), key: { openSince: 1 } },
  { ...partial('calling', 'callingSince'), key: { callingSince: 1 } },
  sorted('by_creation', 'createdAt'),
  sorted('by_update', 'updatedAt'),
  sorted('by_number', 'paymentId'),
  sorted('by_total_amount', 'totalMinor'),
  sorted('by_status', 'status'),
  sorted('by_order_version', 'orderVersion'),
  whole('of_order_by_creation', 'orderId'),
  whole('transaction_of_organisation', 'transactions.id'),
  whole('of_payment_type', 'transactions.paymentType'),
  whole('of_payment_type_group', 'transactions.paymentTypeGroup'),
  whole('of_card', 'transactions.last4'),
  whole('of_rrn', 'transactions.rrn'),
  whole('of_settlement', 'transactions.settlementId'),
  whole('of_external_transaction', 'transactions.externalTransactionId'),
  { ...partial('of_customer', 'customerNumber'), key: { organisationId: 1, customerNumber: 1, createdAt: 1, _id: 1 } },
];

/** The order that is asked for; the id decides among equals. */
function sorted(name: string, member: string): NamedIndex {
  return { name, key: { organisationId: 1, [member]: 1, _id: 1 } };
}

function whole(name: string, member: string): NamedIndex {
  return { name, key: { organisationId: 1, [member]: 1, createdAt: 1, _id: 1 } };
}

function partial(name: string, member: string) {
  return { name, partialFilterExpression: { [member]: EXISTS } };
}
