/**
 * Departures and arrivals out of the sorted index of a snapshot. A request has a cursor per stop and service day; the cursors are merged
 * by the earliest instant their next call can have. That is the call's own instant unless time zones differ or
 * arrivals are asked for (the index is by departure): then a call waits in a second heap until no cursor can be before it.
 */
import type { LineIndex, ServiceDay, StopIndex } from '../model/indices.ts';
import type { Transit } from '../model/transit.ts';
import type { Sections } from '../snapshot/sections.ts';
import type { BoardIndex, BoardRequest, Call } from './board-types.ts';
import { Heap } from './heap.ts';
import { StopCalls } from './stop-calls.ts';

const DAY_SECONDS = 86_400;

/** Number of unwanted calls that a cursor skips before other cursors continue. */
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
  readonly #stopCalls: StopCalls;

  constructor(sections: Sections, transit: Transit, destinationOf: DestinationOf) {
    this.#transit = transit;
    this.#destinationOf = destinationOf;
    this.#stopCalls = new StopCalls(sections, transit);
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
    const stopCalls = this.#stopCalls;
    const day = merge.nextDay as ServiceDay;
    const dayStarts = this.#dayStarts(day);
    const least = Math.min(...dayStarts);
    const most = Math.max(...dayStarts);
    for (const stop of merge.stops) {
      const end = stopCalls.endOf(stop);
      const entry = stopCalls.firstFrom(stop, from - most);
      if (entry >= end) continue;
      const earliestBase = least - (kind === 'arrivals' ? stopCalls.longestDwell(stop) : 0);
      const earliest = earliestBase + stopCalls.departureSeconds(entry);
      if (earliest >= merge.until) continue;
      merge.cursors.push({ stop, day, dayStarts, earliestBase, entry, end, earliest });
    }
    merge.nextDay++;
    if (merge.nextDay > merge.lastDay) return;
    merge.nextDayStart = Math.min(...this.#dayStarts(merge.nextDay as ServiceDay));
  }

  #dayStarts(day: ServiceDay): Float64Array {
    return Float64Array.from(this.#transit.zones, (_, zone) => this.#transit.dayStart(zone, day));
  }

  /** Passes calls until one is wanted (it then waits), or many are not. */
  #advance(cursor: Cursor, merge: Merge): void {
    for (let passed = 0; passed < MOST_PASSED; passed++) {
      const found = this.#callAt(cursor, merge);
      if (found !== undefined) merge.waiting.push(found);
      cursor.entry++;
      cursor.earliest =
        cursor.entry < cursor.end
          ? cursor.earliestBase + this.#stopCalls.departureSeconds(cursor.entry)
          : Number.POSITIVE_INFINITY;
      if (cursor.earliest >= merge.until) {
        merge.cursors.pop();
        return;
      }
      if (found !== undefined) break;
    }
    merge.cursors.settleFirst();
  }

  #callAt({ entry, day, stop, dayStarts }: Cursor, { request, until }: Merge): Found | undefined {
    const transit = this.#transit;
    const stopCalls = this.#stopCalls;
    const trip = stopCalls.tripAt(entry);
    if (!transit.runsOn(trip, day) || !stopCalls.isOfKind(entry, request.kind)) return undefined;
    if (request.omitNonBoarding && !stopCalls.isOfKind(entry, 'departures')) return undefined;
    const route = transit.tripRoute[trip] as number;
    const dayStart = dayStarts[transit.routeZone[route] as number] as number;
    const arrival = dayStart + stopCalls.arrivalSeconds(entry);
    const departure = dayStart + stopCalls.departureSeconds(entry);
    const time = request.kind === 'arrivals' ? arrival : departure;
    if (time < request.from || time >= until) return undefined;
    const line = transit.routeLine[route] as LineIndex;
    if (request.accepts !== undefined && !request.accepts(trip, line)) return undefined;
    return { trip, day, position: stopCalls.positionAt(entry), stop, arrival, departure, time };
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
