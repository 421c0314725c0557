/**
 * Earliest times at all stops from where a search begins, whatever the number of rides: one time per stop, by rounds. Costs and via
 * entries are ignored, and an interchange may be taken from any trip of its route, so nobody can be anywhere sooner. It runs in the
 * direction of the search or in the other, where it finds the latest times from which the end is still reached (`Corridor`).
 */
import { ROUTE_INTERCHANGES_FROM, ROUTE_INTERCHANGES_TO } from '../model/transit.ts';
import type { Direction } from './direction.ts';
import { firstTripFrom } from './first-trip.ts';
import { NEVER, type Query } from './query.ts';
import { RouteQueue } from './seeds.ts';

const NONE = -1;

export interface SpreadRules {
  readonly direction: Direction;
  readonly boardSlack: Int32Array;
  readonly alightSlack: Int32Array;
  /** One is only where time plus this is at most `bound`, just off a ride and when ready to board. */
  readonly leftAlighted: Int32Array;
  readonly leftReady: Int32Array;
  /** No label is earlier. */
  readonly begin: number;
}

export class Spread {
  /** Just off a ride, slack included. */
  readonly alighted: Int32Array;
  /** Ready to board, the slack for it not yet taken. */
  readonly ready: Int32Array;
  /** By call (entry of `routeStops`): when one arrives there on board, if that is kept. */
  readonly aboard: Int32Array;
  bound = NEVER;
  readonly #query: Query;
  readonly #keepsCalls: boolean;
  /** By call: when one may be carried there by an interchange. */
  readonly #linked: Int32Array;
  #queue: RouteQueue;
  #next: RouteQueue;
  #rules: SpreadRules | undefined;
  #onAlighted: (stop: number, time: number) => void = () => {};
  readonly #improved: Int32Array;
  #improvedCount = 0;
  readonly #isImproved: Uint8Array;
  readonly #readied: Int32Array;
  #readiedCount = 0;
  readonly #fresh: Int32Array;
  #round = 0;

  constructor(query: Query, keepsCalls: boolean) {
    const { stopCount, routeStops, routeCount, interchangeToTrip } = query.transit;
    this.#keepsCalls = keepsCalls;
    this.#query = query;
    this.alighted = new Int32Array(stopCount);
    this.ready = new Int32Array(stopCount);
    this.aboard = new Int32Array(keepsCalls ? routeStops.length : 0);
    this.#linked = new Int32Array(interchangeToTrip.length > 0 ? routeStops.length : 0);
    this.#improved = new Int32Array(stopCount);
    this.#isImproved = new Uint8Array(stopCount);
    this.#readied = new Int32Array(stopCount);
    this.#fresh = new Int32Array(stopCount);
    this.#queue = new RouteQueue(routeCount);
    this.#next = new RouteQueue(routeCount);
  }

