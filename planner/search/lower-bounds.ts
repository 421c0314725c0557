/**
 * Least time from every stop to the end of the journey, by so many rides at most, whatever the hour: rides at their fastest,
 * no waiting but slacks and changes. Found backward from the end, round by round. A label that cannot be in time even so
 * is dropped by the passes that follow. Via entries are ignored, which keeps the bounds lower still, hence right.
 */
import { ROUTE_INTERCHANGES_FROM, ROUTE_INTERCHANGES_TO, ROUTE_NOT_SEARCHABLE } from '../model/transit.ts';
import { NEVER, type Query } from './query.ts';
import { RouteQueue } from './seeds.ts';

export class LowerBounds {
  /** Rounds known: bounds for more rides are those of `rounds`. */
  rounds = 0;
  /** Just off a ride (slack included), or at the end's stop: `rides * stopCount + stop`. */
  alighted = new Int32Array(0);
  /** Ready to board (board slack not yet taken), for at least one ride. */
  ready = new Int32Array(0);
  readonly #query: Query;
  readonly #queue: RouteQueue;
  readonly #next: RouteQueue;
  readonly #readyList: Int32Array;
  readonly #readyMark: Int32Array;
  readonly #alightedMark: Int32Array;
  #mark = 0;

  constructor(query: Query) {
    this.#query = query;
    this.#queue = new RouteQueue(query.transit.routeCount);
    this.#next = new RouteQueue(query.transit.routeCount);
    this.#readyList = new Int32Array(query.transit.stopCount);
    this.#readyMark = new Int32Array(query.transit.stopCount);
    this.#alightedMark = new Int32Array(query.transit.stopCount);
  }

  compute(maximumRides: number): void {
    const { stopCount } = this.#query.transit;
    const size = (maximumRides + 1) * stopCount;
    if (this.alighted.length < size) {
      this.alighted = new Int32Array(size);
      this.ready = new Int32Array(size);
    }
    this.alighted.fill(NEVER, 0, stopCount);
    this.ready.fill(NEVER, 0, stopCount);
    this.rounds = 0;
    this.#queue.clear();
    this.#mark++;
    for (const { stop } of this.#query.request?.arriveBy
      ? this.#query.request.access
      : (this.#query.request?.egress ?? [])) {
      const walk = this.#query.egressWalk[stop] as number;
      if (walk >= 0) this.#improveAlighted(this.#queue, 0, stop, walk);
    }
    for (let round = 1; round <= maximumRides && !this.#queue.isEmpty(); round++) this.#round(round);
  }

  #round(round: number): void {
    const { stopCount, routeCount } = this.#query.transit;
    this.alighted.copyWithin(round * stopCount, (round - 1) * stopCount, round * stopCount);
    this.ready.copyWithin(round * stopCount, (round - 1) * stopCount, round * stopCount);
    this.rounds = round;
    this.#mark++;
    let readyCount = 0;
    const queue = this.#queue;
    for (let index = 0; index < (queue.count[0] as number) && index < routeCount; index++) {
      const route = queue.list[index] as number;
      readyCount = this.#scanRoute(round, route, queue.from[route] as number, readyCount);
    }
    queue.clear();
    for (let index = 0; index < readyCount; index++) this.#walkBack(round, this.#readyList[index] as number);
    this.#queue.clear();
    this.#swap();
  }

  /** The queue of the next round becomes that of this one: both hold only routes, so contents move. */
  #swap(): void {
    const next = this.#next;
    for (let index = 0; index < (next.count[0] as number); index++) {
      const route = next.list[index] as number;
      this.#queue.push(0, route, next.from[route] as number);
    }
    next.clear();
  }

