/** Priority queue by seconds, with one list per span of time. An item before the current span is taken next. */
import { grownInt32 } from './grown.ts';

export class BucketQueue {
  /** Distance of the item last taken. */
  distance = 0;
  #heads = new Int32Array(16_384).fill(-1);
  #items = new Int32Array(4096);
  #next = new Int32Array(4096);
  #distances = new Int32Array(4096);
  #count = 0;
  #current = 0;
  #highest = -1;
  readonly #shift: number;

  /** @param shift a span is `2 ** shift` seconds; items of one span come in any order */
  constructor(shift = 0) {
    this.#shift = shift;
  }

  clear(): void {
    this.#heads.fill(-1, 0, this.#highest + 1);
    this.#count = 0;
    this.#current = 0;
    this.#highest = -1;
    this.distance = 0;
  }

  push(distance: number, item: number): void {
    const span = distance >> this.#shift;
    if (span >= this.#heads.length) this.#widen(span);
    if (this.#count === this.#items.length) this.#grow();
    const place = this.#count++;
    this.#items[place] = item;
    this.#distances[place] = distance;
    const bucket = Math.max(span, this.#current);
    this.#next[place] = this.#heads[bucket] as number;
    this.#heads[bucket] = place;
    if (bucket > this.#highest) this.#highest = bucket;
  }

  /** The nearest item, or -1. */
  pop(): number {
    while (this.#current <= this.#highest) {
      const item = this.popOf(this.#current);
      if (item >= 0) return item;
      this.#current++;
    }
    return -1;
  }

  /** The next span that has an item, if it begins by `until`, or -1. */
  nextSpan(until: number): number {
    const last = Math.min(this.#highest, until >> this.#shift);
    for (; this.#current <= last; this.#current++) {
      if ((this.#heads[this.#current] as number) >= 0) return this.#current;
    }
    return -1;
  }

  /** Any item of a span, or -1. */
  popOf(span: number): number {
    const place = this.#heads[span] as number;
    if (place < 0) return -1;
    this.#heads[span] = this.#next[place] as number;
    this.distance = this.#distances[place] as number;
    return this.#items[place] as number;
  }

  #grow(): void {
    const length = this.#items.length * 2;
    this.#items = grownInt32(this.#items, length);
    this.#next = grownInt32(this.#next, length);
    this.#distances = grownInt32(this.#distances, length);
  }

  #widen(span: number): void {
    const known = this.#heads.length;
    this.#heads = grownInt32(this.#heads, Math.max(span + 1, known * 2));
    this.#heads.fill(-1, known);
  }
}
