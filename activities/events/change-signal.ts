/**
 * Says that something has changed, by one change stream that is opened anew whenever it fails. A hint only: signals are
 * lost while it is not open, so whoever listens also looks by itself now and then.
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
  /** Must not throw; what takes time begins on its own. */
  readonly onChange: () => void;
}

const PAUSE_MS = 1_000;

export class ChangeSignal {
  readonly #options: ChangeSignalOptions;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  #stream: mongo.ChangeStream | undefined;

  /** Listens from now on. */
  constructor(options: ChangeSignalOptions) {
    this.#options = options;
    this.#ended = this.#keepListening();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#stream?.close().catch(() => undefined);
    await this.#ended;
  }

  async #keepListening(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#listen();
      } catch (error) {
        if (!signal.aborted) this.#options.log.warn({ err: error }, 'changes are not heard of; listening again');
      }
      await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #listen(): Promise<void> {
    const { connection, collections, onChange } = this.#options;
    const { db } = connection;
    if (!db) throw new Error('Not connected');
    const stream = db.watch([
      {
        $match: { 'ns.coll': { $in: [...collections] }, operationType: { $in: ['insert', 'update', 'replace'] } },
      },
      { $project: { _id: 1 } },
    ]);
    this.#stream = stream;
    try {
      for await (const _ of stream) onChange();
    } finally {
      this.#stream = undefined;
      await stream.close().catch(() => undefined);
    }
  }
}
