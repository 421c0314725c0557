/**
 * An order as it is stored: one aggregate (platform/aggregate) with the draft, the last confirmed version while they
 * differ, and what searches need. Callers: the stores of this folder; nothing else knows the collections.
 */
import type { mongo } from 'mongoose';
import { AGGREGATE_INDEXES, type AggregateDocument } from '../../platform/aggregate/aggregate-document.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import type { ConfirmedVersion, Order, PendingSeats } from '../../workflows/orders/rules/order.ts';
import type { CustomerNumber, OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import { ORDER_INDEXES } from './order-indexes.ts';

export interface StoredPendingSeats extends PendingSeats {
  /** Revision of the write that has added to them last: a later write keeps its own. */
  readonly revision: number;
  readonly since: Date;
}

export interface OrderDocument extends AggregateDocument, Omit<Order, 'id' | 'pendingSeats'> {
  readonly _id: OrderId;
  readonly pendingSeats?: StoredPendingSeats;
  readonly totalAmountMinor: number;
  readonly balanceMinor: number;
  /** `<day>/<rrn>` of the money of other systems that came with the order or by its payments; absent where there is none. */
  readonly importKeys?: readonly string[];
  /** Every customer that it names or has named; for erasures. Absent where there is none. */
  readonly everNamed?: readonly CustomerNumber[];
  /** Ends of all legs and travel specifications, for searches. */
  readonly fromStopPlaceIds: readonly string[];
  readonly toStopPlaceIds: readonly string[];
  /** Id of its data key, once a text was sealed. */
  readonly keyId?: string;
  /** Its texts were destroyed with the erasure of its contact. */
  readonly textsErasedAt?: Date;
}

/** A confirmed version that a later one has replaced. Never changed. Of several of one version, that of the highest revision counts. */
export interface VersionDocument extends ConfirmedVersion {
  /** `<orderId>/<version>/<revision>`; of an older build `<orderId>/<version>`. */
  readonly _id: string;
  /** Of the order that held the version so. Absent: of an older build. */
  readonly revision?: number;
  readonly orderId: OrderId;
  readonly organisationId: OrganisationId;
}

export type OrderCollection = mongo.Collection<OrderDocument>;

export const ORDERS_COLLECTION = new CollectionDefinition<OrderDocument>('orders', [
  ...AGGREGATE_INDEXES,
  ...ORDER_INDEXES,
]);
export const VERSIONS_INDEX = 'of_order';
export const ORDER_VERSIONS = new CollectionDefinition<VersionDocument>('order_versions', [
  { name: VERSIONS_INDEX, key: { orderId: 1 } },
]);
