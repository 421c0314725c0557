/**
 * Between the passes: how late one may be at a stop after so many rides and still arrive within the bound, by a search backward from
 * the end over the timetable itself. It looks only where the first pass has been early enough, so it is quick, and the second
 * pass then follows hardly a label in vain. Made for a few departures at a time (`compute`).
 *
 * With via entries or interchanges it is left out (`isUsed` false): the lower bounds alone prune then.
 */
import { ROUTE_NOT_SEARCHABLE } from '../model/transit.ts';
import type { Earliest } from './earliest.ts';
import { firstTripFrom } from './first-trip.ts';
import { NEVER, type Query } from './query.ts';
import { RouteQueue } from './seeds.ts';

const TOO_LATE = -1;

export class Latest {
  isUsed = false;
  /** Just off a ride after k rides: `k * stopCount + stop`; less than any time where it cannot serve. */
  alighted = new Int32Array(0);
  /** Ready to board the next ride after k rides. */
  ready = new Int32Array(0);
  readonly #query: Query;
  readonly #queue: RouteQueue;
  readonly #alightedMark: Int32Array;
  readonly #readyMark: Int32Array;
  readonly #readyList: Int32Array;
  #readyCount = 0;
  #mark = 0;
  #earliest: Earliest | undefined;

  constructor(query: Query) {
    const { routeCount, stopCount } = query.transit;
    this.#query = query;
    this.#queue = new RouteQueue(routeCount);
    this.#alightedMark = new Int32Array(stopCount);
    this.#readyMark = new Int32Array(stopCount);
    this.#readyList = new Int32Array(stopCount);
  }

  /** `limits`: latest useful arrival with so many rides, -1 where there is none; of the latest of the departures meant. */
  compute(limits: Int32Array, rounds: number, earliest: Earliest): void {
    const query = this.#query;
    const { stopCount } = query.transit;
    this.isUsed = query.layers === 1 && !query.useLinks;
    if (!this.isUsed) return;
    this.#earliest = earliest;
    const size = (rounds + 1) * stopCount;
    if (this.alighted.length < size) {
      this.alighted = new Int32Array(size);
      this.ready = new Int32Array(size);
    }
    this.alighted.fill(TOO_LATE, rounds * stopCount, size);
    this.ready.fill(TOO_LATE, rounds * stopCount, size);
    this.#queue.clear();
    this.#readyCount = 0;
    for (let round = rounds; round >= 1; round--) {
      this.#mark++;
      const row = round * stopCount;
      if (round < rounds) this.alighted.copyWithin(row, row + stopCount, row + 2 * stopCount);
      this.#end(round, limits[round] as number);
      for (let index = 0; index < this.#readyCount; index++) this.#walkBack(round, this.#readyList[index] as number);
      if (round === 1) break;
      this.ready.copyWithin(row - stopCount, row, row + stopCount);
      this.#readyCount = 0;
      this.#rideBack(round, Math.max(...limits));
    }
    this.#queue.clear();
  }

  #end(round: number, limit: number): void {
    for (const { stop } of this.#query.egress) {
      const walk = this.#query.egressWalk[stop] as number;
      if (walk >= 0 && limit >= 0) this.#improve(round, stop, limit - walk);
    }
  }

