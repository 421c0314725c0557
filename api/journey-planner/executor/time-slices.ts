/**
 * Turns of one request: what is made at a stretch ends after a few milliseconds, the rest goes on list by list, each after the
 * event loop has looked after everyone else. Short answers never notice. Used by list fields (`../schema/load-schema.ts`) and long
 * scans (`../resolvers/lists.ts`).
 */
export class TimeSlices {
  readonly #sliceMs: number;
  #begun: number | undefined;
  #stopped = false;
  readonly #waiting: (() => void)[] = [];

  constructor(sliceMs: number) {
    this.#sliceMs = sliceMs;
  }

  /** Whether the present stretch has been long enough. */
  isOver(): boolean {
    const now = performance.now();
    this.#begun ??= now;
    return this.#waiting.length > 0 || now - this.#begun >= this.#sliceMs;
  }

  /** Resolves when it is the caller's turn; one of those waiting per round of the event loop. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#stopped && this.#waiting.push(resolve) === 1) setImmediate(() => this.#next());
    });
  }

  /** Nobody waits for the answer: what was still to come never comes. */
  stop(): void {
    this.#stopped = true;
    this.#waiting.length = 0;
  }

  #next(): void {
    this.#begun = performance.now();
    const resolve = this.#waiting.shift();
    resolve?.();
    if (this.#waiting.length > 0) setImmediate(() => this.#next());
  }
}
