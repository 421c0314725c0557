/**
 * First rides of a search: every departure of the window at an access stop, latest first. (Arrive by: every arrival at
 * an egress stop, earliest first.) Departures of one minute form a group.
 */

import { firstTripFrom } from './first-trip.ts';
import { grownInt32 } from './grown.ts';
import type { LowerBounds } from './lower-bounds.ts';
import { NEVER, type Query } from './query.ts';
import type { TimeBounds } from './time-bounds.ts';

export class Departures {
  count = 0;
  /** When the journey begins: the ride's time less slack and walk. */
  time = new Int32Array(256);
  walk = new Int32Array(256);
  view = new Int32Array(256);
  entry = new Int32Array(256);
  route = new Int32Array(256);
  position = new Int32Array(256);
  stop = new Int32Array(256);
  /** The departures, latest first. */
  order = new Int32Array(256);
  #keys = new Float64Array(256);
  #query: Query | undefined;

  /** Leaves out departures that the bounds rule out. */
  collect(query: Query, bounds: LowerBounds, timeBounds: TimeBounds): void {
    this.count = 0;
    this.#query = query;
    const nearest = new Map<number, number>();
    for (const { stop, walkSeconds } of query.access) {
      if (query.mayUseStop(stop)) nearest.set(stop, Math.min(walkSeconds, nearest.get(stop) ?? NEVER));
    }
    for (const [stop, walk] of nearest) this.#collectStop(query, bounds, timeBounds, stop, walk);
    // One number per departure, its time above its index, sorts natively; times are below 2^31.
    for (let index = 0; index < this.count; index++)
      this.#keys[index] = (this.time[index] as number) * 0x1000000 + index;
    const sorted = this.#keys.subarray(0, this.count).sort();
    for (let place = 0; place < this.count; place++) {
      this.order[this.count - 1 - place] = (sorted[place] as number) % 0x1000000;
    }
  }

  /** `place` counts in `order`. */
  timeAt(place: number): number {
    return this.time[this.order[place] as number] as number;
  }

  rankAt(place: number): number {
    return this.#query?.rankOfStart(this.timeAt(place)) ?? 0;
  }

  /** One past the last place of the departures of the same rank. */
  groupEnd(place: number): number {
    const rank = this.rankAt(place);
    let end = place + 1;
    while (end < this.count && this.rankAt(end) === rank) end++;
    return end;
  }

  #collectStop(query: Query, bounds: LowerBounds, timeBounds: TimeBounds, stop: number, walk: number): void {
    const { transit, direction, boardSlack } = query;
    for (
      let call = transit.stopRoutesStart[stop] as number;
      call < (transit.stopRoutesStart[stop + 1] as number);
      call++
    ) {
      const route = transit.stopRoutes[call] as number;
      const place = transit.stopRoutePositions[call] as number;
      const start = transit.routeStopsStart[route] as number;
      const n = (transit.routeStopsStart[route + 1] as number) - start;
      const position = direction.sign > 0 ? place : n - 1 - place;
      const boards = ((query.routeStopFlags[start + place] as number) & direction.boardFlag) !== 0;
      if (!boards || position === n - 1 || !query.mayUseRoute(route)) continue;
      const slack = boardSlack[transit.routeMode[route] as number] as number;
      if ((bounds.aboard[start + place] as number) >= NEVER) continue;
      const end = Math.min(query.window, 1 - slack - walk - (timeBounds.boarding[start + place] as number));
      for (let view = 0; view < query.days.length; view++)
        this.#collectView(query, view, route, place, position, stop, walk, end);
    }
  }

  #collectView(
    query: Query,
    view: number,
    route: number,
    place: number,
    position: number,
    stop: number,
    walk: number,
    end: number,
  ): void {
    const { transit, direction } = query;
    const { sign, boardTimes } = direction;
    const dayStart = query.viewStart[view * query.zoneCount + (transit.routeZone[route] as number)] as number;
    const slack = query.boardSlack[transit.routeMode[route] as number] as number;
    const first = sign * ((transit.routeEarliest[route] as number) + dayStart);
    const last = sign * ((transit.routeLatest[route] as number) + dayStart);
    if (Math.max(first, last) - slack - walk < 0 || Math.min(first, last) - slack - walk >= end) return;
    const { tripsStart, trips } = query.view(view);
    const n = (transit.routeStopsStart[route + 1] as number) - (transit.routeStopsStart[route] as number);
    const row0 = (transit.routeTimesStart[route] as number) + place;
    const firstTrip = transit.routeTripsStart[route] as number;
    const low = tripsStart[route] as number;
    const high = tripsStart[route + 1] as number;
    const begin = firstTripFrom(trips, low, high, row0, n, firstTrip, sign, boardTimes, slack + walk - sign * dayStart);
    for (let entry = begin; entry >= low && entry < high; entry += sign) {
      const trip = trips[entry] as number;
      const time = sign * ((boardTimes[row0 + (trip - firstTrip) * n] as number) + dayStart) - slack - walk;
      if (time >= end) return;
      if (query.mayUseTrip(trip, view)) this.#add(time, walk, view, entry, route, position, stop);
    }
  }

  #add(time: number, walk: number, view: number, entry: number, route: number, position: number, stop: number): void {
    if (this.count === this.time.length) this.#grow();
    const index = this.count++;
    this.time[index] = time;
    this.walk[index] = walk;
    this.view[index] = view;
    this.entry[index] = entry;
    this.route[index] = route;
    this.position[index] = position;
    this.stop[index] = stop;
  }

  #grow(): void {
    const length = this.time.length * 2;
    this.time = grownInt32(this.time, length);
    this.walk = grownInt32(this.walk, length);
    this.view = grownInt32(this.view, length);
    this.entry = grownInt32(this.entry, length);
    this.route = grownInt32(this.route, length);
    this.position = grownInt32(this.position, length);
    this.stop = grownInt32(this.stop, length);
    this.order = grownInt32(this.order, length);
    this.#keys = new Float64Array(length);
  }
}
