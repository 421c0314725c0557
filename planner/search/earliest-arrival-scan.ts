/**
 * Scans the routes of a round of an earliest-arrival search. Along each route it rides the earliest trip that can be
 * caught, until a trip as early was there before. On one day, an earlier trip of a route is never behind a later one.
 * Caller: EarliestArrivalSearch.
 */
import { ROUTE_INTERCHANGES_FROM, ROUTE_INTERCHANGES_TO } from '../model/transit.ts';
import type { EarliestArrivalRules, EarliestArrivalState } from './earliest-arrival-state.ts';
import { firstTripFrom } from './first-trip.ts';
import { NEVER, type Query } from './query.ts';

const NONE = -1;
/** `#ridden` holds the view in its upper bits and the entry of a trip in the lower ones. */
const VIEW_SHIFT = 24;
const ENTRY_MASK = 0xffffff;

export class EarliestArrivalScan {
  readonly #query: Query;
  readonly #state: EarliestArrivalState;
  /** By call: view and entry of the earliest trip there. */
  readonly #ridden: Int32Array;
  /** By call: earliest time there by an interchange. */
  readonly #linked: Int32Array;

  constructor(query: Query, state: EarliestArrivalState) {
    const { routeStops, interchangeToTrip } = query.transit;
    this.#query = query;
    this.#state = state;
    this.#ridden = new Int32Array(routeStops.length);
    this.#linked = new Int32Array(interchangeToTrip.length > 0 ? routeStops.length : 0);
  }

