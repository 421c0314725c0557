/**
 * Reads the event log in order, and waits for new events. However many callers wait, the process listens to one change
 * stream and queries once for all of them. It also polls every second, since signals may be lost.
 *
 * Caller: the handler of api/events. Knows nothing of HTTP.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import type { Logger } from '../../platform/log.ts';
import { ChangeSignal } from './change-signal.ts';
import { EVENT_LOG, type LoggedEvent, type Readership } from './event-log-document.ts';
import { EventLogReads } from './event-log-reads.ts';
import { FeedWaiters, type Waiter } from './feed-waiters.ts';

export interface EventFeedOptions {
  readonly connection: Connection;
  readonly log: Logger;
  /** Beyond this number callers are answered at once, since each waiting caller holds a connection. */
  readonly maxWaiting?: number;
}

export interface FeedRequest {
  readonly topic: string;
  readonly readers: Readership;
  /** The last offset that the caller has read; 0: from the oldest kept event. */
  readonly after: number | 'latest';
  readonly limit: number;
  readonly waitMs: number;
  /** Aborts the waiting when the caller has disconnected. */
  readonly signal: AbortSignal;
}

export interface EventPage {
  readonly events: readonly LoggedEvent[];
  /** The `after` of the next call. */
  readonly nextOffset: number;
}

/**
 * `EXPIRED`: the events right after the offset are no longer kept. `UNKNOWN`: the offset is beyond the end of the log.
 */
export interface UnusableOffset {
  readonly unusable: 'EXPIRED' | 'UNKNOWN';
  readonly oldest: number | undefined;
  readonly last: number;
}

const MAX_WAITING = 5_000;
const LOOK_EVERY_MS = 1_000;
const OWNERS_AT_ONCE = 1_000;
const CATCH_UP_MS = 500;

export class EventFeed {
  readonly #store: EventLogReads;
  readonly #options: EventFeedOptions;
  readonly #waiters = new FeedWaiters();
  #signal: ChangeSignal | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #closed = false;

  constructor(options: EventFeedOptions) {
    this.#options = options;
    this.#store = new EventLogReads(options.connection);
  }

  /** Number of waiting callers, for metrics and tests. */
  get waiting(): number {
    return this.#waiters.size;
  }

  async read(request: FeedRequest): Promise<EventPage | UnusableOffset> {
    const until = performance.now() + request.waitMs;
    let after = request.after;
    for (;;) {
      const page = await this.#readOnce(request, after);
      const leftMs = until - performance.now();
      if ('unusable' in page || page.events.length > 0 || leftMs <= 0 || this.#closed) return page;
      after = page.nextOffset;
      if (!(await this.#wait({ ...request, after }, leftMs))) return page;
    }
  }

  /** Answers all waiting callers; none waits afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiters.wakeAll();
    clearInterval(this.#timer);
    await this.#signal?.stop();
    await this.#looking;
  }

  async #readOnce(
    { topic, readers, limit }: FeedRequest,
    after: FeedRequest['after'],
  ): Promise<EventPage | UnusableOffset> {
    // Read first: events up to this offset are visible already, so none can appear behind the reader.
    const last = await this.#store.lastOffset(topic);
    if (after === 'latest') return { events: [], nextOffset: last };
    if (after > last) return await this.#refuseUnknown(topic, after);
    if (after > 0 && after < last && !(await this.#store.has(topic, after + 1))) {
      return { unusable: 'EXPIRED', oldest: await this.#store.findOldestOffset(topic), last };
    }
    if (after === last) return { events: [], nextOffset: last };
    const events = await this.#store.list(topic, readers, { after, upTo: last, limit });
    return { events, nextOffset: events.length < limit ? last : (events.at(-1)?.offset ?? last) };
  }

  /** After an election the new primary may briefly lag behind the majority. */
  async #refuseUnknown(topic: string, after: number): Promise<EventPage | UnusableOffset> {
    await delay(CATCH_UP_MS);
    const last = await this.#store.lastOffset(topic);
    if (after <= last) return { events: [], nextOffset: after };
    return { unusable: 'UNKNOWN', oldest: await this.#store.findOldestOffset(topic), last };
  }

  /** True when there may be events to read. */
  async #wait(
    { topic, readers, after, signal }: FeedRequest & { readonly after: number },
    waitMs: number,
  ): Promise<boolean> {
    if (signal.aborted || this.#waiters.size >= (this.#options.maxWaiting ?? MAX_WAITING)) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiter: Waiter = { topic, readers, after, wake: () => resolve(true) };
    const onAbort = () => resolve(false);
    const timer = setTimeout(() => resolve(false), waitMs);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#listen();
    if (this.#waiters.add(waiter)) this.#look();
    try {
      return (await promise) && !this.#closed;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.#waiters.remove(waiter);
    }
  }

  /** Starts with the first waiting caller. */
  #listen(): void {
    if (this.#signal) return;
    const { connection, log } = this.#options;
    const onChange = () => this.#look();
    this.#signal = new ChangeSignal({ connection, log, collections: [EVENT_LOG.collection], onChange });
    this.#timer = setInterval(onChange, LOOK_EVERY_MS).unref();
  }

  /** One query at a time; a signal during it causes another. */
  #look(): void {
    if (this.#closed || this.#waiters.size === 0) return;
    this.#lookAgain = true;
    this.#looking ??= this.#lookWhileSignalled().finally(() => {
      this.#looking = undefined;
    });
  }

  async #lookWhileSignalled(): Promise<void> {
    while (this.#lookAgain && !this.#closed) {
      this.#lookAgain = false;
      for (const { topic, seen } of this.#waiters.listTopics()) {
        try {
          const owners = await this.#store.listOwners(topic, seen, OWNERS_AT_ONCE);
          this.#waiters.wake(topic, owners);
          if (owners.length === OWNERS_AT_ONCE) this.#lookAgain = true;
        } catch (error) {
          this.#options.log.warn({ err: error, topic }, 'new events could not be looked for');
        }
      }
    }
  }
}
