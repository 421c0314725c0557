/**
 * Bounds on the time at which a search can be at each stop. An earliest-arrival search from the start bounds a reverse
 * search: it gives the earliest time at each stop. A forward search with a latest arrival has a second one, backward
 * from the end, which gives the latest times.
 *
 * The search from the start ends at the earliest arrival. Later times have no bound. Such stops lie near the end.
 */

import { EarliestArrivalSearch } from './earliest-arrival-search.ts';
import { NEVER, type Query } from './query.ts';

/**
 * The search for the end begins with this many seconds, so that it does not ride the next day's trips after a route's
 * last one.
 */
const LOOK_SECONDS = 43_200;

export class TimeBounds {
  /**
   * Bounds by stop just off a ride, by stop ready to board, and by call (entry of `routeStops`) on leaving. Bounds are
   * stored negated: a time is within its bound when `time + bound <= 0`. NEVER means that no time is.
   */
  readonly alighted: Int32Array;
  readonly ready: Int32Array;
  readonly boarding: Int32Array;
  readonly #query: Query;
  readonly #fromStart: EarliestArrivalSearch;
  readonly #fromEnd: EarliestArrivalSearch;
  #isTight = false;

  constructor(query: Query) {
    this.#query = query;
    this.#fromStart = new EarliestArrivalSearch(query);
    this.#fromEnd = new EarliestArrivalSearch(query);
    // Times of the other direction are negated, and its alighted labels are ready labels here.
    this.alighted = this.#fromEnd.ready;
    this.ready = this.#fromEnd.alighted;
    this.boarding = this.#fromEnd.aboard;
  }

  /** True after `boundByArrival`: a stop without a bound cannot be on a journey in time. */
  get isTight(): boolean {
    return this.#isTight;
  }

  /** Removes all bounds. */
  clear(): void {
    this.#isTight = false;
    for (const times of [this.alighted, this.ready, this.boarding]) times.fill(-NEVER);
  }

  /**
   * Bounds a reverse search by the earliest times that `findFirstArrival` found.
   * @param until seconds from the time of the question to that of the reverse one
   */
  boundReverse(until: number): void {
    const { alighted, ready, aboard, bound } = this.#fromStart;
    this.#isTight = false;
    for (let stop = 0; stop < alighted.length; stop++) {
      this.alighted[stop] = Math.min(ready[stop] as number, bound) - until;
      this.ready[stop] = Math.min(alighted[stop] as number, bound) - until;
    }
    for (let call = 0; call < aboard.length; call++)
      this.boarding[call] = Math.min(aboard[call] as number, bound) - until;
  }

  /** The earliest arrival of all, with any number of rides; NEVER if there is none. Must be called first. */
  findFirstArrival(checkpoint: () => void): number {
    const { direction, boardSlack, alightSlack, access, horizon } = this.#query;
    const fromStart = this.#fromStart;
    for (const last of [Math.min(LOOK_SECONDS, horizon), horizon]) {
      fromStart.prepare({ direction, boardSlack, alightSlack, within: undefined, begin: 0 }, last + 1);
      for (const { stop, walkSeconds } of access) fromStart.start(stop, walkSeconds);
      fromStart.run(checkpoint);
      if (fromStart.bound <= last) return fromStart.bound;
    }
    return NEVER;
  }

  /** Bounds a forward search to journeys that arrive by `until`. */
  boundByArrival(until: number, checkpoint: () => void): void {
    const query = this.#query;
    const { boardSlack, alightSlack } = query;
    this.#isTight = true;
    const direction = query.oppositeOf(query.direction);
    const rules = {
      direction,
      boardSlack: alightSlack,
      alightSlack: boardSlack,
      within: this.#fromStart,
      begin: -until,
    };
    this.#fromEnd.prepare(rules, 0);
    for (const { stop } of query.egress) {
      const walk = query.egressWalk[stop] as number;
      if (walk >= 0) this.#fromEnd.start(stop, walk - until);
    }
    this.#fromEnd.run(checkpoint);
  }

  /** Latest departure of the journeys in time, in or outside the window. */
  latestDeparture(): number {
    let latest = -NEVER;
    for (const { stop, walkSeconds } of this.#query.access) {
      const left = this.ready[stop] as number;
      if (left < NEVER) latest = Math.max(latest, -left - walkSeconds);
    }
    return latest;
  }
}
