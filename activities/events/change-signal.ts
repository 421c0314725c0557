/**
 * Signals changes from a change stream per collection, which is opened again after every failure. A signal is only a hint:
 * signals are lost while the stream is closed, so listeners also poll. A stream of the whole database would need the right to
 * read all of it.
 *
 * Callers: the relay, the feed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection, mongo } from 'mongoose';
import type { Logger } from '../../platform/log.ts';

export interface ChangeSignalOptions {
  readonly connection: Connection;
  readonly log: Logger;
  /** An insert or a change in one of these is signalled. */
  readonly collections: readonly string[];
  /** Must not throw, and must return at once. */
  readonly onChange: () => void;
}

const PAUSE_MS = 1_000;

export class ChangeSignal {
  readonly #options: ChangeSignalOptions;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<unknown>;
  readonly #streams = new Set<mongo.ChangeStream>();

  /** Listens from construction on. */
  constructor(options: ChangeSignalOptions) {
    this.#options = options;
    this.#ended = Promise.all(options.collections.map((collection) => this.#keepListening(collection)));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#streams].map((stream) => stream.close().catch(() => undefined)));
    await this.#ended;
  }

  async #keepListening(collection: string): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#listen(collection);
      } catch (error) {
        if (!signal.aborted) this.#options.log.warn({ err: error }, 'changes are not heard of; listening again');
      }
      await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #listen(collection: string): Promise<void> {
    const { connection, onChange } = this.#options;
    const { db } = connection;
    if (!db) throw new Error('Not connected');
    const stream = db
      .collection(collection)
      .watch([{ $match: { operationType: { $in: ['insert', 'update', 'replace'] } } }, { $project: { _id: 1 } }]);
    this.#streams.add(stream);
    try {
      for await (const _ of stream) onChange();
    } finally {
      this.#streams.delete(stream);
      await stream.close().catch(() => undefined);
    }
  }
}