  prepare(): void {
    if (this.#query.useLinks) this.#linked.fill(NEVER);
  }

  scan(): void {
    const { list, count, from, to } = this.#state.routes;
    for (let index = 0; index < (count[0] as number); index++) {
      const route = list[index] as number;
      this.#scanRoute(route, from[route] as number, to[route] as number);
    }
    this.#state.routes.clearLayer(0);
  }

  /** Queues the route of a call reached by an interchange. */
  queueLinked(call: number): void {
    const { routeStopsStart } = this.#query.transit;
    const { sign } = (this.#state.rules as EarliestArrivalRules).direction;
    const route = routeOfCall(routeStopsStart, call);
    const last = (routeStopsStart[route + 1] as number) - 1;
    this.#state.routes.push(0, route, sign > 0 ? call - (routeStopsStart[route] as number) : last - call);
  }

  #scanRoute(route: number, from: number, to: number): void {
    const { transit, viewStart, zoneCount, days } = this.#query;
    const { direction, begin } = this.#state.rules as EarliestArrivalRules;
    const zone = transit.routeZone[route] as number;
    const earliest = transit.routeEarliest[route] as number;
    const latest = transit.routeLatest[route] as number;
    // Days in the order of this direction.
    let settled = NEVER;
    const step = direction.sign === this.#query.direction.sign ? 1 : -1;
    for (let view = step > 0 ? 0 : days.length - 1; view >= 0 && view < days.length; view += step) {
      const start = viewStart[view * zoneCount + zone] as number;
      const first = direction.sign > 0 ? start + earliest : -(start + latest);
      const last = direction.sign > 0 ? start + latest : -(start + earliest);
      if (last < begin) continue;
      if (first > this.#state.bound || first >= settled) return;
      settled = Math.min(settled, this.#scanView(route, from, to, view, start));
    }
  }

  /** Returns the end of all trips boarded on the day; NEVER if later days may still improve a label. */
  #scanView(route: number, from: number, to: number, view: number, dayStart: number): number {
    const query = this.#query;
    const state = this.#state;
    const { transit } = query;
    const { direction, boardSlack, alightSlack, within } = state.rules as EarliestArrivalRules;
    const { tripsStart, trips } = query.view(view);
    const low = tripsStart[route] as number;
    const high = tripsStart[route + 1] as number;
    if (low === high) return NEVER;
    const { routeStopFlags } = query;
    const { routeStops, routeHopSeconds } = transit;
    const { sign, boardTimes, alightTimes, boardFlag, alightFlag } = direction;
    const { aboard, fresh, ready, round } = state;
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
    const hopOffset = sign > 0 ? 0 : -1;
    const lastPlace = sign > 0 ? n - 1 : 0;
    let settled = -NEVER;
    let riding = NONE;
    let row = 0;
    for (let position = from; position < n; position++) {
      const place = sign > 0 ? position : n - 1 - position;
      const call = start + place;
      const stop = routeStops[call] as number;
      const flags = routeStopFlags[call] as number;
      if (riding !== NONE) {
        const time = sign * ((alightTimes[row + place] as number) + dayStart);
        const before = this.#ridden[call] as number;
        if (time > state.bound) riding = NONE;
        else if (time < (aboard[call] as number)) {
          aboard[call] = time;
          this.#ridden[call] = (view << VIEW_SHIFT) | riding;
          if (hasLinks) this.#follow(call, time);
          if ((flags & alightFlag) !== 0) state.alight(stop, time + alight);
        } else if (before >> VIEW_SHIFT === view && ((before & ENTRY_MASK) - riding) * sign <= 0) riding = NONE;
        // The label of the other direction shows that no earlier call is in time.
        if (riding !== NONE && within?.isAfter(within.aboard[call] as number, time)) riding = NONE;
      }
      if (riding === NONE && position > to) return settled;
      if ((flags & boardFlag) === 0 || position === n - 1) continue;
      let least = fresh[stop] === round ? (ready[stop] as number) + board : NEVER;
      if (hasLinks && (this.#linked[call] as number) < least && query.mayUseStop(stop))
        least = this.#linked[call] as number;
      if (least > state.bound) continue;
      const column = times + place;
      if (riding !== NONE) {
        const entry = riding - sign;
        if (entry < low || entry >= high) continue;
        const before = column + ((trips[entry] as number) - firstTrip) * n;
        if (sign * ((boardTimes[before] as number) + dayStart) < least) continue;
      } else if ((aboard[call + sign] as number) < least + (routeHopSeconds[call + hopOffset] as number)) {
        // An earlier trip was there before any that can be caught here.
        const before = this.#ridden[call + sign] as number;
        if (before >> VIEW_SHIFT === view) {
          const over = times + ((trips[before & ENTRY_MASK] as number) - firstTrip) * n + lastPlace;
          settled = Math.max(settled, sign * ((alightTimes[over] as number) + dayStart));
          continue;
        }
      }
      let found = firstTripFrom(trips, low, high, column, n, firstTrip, sign, boardTimes, least - sign * dayStart);
      while (masked && found !== after && !query.mayUseTrip(trips[found] as number, view)) found += sign;
      if (found === after && riding === NONE) settled = NEVER;
      if (found === after || (riding !== NONE && (found - riding) * sign >= 0)) continue;
      riding = found;
      row = times + ((trips[riding] as number) - firstTrip) * n;
      settled = Math.max(settled, sign * ((alightTimes[row + lastPlace] as number) + dayStart));
    }
    return settled;
  }

  /** Any trip of the route may take the interchanges of all its trips: a lower bound. */
  #follow(call: number, time: number): void {
    const { callLinksStart, callLinkFrom, callLinkFromRoute } = this.#query.oppositeOf(
      (this.#state.rules as EarliestArrivalRules).direction,
    );
    const end = callLinksStart[call + 1] as number;
    for (let entry = callLinksStart[call] as number; entry < end; entry++) {
      const to = callLinkFrom[entry] as number;
      if (time >= (this.#linked[to] as number) || !this.#query.mayUseRoute(callLinkFromRoute[entry] as number))
        continue;
      this.#linked[to] = time;
      this.#state.link(to, time);
    }
  }
}

function routeOfCall(routeStopsStart: Int32Array, call: number): number {
  let low = 0;
  let high = routeStopsStart.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((routeStopsStart[middle] as number) <= call) low = middle;
    else high = middle - 1;
  }
  return low;
}
