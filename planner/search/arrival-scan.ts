/**
 * Scans the routes of a round in the first pass. Along each it rides the earliest trip that can be caught, and alights
 * and boards wherever that improves a label. Caller: RangeQuery.
 */
import { ROUTE_INTERCHANGES_FROM, ROUTE_INTERCHANGES_TO } from '../model/transit.ts';
import type { ArrivalLabels } from './arrival-labels.ts';
import { ArrivalLinks } from './arrival-links.ts';
import { firstTripFrom } from './first-trip.ts';
import { Links, MOST_SEATED } from './links.ts';
import type { LowerBounds } from './lower-bounds.ts';
import { NEVER, type Query } from './query.ts';
import type { TimeBounds } from './time-bounds.ts';

const NONE = -1;

export class ArrivalScan {
  readonly #query: Query;
  readonly #bounds: LowerBounds;
  readonly #timeBounds: TimeBounds;
  readonly #labels: ArrivalLabels;
  readonly #interchanges: ArrivalLinks;
  /** End of all trips boarded in the scanned view; NEVER if later days may still improve a label. */
  #settled = NEVER;
  /** Mark of the stops to board at; none while trips that one stays seated for are scanned. */
  #freshMark = NONE;

  constructor(query: Query, bounds: LowerBounds, timeBounds: TimeBounds, labels: ArrivalLabels) {
    this.#query = query;
    this.#bounds = bounds;
    this.#timeBounds = timeBounds;
    this.#labels = labels;
    this.#interchanges = new ArrivalLinks(query, labels, new Links(query, bounds));
  }

  /** Call before the labels are reset. */
  reset(): void {
    this.#interchanges.reset();
  }

  scan(round: number): void {
    this.#freshMark = this.#labels.mark - 1;
    this.#scanQueue(round);
    this.#freshMark = NONE;
    for (let trips = 1; trips <= MOST_SEATED && !this.#labels.seated.isEmpty(); trips++) {
      this.#labels.swapSeated();
      this.#scanQueue(round);
    }
    this.#labels.seated.clear();
  }

