/**
 * Events that stay readable by aggregate after the log has dropped them. The relay stores them before it appends them
 * to the log; an event is stored once, however often that is repeated.
 *
 * Callers: the relay (keeps), other areas by EVENT_HISTORY (read).
 */
import type { Connection, mongo } from 'mongoose';
import { aggregateOf } from '../../platform/events/event-family.ts';
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { isOnlyDuplicateKeys } from '../../platform/mongo/mongo.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { type EventHistory, type HistoryRequest, MAX_HISTORY_EVENTS } from '../shared/event-history.ts';

interface KeptDocument {
  /** The event's id. */
  _id: string;
  aggregate: string;
  sequence: number;
  organisationId: OrganisationId;
  event: OutboxEvent;
}

export const KEPT_EVENTS = new CollectionDefinition<KeptDocument>('kept_events', [
  { name: 'history', key: { aggregate: 1, sequence: 1 }, unique: true },
]);

export class KeptEventStore implements EventHistory {
  readonly #connection: Connection;
  readonly #kept: mongo.Collection<KeptDocument>;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#kept = KEPT_EVENTS.open(connection);
  }

  async ensureIndexes(): Promise<void> {
    await KEPT_EVENTS.ensureIndexes(this.#connection);
  }

  /** Safe to repeat, and to run at the same time as other relays. */
  async keep(events: readonly OutboxEvent[]): Promise<void> {
    if (events.length === 0) return;
    const documents = events.map((event): KeptDocument => {
      const organisationId = event.data.meta.organisationId as OrganisationId;
      return { _id: event.id, aggregate: aggregateOf(event), sequence: event.sequence, organisationId, event };
    });
    try {
      await this.#kept.insertMany(documents, { ordered: false });
    } catch (error) {
      // Unordered: every event that was not there yet has been stored.
      if (!isOnlyDuplicateKeys(error)) throw error;
    }
  }

  async list({ organisationId, aggregate, pending, after, limit }: HistoryRequest): Promise<readonly OutboxEvent[]> {
    if (limit > MAX_HISTORY_EVENTS)
      throw new RangeError(`A page of a history has at most ${MAX_HISTORY_EVENTS} events`);
    const kept = await this.#kept
      .find({ aggregate, sequence: { $gt: after }, ...(organisationId !== 'ANY' && { organisationId }) })
      .sort({ sequence: 1 })
      .limit(limit)
      .project<{ event: OutboxEvent }>({ _id: 0, event: 1 })
      .toArray();
    const bySequence = new Map(kept.map(({ event }) => [event.sequence, event]));
    // An event leaves its outbox after it was kept: what the caller did not read there, it reads here.
    for (const event of pending) if (event.sequence > after) bySequence.set(event.sequence, event);
    return [...bySequence.values()].sort((one, other) => one.sequence - other.sequence).slice(0, limit);
  }
}
