/**
 * By when a journey of the departure at hand must arrive to be within the bound, and what a label may cost at most, by number of rides.
 * Set anew for every group of departures, the price for every journey found.
 */

import type { LowerBounds } from './lower-bounds.ts';
import { type PriceState, RIDING } from './price-state.ts';
import { NEVER, type Query } from './query.ts';
import type { RangeQuery } from './range-query.ts';
import type { TimeBounds } from './time-bounds.ts';

export class PriceLimits {
  /** Latest useful arrival with so many rides. */
  readonly latest = new Int32Array(16);
  /** A label of k rides that boards again needs a price below `caps[k + 1]`, or what is found already is better in all it could become. */
  readonly caps = new Float64Array(18);
  /** Nothing later than this can be in time with the rides of the route that is scanned, and with one more. */
  here = -1;
  onward = -1;
  /** Of the departures at hand. */
  group = 0;
  /** Groups before this one begin more than may be relaxed after that at hand: what the bound of a turned search is from. */
  #boundGroup = 0;
  rangeQuery: RangeQuery | undefined;
  readonly #arrivals = new Int32Array(18);
  readonly #query: Query;
  readonly #bounds: LowerBounds;
  readonly #timeBounds: TimeBounds;
  readonly #state: PriceState;

  constructor(query: Query, bounds: LowerBounds, timeBounds: TimeBounds, state: PriceState) {
    this.#query = query;
    this.#bounds = bounds;
    this.#timeBounds = timeBounds;
    this.#state = state;
  }

  reset(): void {
    this.#boundGroup = 0;
  }

  /** -1 where no journey that departs then has so few rides. Whether there is any to look for. */
  set(relaxSeconds: number, latest: number): boolean {
    this.latest.fill(-1);
    let any = false;
    const end = Math.min(latest, this.#query.horizon);
    if (this.#query.isReverse) this.#advance(relaxSeconds);
    for (let rides = 1; rides <= this.#state.rounds; rides++) {
      const arrival = this.#arrival(this.group, rides);
      if (arrival >= NEVER) continue;
      const bound = this.#query.isReverse ? this.#reverseBound(rides) : arrival + relaxSeconds;
      this.latest[rides] = Math.min(bound, end);
      any ||= arrival <= (this.latest[rides] as number);
    }
    return any;
  }

  #arrival(group: number, rides: number): number {
    return this.rangeQuery?.arrivals[group * (this.#query.maximumRides + 1) + rides] ?? NEVER;
  }

  #advance(relaxSeconds: number): void {
    const times = this.rangeQuery?.times ?? [];
    const least = (times[this.group] as number) + relaxSeconds;
    while (this.#boundGroup < this.group && (times[this.#boundGroup] as number) > least) this.#boundGroup++;
  }

  /** Turned, the bound is on the start: no journey that starts more than may be relaxed later ends as soon, counted by its rank. */
  #reverseBound(rides: number): number {
    const known = this.#boundGroup === 0 ? NEVER : this.#arrival(this.#boundGroup - 1, rides);
    return known >= NEVER ? NEVER : this.#query.lastOfEndRank(this.#query.rankOfEnd(known) - 1);
  }

  /**
   * Whoever arrives with j rides arrives at A(d, j) or later, and every second until then costs `least` or more. So what is
   * found and arrives by A(d, j) bounds the price of a label that may end with j rides.
   */
  setCaps(): void {
    const boarding = this.#query.useLinks ? 0 : this.#state.boarding;
    let cap = Number.NEGATIVE_INFINITY;
    for (let rides = this.#state.rounds; rides >= 1; rides--) {
      const arrival = this.#arrival(this.group, rides);
      this.#arrivals[rides] = arrival;
      if (arrival < NEVER) {
        const most = this.#state.found.leastCost(rides, arrival) - boarding;
        cap = Math.max(cap, most - this.#state.least * arrival);
      }
      this.caps[rides] = cap;
    }
    this.caps.fill(Number.NEGATIVE_INFINITY, this.#state.rounds + 1);
  }

  /** Whether one on board may become a journey that none found is better than; `left`: least seconds to its end. */
  mayRide(rides: number, time: number, price: number, left: number): boolean {
    return this.#mayMatter(rides, time + left, price + RIDING * time + this.#state.least * left);
  }

  /** The same for a label that boards again; `rides` counts that. */
  mayBoard(rides: number, time: number, price: number, left: number): boolean {
    const { wait, least } = this.#state;
    const boarding = this.#query.useLinks ? 0 : this.#state.boarding;
    return this.#mayMatter(rides, time + left, price + wait * time + least * left + boarding);
  }

  /** Whether one who has so many rides, arrives then and pays as much, each at least, may be better than all found. */
  #mayMatter(rides: number, end: number, cost: number): boolean {
    const { found, least, rounds } = this.#state;
    for (let more = rides; more <= rounds; more++) {
      const soonest = this.#arrivals[more] as number;
      if (soonest >= NEVER) continue;
      const wait = Math.max(0, soonest - end);
      if (!found.isBeaten(more, end + wait, cost + least * wait)) return true;
    }
    return false;
  }

  /** With so many rides, nothing after this can be in time; a limit with more rides is never later, unless unknown. */
  of(round: number): number {
    let limit = -1;
    for (let rides = round; rides <= this.#state.rounds; rides++) limit = Math.max(limit, this.latest[rides] as number);
    return limit;
  }

  /** Whether some journey by way of one just off a ride may still be within the bound. */
  mayServe(stop: number, time: number, round: number): boolean {
    if (time + (this.#timeBounds.alighted[stop] as number) > 0) return false;
    const limits = this.latest;
    const egress = this.#query.egressWalk[stop] as number;
    if (egress >= 0 && time + egress <= (limits[round] as number)) return true;
    if (time + (this.#bounds.directAlighted[stop] as number) <= (limits[round + 1] as number)) return true;
    return time + (this.#bounds.anyAlighted[stop] as number) <= this.of(round + 2);
  }
}
