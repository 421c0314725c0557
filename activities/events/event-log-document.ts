/** The event log as it is stored. Callers: its reads and writes; nothing else knows the documents. */
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';

/** The organisation whose events a caller reads; ANY: those of every organisation. */
export type Readership = OrganisationId | 'ANY';

export interface LogDocument {
  /** `<topic>/<offset>` */
  _id: string;
  topic: string;
  offset: number;
  eventId: string;
  organisationId: OrganisationId;
  event: OutboxEvent;
  storedAt: Date;
}

/** Outlives the events: offsets continue after all events have expired. */
export interface TopicDocument {
  _id: string;
  lastOffset: number;
}

export interface EventRange {
  /** Exclusive lower bound. */
  readonly after: number;
  /** Inclusive upper bound. */
  readonly upTo: number;
  readonly limit: number;
}

export interface LoggedEvent {
  readonly offset: number;
  readonly event: OutboxEvent;
}

export const EVENT_LOG = new CollectionDefinition<LogDocument>('event_log', [
  { name: 'offsets', key: { topic: 1, offset: 1 }, unique: true },
  { name: 'events', key: { topic: 1, eventId: 1 }, unique: true },
  { name: 'offsets_of_organisation', key: { topic: 1, organisationId: 1, offset: 1 } },
  { name: 'offsets_of_key', key: { topic: 1, 'event.key': 1, offset: 1 } },
]);
export const EVENT_TOPICS = new CollectionDefinition<TopicDocument>('event_topics');
