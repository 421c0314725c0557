/**
 * Lower bounds on the time from every stop to the end of the journey, at any hour. They assume the fastest rides, and
 * no waiting except slacks and transfers. The passes drop a label that misses the limit even at its bound. There are
 * two bounds: with at most one more ride (`direct…`), and with any number (`any…`). Both ignore via entries, which only
 * lowers them.
 *
 * Dijkstra's algorithm, backward from the end, finds `any`. If the time bounds are tight, stops outside them have no
 * bound (NEVER). Otherwise the search stops at the start, and stops beyond it get the last distance as their bound.
 */
import { ROUTE_INTERCHANGES_FROM, ROUTE_INTERCHANGES_TO } from '../model/transit.ts';
import { BucketQueue } from './bucket-queue.ts';
import { NEVER, type Query } from './query.ts';
import type { TimeBounds } from './time-bounds.ts';

export class LowerBounds {
  /** Just off a ride, its slack included. */
  readonly directAlighted: Int32Array;
  readonly anyAlighted: Int32Array;
  /** Ready to board, the board slack not yet taken: at least one ride to come. */
  readonly directReady: Int32Array;
  readonly anyReady: Int32Array;
  readonly #query: Query;
  readonly #timeBounds: TimeBounds;
  readonly #queue = new BucketQueue();
  /** Arriving at a call (entry of `routeStops`) on board, any number of rides more. */
  readonly aboard: Int32Array;
  readonly #isStart: Uint8Array;

  constructor(query: Query, timeBounds: TimeBounds) {
    const { stopCount } = query.transit;
    this.#query = query;
    this.#timeBounds = timeBounds;
    this.directAlighted = new Int32Array(stopCount);
    this.anyAlighted = new Int32Array(stopCount);
    this.directReady = new Int32Array(stopCount);
    this.anyReady = new Int32Array(stopCount);
    this.aboard = new Int32Array(query.transit.routeStops.length);
    this.#isStart = new Uint8Array(stopCount);
  }

