/**
 * The footpaths of a stop in the order of what the rest of the journey takes at least when one walks there. A label then tries
 * only those that can still be in time: in a dense city a few of hundreds. Lists are made when a stop is first left in a
 * search, roughly sorted, and kept until its end.
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
  /** Index of the footpath in the arrays of the direction. */
  path = new Int32Array(8192);
  /** Change and the least time left from there. */
  left = new Int32Array(8192);
  /** No later entry of a list has a `left` lower than that of an entry less this. */
  readonly roughness = BUCKET_SECONDS;
  readonly #query: Query;
  readonly #bounds: LowerBounds;
  #count = 0;
  readonly #touched: Int32Array;
  #touchedCount = 0;
  readonly #buckets = new Int32Array(BUCKETS + 1);
  #unsortedPath = new Int32Array(512);
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

  /** Makes the list of a stop unless it is made. */
  prepare(stop: number): void {
    if ((this.start[stop] as number) >= 0) return;
    this.#touched[this.#touchedCount++] = stop;
    const found = this.#collect(stop);
    this.start[stop] = this.#count;
    this.end[stop] = this.#count + found;
    this.#sort(found);
    this.#count += found;
  }

  /** Footpaths that lead to where the end can be reached from. */
  #collect(stop: number): number {
    const { direction, walkOfMetres, transferSlack, maximumTransfer } = this.#query;
    const { walksStart, walkTo, walkMetres, walkMinimumSeconds } = direction;
    const ready = this.#bounds.anyReady;
    const from = walksStart[stop] as number;
    const end = walksStart[stop + 1] as number;
    if (end - from > this.#unsortedPath.length) {
      this.#unsortedPath = new Int32Array(end - from);
      this.#unsortedLeft = new Int32Array(end - from);
    }
    let found = 0;
    for (let path = from; path < end; path++) {
      const walk = walkOfMetres[walkMetres[path] as number] as number;
      if (walk > maximumTransfer) break;
      const to = walkTo[path] as number;
      const left = ready[to] as number;
      if (left >= NEVER) continue;
      this.#unsortedPath[found] = path;
      this.#unsortedLeft[found++] = Math.max(walk + transferSlack, walkMinimumSeconds[path] as number) + left;
    }
    return found;
  }

  #sort(found: number): void {
    if (this.#count + found > this.path.length) {
      const length = Math.max(Math.floor(this.path.length * 1.25), this.#count + found);
      this.path = grownInt32(this.path, length);
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
      this.path[place] = this.#unsortedPath[index] as number;
      this.left[place] = this.#unsortedLeft[index] as number;
    }
  }

  #bucketOf(index: number, least: number): number {
    return Math.min(BUCKETS - 1, Math.floor(((this.#unsortedLeft[index] as number) - least) / BUCKET_SECONDS));
  }
}
