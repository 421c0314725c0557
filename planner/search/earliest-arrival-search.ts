/**
 * Earliest-arrival search from one end to all stops, with one time per stop whatever the number of rides. Time advances
 * by spans of some minutes, with rounds inside a span, so most times are final when the search goes on from them.
 *
 * The search ignores costs and via entries, and lets an interchange leave any trip of its route, so its times are lower
 * bounds. In the other direction it finds the latest times from which the end can be reached. Caller: `time-bounds.ts`.
 */
import { BucketQueue } from './bucket-queue.ts';
import { EarliestArrivalScan } from './earliest-arrival-scan.ts';
import type { EarliestArrivalRules, EarliestArrivalState } from './earliest-arrival-state.ts';
import { NEVER, type Query } from './query.ts';
import { RouteQueue } from './seeds.ts';

/** Length of a span: two to this power, in seconds. */
const SPAN_SHIFT = 9;

export class EarliestArrivalSearch implements EarliestArrivalState {
  readonly alighted: Int32Array;
  readonly ready: Int32Array;
  readonly aboard: Int32Array;
  readonly fresh: Int32Array;
  bound = 0;
  round = 0;
  rules: EarliestArrivalRules | undefined;
  readonly routes: RouteQueue;
  readonly #query: Query;
  readonly #queue = new BucketQueue(SPAN_SHIFT);
  readonly #scan: EarliestArrivalScan;

  constructor(query: Query) {
    const { stopCount, routeStops, routeCount } = query.transit;
    this.#query = query;
    this.alighted = new Int32Array(stopCount);
    this.ready = new Int32Array(stopCount);
    this.aboard = new Int32Array(routeStops.length);
    this.fresh = new Int32Array(stopCount);
    this.routes = new RouteQueue(routeCount);
    this.#scan = new EarliestArrivalScan(query, this);
  }

  /** Afterwards call `start` for each first stop, then `run`. */
  prepare(rules: EarliestArrivalRules, bound: number): void {
    this.rules = rules;
    this.bound = bound;
    this.alighted.fill(NEVER);
    this.ready.fill(NEVER);
    this.aboard.fill(NEVER);
    this.fresh.fill(0);
    this.round = 0;
    this.#scan.prepare();
    this.#queue.clear();
    // A cancelled search may have left routes in the queue.
    this.routes.clear();
  }

  start(stop: number, time: number): void {
    if (this.#query.mayUseStop(stop)) this.#makeReady(stop, time);
  }

  /** Searches up to `bound`. An end found lowers `bound` to its time; labels up to it are final. */
  run(checkpoint: () => void): void {
    const { begin } = this.rules as EarliestArrivalRules;
    const { stopCount } = this.#query.transit;
    const queue = this.#queue;
    for (let span = queue.nextSpan(this.bound - begin); span >= 0; span = queue.nextSpan(this.bound - begin)) {
      checkpoint();
      this.round++;
      for (let item = queue.popOf(span); item >= 0; item = queue.popOf(span)) {
        const time = queue.distance + begin;
        if (item >= 2 * stopCount) this.#scan.queueLinked(item - 2 * stopCount);
        else if (item >= stopCount) {
          if (time === this.ready[item - stopCount]) this.#queueRoutes(item - stopCount);
        } else if (time === this.alighted[item]) this.#transfer(item, time);
      }
      this.#scan.scan();
    }
  }

  /** Whether a label of the other direction is too late for this one. */
  isAfter(label: number, other: number): boolean {
    return Math.min(label, this.bound) + other > 0;
  }

  /** `time` includes the alight slack. */
  alight(stop: number, time: number): void {
    const { within, begin } = this.rules as EarliestArrivalRules;
    if (time >= (this.alighted[stop] as number) || time > this.bound) return;
    if (within?.isAfter(within.ready[stop] as number, time) || !this.#query.mayUseStop(stop)) return;
    this.alighted[stop] = time;
    this.#queue.push(time - begin, stop);
    const walk = this.#query.egressWalk[stop] as number;
    if (within === undefined && walk >= 0 && time + walk < this.bound) this.bound = time + walk;
  }

  /** Reaches a call by an interchange. */
  link(call: number, time: number): void {
    const { begin } = this.rules as EarliestArrivalRules;
    this.#queue.push(time - begin, call + 2 * this.#query.transit.stopCount);
  }

  /** Transfers from a stop to the stops where the next ride may begin: the same stop, or others by a footpath. */
  #transfer(stop: number, time: number): void {
    const { stopMinimumSeconds, transferSlack } = this.#query;
    const { footpaths } = (this.rules as EarliestArrivalRules).direction;
    const { ready, bound } = this;
    this.#makeReady(stop, time + Math.max(transferSlack, stopMinimumSeconds[stop] as number));
    footpaths.make(stop);
    const { steps } = footpaths;
    const end = footpaths.end[stop] as number;
    for (let step = footpaths.start[stop] as number; step < end; step += 2) {
      const there = time + (steps[step + 1] as number);
      if (there > bound) break;
      const to = steps[step] as number;
      if (there < (ready[to] as number) && this.#query.mayUseStop(to)) this.#makeReady(to, there);
    }
  }

  #makeReady(stop: number, time: number): void {
    const { within, begin } = this.rules as EarliestArrivalRules;
    if (time >= (this.ready[stop] as number) || time > this.bound) return;
    if (within?.isAfter(within.alighted[stop] as number, time)) return;
    this.ready[stop] = time;
    this.#queue.push(time - begin, stop + this.#query.transit.stopCount);
  }

  #queueRoutes(stop: number): void {
    if (this.fresh[stop] === this.round) return;
    this.fresh[stop] = this.round;
    const { stopRoutesStart, stopRoutes, stopRoutePositions, routeStopsStart } = this.#query.transit;
    const { sign } = (this.rules as EarliestArrivalRules).direction;
    const end = stopRoutesStart[stop + 1] as number;
    for (let entry = stopRoutesStart[stop] as number; entry < end; entry++) {
      const route = stopRoutes[entry] as number;
      if (!this.#query.mayUseRoute(route)) continue;
      const place = stopRoutePositions[entry] as number;
      const n = (routeStopsStart[route + 1] as number) - (routeStopsStart[route] as number);
      this.routes.push(0, route, sign > 0 ? place : n - 1 - place);
    }
  }
}
