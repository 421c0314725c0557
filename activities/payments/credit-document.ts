/**
 * A credit as it is stored: an aggregate without events of its own. Callers: the stores of credits; nothing else knows the
 * collection.
 */
import type { mongo } from 'mongoose';
import { AGGREGATE_INDEXES, type AggregateDocument } from '../../platform/aggregate/aggregate-document.ts';
import { CollectionDefinition, type NamedIndex } from '../../platform/mongo/collection.ts';
import type { Credit, CreditStatus } from '../../workflows/payments/rules/credit.ts';
import type { CreditId } from '../../workflows/shared/ids.ts';

export interface CreditDocument extends AggregateDocument, Omit<Credit, 'id'> {
  /** The number as text. */
  readonly _id: string;
  readonly creditId: CreditId;
  readonly totalMinor: number;
  /** Derived from the parts, for searches. */
  readonly status: CreditStatus;
}

export type CreditCollection = mongo.Collection<CreditDocument>;

export const CREDIT_ID_INDEX = 'organisation_and_id';

export const CREDITS_COLLECTION = new CollectionDefinition<CreditDocument>('credits', [
  ...AGGREGATE_INDEXES,
  { name: CREDIT_ID_INDEX, key: { organisationId: 1, _id: 1 } },
  { name: 'of_order', key: { orderId: 1 } },
  { name: 'by_creation', key: { organisationId: 1, createdAt: 1, _id: 1 } },
  { name: 'by_number', key: { organisationId: 1, creditId: 1, _id: 1 } },
  by('order', 'orderId'),
  by('order_version', 'orderVersion'),
  by('status', 'status'),
  by('rrn', 'parts.rrn'),
  sparse('customer', 'customerNumber'),
  sparse('settlement', 'settlementId'),
]);

/** Searches begin with the organisation and answer by creation. */
function by(name: string, member: string): NamedIndex {
  return { name: `by_${name}`, key: { organisationId: 1, [member]: 1, createdAt: 1, _id: 1 } };
}

function sparse(name: string, member: string): NamedIndex {
  return { ...by(name, member), partialFilterExpression: { [member]: { $exists: true } } };
}
