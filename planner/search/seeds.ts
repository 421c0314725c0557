/**
 * Seeds are rides that a scan enters without a stop's label. They are first rides, rides reached by an interchange, and
 * rides moved to the next via layer. Also the queue of routes to scan in a round, by layer. Arrays grow and last
 * between searches.
 */
import { grownFloat64, grownInt32, grownUint8 } from './grown.ts';
import { NEVER } from './query.ts';

export class Seeds {
  count = 0;
  next = new Int32Array(256);
  view = new Int32Array(256);
  /** Index into the trips of the view. */
  entry = new Int32Array(256);
  /** Position where the ride is entered; it may alight there only if `inclusive`. */
  position = new Int32Array(256);
  inclusive = new Uint8Array(256);
  boardPosition = new Int32Array(256);
  /** Meaning as the pass defines it. */
  parent = new Int32Array(256);
  link = new Int32Array(256);
  cost = new Float64Array(256);

  add(view: number, entry: number, position: number, inclusive: 0 | 1): number {
    if (this.count === this.next.length) this.#grow();
    const seed = this.count++;
    this.view[seed] = view;
    this.entry[seed] = entry;
    this.position[seed] = position;
    this.inclusive[seed] = inclusive;
    this.boardPosition[seed] = position;
    this.parent[seed] = -1;
    this.link[seed] = -1;
    this.cost[seed] = 0;
    return seed;
  }

  #grow(): void {
    const length = this.next.length * 2;
    this.next = grownInt32(this.next, length);
    this.view = grownInt32(this.view, length);
    this.entry = grownInt32(this.entry, length);
    this.position = grownInt32(this.position, length);
    this.boardPosition = grownInt32(this.boardPosition, length);
    this.parent = grownInt32(this.parent, length);
    this.link = grownInt32(this.link, length);
    this.inclusive = grownUint8(this.inclusive, length);
    this.cost = grownFloat64(this.cost, length);
  }
}

/** Routes to scan in one round: by layer a list, by route the first position and its seeds. */
export class RouteQueue {
  readonly #routeCount: number;
  from: Int32Array;
  /** The last position where it may be boarded. */
  to: Int32Array;
  seedHead: Int32Array;
  /** Routes of layer l: `count[l]` entries from `list[l * routeCount]` on. */
  list: Int32Array;
  count = new Int32Array(1);

  constructor(routeCount: number) {
    this.#routeCount = routeCount;
    this.from = new Int32Array(routeCount).fill(NEVER);
    this.to = new Int32Array(routeCount);
    this.seedHead = new Int32Array(routeCount).fill(-1);
    this.list = new Int32Array(routeCount);
  }

  resize(layers: number): void {
    if (this.count.length >= layers) return;
    this.from = new Int32Array(this.#routeCount * layers).fill(NEVER);
    this.to = new Int32Array(this.#routeCount * layers);
    this.seedHead = new Int32Array(this.#routeCount * layers).fill(-1);
    this.list = new Int32Array(this.#routeCount * layers);
    this.count = new Int32Array(layers);
  }

  push(layer: number, route: number, position: number): void {
    const slot = layer * this.#routeCount + route;
    const known = this.from[slot] as number;
    if (known === NEVER) {
      const count = this.count[layer] as number;
      this.list[layer * this.#routeCount + count] = route;
      this.count[layer] = count + 1;
      this.to[slot] = position;
    }
    if (position < known) this.from[slot] = position;
    if (position > (this.to[slot] as number)) this.to[slot] = position;
  }

  pushSeed(layer: number, route: number, seeds: Seeds, seed: number): void {
    const slot = layer * this.#routeCount + route;
    seeds.next[seed] = this.seedHead[slot] as number;
    this.seedHead[slot] = seed;
    this.push(layer, route, seeds.position[seed] as number);
  }

  isEmpty(): boolean {
    for (const count of this.count) if (count > 0) return false;
    return true;
  }

  clearLayer(layer: number): void {
    const start = layer * this.#routeCount;
    for (let index = 0; index < (this.count[layer] as number); index++) {
      const slot = start + (this.list[start + index] as number);
      this.from[slot] = NEVER;
      this.seedHead[slot] = -1;
    }
    this.count[layer] = 0;
  }

  clear(): void {
    for (let layer = 0; layer < this.count.length; layer++) this.clearLayer(layer);
  }
}
