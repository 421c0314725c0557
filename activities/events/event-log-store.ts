/**
 * The event log: events per topic with gapless offsets from 1. The relay writes it; every reader of a topic reads it.
 *
 * A relay tries an insert at offset n only after it has seen n - 1 in the log. The unique indexes let one insert at n
 * and one of each event through. So offsets stay gapless and no event comes twice, however many relays write at once;
 * the lease only saves work. Reads and writes have majority concern, so an event that was read once stays.
 *
 * Callers: the relay (appends), the feed (reads). Events are removed only by age.
 */
import { setTimeout as delay } from 'node:timers/promises';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { aggregateOf } from '../../platform/events/event-family.ts';
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import type { EventLogReader } from '../shared/payment-books.ts';

/** The organisation whose events a caller reads; ANY: those of every organisation. */
export type Readership = OrganisationId | 'ANY';

interface LogDocument {
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
interface TopicDocument {
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

const APPEND_TRIES = 20;
const DAY_SECONDS = 86_400;
const INDEX_OPTIONS_CONFLICT = 85;
const { MongoBulkWriteError, MongoServerError } = mongoose.mongo;

export class EventLogStore implements EventLogReader {
  readonly #connection: Connection;
  readonly #log: mongo.Collection<LogDocument>;
  readonly #topics: mongo.Collection<TopicDocument>;
  readonly #now: () => Date;

  constructor(connection: Connection, now: () => Date = () => new Date()) {
    this.#connection = connection;
    this.#log = EVENT_LOG.open(connection);
    this.#topics = EVENT_TOPICS.open(connection);
    this.#now = now;
  }

  /** Called before the first append: these indexes keep the log consistent. */
  async ensureIndexes(): Promise<void> {
    await EVENT_LOG.ensureIndexes(this.#connection);
  }

  /** The database removes older events. May be called with another number at every start. */
  async keepFor(days: number): Promise<void> {
    const expireAfterSeconds = days * DAY_SECONDS;
    try {
      await this.#log.createIndex({ storedAt: 1 }, { name: 'expiry', expireAfterSeconds });
    } catch (error) {
      if (!(error instanceof MongoServerError) || error.code !== INDEX_OPTIONS_CONFLICT) throw error;
      const index = { name: 'expiry', expireAfterSeconds };
      await this.#connection.db?.command({ collMod: this.#log.collectionName, index });
    }
  }

  /**
   * Appends the events that the log does not have yet, in this order, and answers their number. When it returns, the
   * log has them all. Safe to repeat, and to run at the same time as other appends.
   */
  async append(topic: string, events: readonly OutboxEvent[]): Promise<number> {
    let appended = 0;
    for (let tries = 0; tries < APPEND_TRIES; tries += 1) {
      const missing = await this.#withoutLogged(topic, events);
      const head = missing.length > 0 ? await this.#newest(topic) : undefined;
      const result = head ? await this.#insert(topic, missing, head) : { inserted: 0, whole: true };
      appended += result.inserted;
      if (result.whole) {
        // Also when another relay has inserted them: it may have died before this step.
        await this.#noteLastOffset(topic);
        return appended;
      }
      // Another relay appends too.
      await delay(tries * 5);
    }
    throw new Error(`${topic}: another relay was faster ${APPEND_TRIES} times`);
  }

  async #withoutLogged(topic: string, events: readonly OutboxEvent[]): Promise<readonly OutboxEvent[]> {
    const ids = events.map((event) => event.id);
    const found = await this.#log
      .find({ topic, eventId: { $in: ids } }, { projection: { _id: 0, eventId: 1 } })
      .toArray();
    const logged = new Set(found.map((each) => each.eventId));
    const missing = new Map<string, OutboxEvent>();
    for (const event of events) if (!logged.has(event.id)) missing.set(event.id, event);
    return [...missing.values()];
  }

