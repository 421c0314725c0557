/**
 * Reading the event log in order, and waiting for what comes next. However many callers wait, the process listens to one
 * change stream and asks once for all of them; one look a second makes up for signals that were lost.
 *
 * Caller: the handler of api/events. Knows nothing of HTTP.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import type { Logger } from '../../platform/log.ts';
import { ChangeSignal } from './change-signal.ts';
import { EVENT_LOG, EventLogStore, type LoggedEvent, type Readership } from './event-log-store.ts';
import { FeedWaiters, type Waiter } from './feed-waiters.ts';

export interface EventFeedOptions {
  readonly connection: Connection;
  readonly log: Logger;
  /** Beyond it callers are answered at once: each that waits holds a connection. */
  readonly maxWaiting?: number;
}

export interface FeedRequest {
  readonly topic: string;
  readonly readers: Readership;
  /** The last offset already read; 0: from the oldest that is kept. */
  readonly after: number | 'latest';
  readonly limit: number;
  readonly waitMs: number;
  /** Ends the waiting: the caller has gone away. */
  readonly signal: AbortSignal;
}

export interface EventPage {
  readonly events: readonly LoggedEvent[];
  /** To be given as `after` next. */
  readonly nextOffset: number;
}

/** `EXPIRED`: events right after the offset are not kept any more. `UNKNOWN`: the log has not come that far. */
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
  readonly #store: EventLogStore;
  readonly #options: EventFeedOptions;
  readonly #waiters = new FeedWaiters();
  #signal: ChangeSignal | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #closed = false;

  constructor(options: EventFeedOptions) {
    this.#options = options;
    this.#store = new EventLogStore(options.connection);
  }

  /** For metrics and tests. */
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

  /** Answers all who wait; afterwards nobody waits any more. */
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
    // Read first: what is at or below it is there already, so nothing can come in behind the reader.
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

  /** A database that has just changed its primary knows for a moment less of what the majority has. */
  async #refuseUnknown(topic: string, after: number): Promise<EventPage | UnusableOffset> {
    await delay(CATCH_UP_MS);
    const last = await this.#store.lastOffset(topic);
    if (after <= last) return { events: [], nextOffset: after };
    return { unusable: 'UNKNOWN', oldest: await this.#store.findOldestOffset(topic), last };
  }

  /** True when there may be something to read. */
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

  /** From the first who waits on. */
  #listen(): void {
    if (this.#signal) return;
    const { connection, log } = this.#options;
    const onChange = () => this.#look();
    this.#signal = new ChangeSignal({ connection, log, collections: [EVENT_LOG.collection], onChange });
    this.#timer = setInterval(onChange, LOOK_EVERY_MS).unref();
  }

  /** One look at a time; a signal meanwhile makes it look again. */
  #look(): void {
    if (this.#closed || this.#waiters.size === 0) return;
    this.#lookAgain = true;
    this.#looking ??= this.#lookWhileTold().finally(() => {
      this.#looking = undefined;
    });
  }

  async #lookWhileTold(): Promise<void> {
    while (this.#lookAgain && !this.#closed) {
      this.#lookAgain = false;
      for (const { topic, seen } of this.#waiters.listTopics()) {
        try {
          const owners = await this.#store.listOwners(topic, seen, OWNERS_AT_ONCE);
          this.#waiters.tell(topic, owners);
          if (owners.length === OWNERS_AT_ONCE) this.#lookAgain = true;
        } catch (error) {
          this.#options.log.warn({ err: error, topic }, 'new events could not be looked for');
        }
      }
    }
  }
}
