/**
 * Lets streamed bodies yield to other requests. Each megabyte of an upload or download costs this process, the object
 * store and the database time on the same cores. At full speed others wait many times longer. So while the process
 * answers other requests, its uploads together take no more than a stated rate, and its downloads another. Without others
 * they go as fast as they come.
 *
 * Callers: endpoint.ts and forward.ts tell of other requests; uploads and streamed answers wait before each chunk.
 */
import { setTimeout as delay } from 'node:timers/promises';

/** How long a request counts as a sign that others are about. */
const OTHERS_MS = 1_000;
/** Shorter waits are not worth a timer: the next chunk waits for both. */
const LEAST_WAIT_MS = 2;

export class StreamPace {
  #bytesPerMs: number;
  readonly #now: () => number;
  #othersUntil = 0;
  /** When what was taken so far is paid for. */
  #paidAt = 0;

  constructor(bytesPerSecond: number, now: () => number = () => performance.now()) {
    this.#bytesPerMs = bytesPerSecond / 1_000;
    this.#now = now;
  }

  /** All streams of this pace together, while others are served. */
  setRate(bytesPerSecond: number): void {
    this.#bytesPerMs = bytesPerSecond / 1_000;
  }

  noteOther(): void {
    this.#othersUntil = this.#now() + OTHERS_MS;
  }

  /** Takes the bytes, and answers how long to wait before more may be taken, in milliseconds. */
  take(bytes: number): number {
    const now = this.#now();
    if (now > this.#othersUntil) return 0;
    this.#paidAt = Math.max(now, this.#paidAt) + bytes / this.#bytesPerMs;
    return this.#paidAt - now;
  }

  async wait(bytes: number): Promise<void> {
    const waitMs = this.take(bytes);
    if (waitMs >= LEAST_WAIT_MS) await delay(waitMs);
  }
}

/** Of this process; its configuration sets the rates. */
export const uploadPace = new StreamPace(Number.POSITIVE_INFINITY);
export const downloadPace = new StreamPace(Number.POSITIVE_INFINITY);

/** Call for each request that is no upload. A new download is one too: it wants its head at once. */
export function noteOtherRequest(): void {
  uploadPace.noteOther();
  downloadPace.noteOther();
}
