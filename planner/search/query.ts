/**
 * One request prepared for the scans: times relative to the request and in its direction; slacks, masks and via entries
 * as arrays. The engine keeps it and fills it for each search. A *state* is a stop on a layer, `layer * stopCount +
 * stop`; the layer is the number of via entries met.
 */
import type { ServiceDay, TripIndex } from '../model/indices.ts';
import { STAY_SEATED, type Transit } from '../model/transit.ts';
import { type DayView, DayViews, runsInView, type ViewDay, viewsOfDay } from './day-views.ts';
import {
  type BothFootpaths,
  backwardDirection,
  type Direction,
  footpathsOf,
  forwardDirection,
  isUsableLink,
} from './direction.ts';
import { markOpenRoutes } from './open-routes.ts';
import { daysOfRoutes } from './route-days.ts';
import type { ClosedCall, SearchRequest, StopAccess } from './search-types.ts';

/** Later than every time; stands for no time and no label. */
export const NEVER = 0x3fffffff;
const DAY_SECONDS = 86_400;
/** A journey ends at most this long after the window (arriveBy: begins at most this long before it). */
export const HORIZON_SECONDS = 3 * DAY_SECONDS;
const CLOCK_CHANGE_SECONDS = 7_200;
const ACCESSIBLE = 1;

function flagsWithout({ routeStopFlags }: Transit, closedCalls: readonly ClosedCall[]): Uint8Array {
  if (closedCalls.length === 0) return routeStopFlags;
  const flags = routeStopFlags.slice();
  for (const { call, flag } of closedCalls) flags[call] = (flags[call] as number) & ~flag;
  return flags;
}

export class Query {
  readonly transit: Transit;
  readonly zoneCount: number;
  direction: Direction;
  /** The request itself, for values used unchanged. */
  request: SearchRequest | undefined;
  layers = 1;
  stateCount: number;
  maximumRides = 1;
  /** Whether this is a reverse search. */
  isReverse = false;
  /** As Transit's, without what the request's `closedCalls` close. */
  routeStopFlags: Uint8Array;
  /** Latest time of the search. */
  horizon = 0;
  window = 0;
  access: readonly StopAccess[] = [];
  egress: readonly StopAccess[] = [];
  boardSlack: Int32Array = new Int32Array(0);
  alightSlack: Int32Array = new Int32Array(0);
  /** Per state: walk from it to the end of the journey with all via entries met, or -1. */
  finish: Int32Array;
  /** Per stop: walk to the end of the journey, or -1. */
  egressWalk: Int32Array;
  /** Whether a stop belongs to a via entry: `entry * stopCount + stop`. */
  viaHas: Uint8Array = new Uint8Array(0);
  viaIsVisit: Uint8Array = new Uint8Array(0);
  viaWait: Int32Array = new Int32Array(0);
  /** Views of the service days that may matter, first in the direction of the search first. */
  days: ViewDay[] = [];
  /** Start of the runs of view v in zone z, relative to the request but not mirrored: `v * zoneCount + z`. */
  viewStart: Int32Array = new Int32Array(0);
  transferSlack = 0;
  /** Least transfer times at the stops themselves, for this traveller. */
  stopMinimumSeconds: Int32Array;
  useLinks = false;
  /** Whether a traveller may stay seated from one trip to another. */
  hasSeated = false;
  readonly #forward: Direction;
  #backward: Direction | undefined;
  readonly #dayViews: DayViews;
  readonly #views: (DayView | undefined)[] = [];
  readonly #footpaths: BothFootpaths;
  /** Days on which some trip of a route runs, as in `daySetBits`. */
  readonly #routeDays: Uint32Array;
  readonly #routes: Uint8Array;
  readonly #hasSeatedLinks: boolean;
  /** Seconds from the last whole minute of the clock, in the direction of the search, to the time of the request. */
  #intoMinute = 0;

  constructor(transit: Transit) {
    this.transit = transit;
    this.zoneCount = Math.max(1, transit.zones.length);
    this.stateCount = transit.stopCount;
    this.#footpaths = footpathsOf(transit);
    this.#forward = forwardDirection(transit, this.#footpaths);
    this.direction = this.#forward;
    this.routeStopFlags = transit.routeStopFlags;
    this.stopMinimumSeconds = transit.stopMinimumSeconds;
    this.#dayViews = new DayViews(transit);
    this.finish = new Int32Array(transit.stopCount).fill(-1);
    this.egressWalk = new Int32Array(transit.stopCount).fill(-1);
    this.#routeDays = daysOfRoutes(transit);
    this.#routes = new Uint8Array(transit.routeCount);
    this.#hasSeatedLinks = transit.interchangeFlags.some((flags) => (flags & STAY_SEATED) !== 0 && isUsableLink(flags));
  }

