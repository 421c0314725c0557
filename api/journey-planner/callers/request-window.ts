/**
 * Counts in windows of the clock (a minute, a second): what each caller has used in the one that runs now. A new window begins with
 * an empty table, so nothing is ever swept. Bounded: callers beyond the limit share one count.
 */
const OVERFLOW = '\u0000others';

export class RequestWindow {
  readonly lengthMs: number;
  readonly #maximumCallers: number;
  #number = -1;
  #used = new Map<string, number>();

  constructor(lengthMs: number, maximumCallers: number) {
    this.lengthMs = lengthMs;
    this.#maximumCallers = maximumCallers;
  }

  /** Milliseconds since 1970 at which the window of `nowMs` ends. */
  endsAt(nowMs: number): number {
    return (Math.floor(nowMs / this.lengthMs) + 1) * this.lengthMs;
  }

  knows(caller: string, nowMs: number): boolean {
    return this.#table(nowMs).has(caller);
  }

  used(caller: string, nowMs: number): number {
    return this.#table(nowMs).get(this.keyOf(caller)) ?? 0;
  }

  add(caller: string, requests: number, nowMs: number): void {
    const table = this.#table(nowMs);
    const key = this.keyOf(caller);
    table.set(key, (table.get(key) ?? 0) + requests);
  }

  /** Counter of this caller: its own, or the shared one of callers without room. */
  keyOf(caller: string): string {
    return this.#used.has(caller) || this.#used.size < this.#maximumCallers ? caller : OVERFLOW;
  }

  #table(nowMs: number): Map<string, number> {
    const number = Math.floor(nowMs / this.lengthMs);
    if (number !== this.#number) {
      this.#number = number;
      this.#used = new Map();
    }
    return this.#used;
  }
}