  /** `fromEnd`: how many positions before the last the farthest improved stop is. */
  #scanRoute(round: number, route: number, fromEnd: number, count: number): number {
    const { transit, direction } = this.#query;
    const { routeStops, routeStopFlags, routeHopSeconds, routeDwellSeconds } = transit;
    const start = transit.routeStopsStart[route] as number;
    const n = (transit.routeStopsStart[route + 1] as number) - start;
    const sign = direction.sign;
    const place0 = sign > 0 ? start : start + n - 1;
    const hopOffset = sign > 0 ? 0 : -1;
    const before = (round - 1) * transit.stopCount;
    const now = round * transit.stopCount;
    const mode = transit.routeMode[route] as number;
    const boardSlack = this.#query.boardSlack[mode] as number;
    const alightSlack = this.#query.alightSlack[mode] as number;
    const linkFlag = sign > 0 ? ROUTE_INTERCHANGES_TO : ROUTE_INTERCHANGES_FROM;
    const hasLinks = this.#query.useLinks && ((transit.routeFlags[route] as number) & linkFlag) !== 0;
    let readyCount = count;
    let left = NEVER;
    for (let position = n - 1 - fromEnd; position >= 0; position--) {
      const place = place0 + sign * position;
      const stop = routeStops[place] as number;
      const flags = routeStopFlags[place] as number;
      if (left < NEVER) {
        left += routeHopSeconds[place + hopOffset] as number;
        if (
          (flags & direction.boardFlag) !== 0 &&
          left + boardSlack < (this.ready[now + stop] as number) &&
          this.#query.mayUseStop(stop)
        ) {
          this.ready[now + stop] = left + boardSlack;
          if (this.#readyMark[stop] !== this.#mark) {
            this.#readyMark[stop] = this.#mark;
            this.#readyList[readyCount++] = stop;
          }
        }
        if (hasLinks) this.#followLinks(round, route, n, position, left);
        left += routeDwellSeconds[place] as number;
      }
      if ((flags & direction.alightFlag) === 0) continue;
      const off = (this.alighted[before + stop] as number) + alightSlack;
      if (off < left && this.#query.mayUseStop(stop)) left = off;
    }
    return readyCount;
  }

  /** Whoever is on a trip that links to this place needs no slack and no change. */
  #followLinks(round: number, route: number, n: number, position: number, left: number): void {
    const { transit, direction, alightSlack } = this.#query;
    const place = direction.sign > 0 ? position : n - 1 - position;
    for (
      let entry = direction.routeLinksStart[route] as number;
      entry < (direction.routeLinksStart[route + 1] as number);
      entry++
    ) {
      const link = direction.routeLinks[entry] as number;
      if (direction.linkToPosition[link] !== place) continue;
      const from = transit.tripRoute[direction.linkFromTrip[link] as number] as number;
      const stop = transit.routeStops[
        (transit.routeStopsStart[from] as number) + (direction.linkFromPosition[link] as number)
      ] as number;
      this.#improveAlighted(this.#next, round, stop, left - (alightSlack[transit.routeMode[from] as number] as number));
    }
  }

  #walkBack(round: number, stop: number): void {
    const { transit, direction, walkOfMetres, transferSlack, maximumTransfer } = this.#query;
    const { backWalksStart, backWalkFrom, backWalkMetres, backWalkMinimumSeconds } = direction;
    const row = round * transit.stopCount;
    const ready = this.ready[row + stop] as number;
    this.#improveAlighted(
      this.#next,
      round,
      stop,
      ready + Math.max(transferSlack, transit.stopMinimumSeconds[stop] as number),
    );
    const end = backWalksStart[stop + 1] as number;
    for (let path = backWalksStart[stop] as number; path < end; path++) {
      const walk = walkOfMetres[backWalkMetres[path] as number] as number;
      if (walk > maximumTransfer) break;
      const change = walk + transferSlack;
      const least = backWalkMinimumSeconds[path] as number;
      const time = ready + Math.max(change, least);
      const from = backWalkFrom[path] as number;
      if (time < (this.alighted[row + from] as number)) this.#improveAlighted(this.#next, round, from, time);
    }
  }

  #improveAlighted(queue: RouteQueue, round: number, stop: number, time: number): void {
    const { transit, direction } = this.#query;
    const slot = round * transit.stopCount + stop;
    if (time >= (this.alighted[slot] as number)) return;
    this.alighted[slot] = time;
    if (this.#alightedMark[stop] === this.#mark) return;
    this.#alightedMark[stop] = this.#mark;
    const end = transit.stopRoutesStart[stop + 1] as number;
    for (let entry = transit.stopRoutesStart[stop] as number; entry < end; entry++) {
      const route = transit.stopRoutes[entry] as number;
      if (((transit.routeFlags[route] as number) & ROUTE_NOT_SEARCHABLE) !== 0 || !this.#query.mayUseRoute(route))
        continue;
      const place = transit.stopRoutePositions[entry] as number;
      const n = (transit.routeStopsStart[route + 1] as number) - (transit.routeStopsStart[route] as number);
      queue.push(0, route, direction.sign > 0 ? n - 1 - place : place);
    }
  }
}
