/**
 * Turns of one request: what is made at a stretch ends after a few milliseconds, the rest goes on part by part, each after the
 * event loop has looked after everyone else. Short answers never notice. Used by questions and lists (`../schema/load-schema.ts`)
 * and long scans (`../resolvers/lists.ts`).
 */
/** Items of a list that have one turn, when none could be made before the first wait. */
const LEAST_PART = 4;

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
    return now - this.#begun >= this.#sliceMs;
  }

  /**
   * The items of a list for an executor that makes each before it takes the next: as they are while the stretch is short, then as
   * promises that are kept a part of the list at a turn. Else a list of thousands would be made in one.
   */
  *inParts<Item>(items: readonly Item[]): Generator<Item | Promise<Item>, void, undefined> {
    let at = 0;
    for (; at < items.length && !this.isOver(); at += 1) yield items[at] as Item;
    const size = Math.max(at, LEAST_PART);
    while (at < items.length) {
      const turn = this.turn();
      for (const end = Math.min(at + size, items.length); at < end; at += 1) {
        const item = items[at] as Item;
        yield turn.then(() => item);
      }
    }
  }

  /** Resolves when it is the caller's turn; one of those waiting per round of the event loop. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#stopped && this.#waiting.push(resolve) === 1) setImmediate(() => this.#next());
    });
  }

  /** The caller has gone: pending work never resumes. */
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
