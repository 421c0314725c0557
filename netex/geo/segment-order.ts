/**
 * The segments that a sweep line cuts, from bottom to top: a treap over typed arrays, with each segment's neighbours.
 * Insertion and removal take logarithmic time in any order: `seed` makes priorities unpredictable. Caller:
 * simple-ring.ts.
 */
const NONE = -1;

export class SegmentOrder {
  /** The neighbours of each segment; -1 at the ends. */
  readonly below: Int32Array;
  readonly above: Int32Array;
  readonly #lower: Int32Array;
  readonly #higher: Int32Array;
  readonly #compare: (a: number, b: number) => number;
  readonly #seed: number;
  #root = NONE;

  /** `compare`: negative when a is below b. Its result for two segments must not change while both are in. */
  constructor(count: number, compare: (a: number, b: number) => number, seed = 0) {
    this.#seed = seed;
    this.below = new Int32Array(count).fill(NONE);
    this.above = new Int32Array(count).fill(NONE);
    this.#lower = new Int32Array(count).fill(NONE);
    this.#higher = new Int32Array(count).fill(NONE);
    this.#compare = compare;
  }

  insert(segment: number): void {
    let below = NONE;
    let above = NONE;
    let node = this.#root;
    while (node !== NONE) {
      if (this.#compare(segment, node) < 0) {
        above = node;
        node = this.#lower[node] as number;
      } else {
        below = node;
        node = this.#higher[node] as number;
      }
    }
    this.#link(below, segment);
    this.#link(segment, above);
    this.#hang(segment);
  }

  remove(segment: number): void {
    let parent = NONE;
    let node = this.#root;
    while (node !== segment && node !== NONE) {
      parent = node;
      node = (this.#compare(segment, node) < 0 ? this.#lower[node] : this.#higher[node]) as number;
    }
    if (node === NONE) return;
    const isLower = parent !== NONE && this.#lower[parent] === segment;
    this.#merge(parent, isLower, this.#lower[segment] as number, this.#higher[segment] as number);
    this.#lower[segment] = NONE;
    this.#higher[segment] = NONE;
    this.#link(this.below[segment] as number, this.above[segment] as number);
  }

  #link(below: number, above: number): void {
    if (below !== NONE) this.above[below] = above;
    if (above !== NONE) this.below[above] = below;
  }

  /** Places it below the first segment of lower priority on its path, whose subtree it splits between its children. */
  #hang(segment: number): void {
    const rank = priority(segment, this.#seed);
    let node = this.#root;
    let parent = NONE;
    let isLower = false;
    while (node !== NONE && priority(node, this.#seed) > rank) {
      parent = node;
      isLower = this.#compare(segment, node) < 0;
      node = (isLower ? this.#lower[node] : this.#higher[node]) as number;
    }
    this.#put(parent, isLower, segment);
    // Where the lower and the upper part continue.
    let [low, high] = [segment, segment];
    while (node !== NONE) {
      if (this.#compare(segment, node) < 0) {
        this.#put(high, high !== segment, node);
        high = node;
        node = this.#lower[node] as number;
      } else {
        this.#put(low, low === segment, node);
        low = node;
        node = this.#higher[node] as number;
      }
    }
    this.#put(low, low === segment, NONE);
    this.#put(high, high !== segment, NONE);
  }

  /** Merges two trees, all of one below all of the other, in the place of both. */
  #merge(parent: number, isLower: boolean, low: number, high: number): void {
    while (low !== NONE && high !== NONE) {
      const isLowFirst = priority(low, this.#seed) > priority(high, this.#seed);
      const first = isLowFirst ? low : high;
      this.#put(parent, isLower, first);
      parent = first;
      isLower = !isLowFirst;
      if (isLowFirst) low = this.#higher[low] as number;
      else high = this.#lower[high] as number;
    }
    this.#put(parent, isLower, low === NONE ? high : low);
  }

  /** Makes a segment, or none, the lower or higher child of its parent, or the root without a parent. */
  #put(parent: number, isLower: boolean, segment: number): void {
    if (parent === NONE) this.#root = segment;
    else if (isLower) this.#lower[parent] = segment;
    else this.#higher[parent] = segment;
  }
}

/**
 * Pseudo-random, but the same at every run. The seed comes from the data, so that nobody can order segments by
 * priority. If they were, the tree would be as deep as it has segments, but no code recurses along it.
 */
function priority(segment: number, seed: number): number {
  let mixed = Math.imul((segment + 1) ^ seed, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
