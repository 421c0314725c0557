/**
 * Departures and arrivals out of the sorted index of a snapshot. A request has a cursor per stop and service day; the cursors are merged
 * by the earliest instant their next call can have. That is the call's own instant unless time zones differ or
 * arrivals are asked for (the index is by departure): then a call waits in a second heap until no cursor can be before it.
 */
import type { LineIndex, ServiceDay, StopIndex, TripIndex } from '../model/indices.ts';
import { FOR_ALIGHTING, FOR_BOARDING, type Transit } from '../model/transit.ts';
import type { IntegerArray, Sections } from '../snapshot/sections.ts';
import type { BoardIndex, BoardRequest, Call } from './board-types.ts';
import { Heap } from './heap.ts';

const DAY_SECONDS = 86_400;

/** So many calls that are not wanted are passed at once before other cursors have their turn. */
const MOST_PASSED = 64;

/** Number of the front text in force: equal texts have equal numbers. */
export type DestinationOf = (pattern: number, position: number) => number;

interface Cursor {
  readonly stop: StopIndex;
  readonly day: ServiceDay;
  /** Start of the service day by zone. */
  readonly dayStarts: Float64Array;
  /** To be added to a call's departure seconds for the earliest instant it can have. */
  readonly earliestBase: number;
  entry: number;
  readonly end: number;
  /** No call from `entry` on is before it. */
  earliest: number;
}

interface Found extends Call {
  /** Departure or arrival, as the request orders. */
  readonly time: number;
}

interface Merge {
  readonly request: BoardRequest;
  readonly stops: ReadonlySet<StopIndex>;
  readonly until: number;
  readonly lastDay: number;
  /** First service day without cursors yet, and when it begins: no call of it or a later day is before that. */
  nextDay: number;
  nextDayStart: number;
  readonly cursors: Heap<Cursor>;
  readonly waiting: Heap<Found>;
}

export function openBoardIndex(sections: Sections, transit: Transit, destinationOf: DestinationOf): BoardIndex {
  return new SortedBoards(sections, transit, destinationOf);
}

class SortedBoards implements BoardIndex {
  readonly #transit: Transit;
  readonly #destinationOf: DestinationOf;
  readonly #start: Int32Array;
  readonly #trips: Int32Array;
  readonly #positions: IntegerArray;
  readonly #longestDwell: Int32Array;

  constructor(sections: Sections, transit: Transit, destinationOf: DestinationOf) {
    this.#transit = transit;
    this.#destinationOf = destinationOf;
    this.#start = sections.int32('boards.start');
    this.#trips = sections.int32('boards.trips');
    this.#positions = sections.integers('boards.positions');
    this.#longestDwell = sections.int32('boards.longestDwell');
  }

  calls(request: BoardRequest): readonly Call[] {
    const merge = this.#startMerge(request);
    const calls: Call[] = [];
    const counts = new Map<number, number>();
    while (calls.length < request.maximumCalls) {
      const cursor = merge.cursors.first;
      const found = merge.waiting.first;
      const next = Math.min(cursor?.earliest ?? Number.POSITIVE_INFINITY, found?.time ?? Number.POSITIVE_INFINITY);
      if (merge.nextDay <= merge.lastDay && merge.nextDayStart <= next) this.#openDay(merge);
      else if (cursor !== undefined && cursor.earliest <= next) this.#advance(cursor, merge);
      else if (found === undefined) break;
      else {
        merge.waiting.pop();
        if (this.#isWithinLimit(found, request.maximumPerLineAndDestination, counts)) calls.push(callOf(found));
      }
    }
    return calls;
  }

  #startMerge(request: BoardRequest): Merge {
    const { firstDay, dayCount, daySpan } = this.#transit;
    const until = request.from + request.rangeSeconds;
    return {
      request,
      stops: new Set(request.stops),
      until,
      // Start of a service day and midnight in UTC are less than a day apart.
      lastDay: Math.min(firstDay + dayCount - 1, Math.floor(until / DAY_SECONDS) + 1),
      nextDay: Math.max(firstDay, Math.floor(request.from / DAY_SECONDS) - daySpan - 1),
      nextDayStart: Number.NEGATIVE_INFINITY,
      cursors: new Heap<Cursor>((one, other) => one.earliest < other.earliest),
      waiting: new Heap<Found>(isBefore),
    };
  }

