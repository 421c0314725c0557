/**
 * A 64-bit hash of a short sequence of whole numbers, in two halves, without allocation. Two different sequences share
 * a hash as rarely as two ids do (`dataset/id-hash.ts`). Callers: the differences between datasets.
 */
export class NumberHasher {
  #low = 0;
  #high = 0;

  begin(): void {
    this.#low = 0x9e3779b9;
    this.#high = 0x7f4a7c15;
  }

  /** Any 32-bit number, with or without sign. */
  add(number: number): void {
    let low = Math.imul(this.#low ^ number, 0x85ebca6b);
    low ^= low >>> 15;
    this.#low = Math.imul(low, 0x2c1b3c6d);
    let high = Math.imul(this.#high ^ number, 0xc2b2ae35);
    high ^= high >>> 13;
    this.#high = Math.imul(high, 0x297a2d39) ^ low;
  }

  get low(): number {
    return (this.#low ^ (this.#high >>> 16)) >>> 0;
  }

  get high(): number {
    return (this.#high ^ (this.#low >>> 15)) >>> 0;
  }
}
