/**
 * Labels of the second pass: time, relative cost and number of rides at a state. A state keeps its Pareto set of
 * labels. All labels lie in one set of arrays, which grows, is kept between searches and starts empty in each.
 *
 * Labels hold `relativeCost = cost - waitReluctance × time`. An earlier label of the same relative cost can wait and
 * then has the cost of the later one. So a label dominates another if its rides, time and relative cost are all no
 * higher.
 */

import { grownFloat64, grownInt32, grownUint8, grownUint16 } from './grown.ts';

/** A search that needs more is rejected, since it would exhaust the memory of its thread. */
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
  relativeCost = new Float64Array(FIRST_LENGTH);
  rides = new Uint8Array(FIRST_LENGTH);
  state = new Int32Array(FIRST_LENGTH);
  /** The next label of the same state, later or equal in time; -1 none. */
  next = new Int32Array(FIRST_LENGTH);
  /**
   * The preceding label. A ready label has an alighted one. An alighted label has the ready one, or before an
   * interchange the alighted one. `-1 - n` is departure n.
   */
  parent = new Int32Array(FIRST_LENGTH);
  /**
   * For alighted labels: the trip, its view, its positions in the direction of the search, and the interchange it was
   * reached by or -1.
   */
  trip = new Int32Array(FIRST_LENGTH);
  view = new Uint8Array(FIRST_LENGTH);
  boardPosition = new Uint16Array(FIRST_LENGTH);
  alightPosition = new Uint16Array(FIRST_LENGTH);
  link = new Int32Array(FIRST_LENGTH);
  /** 1: dominated; the search does not follow it. */
  dead = new Uint8Array(FIRST_LENGTH);

  add(time: number, relativeCost: number, rides: number, parent: number): number {
    if (this.count === this.time.length) this.#grow();
    const label = this.count++;
    this.time[label] = time;
    this.relativeCost[label] = relativeCost;
    this.rides[label] = rides;
    this.next[label] = -1;
    this.parent[label] = parent;
    this.link[label] = -1;
    this.dead[label] = 0;
    this.state[label] = -1;
    return label;
  }

  /** Adds a label to its state unless one there dominates it, and removes those it dominates. Returns the label or -1. */
  insert(heads: Int32Array, state: number, time: number, relativeCost: number, rides: number, parent: number): number {
    const { next } = this;
    let before = -1;
    let label = heads[state] as number;
    while (label >= 0 && (this.time[label] as number) <= time) {
      if ((this.relativeCost[label] as number) <= relativeCost && (this.rides[label] as number) <= rides) return -1;
      before = label;
      label = next[label] as number;
    }
    const added = this.add(time, relativeCost, rides, parent);
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
    const { next, relativeCost, rides } = this;
    const addedCost = relativeCost[added] as number;
    const addedRides = rides[added] as number;
    let before = added;
    for (let label = first; label >= 0; label = next[label] as number) {
      if ((relativeCost[label] as number) >= addedCost && (rides[label] as number) >= addedRides) {
        this.dead[label] = 1;
        next[before] = next[label] as number;
      } else {
        before = label;
      }
    }
  }

  /** Removes all labels. Frees memory that only a very large search needed. */
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
    this.relativeCost = grownFloat64(this.relativeCost, length);
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