  /** Cursors for one more service day; days are opened as the answer comes to them, however long the range is. */
  #openDay(merge: Merge): void {
    const { from, kind } = merge.request;
    const day = merge.nextDay as ServiceDay;
    const dayStarts = this.#dayStarts(day);
    const least = Math.min(...dayStarts);
    const most = Math.max(...dayStarts);
    for (const stop of merge.stops) {
      const end = this.#start[stop + 1] ?? 0;
      const entry = this.#firstFrom(from - most, this.#start[stop] ?? 0, end);
      if (entry >= end) continue;
      const earliestBase = least - (kind === 'arrivals' ? (this.#longestDwell[stop] ?? 0) : 0);
      const earliest = earliestBase + this.#departureSeconds(entry);
      if (earliest >= merge.until) continue;
      merge.cursors.push({ stop, day, dayStarts, earliestBase, entry, end, earliest });
    }
    merge.nextDay++;
    merge.nextDayStart = Math.min(...this.#dayStarts(merge.nextDay as ServiceDay));
  }

  #dayStarts(day: ServiceDay): Float64Array {
    return Float64Array.from(this.#transit.zones, (_, zone) => this.#transit.dayStart(zone, day));
  }

  /** First of the stop's calls that departs at or after so many seconds of its service day. */
  #firstFrom(seconds: number, begin: number, end: number): number {
    let low = begin;
    let high = end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#departureSeconds(middle) < seconds) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #departureSeconds(entry: number): number {
    return this.#transit.departures[this.#timesEntry(entry)] as number;
  }

  #timesEntry(entry: number): number {
    const { tripRoute, routeStopsStart, routeTimesStart, routeTripsStart } = this.#transit;
    const trip = this.#trips[entry] as number;
    const route = tripRoute[trip] as number;
    const stopCount = (routeStopsStart[route + 1] as number) - (routeStopsStart[route] as number);
    const row = (routeTimesStart[route] as number) + (trip - (routeTripsStart[route] as number)) * stopCount;
    return row + (this.#positions[entry] as number);
  }

  /** Passes calls until one is wanted (it then waits), or many are not. */
  #advance(cursor: Cursor, merge: Merge): void {
    for (let passed = 0; passed < MOST_PASSED; passed++) {
      const found = this.#callAt(cursor, merge);
      if (found !== undefined) merge.waiting.push(found);
      cursor.entry++;
      cursor.earliest =
        cursor.entry < cursor.end
          ? cursor.earliestBase + this.#departureSeconds(cursor.entry)
          : Number.POSITIVE_INFINITY;
      if (cursor.earliest >= merge.until) {
        merge.cursors.pop();
        return;
      }
      if (found !== undefined) break;
    }
    merge.cursors.settleFirst();
  }

  #callAt(cursor: Cursor, merge: Merge): Found | undefined {
    const { request } = merge;
    const transit = this.#transit;
    const trip = this.#trips[cursor.entry] as TripIndex;
    if (!transit.runsOn(trip, cursor.day)) return undefined;
    const position = this.#positions[cursor.entry] as number;
    const route = transit.tripRoute[trip] as number;
    if (!isOfKind(transit, route, position, request.kind)) return undefined;
    const dayStart = cursor.dayStarts[transit.routeZone[route] as number] as number;
    const times = this.#timesEntry(cursor.entry);
    const arrival = dayStart + (transit.arrivals[times] as number);
    const departure = dayStart + (transit.departures[times] as number);
    const time = request.kind === 'arrivals' ? arrival : departure;
    if (time < request.from || time >= merge.until) return undefined;
    const line = transit.routeLine[route] as LineIndex;
    if (request.accepts !== undefined && !request.accepts(trip, line)) return undefined;
    return { trip, day: cursor.day, position, stop: cursor.stop, arrival, departure, time };
  }

  #isWithinLimit(call: Call, limit: number | undefined, counts: Map<number, number>): boolean {
    if (limit === undefined) return true;
    const route = this.#transit.tripRoute[call.trip] as number;
    const line = this.#transit.routeLine[route] as number;
    const destination = this.#destinationOf(this.#transit.routePattern[route] as number, call.position);
    const key = line * 2 ** 32 + destination;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count < limit;
  }
}

function isOfKind(transit: Transit, route: number, position: number, kind: BoardRequest['kind']): boolean {
  const firstStop = transit.routeStopsStart[route] as number;
  const flags = transit.routeStopFlags[firstStop + position] as number;
  const isLast = firstStop + position === (transit.routeStopsStart[route + 1] as number) - 1;
  const isDeparture = (flags & FOR_BOARDING) !== 0 && !isLast;
  const isArrival = (flags & FOR_ALIGHTING) !== 0 && position > 0;
  if (kind === 'departures') return isDeparture;
  return kind === 'arrivals' ? isArrival : isDeparture || isArrival;
}

/** Equal times by trip; the rest only makes the order one. */
function isBefore(one: Found, other: Found): boolean {
  if (one.time !== other.time) return one.time < other.time;
  if (one.trip !== other.trip) return one.trip < other.trip;
  if (one.day !== other.day) return one.day < other.day;
  return one.position < other.position;
}

function callOf({ trip, day, position, stop, arrival, departure }: Found): Call {
  return { trip, day, position, stop, arrival, departure };
}
