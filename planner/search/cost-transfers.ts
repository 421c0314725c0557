/**
 * Transfers between two rounds of the second pass. They lead from the alighted labels to the stops where the next ride
 * may begin, and from there to the routes to scan. Caller: ParetoSearch.
 */

import type { CostLimits } from './cost-limits.ts';
import type { CostState } from './cost-state.ts';
import type { LowerBounds } from './lower-bounds.ts';
import type { Query } from './query.ts';
import type { TimeBounds } from './time-bounds.ts';
import type { Walks } from './walks.ts';

export class CostTransfers {
  readonly #query: Query;
  readonly #state: CostState;
  readonly #limits: CostLimits;
  readonly #bounds: LowerBounds;
  readonly #timeBounds: TimeBounds;
  readonly #walks: Walks;

  constructor(
    query: Query,
    bounds: LowerBounds,
    timeBounds: TimeBounds,
    walks: Walks,
    state: CostState,
    limits: CostLimits,
  ) {
    this.#query = query;
    this.#bounds = bounds;
    this.#timeBounds = timeBounds;
    this.#walks = walks;
    this.#state = state;
    this.#limits = limits;
  }

  transfer(round: number, from: number, to: number): void {
    const query = this.#query;
    const { footpaths } = query.direction;
    const { stopMinimumSeconds } = query;
    const { stopCount } = query.transit;
    const { directReady, anyReady } = this.#bounds;
    const { labels } = this.#state;
    const walks = this.#walks;
    const perWalk = this.#state.walk - this.#state.wait;
    const direct = this.#limits.latest[round + 1] as number;
    const more = this.#limits.of(round + 2);
    const limit = Math.max(direct, more);
    for (let label = from; label < to; label++) {
      if (labels.dead[label] === 1) continue;
      const state = labels.state[label] as number;
      const stop = state % stopCount;
      const layer = (state - stop) / stopCount;
      const time = labels.time[label] as number;
      const relativeCost = labels.relativeCost[label] as number;
      const cap = (this.#limits.caps[round + 1] as number) - (this.#state.wait - this.#state.least) * time;
      if (relativeCost >= cap) continue;
      const here = time + Math.max(query.transferSlack, stopMinimumSeconds[stop] as number);
      if (here + (anyReady[stop] as number) <= more || here + (directReady[stop] as number) <= direct) {
        this.#state.makeReady(round, layer, stop, stop, here, relativeCost, label);
      }
      walks.prepare(stop);
      const end = walks.end[stop] as number;
      for (let entry = walks.start[stop] as number; entry < end; entry++) {
        const least = time + (walks.left[entry] as number);
        if (least > limit) {
          if (least - walks.roughness > limit) break;
          continue;
        }
        const step = walks.step[entry] as number;
        const next = footpaths.steps[step] as number;
        const there = least - (anyReady[next] as number);
        if (least > more && there + (directReady[next] as number) > direct) continue;
        const walk = footpaths.walked[step >> 1] as number;
        if (relativeCost + perWalk * walk >= cap) continue;
        this.#state.makeReady(round, layer, stop, next, there, relativeCost + perWalk * walk, label);
      }
    }
  }

  /** Queues the routes at the stops made ready in this round, if a ride from there can be in time. */
  queueRoutes(round: number): void {
    const { transit, direction, boardSlack } = this.#query;
    const { stopRoutesStart, stopRoutes, stopRoutePositions, routeStopsStart, routeMode, routeDwellSeconds } = transit;
    const { aboard } = this.#bounds;
    const { boarding } = this.#timeBounds;
    const limit = this.#limits.of(round + 1);
    for (let index = 0; index < this.#state.readiedCount; index++) {
      const state = this.#state.readied[index] as number;
      const stop = state % transit.stopCount;
      const layer = (state - stop) / transit.stopCount;
      const ready = this.#state.freshTime[state] as number;
      const end = stopRoutesStart[stop + 1] as number;
      for (let entry = stopRoutesStart[stop] as number; entry < end; entry++) {
        const route = stopRoutes[entry] as number;
        const place = stopRoutePositions[entry] as number;
        const call = (routeStopsStart[route] as number) + place;
        const left = (aboard[call] as number) - (routeDwellSeconds[call] as number);
        const boards = ready + (boardSlack[routeMode[route] as number] as number);
        if (boards + left > limit || boards + (boarding[call] as number) > 0) continue;
        if (!this.#query.mayUseRoute(route)) continue;
        const n = (routeStopsStart[route + 1] as number) - (routeStopsStart[route] as number);
        this.#state.next.push(layer, route, direction.sign > 0 ? place : n - 1 - place);
      }
    }
    this.#state.readiedCount = 0;
  }
}
