/**
 * The segments that a sweep line cuts, from below to above: a treap over typed arrays, with each segment's neighbours.
 * Insertion and removal in logarithmic time, whatever their order. Caller: simple-ring.ts.
 */
const NONE = -1;

export class SegmentOrder {
  /** Segments next to each one in the order; -1 at the ends. */
  readonly below: Int32Array;
  readonly above: Int32Array;
  readonly #lower: Int32Array;
  readonly #higher: Int32Array;
  readonly #compare: (a: number, b: number) => number;
  #root = NONE;

  /** `compare`: negative when a is below b. Must not change its mind about two segments while both are in. */
  constructor(count: number, compare: (a: number, b: number) => number) {
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
    const [low, high] = this.#split(this.#root, segment);
    this.#root = this.#merge(this.#merge(low, segment), high);
  }

  remove(segment: number): void {
    let parent = NONE;
    let node = this.#root;
    while (node !== segment && node !== NONE) {
      parent = node;
      node = (this.#compare(segment, node) < 0 ? this.#lower[node] : this.#higher[node]) as number;
    }
    if (node === NONE) return;
    const rest = this.#merge(this.#lower[segment] as number, this.#higher[segment] as number);
    if (parent === NONE) this.#root = rest;
    else if (this.#lower[parent] === segment) this.#lower[parent] = rest;
    else this.#higher[parent] = rest;
    this.#lower[segment] = NONE;
    this.#higher[segment] = NONE;
    this.#link(this.below[segment] as number, this.above[segment] as number);
  }

  #link(below: number, above: number): void {
    if (below !== NONE) this.above[below] = above;
    if (above !== NONE) this.below[above] = below;
  }

  /** What is below the segment, and what is above. */
  #split(node: number, segment: number): [number, number] {
    if (node === NONE) return [NONE, NONE];
    if (this.#compare(segment, node) < 0) {
      const [low, high] = this.#split(this.#lower[node] as number, segment);
      this.#lower[node] = high;
      return [low, node];
    }
    const [low, high] = this.#split(this.#higher[node] as number, segment);
    this.#higher[node] = low;
    return [node, high];
  }

  #merge(low: number, high: number): number {
    if (low === NONE) return high;
    if (high === NONE) return low;
    if (priority(low) > priority(high)) {
      this.#higher[low] = this.#merge(this.#higher[low] as number, high);
      return low;
    }
    this.#lower[high] = this.#merge(low, this.#lower[high] as number);
    return high;
  }
}

/** As good as random, and the same at every run. */
function priority(segment: number): number {
  let mixed = Math.imul(segment + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
