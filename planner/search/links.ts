/**
 * Interchanges (constrained transfers) in a search: the departures and days that they lead to. The rule holds in both
 * directions. The later trip runs on its first service day on which it leaves within 24 hours after the earlier one
 * arrives.
 */
import type { TripIndex } from '../model/indices.ts';
import type { Transit } from '../model/transit.ts';
import { STAY_SEATED } from '../model/transit.ts';
import { isUsableLink } from './direction.ts';
import type { LowerBounds } from './lower-bounds.ts';
import type { Query } from './query.ts';

const DAY_SECONDS = 86_400;
/** Trips in a row that a search stays seated for. The limit ends a circle of trips that take no time. */
export const MOST_SEATED = 16;

/** Finds one trip among those of a view's route, which are ascending. Its index, or -1. */
export function entryOfTrip(trips: Int32Array, from: number, to: number, trip: number): number {
  let low = from;
  let high = to - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = trips[middle] as number;
    if (found === trip) return middle;
    if (found < trip) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Latest useful ends: with the rides of the route being scanned, and with one more. */
interface LinkLimits {
  readonly here: number;
  readonly onward: number;
}

export class Links {
  readonly #query: Query;
  readonly #transit: Transit;
  readonly #bounds: LowerBounds;
  /** Result of the last `find`: view and entry of each trip led to. */
  count = 0;
  view: number[] = [];
  entry: number[] = [];
  /** Time at which the trip led to leaves, in the direction of the search. */
  time: number[] = [];

  constructor(query: Query, bounds: LowerBounds) {
    this.#query = query;
    this.#bounds = bounds;
    this.#transit = query.transit;
  }

  /** Whether an interchange leaves the trip after a position and can end by its limit. */
  leavesAfter(trip: number, position: number, dayStart: number, { here, onward }: LinkLimits): boolean {
    const { linksStart, links } = this.#query.direction;
    const end = linksStart[trip + 1] as number;
    for (let entry = linksStart[trip] as number; entry < end; entry++) {
      const link = links[entry] as number;
      if (!this.isUsable(link) || this.fromPosition(link) <= position) continue;
      if (this.timeAtFrom(link, dayStart) + this.leftAfter(link) <= (this.isSeated(link) ? here : onward)) return true;
    }
    return false;
  }

  /** Arrival of the first trip where the interchange leaves it. */
  timeAtFrom(link: number, dayStart: number): number {
    const { direction } = this.#query;
    const transit = this.#transit;
    const trip = direction.linkFromTrip[link] as number;
    const route = transit.tripRoute[trip] as number;
    const row =
      (transit.routeTimesStart[route] as number) +
      (trip - (transit.routeTripsStart[route] as number)) * this.#stopsOf(trip);
    const time = direction.alightTimes[row + (direction.linkFromPosition[link] as number)] as number;
    return direction.sign * (time + dayStart);
  }

  /** Least time left after the interchange, from the departure of the second trip. */
  leftAfter(link: number): number {
    const { direction } = this.#query;
    const route = this.#transit.tripRoute[direction.linkToTrip[link] as number] as number;
    return this.#bounds.leftAboard(
      (this.#transit.routeStopsStart[route] as number) + (direction.linkToPosition[link] as number),
    );
  }

  /** Whether the traveller stays seated, so that the second trip is no ride more. */
  isSeated(link: number): boolean {
    return ((this.#transit.interchangeFlags[link] as number) & STAY_SEATED) !== 0;
  }

  isUsable(link: number): boolean {
    return isUsableLink(this.#transit.interchangeFlags[link] as number);
  }

  /** Position, in the direction of the search, where the interchange begins. */
  fromPosition(link: number): number {
    const { direction } = this.#query;
    const place = direction.linkFromPosition[link] as number;
    return direction.sign > 0 ? place : this.#stopsOf(direction.linkFromTrip[link] as number) - 1 - place;
  }

  /** Whether the first trip may be left where the interchange begins. */
  mayAlight(link: number): boolean {
    const call = this.#fromCall(link);
    const alights = ((this.#query.routeStopFlags[call] as number) & this.#query.direction.alightFlag) !== 0;
    return alights && this.#query.mayUseStop(this.#transit.routeStops[call] as number);
  }

  /** Stop where the interchange begins. */
  fromStop(link: number): number {
    return this.#transit.routeStops[this.#fromCall(link)] as number;
  }

  /** Via layer at the interchange of a ride that boarded at a position on a layer. */
  layerAtFrom(link: number, position: number, layer: number): number {
    const { direction } = this.#query;
    const { routeStops, routeStopsStart, tripRoute } = this.#transit;
    const route = tripRoute[direction.linkFromTrip[link] as number] as number;
    const [start, end] = [routeStopsStart[route] as number, routeStopsStart[route + 1] as number];
    let met = layer;
    for (let at = position; at <= this.fromPosition(link); at++) {
      const call = direction.sign > 0 ? start + at : end - 1 - at;
      met = this.#query.layerAfterCall(met, routeStops[call] as number, false);
    }
    return met;
  }

  #fromCall(link: number): number {
    const { direction } = this.#query;
    const route = this.#transit.tripRoute[direction.linkFromTrip[link] as number] as number;
    return (this.#transit.routeStopsStart[route] as number) + (direction.linkFromPosition[link] as number);
  }

  /** Stop where the interchange ends. */
  toStop(link: number): number {
    const { direction } = this.#query;
    const route = this.#transit.tripRoute[direction.linkToTrip[link] as number] as number;
    const place = (this.#transit.routeStopsStart[route] as number) + (direction.linkToPosition[link] as number);
    return this.#transit.routeStops[place] as number;
  }

  /** Position, in the direction of the search, where the interchange ends. */
  toPosition(link: number): number {
    const { direction } = this.#query;
    const place = direction.linkToPosition[link] as number;
    return direction.sign > 0 ? place : this.#stopsOf(direction.linkToTrip[link] as number) - 1 - place;
  }

  /** Finds the departures of the second trip from `time` on (no slack taken): fills `view`, `entry`, `time`. */
  find(link: number, time: number): void {
    this.count = 0;
    const { direction, days } = this.#query;
    const trip = direction.linkToTrip[link] as number;
    const route = this.#transit.tripRoute[trip] as number;
    if (!this.#mayBoard(trip, route, this.toPosition(link))) return;
    for (let view = 0; view < days.length; view++) {
      if (!this.#query.runsIn(trip as TripIndex, view)) continue;
      if (!this.#query.mayUseTrip(trip, view)) continue;
      const leaves = this.#time(direction.boardTimes, trip, direction.linkToPosition[link] as number, view);
      if (leaves < time || leaves - time > DAY_SECONDS || !this.#isFirstDay(link, time, leaves)) continue;
      const { tripsStart, trips } = this.#query.view(view);
      const entry = entryOfTrip(trips, tripsStart[route] as number, tripsStart[route + 1] as number, trip);
      if (entry < 0) continue;
      this.view[this.count] = view;
      this.entry[this.count] = entry;
      this.time[this.count++] = leaves;
    }
  }

  #stopsOf(trip: number): number {
    const route = this.#transit.tripRoute[trip] as number;
    return (this.#transit.routeStopsStart[route + 1] as number) - (this.#transit.routeStopsStart[route] as number);
  }

  #mayBoard(trip: number, route: number, position: number): boolean {
    const query = this.#query;
    if (!query.mayUseRoute(route)) return false;
    const n = this.#stopsOf(trip);
    const place =
      (this.#transit.routeStopsStart[route] as number) + (query.direction.sign > 0 ? position : n - 1 - position);
    const boards = ((query.routeStopFlags[place] as number) & query.direction.boardFlag) !== 0;
    return boards && query.mayUseStop(this.#transit.routeStops[place] as number);
  }

  /** Time of a trip at a place of its pattern on the day of a view, in the direction of the search. */
  #time(times: Int32Array, trip: number, place: number, view: number): number {
    const transit = this.#transit;
    const route = transit.tripRoute[trip] as number;
    const row =
      (transit.routeTimesStart[route] as number) +
      (trip - (transit.routeTripsStart[route] as number)) * this.#stopsOf(trip);
    const start = this.#query.viewStart[view * this.#query.zoneCount + (transit.routeZone[route] as number)] as number;
    return this.#query.direction.sign * ((times[row + place] as number) + start);
  }

  /** Whether no earlier service day of the later trip leaves at or after the earlier trip's arrival. */
  #isFirstDay(link: number, time: number, leaves: number): boolean {
    const { direction, days } = this.#query;
    const transit = this.#transit;
    const later = transit.interchangeToTrip[link] as number;
    const place = transit.interchangeToPosition[link] as number;
    // In clock order: `arrives` is of the earlier trip, `departs` of the later.
    const arrives = direction.sign > 0 ? time : -leaves;
    const departs = direction.sign > 0 ? leaves : -time;
    for (let view = 0; view < days.length; view++) {
      if (!this.#query.runsIn(later as TripIndex, view)) continue;
      const other = direction.sign * this.#time(transit.departures, later, place, view);
      if (other >= arrives && other < departs) return false;
    }
    return true;
  }
}
