/**
 * Checks that a ring of positions is the border of an area: closed, at least three corners, without crossing or
 * touching itself. A sweep over its corners finds the first fault in O(n log n).
 *
 * Callers: the rule on flexible areas. Coordinates count as plane ones: areas are small.
 */
import { orientation } from './orientation.ts';
import { SegmentOrder } from './segment-order.ts';

export type RingFault =
  | { readonly kind: 'too-few' | 'not-closed' }
  /** Index of a position at or next to which the ring crosses, touches or retraces itself. */
  | { readonly kind: 'crossing'; readonly position: number };

/** Pairs of coordinates; the last pair repeats the first. */
export function findRingFault(coordinates: Float64Array): RingFault | undefined {
  const count = coordinates.length / 2;
  if (count < 4) return { kind: 'too-few' };
  const last = coordinates.length - 2;
  if (coordinates[0] !== coordinates[last] || coordinates[1] !== coordinates[last + 1]) return { kind: 'not-closed' };
  const corners = cornersOf(coordinates);
  if (corners.length < 3) return { kind: 'too-few' };
  const position = new RingSweep(coordinates, corners).findCrossing();
  return position === undefined ? undefined : { kind: 'crossing', position };
}

/** Indexes of positions, without those that repeat the one before, and without the last. */
function cornersOf(coordinates: Float64Array): Int32Array {
  const corners = new Int32Array(coordinates.length / 2);
  let size = 0;
  for (let index = 0; index < corners.length - 1; index++) {
    const x = coordinates[index * 2];
    const y = coordinates[index * 2 + 1];
    if (x !== coordinates[index * 2 + 2] || y !== coordinates[index * 2 + 3]) corners[size++] = index;
  }
  return corners.subarray(0, size);
}

/** Differs between rings; equal for equal rings. */
function seedOf(coordinates: Float64Array): number {
  let seed = coordinates.length;
  for (const word of new Uint32Array(coordinates.slice().buffer)) {
    seed = Math.imul(seed ^ word, 0x85ebca6b);
    seed ^= seed >>> 13;
  }
  return seed;
}

/** Side i runs from corner i to the next one. The line sweeps to the right; on it, upwards. */
class RingSweep {
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  readonly #corners: Int32Array;
  /** Corners by x, then y, and each corner's rank in that order. */
  readonly #byPlace: Int32Array;
  readonly #place: Int32Array;
  readonly #sides: SegmentOrder;
  #crossing: number | undefined;

  constructor(coordinates: Float64Array, corners: Int32Array) {
    const x = Float64Array.from(corners, (position) => coordinates[position * 2] as number);
    const y = Float64Array.from(corners, (position) => coordinates[position * 2 + 1] as number);
    const order = (a: number, b: number): number =>
      (x[a] as number) - (x[b] as number) || (y[a] as number) - (y[b] as number);
    this.#x = x;
    this.#y = y;
    this.#corners = corners;
    this.#byPlace = Int32Array.from(corners.keys()).sort(order);
    this.#place = new Int32Array(corners.length);
    for (const [place, corner] of this.#byPlace.entries()) this.#place[corner] = place;
    this.#sides = new SegmentOrder(corners.length, (a, b) => this.#compare(a, b), seedOf(coordinates));
  }

  /** Index of a position of the ring. */
  findCrossing(): number | undefined {
    let before = -1;
    for (const corner of this.#byPlace) {
      if (before >= 0 && this.#x[before] === this.#x[corner] && this.#y[before] === this.#y[corner])
        return this.#corners[corner];
      before = corner;
      const arriving = corner === 0 ? this.#corners.length - 1 : corner - 1;
      for (const side of [arriving, corner]) if (this.#end(side) === corner) this.#leave(side);
      for (const side of [arriving, corner]) if (this.#begin(side) === corner) this.#enter(side);
      if (this.#crossing !== undefined) return this.#corners[this.#crossing];
    }
    return undefined;
  }

  #next(corner: number): number {
    return corner + 1 === this.#corners.length ? 0 : corner + 1;
  }

  /** The corner of a side that the sweep meets first. */
  #begin(side: number): number {
    const next = this.#next(side);
    return (this.#place[side] as number) < (this.#place[next] as number) ? side : next;
  }

  #end(side: number): number {
    const next = this.#next(side);
    return (this.#place[side] as number) < (this.#place[next] as number) ? next : side;
  }

  #enter(side: number): void {
    if (this.#crossing !== undefined) return;
    this.#sides.insert(side);
    this.#test(side, this.#sides.below[side] as number);
    this.#test(side, this.#sides.above[side] as number);
  }

  #leave(side: number): void {
    if (this.#crossing !== undefined) return;
    const below = this.#sides.below[side] as number;
    const above = this.#sides.above[side] as number;
    this.#sides.remove(side);
    if (below >= 0) this.#test(below, above);
  }

  /** Compares two neighbours. Sides that share a corner have been compared there and share nothing else. */
  #test(a: number, b: number): void {
    if (b < 0 || this.#next(a) === b || this.#next(b) === a) return;
    const [a1, a2, b1, b2] = [this.#begin(a), this.#end(a), this.#begin(b), this.#end(b)];
    const bySideA = this.#turn(a1, a2, b1) * this.#turn(a1, a2, b2);
    const bySideB = this.#turn(b1, b2, a1) * this.#turn(b1, b2, a2);
    if (bySideA <= 0 && bySideB <= 0 && this.#overlapInSweep(a, b)) this.#crossing ??= a1;
  }

  #overlapInSweep(a: number, b: number): boolean {
    const begin = Math.max(this.#place[this.#begin(a)] as number, this.#place[this.#begin(b)] as number);
    const end = Math.min(this.#place[this.#end(a)] as number, this.#place[this.#end(b)] as number);
    return begin <= end;
  }

  #turn(from: number, to: number, corner: number): -1 | 0 | 1 {
    const x = this.#x;
    const y = this.#y;
    const [fromX, fromY] = [x[from] as number, y[from] as number];
    return orientation(fromX, fromY, x[to] as number, y[to] as number, x[corner] as number, y[corner] as number);
  }

  /**
   * Negative when a is below b where the sweep line cuts both. A point on the other side's line means that they
   * touch, which ends the sweep.
   */
  #compare(a: number, b: number): number {
    const [beginA, beginB] = [this.#begin(a), this.#begin(b)];
    let turn: number;
    if (beginA === beginB) turn = this.#turn(beginB, this.#end(b), this.#end(a));
    else if ((this.#place[beginA] as number) > (this.#place[beginB] as number))
      turn = this.#turn(beginB, this.#end(b), beginA);
    else turn = -this.#turn(beginA, this.#end(a), beginB);
    if (turn === 0) this.#crossing ??= beginA;
    return turn;
  }
}
