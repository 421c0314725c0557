/**
 * Lets processes count together without a request ever waiting for the database. Each process counts at once for
 * itself. Regularly it adds its new counts to the database and reads those of the others.
 *
 * It shares only counts of at least a tenth of their limit. Otherwise a caller that changes its name or address with
 * each request would create a document each time. So n processes together may admit n tenths of a limit more, and the
 * requests of one interval. Limits by the second apply per process. Without the database each process counts alone.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../../platform/log.ts';
import type { RateLimitStore } from './rate-limit-store.ts';
import type { RateLimits } from './rate-limits.ts';

/** Share of its limit from which a count is shared. */
const SHARED_FROM = 0.1;
/** Maximum number of shared counts. Further ones stay in this process. */
const MAXIMUM_COUNTS = 50_000;

interface Count {
  readonly endsAtMs: number;
  readonly sharedFrom: number;
  /** Requests not yet in the database. */
  fresh: number;
  /** Requests of the database's count that this process has included. */
  known: number;
}

export interface SharedCountsOptions {
  readonly limits: RateLimits;
  readonly store: Pick<RateLimitStore, 'add' | 'read'>;
  readonly everyMs: number;
  readonly log: Logger;
  readonly now?: () => number;
}

export class SharedCounts {
  readonly #options: SharedCountsOptions;
  readonly #now: () => number;
  readonly #stopping = new AbortController();
  #counts = new Map<string, Count>();
  #running: Promise<void> = Promise.resolve();
  #failed = false;

  constructor(options: SharedCountsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  start(): void {
    this.#options.limits.onCount = (...counted) => this.#note(...counted);
    this.#running = this.#exchangeRegularly();
  }

  /** Shares the last counts with the other processes, then stops. */
  async stop(): Promise<void> {
    this.#options.limits.onCount = undefined;
    this.#stopping.abort();
    await this.#running;
    await this.#tryExchange();
  }

  #note(key: string, requests: number, allowed: number, endsAtMs: number): void {
    const count = this.#counts.get(key);
    if (count?.endsAtMs === endsAtMs) count.fresh += requests;
    else if (count || this.#counts.size < MAXIMUM_COUNTS) {
      this.#counts.set(key, { endsAtMs, sharedFrom: allowed * SHARED_FROM, fresh: requests, known: 0 });
    }
  }

  async #exchangeRegularly(): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      await delay(this.#options.everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      await this.#tryExchange();
    }
  }

  async #tryExchange(): Promise<void> {
    const { log } = this.#options;
    try {
      await this.#exchange();
      if (this.#failed) log.info('rate limits are shared again');
      this.#failed = false;
    } catch (error) {
      if (!this.#failed) log.warn({ err: error }, 'rate limits cannot be shared; this process counts alone');
      this.#failed = true;
    }
  }

  async #exchange(): Promise<void> {
    const { limits, store } = this.#options;
    this.#forgetEnded();
    const shared = [...this.#counts]
      .filter(([, { fresh, known, sharedFrom }]) => known > 0 || fresh >= sharedFrom)
      .map(([key, { endsAtMs, fresh }]) => ({ key, endsAtMs, requests: fresh }));
    if (shared.length === 0) return;
    const added = shared.filter(({ requests }) => requests > 0);
    // Subtract the counts before sending them. If the reply is lost, a request counts less rather than twice.
    for (const { key, requests } of added) this.#add(key, -requests, requests);
    for (const { key, requests } of await store.add(added)) this.#add(key, requests, -requests);
    const all = await store.read(shared);
    for (const { key, endsAtMs } of shared) {
      const count = this.#counts.get(key);
      const others = (all.get(key) ?? 0) - (count?.known ?? 0);
      if (!count || count.endsAtMs !== endsAtMs || others <= 0) continue;
      count.known += others;
      limits.addFromOthers(key, others, endsAtMs);
    }
  }

  #add(key: string, fresh: number, known: number): void {
    const count = this.#counts.get(key);
    if (!count) return;
    count.fresh += fresh;
    count.known += known;
  }

  #forgetEnded(): void {
    const now = this.#now();
    for (const [key, { endsAtMs }] of this.#counts) if (endsAtMs <= now) this.#counts.delete(key);
  }
}
