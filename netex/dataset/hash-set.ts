/**
 * A set of 64-bit hashes that numbers its members in the order of insertion. Open addressing over typed arrays: 20
 * bytes a member on average, no load on the garbage collector.
 *
 * Callers: ids of a file, ids of a dataset, references already seen.
 */
const INITIAL_CAPACITY = 1024;
/** Bytes per slot times 2^27 slots is 1.5 GB, more than any real dataset needs. */
const MAXIMUM_CAPACITY = 1 << 27;

export class HashSet {
  #high: Uint32Array;
  #low: Uint32Array;
  /** Member number + 1; 0 is an empty slot. */
  #slots: Uint32Array;
  #mask: number;
  #size = 0;

  constructor(expected = 0) {
    let capacity = INITIAL_CAPACITY;
    while (capacity * 0.6 < expected) capacity *= 2;
    this.#slots = new Uint32Array(capacity);
    this.#high = new Uint32Array(capacity);
    this.#low = new Uint32Array(capacity);
    this.#mask = capacity - 1;
  }

  get size(): number {
    return this.#size;
  }

  /** Number of the member, -1 when absent. */
  find(high: number, low: number): number {
    let slot = low & this.#mask;
    for (;;) {
      const number = this.#slots[slot] as number;
      if (number === 0) return -1;
      if (this.#low[slot] === low && this.#high[slot] === high) return number - 1;
      slot = (slot + 1) & this.#mask;
    }
  }

  has(high: number, low: number): boolean {
    return this.find(high, low) >= 0;
  }

  /** True when the hash is new; its number is then `size - 1`. */
  add(high: number, low: number): boolean {
    if (this.#size > this.#mask * 0.6) this.#grow();
    let slot = low & this.#mask;
    while (this.#slots[slot] !== 0) {
      if (this.#low[slot] === low && this.#high[slot] === high) return false;
      slot = (slot + 1) & this.#mask;
    }
    this.#slots[slot] = ++this.#size;
    this.#low[slot] = low;
    this.#high[slot] = high;
    return true;
  }

  #grow(): void {
    const [slots, high, low] = [this.#slots, this.#high, this.#low];
    const capacity = slots.length * 2;
    if (capacity > MAXIMUM_CAPACITY) throw new RangeError(`More than ${this.#size} ids in one set`);
    this.#slots = new Uint32Array(capacity);
    this.#high = new Uint32Array(capacity);
    this.#low = new Uint32Array(capacity);
    this.#mask = capacity - 1;
    for (let index = 0; index < slots.length; index++) {
      const number = slots[index] as number;
      if (number === 0) continue;
      let slot = (low[index] as number) & this.#mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
      this.#slots[slot] = number;
      this.#low[slot] = low[index] as number;
      this.#high[slot] = high[index] as number;
    }
  }
}
