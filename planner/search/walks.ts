/**
 * Footpaths of a stop, sorted by transfer time plus the lower bound from there to the end. A label tries only those
 * that can be in time: in a dense city a few of hundreds. A list is made on first use, roughly sorted, and kept until
 * the end of the search.
 */
import { grownInt32 } from './grown.ts';
import type { LowerBounds } from './lower-bounds.ts';
import { NEVER, type Query } from './query.ts';

const BUCKETS = 64;
const BUCKET_SECONDS = 32;

export class Walks {
  /** List of stop s: from `start[s]` to less than `end[s]`, once `prepare(s)` was called. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Step of the footpath, in `FootpathTimes`. */
  step = new Int32Array(8192);
  /** Transfer time plus the least time left from there. */
  left = new Int32Array(8192);
  /** A later entry of a list has at least the `left` of an earlier one less this. */
  readonly roughness = BUCKET_SECONDS;
  readonly #query: Query;
  readonly #bounds: LowerBounds;
  #count = 0;
  readonly #touched: Int32Array;
  #touchedCount = 0;
  readonly #buckets = new Int32Array(BUCKETS + 1);
  #unsortedStep = new Int32Array(512);
  #unsortedLeft = new Int32Array(512);

  constructor(query: Query, bounds: LowerBounds) {
    const { stopCount } = query.transit;
    this.#query = query;
    this.#bounds = bounds;
    this.start = new Int32Array(stopCount).fill(-1);
    this.end = new Int32Array(stopCount);
    this.#touched = new Int32Array(stopCount);
  }

  clear(): void {
    for (let index = 0; index < this.#touchedCount; index++) this.start[this.#touched[index] as number] = -1;
    this.#touchedCount = 0;
    this.#count = 0;
  }

  /** Makes the list of a stop unless it exists. */
  prepare(stop: number): void {
    if ((this.start[stop] as number) >= 0) return;
    this.#touched[this.#touchedCount++] = stop;
    const found = this.#collect(stop);
    this.start[stop] = this.#count;
    this.end[stop] = this.#count + found;
    this.#sort(found);
    this.#count += found;
  }

  /** Collects footpaths to stops from which the end can be reached. */
  #collect(stop: number): number {
    const { footpaths } = this.#query.direction;
    const ready = this.#bounds.anyReady;
    footpaths.make(stop);
    const from = footpaths.start[stop] as number;
    const end = footpaths.end[stop] as number;
    if ((end - from) / 2 > this.#unsortedStep.length) {
      this.#unsortedStep = new Int32Array((end - from) / 2);
      this.#unsortedLeft = new Int32Array((end - from) / 2);
    }
    let found = 0;
    for (let step = from; step < end; step += 2) {
      const left = ready[footpaths.steps[step] as number] as number;
      if (left >= NEVER) continue;
      this.#unsortedStep[found] = step;
      this.#unsortedLeft[found++] = (footpaths.steps[step + 1] as number) + left;
    }
    return found;
  }

  #sort(found: number): void {
    if (this.#count + found > this.step.length) {
      const length = Math.max(Math.floor(this.step.length * 1.25), this.#count + found);
      this.step = grownInt32(this.step, length);
      this.left = grownInt32(this.left, length);
    }
    const buckets = this.#buckets.fill(0);
    let least = NEVER;
    for (let index = 0; index < found; index++) least = Math.min(least, this.#unsortedLeft[index] as number);
    for (let index = 0; index < found; index++) {
      const bucket = this.#bucketOf(index, least) + 1;
      buckets[bucket] = (buckets[bucket] as number) + 1;
    }
    for (let bucket = 1; bucket < BUCKETS; bucket++) {
      buckets[bucket] = (buckets[bucket] as number) + (buckets[bucket - 1] as number);
    }
    for (let index = 0; index < found; index++) {
      const bucket = this.#bucketOf(index, least);
      const place = this.#count + (buckets[bucket] as number);
      buckets[bucket] = (buckets[bucket] as number) + 1;
      this.step[place] = this.#unsortedStep[index] as number;
      this.left[place] = this.#unsortedLeft[index] as number;
    }
  }

  #bucketOf(index: number, least: number): number {
    return Math.min(BUCKETS - 1, Math.floor(((this.#unsortedLeft[index] as number) - least) / BUCKET_SECONDS));
  }
}