  /**
   * Never earlier than the last stored event, so that events expire in the order of their offsets, whatever the clocks
   * say.
   */
  async #newest(topic: string): Promise<{ readonly offset: number; readonly storedAt: number }> {
    const found = await this.#log.findOne(
      { topic },
      { sort: { offset: -1 }, projection: { _id: 0, offset: 1, storedAt: 1 } },
    );
    if (found) return { offset: found.offset, storedAt: found.storedAt.getTime() };
    return { offset: (await this.#topics.findOne({ _id: topic }))?.lastOffset ?? 0, storedAt: 0 };
  }

  async #insert(
    topic: string,
    events: readonly OutboxEvent[],
    head: { readonly offset: number; readonly storedAt: number },
  ): Promise<{ readonly inserted: number; readonly whole: boolean }> {
    const storedAt = new Date(Math.max(this.#now().getTime(), head.storedAt));
    const documents = events.map((event, index): LogDocument => {
      const offset = head.offset + 1 + index;
      const organisationId = event.data.meta.organisationId as OrganisationId;
      return { _id: `${topic}/${offset}`, topic, offset, eventId: event.id, organisationId, event, storedAt };
    });
    try {
      // The insert is ordered: it stops at the first event that it could not insert.
      await this.#log.insertMany(documents, { ordered: true });
      return { inserted: documents.length, whole: true };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return { inserted: error instanceof MongoBulkWriteError ? error.insertedCount : 0, whole: false };
    }
  }

  async #noteLastOffset(topic: string): Promise<void> {
    const { offset } = await this.#newest(topic);
    if (offset === 0) return;
    try {
      await this.#topics.updateOne({ _id: topic }, { $max: { lastOffset: offset } }, { upsert: true });
    } catch (error) {
      // Two relays created the document at once; both knew the same offset.
      if (!isDuplicateKey(error)) throw error;
      await this.#topics.updateOne({ _id: topic }, { $max: { lastOffset: offset } });
    }
  }

  /** Offset of the newest event; 0 before the first. */
  async lastOffset(topic: string): Promise<number> {
    return (await this.#newest(topic)).offset;
  }

  /** Offset of the oldest kept event; undefined when there is none. */
  async findOldestOffset(topic: string): Promise<number | undefined> {
    const found = await this.#log.findOne({ topic }, { sort: { offset: 1 }, projection: { _id: 0, offset: 1 } });
    return found?.offset;
  }

  /** Events are stored in the order of their offsets, whatever the clocks say. */
  async rangeOf(topic: string, from: Date, until: Date): Promise<{ readonly after: number; readonly upTo: number }> {
    const lastBefore = async (at: Date) => {
      const next = await this.#log.findOne(
        { topic, storedAt: { $gte: at } },
        { sort: { storedAt: 1, offset: 1 }, projection: { _id: 0, offset: 1 } },
      );
      return next ? next.offset - 1 : await this.lastOffset(topic);
    };
    return { after: await lastBefore(from), upTo: await lastBefore(until) };
  }

  async listOfAll(topic: string, range: EventRange): Promise<readonly LoggedEvent[]> {
    return await this.list(topic, 'ANY', range);
  }

  async has(topic: string, offset: number): Promise<boolean> {
    return (await this.#log.findOne({ _id: `${topic}/${offset}` }, { projection: { _id: 1 } })) !== null;
  }

  /** Events in order of offset. Read `upTo` before, so that no event appears below it later. */
  async list(topic: string, readers: Readership, { after, upTo, limit }: EventRange): Promise<readonly LoggedEvent[]> {
    return await this.#log
      .find({ topic, ...ownedBy(readers), offset: { $gt: after, $lte: upTo } })
      .sort({ offset: 1 })
      .limit(limit)
      .project<LoggedEvent>({ _id: 0, offset: 1, event: 1 })
      .toArray();
  }

  /** The first event of a key between two offsets, both inclusive, that a reader may see. */
  async findOfKey(
    topic: string,
    readers: Readership,
    key: string,
    { from, upTo }: { readonly from: number; readonly upTo: number },
  ): Promise<LoggedEvent | undefined> {
    const found = await this.#log.findOne(
      { topic, 'event.key': key, ...ownedBy(readers), offset: { $gte: from, $lte: upTo } },
      { sort: { offset: 1 }, projection: { _id: 0, offset: 1, event: 1 } },
    );
    return found ?? undefined;
  }

  /** Offsets of the events of an aggregate that come before one, from an offset on. */
  async listEarlier(
    topic: string,
    readers: Readership,
    event: Pick<OutboxEvent, 'id' | 'key' | 'sequence'>,
    from: number,
  ): Promise<readonly number[]> {
    const found = await this.#log
      .find({
        topic,
        'event.key': event.key,
        ...ownedBy(readers),
        offset: { $gte: from },
        'event.sequence': { $lt: event.sequence },
      })
      .project<{ offset: number; eventId: string; event: Pick<OutboxEvent, 'sequence'> }>({
        ...{ _id: 0, offset: 1, eventId: 1, 'event.sequence': 1 },
      })
      .toArray();
    const aggregate = aggregateOf(event);
    return found.flatMap((each) =>
      aggregateOf({ id: each.eventId, sequence: each.event.sequence }) === aggregate ? [each.offset] : [],
    );
  }

  /** Owners of the appended events, for waiting callers, in order of offset. It reads no event itself. */
  async listOwners(
    topic: string,
    after: number,
    limit: number,
  ): Promise<readonly { readonly offset: number; readonly organisationId: OrganisationId }[]> {
    return await this.#log
      .find({ topic, offset: { $gt: after } })
      .sort({ offset: 1 })
      .limit(limit)
      .project<{ offset: number; organisationId: OrganisationId }>({ _id: 0, offset: 1, organisationId: 1 })
      .toArray();
  }
}

function ownedBy(readers: Readership): { readonly organisationId?: OrganisationId } {
  return readers === 'ANY' ? {} : { organisationId: readers };
}