  #walkBack(round: number, stop: number): void {
    const { transit, direction, walkOfMetres, transferSlack, maximumTransfer } = this.#query;
    const { backWalksStart, backWalkFrom, backWalkMetres, backWalkMinimumSeconds } = direction;
    const row = round * transit.stopCount;
    const ready = this.ready[row + stop] as number;
    this.#improve(round, stop, ready - Math.max(transferSlack, transit.stopMinimumSeconds[stop] as number));
    const end = backWalksStart[stop + 1] as number;
    for (let path = backWalksStart[stop] as number; path < end; path++) {
      const walk = walkOfMetres[backWalkMetres[path] as number] as number;
      if (walk > maximumTransfer || walk > ready) break;
      const time = ready - Math.max(walk + transferSlack, backWalkMinimumSeconds[path] as number);
      const from = backWalkFrom[path] as number;
      if (time > (this.alighted[row + from] as number)) this.#improve(round, from, time);
    }
  }

  #improve(round: number, stop: number, time: number): void {
    const { transit, direction } = this.#query;
    const slot = round * transit.stopCount + stop;
    if (time <= (this.alighted[slot] as number) || time < (this.#earliest?.alightedAt(round, stop) ?? NEVER)) return;
    this.alighted[slot] = time;
    if (this.#alightedMark[stop] === this.#mark) return;
    this.#alightedMark[stop] = this.#mark;
    const end = transit.stopRoutesStart[stop + 1] as number;
    for (let call = transit.stopRoutesStart[stop] as number; call < end; call++) {
      const route = transit.stopRoutes[call] as number;
      if (((transit.routeFlags[route] as number) & ROUTE_NOT_SEARCHABLE) !== 0 || !this.#query.mayUseRoute(route))
        continue;
      const place = transit.stopRoutePositions[call] as number;
      const n = (transit.routeStopsStart[route + 1] as number) - (transit.routeStopsStart[route] as number);
      this.#queue.push(0, route, direction.sign > 0 ? n - 1 - place : place);
    }
  }

  #rideBack(round: number, limit: number): void {
    const { transit, viewStart, zoneCount, days, direction } = this.#query;
    const queue = this.#queue;
    for (let index = 0; index < (queue.count[0] as number); index++) {
      const route = queue.list[index] as number;
      const zone = transit.routeZone[route] as number;
      for (let view = 0; view < days.length; view++) {
        const start = viewStart[view * zoneCount + zone] as number;
        const first = start + (transit.routeEarliest[route] as number);
        const last = start + (transit.routeLatest[route] as number);
        if (direction.sign > 0 ? last < 0 : first > 0) continue;
        if (direction.sign > 0 ? first > limit : -last > limit) break;
        this.#scanView(round, route, queue.from[route] as number, view, start);
      }
    }
    queue.clear();
  }

  #scanView(round: number, route: number, fromEnd: number, view: number, dayStart: number): void {
    const query = this.#query;
    const { transit, direction } = query;
    const { tripsStart, trips } = query.view(view);
    const low = tripsStart[route] as number;
    const high = tripsStart[route + 1] as number;
    if (low === high) return;
    const { sign, boardTimes, alightTimes, boardFlag, alightFlag } = direction;
    const { routeStops, routeStopFlags, stopCount } = transit;
    const start = transit.routeStopsStart[route] as number;
    const n = (transit.routeStopsStart[route + 1] as number) - start;
    const place0 = sign > 0 ? 0 : n - 1;
    const times = transit.routeTimesStart[route] as number;
    const firstTrip = transit.routeTripsStart[route] as number;
    const mode = transit.routeMode[route] as number;
    const boardSlack = query.boardSlack[mode] as number;
    const alightSlack = query.alightSlack[mode] as number;
    const before = sign > 0 ? low - 1 : high;
    const alightedRow = round * stopCount;
    const readyRow = alightedRow - stopCount;
    let riding = before;
    for (let position = n - 1 - fromEnd; position >= 0; position--) {
      const place = place0 + sign * position;
      const stop = routeStops[start + place] as number;
      const flags = routeStopFlags[start + place] as number;
      if (riding !== before && (flags & boardFlag) !== 0) {
        const row = times + ((trips[riding] as number) - firstTrip) * n;
        const time = sign * ((boardTimes[row + place] as number) + dayStart) - boardSlack;
        if (time > (this.ready[readyRow + stop] as number)) this.#makeReady(round - 1, stop, time);
      }
      if ((flags & alightFlag) === 0) continue;
      const off = (this.alighted[alightedRow + stop] as number) - alightSlack;
      if (off < 0) continue;
      // The last that arrives by then is the one before the first that arrives later.
      const later = firstTripFrom(
        trips,
        low,
        high,
        times + place,
        n,
        firstTrip,
        sign,
        alightTimes,
        off + 1 - sign * dayStart,
      );
      const found = later - sign;
      if (found !== before && (riding === before || (found - riding) * sign > 0)) riding = found;
    }
  }

  #makeReady(round: number, stop: number, time: number): void {
    if (time < (this.#earliest?.readyAt(round, stop) ?? NEVER)) return;
    this.ready[round * this.#query.transit.stopCount + stop] = time;
    if (this.#readyMark[stop] === this.#mark) return;
    this.#readyMark[stop] = this.#mark;
    this.#readyList[this.#readyCount++] = stop;
  }
}