  /** Prepares a search in the direction of the request. */
  prepare(request: SearchRequest): void {
    this.#prepare(request, request.windowSeconds + HORIZON_SECONDS);
    this.isReverse = false;
  }

  /**
   * For a reverse search of the same question, from `until` back to its time.
   * @param span seconds before `until`: the arrivals looked at
   */
  prepareReverse(question: SearchRequest, until: number, span: number): void {
    const time = question.arriveBy ? question.time - until : question.time + until;
    this.#prepare({ ...question, time, windowSeconds: span + 1, arriveBy: !question.arriveBy }, until);
    this.isReverse = true;
  }

  #prepare(request: SearchRequest, horizon: number): void {
    this.release();
    this.request = request;
    if (request.arriveBy) this.#backward ??= backwardDirection(this.transit, this.#footpaths);
    this.direction = request.arriveBy && this.#backward !== undefined ? this.#backward : this.#forward;
    this.window = request.windowSeconds;
    this.horizon = horizon;
    this.#intoMinute = this.direction.sign * request.time - 60 * Math.floor((this.direction.sign * request.time) / 60);
    this.maximumRides = request.maximumRides;
    this.access = request.arriveBy ? request.egress : request.access;
    this.egress = request.arriveBy ? request.access : request.egress;
    this.boardSlack = request.arriveBy ? request.alightSlackSeconds : request.boardSlackSeconds;
    this.alightSlack = request.arriveBy ? request.boardSlackSeconds : request.alightSlackSeconds;
    this.transferSlack = request.transferSlackSeconds;
    this.useLinks = request.useInterchanges && this.transit.interchangeToTrip.length > 0;
    this.hasSeated = this.useLinks && this.#hasSeatedLinks;
    this.routeStopFlags = flagsWithout(this.transit, request.closedCalls ?? []);
    this.#prepareVia(request);
    this.#prepareFootpaths(request);
    this.#prepareEgress();
    this.#prepareViews(request);
    markOpenRoutes(this, this.#routeDays, request.routeMask, this.#routes);
  }

  oppositeOf({ sign }: Direction): Direction {
    if (sign < 0) return this.#forward;
    this.#backward ??= backwardDirection(this.transit, this.#footpaths);
    return this.#backward;
  }

  /** Resets the entries that `prepare` or `prepareReverse` wrote into arrays by stop. */
  release(): void {
    for (const { stop } of this.egress) {
      this.egressWalk[stop] = -1;
      for (let layer = 0; layer < this.layers; layer++) this.finish[layer * this.transit.stopCount + stop] = -1;
    }
    this.request = undefined;
    this.days = [];
    this.#views.length = 0;
  }

  /** Trips of a day by its index. Made when first needed, since most searches never reach the later days. */
  view(index: number): DayView {
    const known = this.#views[index];
    if (known !== undefined) return known;
    const view = this.#dayViews.get(this.days[index] as ViewDay);
    this.#views[index] = view;
    return view;
  }

  dayOf(view: number): ServiceDay {
    return (this.days[view] as ViewDay).day;
  }

  /** Whether the trip runs on the day of a view and counts from its start. */
  runsIn(trip: TripIndex, view: number): boolean {
    return runsInView(this.transit, trip, this.days[view] as ViewDay);
  }

