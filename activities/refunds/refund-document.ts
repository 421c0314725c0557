/** A refund as it is stored: one aggregate (platform/aggregate). Callers: the stores of this folder; nothing else knows the collection. */
import type { mongo } from 'mongoose';
import { AGGREGATE_INDEXES, type AggregateDocument } from '../../platform/aggregate/aggregate-document.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import type { Refund } from '../../workflows/refunds/rules/refund.ts';
import type { RefundId } from '../../workflows/shared/ids.ts';

export interface RefundDocument extends AggregateDocument, Omit<Refund, 'id'> {
  readonly _id: RefundId;
  readonly correlationId: string;
  /** Until it has ended: an order has one such refund. */
  readonly isRunning?: true;
  /** The same of a compensation, which no refund that was asked for may refuse. */
  readonly isCompensating?: true;
}

export type RefundCollection = mongo.Collection<RefundDocument>;

export const RUNNING_INDEX = 'running_of_order';
export const ORDER_INDEX = 'of_order';
export const STATUS_INDEX = 'by_status';
export const COMPENSATING_INDEX = 'compensating_of_order';

export const REFUNDS_COLLECTION = new CollectionDefinition<RefundDocument>('refunds', [
  ...AGGREGATE_INDEXES,
  { name: RUNNING_INDEX, key: { orderId: 1 }, unique: true, partialFilterExpression: { isRunning: true } },
  { name: ORDER_INDEX, key: { organisationId: 1, orderId: 1, createdAt: 1, _id: 1 } },
  {
    name: STATUS_INDEX,
    key: { status: 1, createdAt: 1 },
    partialFilterExpression: { isRunning: true },
  },
  // Searches begin with the organisation and answer by creation.
  { name: 'searched_by_creation', key: { organisationId: 1, createdAt: 1, _id: 1 } },
  { name: 'searched_by_status', key: { organisationId: 1, status: 1, createdAt: 1, _id: 1 } },
  {
    name: 'searched_by_credit',
    key: { organisationId: 1, creditId: 1, createdAt: 1, _id: 1 },
    partialFilterExpression: { creditId: { $exists: true } },
  },
  { name: COMPENSATING_INDEX, key: { orderId: 1 }, unique: true, partialFilterExpression: { isCompensating: true } },
]);
