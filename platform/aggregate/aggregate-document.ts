/**
 * The members that the kit keeps in every aggregate's document, and the indexes that they need. An area's document type
 * extends it.
 */
import type { OutboxEvent } from '../events/outbox.ts';
import type { NamedIndex } from '../mongo/collection.ts';
import type { PackedWorkIds } from './work-ids.ts';

export interface AggregateDocument {
  readonly _id: string;
  /** Every write raises it; a write that rests on a read is conditional on it. */
  readonly revision: number;
  /** Sequence of the last event; gapless from 1, 0 before the first. */
  readonly sequence: number;
  /** Events that the relay has not moved yet, oldest first. */
  readonly outbox: readonly OutboxEvent[];
  /** The work that created the document: unique, so a repeated creation finds the document. */
  readonly creationId?: string;
  /** The work of the last 73 hours; see work-ids.ts. */
  readonly workIds?: PackedWorkIds;
  /** A workflow must be started or signalled, since `pendingSince`; see pending-starts.ts. */
  readonly pendingStart?: true;
  readonly pendingSince?: Date;
}

/** Members that only the kit writes. */
export type KitMember = keyof AggregateDocument;

/** The members that an area writes. A member that is undefined is removed. */
export type Members<Document extends AggregateDocument> = {
  readonly [Member in Exclude<keyof Document, KitMember>]?: Document[Member] | undefined;
};

export type Projection<Document> = Readonly<Partial<Record<keyof Document, 1>>>;

export const CREATIONS_INDEX = 'creations';
export const PENDING_STARTS_INDEX = 'pending_starts';

/** The index that lists pending starts. An aggregate that the kit does not create needs this index alone. */
export const PENDING_STARTS: NamedIndex = {
  name: PENDING_STARTS_INDEX,
  key: { pendingSince: 1 },
  partialFilterExpression: { pendingStart: true },
};

/** Every process that writes makes these indexes before it takes work. The relay makes the index of the outbox. */
export const AGGREGATE_INDEXES: readonly NamedIndex[] = [
  {
    name: CREATIONS_INDEX,
    key: { creationId: 1 },
    unique: true,
    partialFilterExpression: { creationId: { $exists: true } },
  },
  PENDING_STARTS,
];