  /** To be followed by `start` for each stop where one may begin, and by `run`. */
  prepare(rules: SpreadRules, bound: number): void {
    this.#rules = rules;
    this.bound = bound;
    this.alighted.fill(NEVER);
    this.ready.fill(NEVER);
    this.aboard.fill(NEVER);
    if (this.#query.useLinks) this.#linked.fill(NEVER);
    this.#fresh.fill(0);
    // A search that was given up may have left some.
    this.#isImproved.fill(0);
    this.#round = 0;
    this.#readiedCount = 0;
    this.#queue.clear();
    this.#next.clear();
  }

  start(stop: number, time: number): void {
    if (this.#query.mayUseStop(stop)) this.#makeReady(stop, time);
  }

  run(checkpoint: () => void, onAlighted: (stop: number, time: number) => void = () => {}): void {
    this.#onAlighted = onAlighted;
    this.#queueRoutes();
    for (let round = 1; round <= this.#query.maximumRides; round++) {
      [this.#queue, this.#next] = [this.#next, this.#queue];
      const { list, count, from, to } = this.#queue;
      if (count[0] === 0) return;
      checkpoint();
      this.#improvedCount = 0;
      for (let index = 0; index < (count[0] as number); index++) {
        const route = list[index] as number;
        this.#scanRoute(route, from[route] as number, to[route] as number);
      }
      this.#queue.clearLayer(0);
      this.#round = round;
      this.#change();
      this.#queueRoutes();
    }
  }

  #scanRoute(route: number, from: number, to: number): void {
    const { transit, viewStart, zoneCount, days } = this.#query;
    const { direction, begin } = this.#rules as SpreadRules;
    const zone = transit.routeZone[route] as number;
    const earliest = transit.routeEarliest[route] as number;
    const latest = transit.routeLatest[route] as number;
    for (let view = 0; view < days.length; view++) {
      const start = viewStart[view * zoneCount + zone] as number;
      const first = direction.sign > 0 ? start + earliest : -(start + latest);
      const last = direction.sign > 0 ? start + latest : -(start + earliest);
      if (last >= begin && first <= this.bound) this.#scanView(route, from, to, view, start);
    }
  }

  #scanView(route: number, from: number, to: number, view: number, dayStart: number): void {
    const query = this.#query;
    const { transit } = query;
    const { direction, boardSlack, alightSlack, leftAlighted } = this.#rules as SpreadRules;
    const { tripsStart, trips } = query.view(view);
    const low = tripsStart[route] as number;
    const high = tripsStart[route + 1] as number;
    if (low === high) return;
    const { routeStops, routeStopFlags } = transit;
    const { sign, boardTimes, alightTimes, boardFlag, alightFlag } = direction;
    const start = transit.routeStopsStart[route] as number;
    const n = (transit.routeStopsStart[route + 1] as number) - start;
    const firstTrip = transit.routeTripsStart[route] as number;
    const times = transit.routeTimesStart[route] as number;
    const mode = transit.routeMode[route] as number;
    const board = boardSlack[mode] as number;
    const alight = alightSlack[mode] as number;
    const masked = query.masksTrips;
    const after = sign > 0 ? high : low - 1;
    const linkFlag = ROUTE_INTERCHANGES_FROM | ROUTE_INTERCHANGES_TO;
    const hasLinks = query.useLinks && ((transit.routeFlags[route] as number) & linkFlag) !== 0;
    let riding = NONE;
    let row = 0;
    for (let position = from; position < n; position++) {
      const place = sign > 0 ? position : n - 1 - position;
      const call = start + place;
      const stop = routeStops[call] as number;
      const flags = routeStopFlags[call] as number;
      const time = riding === NONE ? NEVER : sign * ((alightTimes[row + place] as number) + dayStart);
      // Further on an earlier trip may be caught.
      if (time > this.bound) riding = NONE;
      if (riding !== NONE) {
        if (hasLinks) this.#follow(call, time);
        if ((flags & alightFlag) !== 0) {
          if (this.#keepsCalls && time < (this.aboard[call] as number)) this.aboard[call] = time;
          const off = time + alight;
          if (off < (this.alighted[stop] as number) && off + (leftAlighted[stop] as number) <= this.bound)
            this.#alight(stop, off);
        }
      } else if (position > to) return;
      if ((flags & boardFlag) === 0 || position === n - 1) continue;
      let least = this.#fresh[stop] === this.#round + 1 ? (this.ready[stop] as number) + board : NEVER;
      if (hasLinks && (this.#linked[call] as number) < least && query.mayUseStop(stop))
        least = this.#linked[call] as number;
      if (least > this.bound) continue;
      const column = times + place;
      if (riding !== NONE) {
        const entry = riding - sign;
        if (entry < low || entry >= high) continue;
        const before = column + ((trips[entry] as number) - firstTrip) * n;
        if (sign * ((boardTimes[before] as number) + dayStart) < least) continue;
      }
      let found = firstTripFrom(trips, low, high, column, n, firstTrip, sign, boardTimes, least - sign * dayStart);
      while (masked && found !== after && !query.mayUseTrip(trips[found] as number)) found += sign;
      if (found === after || (riding !== NONE && (found - riding) * sign >= 0)) continue;
      riding = found;
      row = times + ((trips[riding] as number) - firstTrip) * n;
    }
  }

  /** Whoever is on board of any trip of the route may be carried off by an interchange of one of them. */
  #follow(call: number, time: number): void {
    const { callLinksStart, callLinkFrom, callLinkFromRoute, sign } = this.#query.oppositeOf(
      (this.#rules as SpreadRules).direction,
    );
    const { routeStopsStart } = this.#query.transit;
    const end = callLinksStart[call + 1] as number;
    for (let entry = callLinksStart[call] as number; entry < end; entry++) {
      const to = callLinkFrom[entry] as number;
      const route = callLinkFromRoute[entry] as number;
      if (time >= (this.#linked[to] as number) || !this.#query.mayUseRoute(route)) continue;
      this.#linked[to] = time;
      const place = to - (routeStopsStart[route] as number);
      const last = (routeStopsStart[route + 1] as number) - 1;
      this.#next.push(0, route, sign < 0 ? place : last - place);
    }
  }

  #alight(stop: number, time: number): void {
    if (!this.#query.mayUseStop(stop)) return;
    this.alighted[stop] = time;
    this.#onAlighted(stop, time);
    if (this.#isImproved[stop] === 1) return;
    this.#isImproved[stop] = 1;
    this.#improved[this.#improvedCount++] = stop;
  }

  #change(): void {
    const { transit, walkOfMetres, transferSlack, maximumTransfer } = this.#query;
    const { direction, leftReady } = this.#rules as SpreadRules;
    const { walksStart, walkTo, walkMetres, walkMinimumSeconds } = direction;
    for (let index = 0; index < this.#improvedCount; index++) {
      const stop = this.#improved[index] as number;
      this.#isImproved[stop] = 0;
      const time = this.alighted[stop] as number;
      const here = time + Math.max(transferSlack, transit.stopMinimumSeconds[stop] as number);
      if (here < (this.ready[stop] as number) && here + (leftReady[stop] as number) <= this.bound)
        this.#makeReady(stop, here);
      const end = walksStart[stop + 1] as number;
      for (let path = walksStart[stop] as number; path < end; path++) {
        const walk = walkOfMetres[walkMetres[path] as number] as number;
        if (walk > maximumTransfer) break;
        const to = walkTo[path] as number;
        const there = time + Math.max(walk + transferSlack, walkMinimumSeconds[path] as number);
        if (there >= (this.ready[to] as number) || there + (leftReady[to] as number) > this.bound) continue;
        if (this.#query.mayUseStop(to)) this.#makeReady(to, there);
      }
    }
  }

  #makeReady(stop: number, time: number): void {
    if (time >= (this.ready[stop] as number)) return;
    this.ready[stop] = time;
    const mark = this.#round + 1;
    if (this.#fresh[stop] === mark) return;
    this.#fresh[stop] = mark;
    this.#readied[this.#readiedCount++] = stop;
  }

  #queueRoutes(): void {
    const { stopRoutesStart, stopRoutes, stopRoutePositions, routeStopsStart } = this.#query.transit;
    const { sign } = (this.#rules as SpreadRules).direction;
    for (let index = 0; index < this.#readiedCount; index++) {
      const stop = this.#readied[index] as number;
      const end = stopRoutesStart[stop + 1] as number;
      for (let entry = stopRoutesStart[stop] as number; entry < end; entry++) {
        const route = stopRoutes[entry] as number;
        if (!this.#query.mayUseRoute(route)) continue;
        const place = stopRoutePositions[entry] as number;
        const n = (routeStopsStart[route + 1] as number) - (routeStopsStart[route] as number);
        this.#next.push(0, route, sign > 0 ? place : n - 1 - place);
      }
    }
    this.#readiedCount = 0;
  }
}
