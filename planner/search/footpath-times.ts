/**
 * Transfer times of the footpaths from each stop, for the walk speed and slack of a search. All passes read one run of
 * numbers per stop. A stop's list is made on first use and kept while requests have the same walk speed, slack and
 * minimum times, as most do.
 */
import { grownInt32 } from './grown.ts';

/** Footpaths by the stop where they begin in a direction. */
export interface Footpaths {
  readonly start: Int32Array;
  readonly to: Int32Array;
  readonly metres: Int32Array;
  readonly minimumSeconds: Int32Array;
  /** In their place for wheelchair users. */
  readonly wheelchairSeconds: Int32Array;
}

export interface Walking {
  /** Metres per second. */
  readonly speed: number;
  readonly transferSlack: number;
  /** Longest single walk, in seconds. */
  readonly maximumSeconds: number;
  readonly wheelchair: boolean;
}

const FIRST_SIZE = 8192;

export class FootpathTimes {
  /** The list of a stop: steps from `start[stop]` to before `end[stop]`; call `make` first. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Pairs: the stop a footpath leads to, and the transfer time in seconds, slack included. In a list the shortest is first. */
  steps = new Int32Array(2 * FIRST_SIZE);
  /** By half of a step's place: the seconds walked. */
  walked = new Int32Array(FIRST_SIZE);
  readonly #footpaths: Footpaths;
  #walking: Walking | undefined;
  #minimumSeconds: Int32Array;
  #used = 0;

  constructor(footpaths: Footpaths) {
    this.#footpaths = footpaths;
    this.#minimumSeconds = footpaths.minimumSeconds;
    this.start = new Int32Array(footpaths.start.length - 1).fill(-1);
    this.end = new Int32Array(footpaths.start.length - 1);
  }

  /** Before a search. */
  use(walking: Walking): void {
    const known = this.#walking;
    const minimumSeconds = walking.wheelchair ? this.#footpaths.wheelchairSeconds : this.#footpaths.minimumSeconds;
    const isKnown =
      known?.speed === walking.speed &&
      known.transferSlack === walking.transferSlack &&
      known.maximumSeconds === walking.maximumSeconds &&
      this.#minimumSeconds === minimumSeconds;
    if (isKnown) return;
    this.#minimumSeconds = minimumSeconds;
    this.#walking = walking;
    this.start.fill(-1);
    this.#used = 0;
  }

  /** Makes the list of a stop unless it exists. */
  make(stop: number): void {
    if ((this.start[stop] as number) >= 0) return;
    const { start, to, metres } = this.#footpaths;
    const minimumSeconds = this.#minimumSeconds;
    const { speed, transferSlack, maximumSeconds } = this.#walking as Walking;
    const [from, end] = [start[stop] as number, start[stop + 1] as number];
    if (this.#used + 2 * (end - from) > this.steps.length) this.#grow(2 * (end - from));
    const first = this.#used;
    for (let path = from; path < end; path++) {
      const walk = Math.ceil((metres[path] as number) / speed);
      if (walk > maximumSeconds) continue;
      this.#insert(first, to[path] as number, Math.max(walk + transferSlack, minimumSeconds[path] as number), walk);
    }
    this.start[stop] = first;
    this.end[stop] = this.#used;
  }

  /** Sorts an entry into the list that begins at `first`. Footpaths come by length, so few move. */
  #insert(first: number, to: number, seconds: number, walk: number): void {
    const { steps, walked } = this;
    let place = this.#used;
    for (; place > first && (steps[place - 1] as number) > seconds; place -= 2) {
      steps[place] = steps[place - 2] as number;
      steps[place + 1] = steps[place - 1] as number;
      walked[place >> 1] = walked[(place >> 1) - 1] as number;
    }
    steps[place] = to;
    steps[place + 1] = seconds;
    walked[place >> 1] = walk;
    this.#used += 2;
  }

  #grow(needed: number): void {
    const all = 2 * this.#footpaths.to.length;
    const length = Math.max(Math.min(this.steps.length * 2, all), this.#used + needed);
    this.steps = grownInt32(this.steps, length);
    this.walked = grownInt32(this.walked, length / 2);
  }
}
