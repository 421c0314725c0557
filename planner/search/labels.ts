/**
 * Labels of the second pass: when and at what price one can be at a state after so many rides. Of a state only those are
 * kept that no other dominates. All lie in one set of arrays that grows, is kept between searches and starts over with each.
 *
 * Prices are kept as `price = cost - waitReluctance × time`: who is there earlier at the same price can wait and is then where the
 * later one is at the same cost. So a label dominates another if its rides, time and price are all no higher.
 */

import { grownFloat64, grownInt32, grownUint8, grownUint16 } from './grown.ts';

/** A search that needs more is refused: it would take more memory than a thread has. */
export const MAXIMUM_LABELS = 4_000_000;

export class SearchTooLarge extends Error {
  constructor() {
    super(`The search needs more than ${MAXIMUM_LABELS} labels.`);
    this.name = 'SearchTooLarge';
  }
}

const FIRST_LENGTH = 8192;
const LENGTH_KEPT = 65_536;

export class Labels {
  count = 0;
  time = new Int32Array(FIRST_LENGTH);
  price = new Float64Array(FIRST_LENGTH);
  rides = new Uint8Array(FIRST_LENGTH);
  state = new Int32Array(FIRST_LENGTH);
  /** The next label of the same state, later or equal in time; -1 none. */
  next = new Int32Array(FIRST_LENGTH);
  /** The label before: of one who is ready, the one alighted; of one alighted, the one ready, or alighted where a link was taken; -1 - n: n-th departure. */
  parent = new Int32Array(FIRST_LENGTH);
  /** Of labels just off a ride: the trip, its view, its positions in the direction of the search, and the link by which it was reached or -1. */
  trip = new Int32Array(FIRST_LENGTH);
  view = new Uint8Array(FIRST_LENGTH);
  boardPosition = new Uint16Array(FIRST_LENGTH);
  alightPosition = new Uint16Array(FIRST_LENGTH);
  link = new Int32Array(FIRST_LENGTH);
  /** 1: dominated since; not to be followed any further. */
  dead = new Uint8Array(FIRST_LENGTH);

  add(time: number, price: number, rides: number, parent: number): number {
    if (this.count === this.time.length) this.#grow();
    const label = this.count++;
    this.time[label] = time;
    this.price[label] = price;
    this.rides[label] = rides;
    this.next[label] = -1;
    this.parent[label] = parent;
    this.link[label] = -1;
    this.dead[label] = 0;
    this.state[label] = -1;
    return label;
  }

  /** Adds a label to the list of its state unless one there dominates it; takes out those it dominates. The label, or -1. */
  insert(heads: Int32Array, state: number, time: number, price: number, rides: number, parent: number): number {
    const { next } = this;
    let before = -1;
    let label = heads[state] as number;
    while (label >= 0 && (this.time[label] as number) <= time) {
      if ((this.price[label] as number) <= price && (this.rides[label] as number) <= rides) return -1;
      before = label;
      label = next[label] as number;
    }
    const added = this.add(time, price, rides, parent);
    this.state[added] = state;
    this.#link(heads, state, before, added);
    this.#dropDominated(added, label);
    return added;
  }

  #link(heads: Int32Array, state: number, before: number, label: number): void {
    if (before < 0) {
      this.next[label] = heads[state] as number;
      heads[state] = label;
      return;
    }
    this.next[label] = this.next[before] as number;
    this.next[before] = label;
  }

  #dropDominated(added: number, first: number): void {
    const { next, price, rides } = this;
    const addedPrice = price[added] as number;
    const addedRides = rides[added] as number;
    let before = added;
    for (let label = first; label >= 0; label = next[label] as number) {
      if ((price[label] as number) >= addedPrice && (rides[label] as number) >= addedRides) {
        this.dead[label] = 1;
        next[before] = next[label] as number;
      } else {
        before = label;
      }
    }
  }

  /** Starts over. Memory of one great search is not kept for the next ones. */
  clear(): void {
    this.count = 0;
    if (this.time.length > LENGTH_KEPT) this.#resize(FIRST_LENGTH);
  }

  #grow(): void {
    if (this.count >= MAXIMUM_LABELS) throw new SearchTooLarge();
    this.#resize(this.time.length * 2);
  }

  #resize(length: number): void {
    this.time = grownInt32(this.time, length);
    this.price = grownFloat64(this.price, length);
    this.rides = grownUint8(this.rides, length);
    this.state = grownInt32(this.state, length);
    this.next = grownInt32(this.next, length);
    this.parent = grownInt32(this.parent, length);
    this.trip = grownInt32(this.trip, length);
    this.view = grownUint8(this.view, length);
    this.boardPosition = grownUint16(this.boardPosition, length);
    this.alightPosition = grownUint16(this.alightPosition, length);
    this.link = grownInt32(this.link, length);
    this.dead = grownUint8(this.dead, length);
  }
}
