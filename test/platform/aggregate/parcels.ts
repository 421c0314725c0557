/** A small aggregate on the kit, for tests of the kit. */
import type { Connection, mongo } from 'mongoose';
import { AGGREGATE_INDEXES, type AggregateDocument } from '../../../platform/aggregate/aggregate-document.ts';
import { Aggregates } from '../../../platform/aggregate/aggregates.ts';
import type { EventFamily } from '../../../platform/events/event-family.ts';

export interface ParcelDocument extends AggregateDocument {
  readonly organisationId: number;
  readonly weightGrams: number;
  readonly labels?: readonly string[];
  readonly collectUntil?: Date;
  readonly barcode?: string;
}

export type ParcelEvent =
  | { readonly type: 'ParcelWeighed'; readonly weightGrams: number }
  | { readonly type: 'ParcelLabelled' };

export const PARCEL_EVENTS: EventFamily<Pick<ParcelDocument, '_id' | 'organisationId'>> = {
  aggregate: 'parcel',
  topic: 'parcel-changed',
  source: '/parcels',
  typePrefix: 'service.parcel',
  describe: ({ _id, organisationId }) => ({ aggregateId: _id, key: _id, organisationId, ids: { parcelId: _id } }),
};

export function parcelCollection(connection: Connection): mongo.Collection<ParcelDocument> {
  return connection.collection<ParcelDocument>('parcels');
}

export async function ensureParcelIndexes(collection: mongo.Collection<ParcelDocument>): Promise<void> {
  await collection.createIndexes([
    ...AGGREGATE_INDEXES,
    { name: 'barcodes', key: { barcode: 1 }, unique: true, partialFilterExpression: { barcode: { $exists: true } } },
  ]);
}

export function parcels(collection: mongo.Collection<ParcelDocument>, now?: () => Date) {
  return new Aggregates<ParcelDocument, ParcelEvent>({
    collection,
    family: PARCEL_EVENTS,
    environment: 'dev',
    ...(now && { now }),
  });
}
