/**
 * A collection whose documents have an `outbox`: lists the pending events, and removes them after the log has them.
 * Caller: the relay. Knows nothing else of the documents, so any area's collection fits.
 */
import type { Connection, mongo } from 'mongoose';
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import { HAS_EVENTS, OUTBOX_INDEX, outboxDefinition } from '../../platform/events/outbox-index.ts';

interface DocumentWithOutbox {
  readonly _id: string;
  readonly outbox?: readonly OutboxEvent[];
}

export interface PendingOutbox {
  readonly id: string;
  /** In the order of the aggregate. */
  readonly events: readonly OutboxEvent[];
}

export class OutboxSource {
  readonly collection: string;
  readonly #connection: Connection;
  readonly #documents: mongo.Collection<DocumentWithOutbox>;

  constructor(connection: Connection, collection: string) {
    this.collection = collection;
    this.#connection = connection;
    this.#documents = connection.collection<DocumentWithOutbox>(collection);
  }

  async ensureIndex(): Promise<void> {
    await outboxDefinition(this.collection).ensureIndexes(this.#connection);
  }

  /**
   * Documents that have waited longest first. Read with majority concern, so a change that is rolled back later is
   * never seen.
   */
  async listPending(limit: number): Promise<readonly PendingOutbox[]> {
    const found = await this.#documents
      .find(HAS_EVENTS, { projection: { outbox: 1 } })
      .sort({ 'outbox.time': 1 })
      .limit(limit)
      .toArray();
    return found.map(({ _id, outbox = [] }) => ({ id: _id, events: outbox }));
  }

  /**
   * Number of documents with pending events, up to `limit`, for metrics. The hint makes the query use the partial
   * index.
   */
  async countPending(limit: number): Promise<number> {
    return await this.#documents.countDocuments(HAS_EVENTS, { limit, hint: OUTBOX_INDEX });
  }

  /** Removes events by their ids, so events added since stay. Safe to repeat. */
  async remove(pending: readonly PendingOutbox[]): Promise<void> {
    if (pending.length === 0) return;
    const writes = pending.map(({ id, events }) => ({
      updateOne: {
        filter: { _id: id },
        update: { $pull: { outbox: { id: { $in: events.map((event) => event.id) } } } },
      },
    }));
    await this.#documents.bulkWrite(writes, { ordered: false });
  }
}
