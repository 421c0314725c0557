/** What the workflow of a transaction knows, and when it acts next. Pure: it is told the time. */
import type { CaptureStep } from '../activities.ts';
import type { TransactionStatus } from './payment.ts';
import { FIRST_POLL_MS, pollDelayMs, WATCH_FIRST_MS, watchDelayMs } from './poll-pace.ts';
import { isTaken } from './transactions.ts';

/** A caller gets an answer within this time; what is not known then is asked on. */
export const ANSWER_WITHIN_MS = 10_000;
/** Signals and updates of one run. */
export const LONGEST_RUN = 500;
/** The database decides what is idle, by another clock. */
const CLOCKS_DIFFER_MS = 1_000;

export class CaptureLife {
  latest: CaptureStep | undefined;
  /** Rises with every step. */
  taken = 0;
  #messages = 0;
  #hasNews = false;
  #sameSteps = 0;
  #dueAtMs: number;

  /** A run looks by itself when no message has come with its start. */
  constructor(nowMs: number) {
    this.#dueAtMs = nowMs + FIRST_POLL_MS;
  }

  get status(): TransactionStatus {
    return this.latest?.status ?? 'CREATED';
  }

  /** News of a transaction that was cancelled may be a late authorisation; of one that was captured it tells nothing. */
  get isOver(): boolean {
    return this.latest?.next === 'OVER' && (!this.#hasNews || isTaken(this.latest));
  }

  callArrived(): void {
    this.#messages += 1;
  }

  /** The provider, or the sweep, asks for a look. */
  newsArrived(): void {
    this.#messages += 1;
    this.#hasNews = true;
  }

  /** What the news told of is read from now on. */
  lookBegins(): void {
    this.#hasNews = false;
  }

  stepped(step: CaptureStep, nowMs: number): void {
    const { latest } = this;
    this.#sameSteps = latest?.next === step.next && latest.status === step.status ? this.#sameSteps + 1 : 0;
    this.latest = step;
    this.taken += 1;
    this.#dueAtMs = nowMs + this.#restOf(step, nowMs);
  }

  restMs(nowMs: number): number {
    return this.#hasNews ? 0 : Math.max(0, this.#dueAtMs - nowMs);
  }

  isLong(suggestedByServer: boolean): boolean {
    return suggestedByServer || this.#messages >= LONGEST_RUN;
  }

  #restOf({ next, idleAtMs, watches }: CaptureStep, nowMs: number): number {
    if (next !== 'WAIT') return pollDelayMs(this.#sameSteps);
    const idleMs = Math.max(CLOCKS_DIFFER_MS, (idleAtMs ?? nowMs + WATCH_FIRST_MS) - nowMs);
    return watches ? Math.min(idleMs, watchDelayMs(this.#sameSteps)) : idleMs;
  }
}
