/**
 * Lets processes count together without a request ever waiting for the database: each counts at once for itself, adds what is new to the
 * database again and again, and takes over what the others have added.
 *
 * Costs: between two exchanges each process lets in what it does not know of the others, so a caller of n processes can have up to n
 * times what he asks within one interval more; limits by the second hold per process. Without the database each process goes on alone.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../../platform/log.ts';
import type { RateLimitStore } from './rate-limit-store.ts';
import type { RateLimits } from './rate-limits.ts';

interface Count {
  readonly endsAtMs: number;
  /** Not yet in the database. */
  fresh: number;
  /** Of the database's count, what is in ours. */
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
    this.#options.limits.onCount = (key, requests, endsAtMs) => this.#note(key, requests, endsAtMs);
    this.#running = this.#exchangeAgainAndAgain();
  }

  /** Shares the last counts with the other processes too. */
  async stop(): Promise<void> {
    this.#options.limits.onCount = undefined;
    this.#stopping.abort();
    await this.#running;
    await this.#tryExchange();
  }

  #note(key: string, requests: number, endsAtMs: number): void {
    const count = this.#counts.get(key);
    if (count?.endsAtMs === endsAtMs) count.fresh += requests;
    else this.#counts.set(key, { endsAtMs, fresh: requests, known: 0 });
  }

  async #exchangeAgainAndAgain(): Promise<void> {
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
    const callers = [...this.#counts].map(([key, { endsAtMs, fresh }]) => ({ key, endsAtMs, requests: fresh }));
    if (callers.length === 0) return;
    const told = callers.filter(({ requests }) => requests > 0);
    // Taken out before they are sent: should the answer be lost, a request counts less rather than twice.
    for (const { key, requests } of told) this.#add(key, -requests, requests);
    for (const { key, requests } of await store.add(told)) this.#add(key, requests, -requests);
    const all = await store.read(callers);
    for (const { key, endsAtMs } of callers) {
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