  #scanQueue(round: number): void {
    const { routeCount } = this.#query.transit;
    const queue = this.#labels.queue;
    for (let layer = 0; layer < this.#query.layers; layer++) {
      // Scanning a layer may push routes of later layers of the same round, never of its own.
      for (let index = 0; index < (queue.count[layer] as number); index++) {
        const route = queue.list[layer * routeCount + index] as number;
        this.#scanRoute(round, layer, route, queue.from[layer * routeCount + route] as number);
      }
      queue.clearLayer(layer);
    }
  }

  #scanRoute(round: number, layer: number, route: number, from: number): void {
    const { transit, viewStart, zoneCount, days, direction } = this.#query;
    const zone = transit.routeZone[route] as number;
    const earliest = transit.routeEarliest[route] as number;
    const latest = transit.routeLatest[route] as number;
    const limit = Math.min(this.#labels.best[round] as number, this.#query.horizon);
    this.#settled = NEVER;
    for (let view = 0; view < days.length; view++) {
      const start = viewStart[view * zoneCount + zone] as number;
      if (direction.sign > 0 ? start + latest < 0 : start + earliest > 0) continue;
      const first = direction.sign > 0 ? start + earliest : -(start + latest);
      if (first >= limit || first >= this.#settled) break;
      this.#scanView(round, layer, route, from, view, start);
    }
  }

  /** Rides the trips of one day along a route from a position on. */
  #scanView(round: number, layer: number, route: number, from: number, view: number, dayStart: number): void {
    const query = this.#query;
    const { transit, direction } = query;
    const { tripsStart, trips } = query.view(view);
    const low = tripsStart[route] as number;
    const high = tripsStart[route + 1] as number;
    if (low === high) return;
    const { routeStopFlags } = query;
    const { routeStops, routeDwellSeconds, stopCount } = transit;
    const { sign, boardTimes, alightTimes, boardFlag, alightFlag } = direction;
    const start = transit.routeStopsStart[route] as number;
    const n = (transit.routeStopsStart[route + 1] as number) - start;
    const place0 = sign > 0 ? 0 : n - 1;
    const firstTrip = transit.routeTripsStart[route] as number;
    const times = transit.routeTimesStart[route] as number;
    const mode = transit.routeMode[route] as number;
    const boardSlack = query.boardSlack[mode] as number;
    const alightSlack = query.alightSlack[mode] as number;
    const linkFlag = sign > 0 ? ROUTE_INTERCHANGES_FROM : ROUTE_INTERCHANGES_TO;
    const hasLinks = query.useLinks && ((transit.routeFlags[route] as number) & linkFlag) !== 0;
    const seedHead = this.#labels.queue.seedHead[layer * transit.routeCount + route] as number;
    const readyRow = (round - 1) * query.stateCount + layer * stopCount;
    const alightedRow = round * query.stateCount + layer * stopCount;
    const masked = query.masksTrips;
    const after = sign > 0 ? high : low - 1;
    const limit = this.#labels.best[round] as number;
    const { aboard } = this.#bounds;
    const { boarding } = this.#timeBounds;
    const to = this.#labels.queue.to[layer * transit.routeCount + route] as number;
    const horizon = query.horizon;
    const freshMark = this.#freshMark;
    const layered = layer < query.layers - 1;
    const onward = hasLinks && (query.hasSeated || round < this.#labels.rounds) ? this.#interchanges.limit(round) : 0;
    if (onward > 0 && seedHead >= 0) this.#interchanges.seedLinks(round, layer, trips, seedHead, view, dayStart);
    let linkedFrom = after;
    let riding = NONE;
    let row = 0;
    let settled = seedHead >= 0 || hasLinks ? NEVER : -1;
    this.#settled = NEVER;
    for (let position = from; position < n; position++) {
      const place = place0 + sign * position;
      const stop = routeStops[start + place] as number;
      const flags = routeStopFlags[start + place] as number;
      if (seedHead >= 0) {
        const seed = this.#bestSeed(seedHead, view, position, 1, riding);
        if (seed !== riding) {
          riding = seed;
          row = times + ((trips[riding] as number) - firstTrip) * n;
        }
      }
      if (riding !== NONE) {
        const time = sign * ((alightTimes[row + place] as number) + dayStart);
        if (time + (aboard[start + place] as number) >= limit || time > horizon) {
          riding = NONE;
        } else if ((flags & alightFlag) !== 0) {
          if (time + alightSlack < (this.#labels.alighted[alightedRow + stop] as number)) {
            this.#labels.alight(round, layer, stop, time + alightSlack);
          }
        }
        if (layered && riding !== NONE) this.#passThrough(layer, route, view, riding, position, stop, 1);
      }
      if (riding === NONE && position > to) break;
      const carried = riding;
      if (seedHead >= 0) {
        const seed = this.#bestSeed(seedHead, view, position, 0, riding);
        if (seed !== riding) {
          riding = seed;
          row = times + ((trips[riding] as number) - firstTrip) * n;
        }
      }
      if (this.#labels.fresh[layer * stopCount + stop] === freshMark && (flags & boardFlag) !== 0 && position < n - 1) {
        const ready = (this.#labels.ready[readyRow + stop] as number) + boardSlack;
        const column = times + place;
        const left = (aboard[start + place] as number) - (routeDwellSeconds[start + place] as number);
        if (
          ready + left < limit &&
          ready + (boarding[start + place] as number) <= 0 &&
          (riding === NONE ||
            (onward > 0 && linkedFrom === after) ||
            this.#isEarlierTrip(trips, riding - sign, low, high, column, n, firstTrip, ready - sign * dayStart))
        ) {
          let found = firstTripFrom(trips, low, high, column, n, firstTrip, sign, boardTimes, ready - sign * dayStart);
          while (masked && found !== after && !query.mayUseTrip(trips[found] as number, view)) found += sign;
          if (found !== after && (riding === NONE || (found - riding) * sign < 0)) {
            riding = found;
            row = times + ((trips[riding] as number) - firstTrip) * n;
            const over = sign * ((alightTimes[row + place0 + sign * (n - 1)] as number) + dayStart);
            if (over > settled) settled = over;
          }
          if (riding === NONE) settled = NEVER;
          if (onward > 0 && (linkedFrom - found) * sign > 0) {
            this.#interchanges.boardForLinks(
              round,
              layer,
              trips,
              found,
              linkedFrom,
              position,
              column,
              n,
              firstTrip,
              view,
              dayStart,
              left,
            );
            linkedFrom = found;
          }
        }
      }
      if (layered && riding !== carried) this.#passThrough(layer, route, view, riding, position, stop, 0);
    }
    this.#settled = settled;
  }

  /** Whether the trip before the current one can be caught too; if not, the search for an earlier one is skipped. */
  #isEarlierTrip(
    trips: Int32Array,
    entry: number,
    low: number,
    high: number,
    column: number,
    n: number,
    firstTrip: number,
    least: number,
  ): boolean {
    if (entry < low || entry >= high) return false;
    const { sign, boardTimes } = this.#query.direction;
    return sign * (boardTimes[column + ((trips[entry] as number) - firstTrip) * n] as number) >= least;
  }

  /** The earliest of the current trip and those that enter here. */
  #bestSeed(head: number, view: number, position: number, inclusive: number, riding: number): number {
    const seeds = this.#labels.seeds;
    const sign = this.#query.direction.sign;
    let best = riding;
    for (let seed = head; seed >= 0; seed = seeds.next[seed] as number) {
      if (seeds.view[seed] !== view || seeds.position[seed] !== position || seeds.inclusive[seed] !== inclusive)
        continue;
      const entry = seeds.entry[seed] as number;
      if (best === NONE || (entry - best) * sign < 0) best = entry;
    }
    return best;
  }

  /** Moves the ride to the layer that a call at this stop leads to. */
  #passThrough(
    layer: number,
    route: number,
    view: number,
    riding: number,
    position: number,
    stop: number,
    inclusive: 0 | 1,
  ): void {
    const next = this.#query.layerAfterCall(layer, stop, false);
    if (next === layer) return;
    this.#labels.queue.pushSeed(
      next,
      route,
      this.#labels.seeds,
      this.#labels.seeds.add(view, riding, position, inclusive),
    );
  }
}
