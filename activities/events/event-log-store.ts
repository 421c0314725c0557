/**
 * Writes the event log: events per topic with gapless offsets from 1. Every reader of a topic reads it (event-log-reads.ts).
 *
 * A relay tries an insert at offset n only after it has seen n - 1 in the log. The unique indexes let one insert at n
 * and one of each event through. So offsets stay gapless and no event comes twice, however many relays write at once;
 * the lease only saves work. Reads and writes have majority concern, so an event that was read once stays.
 *
 * Caller: the relay. Events are removed only by age.
 */
import { setTimeout as delay } from 'node:timers/promises';
import mongoose, { type Connection } from 'mongoose';
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { EVENT_LOG, type LogDocument } from './event-log-document.ts';
import { EventLogReads } from './event-log-reads.ts';

const APPEND_TRIES = 20;
const DAY_SECONDS = 86_400;
const INDEX_OPTIONS_CONFLICT = 85;
const { MongoBulkWriteError, MongoServerError } = mongoose.mongo;

export class EventLogStore extends EventLogReads {
  readonly #connection: Connection;
  readonly #now: () => Date;

  constructor(connection: Connection, now: () => Date = () => new Date()) {
    super(connection);
    this.#connection = connection;
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
      await this.log.createIndex({ storedAt: 1 }, { name: 'expiry', expireAfterSeconds });
    } catch (error) {
      if (!(error instanceof MongoServerError) || error.code !== INDEX_OPTIONS_CONFLICT) throw error;
      const index = { name: 'expiry', expireAfterSeconds };
      await this.#connection.db?.command({ collMod: this.log.collectionName, index });
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
      const head = missing.length > 0 ? await this.newest(topic) : undefined;
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
    const found = await this.log
      .find({ topic, eventId: { $in: ids } }, { projection: { _id: 0, eventId: 1 } })
      .toArray();
    const logged = new Set(found.map((each) => each.eventId));
    const missing = new Map<string, OutboxEvent>();
    for (const event of events) if (!logged.has(event.id)) missing.set(event.id, event);
    return [...missing.values()];
  }

  async #insert(
    topic: string,
    events: readonly OutboxEvent[],
    head: { readonly offset: number; readonly storedAt: number },
  ): Promise<{ readonly inserted: number; readonly whole: boolean }> {
    // Never earlier than the last stored event, so that events expire in the order of their offsets, whatever the clocks say.
    const storedAt = new Date(Math.max(this.#now().getTime(), head.storedAt));
    const documents = events.map((event, index): LogDocument => {
      const offset = head.offset + 1 + index;
      const organisationId = event.data.meta.organisationId as OrganisationId;
      return { _id: `${topic}/${offset}`, topic, offset, eventId: event.id, organisationId, event, storedAt };
    });
    try {
      // The insert is ordered: it stops at the first event that it could not insert.
      await this.log.insertMany(documents, { ordered: true });
      return { inserted: documents.length, whole: true };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return { inserted: error instanceof MongoBulkWriteError ? error.insertedCount : 0, whole: false };
    }
  }

  async #noteLastOffset(topic: string): Promise<void> {
    const { offset } = await this.newest(topic);
    if (offset === 0) return;
    try {
      await this.topics.updateOne({ _id: topic }, { $max: { lastOffset: offset } }, { upsert: true });
    } catch (error) {
      // Two relays created the document at once; both knew the same offset.
      if (!isDuplicateKey(error)) throw error;
      await this.topics.updateOne({ _id: topic }, { $max: { lastOffset: offset } });
    }
  }
}
