/**
 * A page as its workflow knows it: the last step, the news that came since, and how long to sleep. The database decides;
 * this remembers. Pure: no clock, nothing of Temporal.
 */
import type { SettledCapture, SettledDelivery } from '../../shared/payment-page-signals.ts';
import type { PageStep } from '../activities.ts';

export type PageNews =
  | { readonly kind: 'LOOK' }
  | { readonly kind: 'SETTLED'; readonly settled: SettledCapture }
  | { readonly kind: 'DELIVERY'; readonly settled: SettledDelivery };

const LOOK: PageNews = { kind: 'LOOK' };
/** While the outcome of an attempt that is to end is not known. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** The clock of the database's writers may be behind ours: ask again after this. */
const ASKED_AGAIN_MS = 1_000;

export class PageLife {
  #step: PageStep | undefined;
  #news: PageNews[] = [LOOK];
  #messages = 0;
  #pauses = 0;
  #askAtMs = 0;

  get step(): PageStep | undefined {
    return this.#step;
  }

  /** Signals and updates of this run, which bound its length. */
  get messages(): number {
    return this.#messages;
  }

  get isOver(): boolean {
    return this.#step?.isOver === true && !this.hasNews;
  }

  get hasNews(): boolean {
    return this.#news.length > 0;
  }

  /** The order, or the time, may have changed the page. Several such messages need one look. */
  lookWanted(): void {
    this.#messages += 1;
    if (!this.#news.includes(LOOK)) this.#news.push(LOOK);
  }

  newsArrived(news: PageNews): void {
    this.#messages += 1;
    this.#news.push(news);
  }

  updateArrived(): void {
    this.#messages += 1;
  }

  /** The oldest first; undefined when there is nothing to do now. */
  takeNews(nowMs: number): PageNews | undefined {
    const news = this.#news.shift();
    if (news) return news;
    return this.#step && !this.#step.isEnding && this.isDue(nowMs) ? LOOK : undefined;
  }

  mustEndAttempt(nowMs: number): boolean {
    return this.#step?.isEnding === true && nowMs >= this.#askAtMs;
  }

  stepTaken(step: PageStep, nowMs: number): void {
    // A deadline that has passed without an effect is asked for again, but not at once.
    if (step.deadlineMs !== undefined && step.deadlineMs <= nowMs) this.#askAtMs = nowMs + ASKED_AGAIN_MS;
    if (!step.isEnding) this.#pauses = 0;
    this.#step = step;
  }

  /** The outcome of the attempt is still unknown. */
  stillEnding(nowMs: number): void {
    this.#askAtMs = nowMs + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(this.#pauses, 10));
    this.#pauses += 1;
  }

  hasWork(nowMs: number): boolean {
    return this.hasNews || this.mustEndAttempt(nowMs) || (this.#step?.isEnding !== true && this.isDue(nowMs));
  }

  /** How long to sleep unless a message arrives. Undefined: without an end. */
  restMs(nowMs: number): number | undefined {
    const step = this.#step;
    if (!step || this.hasNews) return 0;
    if (step.isEnding) return Math.max(0, this.#askAtMs - nowMs);
    if (step.deadlineMs === undefined) return undefined;
    return Math.max(0, Math.max(step.deadlineMs, this.#askAtMs) - nowMs);
  }

  isDue(nowMs: number): boolean {
    const deadlineMs = this.#step?.deadlineMs;
    return deadlineMs !== undefined && nowMs >= Math.max(deadlineMs, this.#askAtMs);
  }
}
