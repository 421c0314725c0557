/**
 * Counts the requests of each key in windows of the clock (a minute, a second). A new window begins with an empty
 * table, so nothing needs sweeping.
 *
 * The table is bounded (the algorithm Space-Saving). In a full table a new key replaces the one with the fewest
 * requests, and starts from that count. So a count is never too low, and keys with many requests stay. A new key is
 * refused only when even the lowest count of the table has reached the limit. A count is too high by at most all
 * requests of the window divided by the size of the table.
 *
 * Reservations count as used. Running requests hold them, so they outlast the window, and are as few as these.
 */
export class RequestWindow {
  readonly lengthMs: number;
  readonly #maximumKeys: number;
  readonly #reserved = new Map<string, number>();
  #number = -1;
  #used = new Map<string, number>();
  /** Upper bound for a key that is not in the table: the highest dropped count. */
  #dropped = 0;
  /** Keys that had the lowest count at the last search. Their counts may have grown since. */
  #lightest: string[] = [];

  constructor(lengthMs: number, maximumKeys: number) {
    this.lengthMs = lengthMs;
    this.#maximumKeys = maximumKeys;
  }

  /** Milliseconds since 1970 at which the window of `nowMs` ends. */
  endsAt(nowMs: number): number {
    return (Math.floor(nowMs / this.lengthMs) + 1) * this.lengthMs;
  }

  used(key: string, nowMs: number): number {
    return (this.#table(nowMs).get(key) ?? this.#dropped) + (this.#reserved.get(key) ?? 0);
  }

  add(key: string, requests: number, nowMs: number): void {
    const table = this.#table(nowMs);
    const known = table.get(key);
    if (known === undefined && table.size >= this.#maximumKeys) this.#dropLightest(table);
    table.set(key, (known ?? this.#dropped) + requests);
  }

  /** A negative number gives back. */
  reserve(key: string, requests: number): void {
    const reserved = (this.#reserved.get(key) ?? 0) + requests;
    if (reserved > 0) this.#reserved.set(key, reserved);
    else this.#reserved.delete(key);
  }

  #table(nowMs: number): Map<string, number> {
    const number = Math.floor(nowMs / this.lengthMs);
    if (number !== this.#number) {
      this.#number = number;
      this.#used = new Map();
      this.#dropped = 0;
      this.#lightest = [];
    }
    return this.#used;
  }

  /**
   * Drops the key with the lowest count. It searches the table only once for each value of that count, which only
   * grows.
   */
  #dropLightest(table: Map<string, number>): void {
    for (;;) {
      const key = this.#lightest.pop();
      if (key === undefined) this.#findLightest(table);
      else if (table.get(key) === this.#dropped) {
        table.delete(key);
        return;
      }
    }
  }

  #findLightest(table: Map<string, number>): void {
    this.#dropped = Number.POSITIVE_INFINITY;
    for (const used of table.values()) if (used < this.#dropped) this.#dropped = used;
    for (const [key, used] of table) if (used === this.#dropped) this.#lightest.push(key);
  }
}