  /** Least time left on leaving a call (entry of `routeStops`) on board. */
  leftAboard(call: number): number {
    return (this.aboard[call] as number) - (this.#query.transit.routeDwellSeconds[call] as number);
  }

  compute(): void {
    this.#computeDirect();
    this.#computeAny();
  }

  #computeDirect(): void {
    this.directAlighted.fill(NEVER);
    this.directReady.fill(NEVER);
    this.aboard.fill(NEVER);
    for (const { stop, walkSeconds } of this.#query.egress) {
      if (this.#query.egressWalk[stop] === walkSeconds) this.#rideBack(stop, walkSeconds, this.directReady);
    }
    for (let stop = 0; stop < this.directReady.length; stop++) {
      if ((this.directReady[stop] as number) < NEVER)
        this.#walkBack(stop, this.directReady[stop] as number, this.directAlighted);
    }
  }

  #computeAny(): void {
    const queue = this.#queue;
    const { stopCount } = this.#query.transit;
    this.anyAlighted.fill(NEVER);
    this.anyReady.fill(NEVER);
    this.aboard.fill(NEVER);
    queue.clear();
    for (const { stop } of this.#query.egress) {
      const walk = this.#query.egressWalk[stop] as number;
      if (walk < 0 || walk >= (this.anyAlighted[stop] as number)) continue;
      this.anyAlighted[stop] = walk;
      queue.push(walk, stop);
    }
    this.#pushing = queue;
    for (const { stop } of this.#query.access) this.#isStart[stop] = 1;
    let until = NEVER;
    for (let item = queue.pop(); item >= 0; item = queue.pop()) {
      if (queue.distance > until) {
        this.#cap(queue.distance);
        break;
      }
      if (item < stopCount) {
        if (queue.distance === this.anyAlighted[item]) this.#rideBack(item, queue.distance, this.anyReady);
        continue;
      }
      const stop = item - stopCount;
      if (queue.distance !== this.anyReady[stop]) continue;
      this.#walkBack(stop, queue.distance, this.anyAlighted);
      if (!this.#timeBounds.isTight && until === NEVER && this.#isStart[stop] === 1) until = queue.distance;
    }
    this.#pushing = undefined;
    for (const { stop } of this.#query.access) this.#isStart[stop] = 0;
  }

  /** Set while Dijkstra runs: improvements are queued. */
  #pushing: BucketQueue | undefined;

  #cap(distance: number): void {
    for (let stop = 0; stop < this.anyReady.length; stop++) {
      if ((this.anyReady[stop] as number) > distance) this.anyReady[stop] = distance;
      if ((this.anyAlighted[stop] as number) > distance) this.anyAlighted[stop] = distance;
    }
    const { aboard } = this;
    for (let call = 0; call < aboard.length; call++) if ((aboard[call] as number) > distance) aboard[call] = distance;
  }

  /** From a stop alighted at, back along every route that calls there, to the stops where a ride may board. */
  #rideBack(stop: number, distance: number, ready: Int32Array): void {
    const { transit, direction, alightSlack } = this.#query;
    const end = transit.stopRoutesStart[stop + 1] as number;
    for (let call = transit.stopRoutesStart[stop] as number; call < end; call++) {
      const route = transit.stopRoutes[call] as number;
      const place = (transit.routeStopsStart[route] as number) + (transit.stopRoutePositions[call] as number);
      if (((this.#query.routeStopFlags[place] as number) & direction.alightFlag) === 0) continue;
      if (!this.#query.mayUseRoute(route)) continue;
      this.#rideBackOn(route, place, distance + (alightSlack[transit.routeMode[route] as number] as number), ready);
    }
  }

  /** `arriving`: least time left on arriving there on board. */
  #rideBackOn(route: number, from: number, arriving: number, ready: Int32Array): void {
    const { transit, direction, boardSlack, useLinks, routeStopFlags } = this.#query;
    const { routeStops, routeHopSeconds, routeDwellSeconds } = transit;
    const { sign, boardFlag } = direction;
    const onBoard = this.aboard;
    const { boarding, ready: isReady } = this.#timeBounds;
    const slack = boardSlack[transit.routeMode[route] as number] as number;
    const linkFlag = sign > 0 ? ROUTE_INTERCHANGES_TO : ROUTE_INTERCHANGES_FROM;
    const hasLinks = useLinks && ((transit.routeFlags[route] as number) & linkFlag) !== 0;
    const start = transit.routeStopsStart[route] as number;
    const last = (transit.routeStopsStart[route + 1] as number) - 1;
    const hopOffset = sign > 0 ? 0 : -1;
    let left = arriving;
    for (let place = from; left < (onBoard[place] as number); ) {
      onBoard[place] = left;
      // Earlier calls are out of the time bounds.
      place -= sign;
      if (place < start || place > last || (boarding[place] as number) >= NEVER) return;
      left += routeHopSeconds[place + hopOffset] as number;
      const stop = routeStops[place] as number;
      if (((routeStopFlags[place] as number) & boardFlag) !== 0 && left + slack < (ready[stop] as number)) {
        if ((isReady[stop] as number) < NEVER && this.#query.mayUseStop(stop)) {
          ready[stop] = left + slack;
          this.#pushing?.push(left + slack, stop + transit.stopCount);
        }
      }
      if (hasLinks) this.#linkBack(place, left, ready);
      left += routeDwellSeconds[place] as number;
    }
  }

  /** A trip with an interchange to this call needs no slack and no transfer. */
  #linkBack(call: number, left: number, ready: Int32Array): void {
    const { callLinksStart, callLinkFrom, callLinkFromRoute } = this.#query.direction;
    const end = callLinksStart[call + 1] as number;
    for (let entry = callLinksStart[call] as number; entry < end; entry++) {
      const from = callLinkFromRoute[entry] as number;
      if (this.#query.mayUseRoute(from)) this.#rideBackOn(from, callLinkFrom[entry] as number, left, ready);
    }
  }

  #walkBack(stop: number, distance: number, alighted: Int32Array): void {
    const { stopMinimumSeconds, direction, transferSlack } = this.#query;
    const footpaths = direction.backFootpaths;
    const isAlighted = this.#timeBounds.alighted;
    this.#improve(alighted, stop, distance + Math.max(transferSlack, stopMinimumSeconds[stop] as number));
    footpaths.make(stop);
    const { steps } = footpaths;
    const end = footpaths.end[stop] as number;
    for (let step = footpaths.start[stop] as number; step < end; step += 2) {
      const time = distance + (steps[step + 1] as number);
      const from = steps[step] as number;
      if (time < (alighted[from] as number) && (isAlighted[from] as number) < NEVER)
        this.#improve(alighted, from, time);
    }
  }

  #improve(alighted: Int32Array, stop: number, distance: number): void {
    if (distance >= (alighted[stop] as number)) return;
    alighted[stop] = distance;
    this.#pushing?.push(distance, stop);
  }
}
