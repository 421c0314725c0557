/** Boarding in the second pass: at a stop from its fresh labels, and where seeds enter a route. Caller: CostScan. */

import type { CostLimits } from './cost-limits.ts';
import { type CostState, RIDING } from './cost-state.ts';
import { firstTripFrom } from './first-trip.ts';
import type { Links } from './links.ts';
import type { Query } from './query.ts';
import type { TimeBounds } from './time-bounds.ts';

export class CostBoarding {
  readonly #query: Query;
  readonly #state: CostState;
  readonly #limits: CostLimits;
  readonly #links: Links;
  readonly #timeBounds: TimeBounds;

  constructor(query: Query, timeBounds: TimeBounds, links: Links, state: CostState, limits: CostLimits) {
    this.#query = query;
    this.#timeBounds = timeBounds;
    this.#links = links;
    this.#state = state;
    this.#limits = limits;
  }

  enterSeeds(
    head: number,
    view: number,
    position: number,
    inclusive: number,
    route: number,
    dayStart: number,
    hasLinks: boolean,
  ): void {
    const seeds = this.#state.seeds;
    const { trips } = this.#query.view(view);
    for (let seed = head; seed >= 0; seed = seeds.next[seed] as number) {
      if (seeds.view[seed] !== view || seeds.position[seed] !== position || seeds.inclusive[seed] !== inclusive)
        continue;
      const entry = seeds.entry[seed] as number;
      const trip = trips[entry] as number;
      // A ride that a seed enters may still take an interchange at this call.
      const leads = hasLinks && this.#links.leavesAfter(trip, position - inclusive, dayStart, this.#limits) ? 1 : 0;
      const board = seeds.boardPosition[seed] as number;
      this.#ride(
        route,
        trip,
        entry,
        dayStart,
        seeds.cost[seed] as number,
        leads,
        board,
        seeds.parent[seed] as number,
        seeds.link[seed] as number,
      );
    }
  }

  /** Boards from every fresh label of the stop: the first trip, and later ones that may enter the Pareto set. */
  boardHere(
    state: number,
    route: number,
    view: number,
    position: number,
    place: number,
    n: number,
    dayStart: number,
    limit: number,
    hasLinks: boolean,
  ): void {
    const { transit, direction } = this.#query;
    const { trips, tripsStart } = this.#query.view(view);
    const slack = this.#query.boardSlack[transit.routeMode[route] as number] as number;
    const column = (transit.routeTimesStart[route] as number) + place;
    const firstTrip = transit.routeTripsStart[route] as number;
    const { sign, boardTimes } = direction;
    const low = tripsStart[route] as number;
    const high = tripsStart[route + 1] as number;
    const after = sign > 0 ? high : low - 1;
    const allTypes = this.#state.wait !== RIDING;
    const masked = this.#query.masksTrips;
    const last = -(this.#timeBounds.boarding[(transit.routeStopsStart[route] as number) + place] as number);
    const linkLimit = this.#query.hasSeated ? limit : Math.min(limit, limit - this.#limits.here + this.#limits.onward);
    const { linksStart } = direction;
    for (let label = this.#state.ready[state] as number; label >= 0; label = this.#state.labels.next[label] as number) {
      if (label < this.#state.freshFrom) continue;
      const ready = (this.#state.labels.time[label] as number) + slack;
      if (ready > limit || ready > last) break;
      let entry = firstTripFrom(trips, low, high, column, n, firstTrip, sign, boardTimes, ready - sign * dayStart);
      for (let first = true; entry !== after; entry += sign) {
        const trip = trips[entry] as number;
        if (!first && !allTypes && linksStart[trip] === linksStart[trip + 1]) continue;
        const leaves = sign * ((boardTimes[column + (trip - firstTrip) * n] as number) + dayStart);
        if (leaves > last || leaves > (first || allTypes ? limit : linkLimit)) break;
        if (masked && !this.#query.mayUseTrip(trip, view)) continue;
        const leads = hasLinks && this.#links.leavesAfter(trip, position, dayStart, this.#limits) ? 1 : 0;
        if (first || allTypes || leads === 1) {
          const relativeCost =
            (this.#state.labels.relativeCost[label] as number) +
            (this.#state.wait - RIDING) * leaves +
            this.#state.boarding;
          this.#ride(route, trip, entry, dayStart, relativeCost, leads, position, label, -1);
        }
        first = false;
        if (!allTypes && !hasLinks) break;
      }
    }
  }

  #ride(
    route: number,
    trip: number,
    entry: number,
    dayStart: number,
    relativeCost: number,
    leads: 0 | 1,
    boardPosition: number,
    parent: number,
    link: number,
  ): boolean {
    const anyType = this.#state.wait === RIDING;
    const { sign } = this.#query.direction;
    const level = anyType
      ? relativeCost
      : relativeCost - (this.#state.wait - RIDING) * sign * (this.#firstTime(route, trip) + dayStart);
    const timeDemandType = this.#query.transit.tripTimeDemandType[trip] as number;
    return this.#state.onBoard.add(
      entry,
      sign,
      relativeCost,
      level,
      timeDemandType,
      leads,
      anyType,
      boardPosition,
      parent,
      link,
    );
  }

  #firstTime(route: number, trip: number): number {
    const { transit } = this.#query;
    const n = (transit.routeStopsStart[route + 1] as number) - (transit.routeStopsStart[route] as number);
    return transit.arrivals[
      (transit.routeTimesStart[route] as number) + (trip - (transit.routeTripsStart[route] as number)) * n
    ] as number;
  }
}
