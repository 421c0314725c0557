/** A cache of the most recently used values, bounded by number and by weight. Callers: the planner's query caches, the timetable reader. */
export class LruCache<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  readonly #maximumEntries: number;
  readonly #maximumWeight: number;
  #weight = 0;
  #newest: string | undefined;

  constructor(maximumEntries: number, maximumWeight: number) {
    this.#maximumEntries = maximumEntries;
    this.#maximumWeight = maximumWeight;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    // V8 rebuilds a map after many removals and insertions, so skip them for the newest key.
    if (key !== this.#newest) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
      this.#newest = key;
    }
    return entry.value;
  }

  set(key: string, value: Value, weight: number): void {
    this.delete(key);
    // The value would evict all others, and then itself.
    if (weight > this.#maximumWeight) return;
    this.#entries.set(key, { value, weight });
    this.#newest = key;
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maximumEntries && this.#weight <= this.#maximumWeight) return;
      this.delete(oldest);
    }
  }

  delete(key: string): boolean {
    const entry = this.#entries.get(key);
    if (!entry) return false;
    this.#weight -= entry.weight;
    return this.#entries.delete(key);
  }
}
