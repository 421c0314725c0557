/**
 * Transfers between two rounds of the first pass. They lead from every stop alighted at to the stops where the next
 * ride may begin, and from there to the routes to scan. Caller: RangeQuery.
 */
import type { ArrivalLabels } from './arrival-labels.ts';
import type { LowerBounds } from './lower-bounds.ts';
import type { Query } from './query.ts';
import type { TimeBounds } from './time-bounds.ts';

export class ArrivalTransfers {
  readonly #query: Query;
  readonly #bounds: LowerBounds;
  readonly #timeBounds: TimeBounds;
  readonly #labels: ArrivalLabels;

  constructor(query: Query, bounds: LowerBounds, timeBounds: TimeBounds, labels: ArrivalLabels) {
    this.#query = query;
    this.#bounds = bounds;
    this.#timeBounds = timeBounds;
    this.#labels = labels;
  }

  /** From every stop alighted at in this round to the stops where the next may board. */
  transfer(round: number): void {
    const query = this.#query;
    const { stopMinimumSeconds } = query;
    const { stopCount } = query.transit;
    const { directReady, anyReady } = this.#bounds;
    const { footpaths } = query.direction;
    const row = round * query.stateCount;
    const ready = this.#labels.ready;
    const direct = this.#labels.best[round + 1] as number;
    const more = round + 2 <= this.#labels.rounds ? (this.#labels.best[round + 2] as number) : -1;
    // A stop that is ready still needs a ride, which takes some time.
    const limit = Math.max(direct, more);
    for (let index = 0; index < this.#labels.improvedCount; index++) {
      const state = this.#labels.improved[index] as number;
      const time = this.#labels.alighted[row + state] as number;
      const stop = state % stopCount;
      const layer = (state - stop) / stopCount;
      const layered = layer < query.layers - 1;
      const transferSeconds = Math.max(query.transferSlack, stopMinimumSeconds[stop] as number);
      if (
        time + transferSeconds + (directReady[stop] as number) < direct ||
        time + transferSeconds + (anyReady[stop] as number) < more
      ) {
        if (time + transferSeconds < (ready[row + state] as number))
          this.#labels.makeReady(round, state, stop, time + transferSeconds);
        if (layered) this.#transferOverLayers(round, layer, stop, stop, time + transferSeconds);
      }
      footpaths.make(stop);
      const { steps } = footpaths;
      const end = footpaths.end[stop] as number;
      const base = row + layer * stopCount;
      for (let step = footpaths.start[stop] as number; step < end; step += 2) {
        const there = time + (steps[step + 1] as number);
        if (there >= limit) break;
        const to = steps[step] as number;
        if (there >= (ready[base + to] as number) && !layered) continue;
        if (there + (anyReady[to] as number) >= more && there + (directReady[to] as number) >= direct) continue;
        this.#labels.makeReady(round, layer * stopCount + to, to, there);
        if (layered) this.#transferOverLayers(round, layer, stop, to, there);
      }
    }
  }

  /** The same transfer with via entries met on it; each adds its wait. */
  #transferOverLayers(round: number, layer: number, from: number, to: number, time: number): void {
    const query = this.#query;
    let ready = time;
    for (let next = layer; query.isMetAtTransfer(next, from, to); next++) {
      ready += query.viaWait[next] as number;
      const state = (next + 1) * query.transit.stopCount + to;
      this.#labels.makeReady(round, state, to, ready);
    }
  }

  /** Queues the routes at the stops made ready in this round, if a ride from there can be in time. */
  queueRoutes(round: number): void {
    const { stateCount, transit, direction, boardSlack } = this.#query;
    const { stopRoutesStart, stopRoutes, stopRoutePositions, routeStopsStart, routeMode, routeDwellSeconds } = transit;
    const { aboard } = this.#bounds;
    const { boarding } = this.#timeBounds;
    const limit = this.#labels.best[round + 1] as number;
    for (let index = 0; index < this.#labels.readiedCount; index++) {
      const state = this.#labels.readied[index] as number;
      const stop = state % transit.stopCount;
      const layer = (state - stop) / transit.stopCount;
      const ready = this.#labels.ready[round * stateCount + state] as number;
      const end = stopRoutesStart[stop + 1] as number;
      for (let entry = stopRoutesStart[stop] as number; entry < end; entry++) {
        const route = stopRoutes[entry] as number;
        const place = stopRoutePositions[entry] as number;
        const call = (routeStopsStart[route] as number) + place;
        const left = (aboard[call] as number) - (routeDwellSeconds[call] as number);
        const boards = ready + (boardSlack[routeMode[route] as number] as number);
        if (boards + left >= limit || boards + (boarding[call] as number) > 0) continue;
        if (!this.#query.mayUseRoute(route)) continue;
        const n = (routeStopsStart[route + 1] as number) - (routeStopsStart[route] as number);
        this.#labels.next.push(layer, route, direction.sign > 0 ? place : n - 1 - place);
      }
    }
    this.#labels.readiedCount = 0;
  }
}
