/**
 * Signals changes from one change stream, which is opened again after every failure. A signal is only a hint: signals
 * are lost while the stream is closed, so listeners also poll.
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
  readonly #ended: Promise<void>;
  #stream: mongo.ChangeStream | undefined;

  /** Listens from construction on. */
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
