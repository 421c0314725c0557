/**
 * 64-bit hashes of ids, kept as two 32-bit halves, so that ten million of them are two typed arrays and no strings.
 *
 * Two different ids share a hash with a probability of about n²/2⁶⁵: 3·10⁻⁹ among 300,000 ids, 4·10⁻⁵ among 40
 * million. A collision could hide one unresolved reference or report one duplicate too many. The hash is no defence
 * against constructed collisions: their author would only spoil the report on their own dataset.
 */
const PRIME_LOW = 0x85ebca6b;
const PRIME_HIGH = 0xc2b2ae35;

/** Keeps the last hash in `high` and `low`, so that an id needs no allocation. */
export class IdHasher {
  high = 0;
  low = 0;
  #rawHigh = 0;
  #rawLow = 0;

  /** Hashes the id alone. */
  hash(id: string): void {
    let low = 0x9e3779b9;
    let high = 0x7f4a7c15;
    for (let index = 0; index < id.length; index++) {
      const unit = id.charCodeAt(index);
      low = Math.imul(low ^ unit, PRIME_LOW);
      low ^= low >>> 15;
      high = Math.imul(high ^ unit, PRIME_HIGH);
      high ^= high >>> 13;
    }
    this.#rawLow = low;
    this.#rawHigh = high;
    this.#finish(low, high);
  }

  /** After `hash(id)`: hashes id and version together. A missing version differs from every version. */
  extend(version: string | undefined): void {
    let low = Math.imul(this.#rawLow ^ 0x10000, PRIME_LOW);
    let high = Math.imul(this.#rawHigh ^ 0x10000, PRIME_HIGH);
    if (version === undefined) {
      low ^= 0x5bd1e995;
      high ^= 0x1b873593;
    } else {
      for (let index = 0; index < version.length; index++) {
        const unit = version.charCodeAt(index);
        low = Math.imul(low ^ unit, PRIME_LOW);
        low ^= low >>> 15;
        high = Math.imul(high ^ unit, PRIME_HIGH);
        high ^= high >>> 13;
      }
    }
    this.#finish(low, high);
  }

  /** Each half depends on both, so that tables may index by either. */
  #finish(low: number, high: number): void {
    const mixedLow = Math.imul(low ^ (high >>> 16), 0x2c1b3c6d);
    const mixedHigh = Math.imul(high ^ (mixedLow >>> 15), 0x297a2d39);
    this.low = (mixedLow ^ (mixedHigh >>> 12)) >>> 0;
    this.high = (mixedHigh ^ (mixedLow >>> 13)) >>> 0;
  }
}