  /** Rank of a journey's start: equal within the whole minute that it lies in, higher for later ones. */
  rankOfStart(time: number): number {
    return Math.floor((time + this.#intoMinute) / 60);
  }

  /** Rank of a journey's end: equal within the minute that it ends in, higher for later ones. */
  rankOfEnd(time: number): number {
    return Math.ceil((time + this.#intoMinute) / 60);
  }

  /** The latest end of this rank. */
  lastOfEndRank(rank: number): number {
    return 60 * rank - this.#intoMinute;
  }

  /** The latest end of the same rank. */
  lastEndLike(time: number): number {
    return this.lastOfEndRank(this.rankOfEnd(time));
  }

  mayUseStop(stop: number): boolean {
    const mask = this.request?.stopMask;
    return mask === undefined || mask[stop] !== 0;
  }

  /**
   * Also false for a route without a trip between the start of the search and its horizon. On weekdays, this holds for
   * half of a city's routes.
   */
  mayUseRoute(route: number): boolean {
    return this.#routes[route] === 1;
  }

  /** Whether the trip may be ridden on the day of a view. */
  mayUseTrip(trip: number, view: number): boolean {
    const request = this.request;
    if (request === undefined) return false;
    if (request.tripMask !== undefined && request.tripMask[trip] === 0) return false;
    if (request.closedRuns?.get(trip as TripIndex)?.has(this.dayOf(view))) return false;
    return !request.wheelchair || ((this.transit.tripFlags[trip] as number) & ACCESSIBLE) !== 0;
  }

  get masksTrips(): boolean {
    const request = this.request;
    return (
      request !== undefined &&
      (request.tripMask !== undefined || request.closedRuns !== undefined || request.wheelchair)
    );
  }

  /** The layer after a call at the stop; at the ends of a journey visits without a wait are met as well. */
  layerAfterCall(layer: number, stop: number, visitsToo: boolean): number {
    let next = layer;
    while (next < this.layers - 1 && this.viaHas[next * this.transit.stopCount + stop] !== 0) {
      if (this.viaIsVisit[next] !== 0 && !(visitsToo && this.viaWait[next] === 0)) break;
      next++;
    }
    return next;
  }

  /** Whether a transfer between two stops meets the next via entry of a layer. */
  isMetAtTransfer(layer: number, from: number, to: number): boolean {
    if (layer >= this.layers - 1) return false;
    const row = layer * this.transit.stopCount;
    return this.viaHas[row + from] !== 0 || this.viaHas[row + to] !== 0;
  }

  #prepareVia(request: SearchRequest): void {
    const { stopCount } = this.transit;
    const entries = request.arriveBy ? [...request.via].reverse() : request.via;
    this.layers = entries.length + 1;
    this.stateCount = this.layers * stopCount;
    if (this.finish.length < this.stateCount) this.finish = new Int32Array(this.stateCount).fill(-1);
    if (entries.length === 0) return;
    this.viaHas = new Uint8Array(entries.length * stopCount);
    this.viaIsVisit = Uint8Array.from(entries, ({ kind }) => (kind === 'visit' ? 1 : 0));
    this.viaWait = Int32Array.from(entries, (via) => (via.kind === 'visit' ? via.minimumWaitSeconds : 0));
    for (const [entry, { stops }] of entries.entries())
      for (const stop of stops) this.viaHas[entry * stopCount + stop] = 1;
  }

  #prepareFootpaths(request: SearchRequest): void {
    const { walkSpeed, transferSlackSeconds: transferSlack, maximumTransferSeconds, wheelchair } = request;
    const walking = { speed: walkSpeed, transferSlack, maximumSeconds: maximumTransferSeconds, wheelchair };
    this.stopMinimumSeconds = wheelchair ? this.transit.stopWheelchairSeconds : this.transit.stopMinimumSeconds;
    this.#footpaths.forth.use(walking);
    this.#footpaths.back.use(walking);
  }

  #prepareEgress(): void {
    for (const { stop, walkSeconds } of this.egress) {
      if (!this.mayUseStop(stop)) continue;
      const known = this.egressWalk[stop] as number;
      if (known < 0 || walkSeconds < known) this.egressWalk[stop] = walkSeconds;
      for (let layer = 0; layer < this.layers; layer++) {
        if (this.layerAfterCall(layer, stop, true) < this.layers - 1) continue;
        this.finish[layer * this.transit.stopCount + stop] = this.egressWalk[stop] as number;
      }
    }
  }

  /** Every service day on which a trip may run between the start of the search and its horizon. */
  #prepareViews(request: SearchRequest): void {
    const { transit } = this;
    const sign = this.direction.sign;
    const from = sign > 0 ? request.time : request.time - this.horizon;
    const to = sign > 0 ? request.time + this.horizon : request.time;
    const earliest = Math.floor((from - CLOCK_CHANGE_SECONDS) / DAY_SECONDS) - transit.daySpan - 1;
    const latest = Math.floor((to + CLOCK_CHANGE_SECONDS) / DAY_SECONDS) + 1;
    const first = Math.max(earliest, transit.firstDay);
    const last = Math.min(latest, transit.firstDay + transit.dayCount - 1);
    this.days = [];
    for (let day = first; day <= last; day++) this.days.push(...viewsOfDay(transit, day as ServiceDay));
    if (sign < 0) this.days.reverse();
    this.#views.length = 0;
    this.viewStart = new Int32Array(this.days.length * this.zoneCount);
    for (const [view, { day, shift }] of this.days.entries()) {
      for (let zone = 0; zone < transit.zones.length; zone++) {
        this.viewStart[view * this.zoneCount + zone] = transit.dayStart(zone, day) + shift - request.time;
      }
    }
  }
}
