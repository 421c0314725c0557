/**
 * Limits by number of rides: the latest arrival within the bound for the current group of departures, and the highest
 * cost of a label. The limits on arrival are set for every group, those on cost for every journey found.
 */

import { type CostState, RIDING } from './cost-state.ts';
import type { LowerBounds } from './lower-bounds.ts';
import { NEVER, type Query } from './query.ts';
import type { RangeQuery } from './range-query.ts';
import type { TimeBounds } from './time-bounds.ts';

export class CostLimits {
  /** Latest useful arrival with so many rides. */
  readonly latest = new Int32Array(16);
  /**
   * A label of k rides that boards again needs a relative cost below `caps[k + 1]`; else a journey found is better than
   * all it may become.
   */
  readonly caps = new Float64Array(18);
  /** Latest time that can still win: `here` with the rides of the route being scanned, `onward` with one ride more. */
  here = -1;
  onward = -1;
  /** Current group of departures. */
  group = 0;
  /**
   * Groups before this one begin more than the relaxation later than the current one. The bound of a reverse search
   * comes from them.
   */
  #boundGroup = 0;
  rangeQuery: RangeQuery | undefined;
  readonly #arrivals = new Int32Array(18);
  readonly #query: Query;
  readonly #bounds: LowerBounds;
  readonly #timeBounds: TimeBounds;
  readonly #state: CostState;

  constructor(query: Query, bounds: LowerBounds, timeBounds: TimeBounds, state: CostState) {
    this.#query = query;
    this.#bounds = bounds;
    this.#timeBounds = timeBounds;
    this.#state = state;
  }

  reset(): void {
    this.#boundGroup = 0;
  }

  /** Sets `latest` for the current group; -1 for numbers of rides without a journey. False if there is nothing to look for. */
  set(relaxSeconds: number, latest: number): boolean {
    this.latest.fill(-1);
    let any = false;
    const end = Math.min(latest, this.#query.horizon);
    const relaxMinutes = Math.floor(relaxSeconds / 60);
    if (this.#query.isReverse) this.#advance(relaxMinutes);
    for (let rides = 1; rides <= this.#state.rounds; rides++) {
      const arrival = this.#arrival(this.group, rides);
      if (arrival >= NEVER) continue;
      const bound = this.#query.isReverse ? this.#reverseBound(rides) : this.#bound(arrival, relaxMinutes);
      this.latest[rides] = Math.min(bound, end);
      any ||= arrival <= (this.latest[rides] as number);
    }
    return any;
  }

  #arrival(group: number, rides: number): number {
    return this.rangeQuery?.arrivals[group * (this.#query.maximumRides + 1) + rides] ?? NEVER;
  }

  #bound(arrival: number, relaxMinutes: number): number {
    return this.#query.lastOfEndRank(this.#query.rankOfEnd(arrival) + relaxMinutes);
  }

  #advance(relaxMinutes: number): void {
    const least = this.#rankOfGroup(this.group) + relaxMinutes;
    while (this.#boundGroup < this.group && this.#rankOfGroup(this.#boundGroup) > least) this.#boundGroup++;
  }

  #rankOfGroup(group: number): number {
    return this.#query.rankOfStart(this.rangeQuery?.times[group] ?? 0);
  }

  /**
   * The bound of a reverse search is on the start: no journey that starts more than the relaxation later ends at an
   * equal or earlier rank.
   */
  #reverseBound(rides: number): number {
    const known = this.#boundGroup === 0 ? NEVER : this.#arrival(this.#boundGroup - 1, rides);
    return known >= NEVER ? NEVER : this.#query.lastOfEndRank(this.#query.rankOfEnd(known) - 1);
  }

  /**
   * A journey of j rides arrives at A(d, j) or later, and every second until then costs at least `least`. So a journey
   * found that arrives in the minute of A(d, j) bounds the relative cost of a label that may end with j rides.
   */
  setCaps(): void {
    const boarding = this.#query.useLinks ? 0 : this.#state.boarding;
    let cap = Number.NEGATIVE_INFINITY;
    for (let rides = this.#state.rounds; rides >= 1; rides--) {
      const arrival = this.#arrival(this.group, rides);
      this.#arrivals[rides] = arrival;
      if (arrival < NEVER) {
        const most = this.#state.found.leastCost(rides, this.#query.rankOfEnd(arrival)) - boarding;
        cap = Math.max(cap, most - this.#state.least * arrival);
      }
      this.caps[rides] = cap;
    }
    this.caps.fill(Number.NEGATIVE_INFINITY, this.#state.rounds + 1);
  }

  /** True when a ride may lead to a journey that no found one beats; `left`: least seconds to its end. */
  mayRide(rides: number, time: number, relativeCost: number, left: number): boolean {
    return this.#mayMatter(rides, time + left, relativeCost + RIDING * time + this.#state.least * left);
  }

  /** The same for a label that boards again; `rides` counts that. */
  mayBoard(rides: number, time: number, relativeCost: number, left: number): boolean {
    const { wait, least } = this.#state;
    const boarding = this.#query.useLinks ? 0 : this.#state.boarding;
    return this.#mayMatter(rides, time + left, relativeCost + wait * time + least * left + boarding);
  }

  /** True when a journey with at least these rides, this end and this cost may enter the Pareto set. */
  #mayMatter(rides: number, end: number, cost: number): boolean {
    const { found, least, rounds } = this.#state;
    for (let more = rides; more <= rounds; more++) {
      const soonest = this.#arrivals[more] as number;
      if (soonest >= NEVER) continue;
      const wait = Math.max(0, soonest - end);
      if (!found.isBeaten(more, this.#query.rankOfEnd(end + wait), cost + least * wait)) return true;
    }
    return false;
  }

  /** Latest arrival within the bound for this number of rides or more. */
  of(round: number): number {
    let limit = -1;
    for (let rides = round; rides <= this.#state.rounds; rides++) limit = Math.max(limit, this.latest[rides] as number);
    return limit;
  }

  /** True when a journey through a stop of alighting may be within the bound. */
  mayServe(stop: number, time: number, round: number): boolean {
    if (time + (this.#timeBounds.alighted[stop] as number) > 0) return false;
    const limits = this.latest;
    const egress = this.#query.egressWalk[stop] as number;
    if (egress >= 0 && time + egress <= (limits[round] as number)) return true;
    if (time + (this.#bounds.directAlighted[stop] as number) <= (limits[round + 1] as number)) return true;
    return time + (this.#bounds.anyAlighted[stop] as number) <= this.of(round + 2);
  }
}
