/** A queue by whole numbers of seconds: one list per second, taken in order. What is queued earlier than the last taken is taken next. */
import { grownInt32 } from './grown.ts';

export class BucketQueue {
  /** Of the item last taken. */
  distance = 0;
  #heads = new Int32Array(16_384).fill(-1);
  #items = new Int32Array(4096);
  #next = new Int32Array(4096);
  #distances = new Int32Array(4096);
  #count = 0;
  #current = 0;
  #highest = -1;

  clear(): void {
    this.#heads.fill(-1, 0, this.#highest + 1);
    this.#count = 0;
    this.#current = 0;
    this.#highest = -1;
    this.distance = 0;
  }

  push(distance: number, item: number): void {
    if (distance >= this.#heads.length) this.#widen(distance);
    if (this.#count === this.#items.length) this.#grow();
    const place = this.#count++;
    this.#items[place] = item;
    this.#distances[place] = distance;
    const bucket = Math.max(distance, this.#current);
    this.#next[place] = this.#heads[bucket] as number;
    this.#heads[bucket] = place;
    if (bucket > this.#highest) this.#highest = bucket;
  }

  /** The nearest item, or -1. */
  pop(): number {
    while (this.#current <= this.#highest) {
      const place = this.#heads[this.#current] as number;
      if (place >= 0) {
        this.#heads[this.#current] = this.#next[place] as number;
        this.distance = this.#distances[place] as number;
        return this.#items[place] as number;
      }
      this.#current++;
    }
    return -1;
  }

  #grow(): void {
    const length = this.#items.length * 2;
    this.#items = grownInt32(this.#items, length);
    this.#next = grownInt32(this.#next, length);
    this.#distances = grownInt32(this.#distances, length);
  }

  #widen(distance: number): void {
    const known = this.#heads.length;
    this.#heads = grownInt32(this.#heads, Math.max(distance + 1, known * 2));
    this.#heads.fill(-1, known);
  }
}
