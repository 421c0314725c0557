/**
 * Reads departures and arrivals from the sorted index of a snapshot. A request has a cursor per stop and service day.
 * The cursors are merged by the earliest instant that their next call can have. This is the call's own instant, unless
 * time zones differ or the request is for arrivals, since the index is by departure. Then a call waits in a second heap
 * until no cursor can be before it.
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

/** Returns the number of the front text in force. Equal texts have equal numbers. */
export type DestinationOf = (pattern: number, position: number) => number;

interface Cursor {
  readonly stop: StopIndex;
  readonly day: ServiceDay;
  /**
   * How much later than the day starts its calls count: one cursor for each shift, since the index is by clock. Undefined
   * for all calls of a day without a clock change.
   */
  readonly shift: number | undefined;
  /** Start of the service day by zone, with the shift. */
  readonly dayStarts: Float64Array;
  /**
   * Earliest start of a service day, for arrivals less the longest dwell. A call's departure seconds plus this number
   * give its earliest instant.
   */
  readonly earliestBase: number;
  entry: number;
  readonly end: number;
  /** No call from `entry` on is before this instant. */
  earliest: number;
}

interface Found extends Call {
  /** The departure or the arrival, by the order of the request. */
  readonly time: number;
}

interface Merge {
  readonly request: BoardRequest;
  readonly stops: ReadonlySet<StopIndex>;
  readonly until: number;
  readonly lastDay: number;
  /**
   * First service day without cursors yet, and its start. Calls of this day and of later days are not before the start.
   */
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

  /**
   * Adds the cursors of one more service day. Days are opened as the answer reaches them, however long the range is.
   */
  #openDay(merge: Merge): void {
    const day = merge.nextDay as ServiceDay;
    const shifts = this.#transit.shiftsOn(day);
    if (shifts.length === 1) this.#openShift(merge, day, undefined);
    else for (const shift of shifts) this.#openShift(merge, day, shift);
    merge.nextDay++;
    if (merge.nextDay > merge.lastDay) return;
    const next = merge.nextDay as ServiceDay;
    merge.nextDayStart = Math.min(...this.#dayStarts(next, this.#transit.shiftsOn(next)[0]));
  }

  #openShift(merge: Merge, day: ServiceDay, shift: number | undefined): void {
    const { from, kind } = merge.request;
    const stopCalls = this.#stopCalls;
    const dayStarts = this.#dayStarts(day, shift);
    const least = Math.min(...dayStarts);
    const most = Math.max(...dayStarts);
    for (const stop of merge.stops) {
      const end = stopCalls.endOf(stop);
      const entry = stopCalls.firstFrom(stop, from - most);
      if (entry >= end) continue;
      const earliestBase = least - (kind === 'arrivals' ? stopCalls.longestDwell(stop) : 0);
      const earliest = earliestBase + stopCalls.departureSeconds(entry);
      if (earliest >= merge.until) continue;
      merge.cursors.push({ stop, day, shift, dayStarts, earliestBase, entry, end, earliest });
    }
  }

  #dayStarts(day: ServiceDay, shift = 0): Float64Array {
    return Float64Array.from(this.#transit.zones, (_, zone) => this.#transit.dayStart(zone, day) + shift);
  }

  /** Passes calls until one is wanted and waits, or until the limit of passed calls. */
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

  #callAt({ entry, day, shift, stop, dayStarts }: Cursor, { request, until }: Merge): Found | undefined {
    const transit = this.#transit;
    const stopCalls = this.#stopCalls;
    const trip = stopCalls.tripAt(entry);
    if (!transit.runsOn(trip, day) || !stopCalls.isOfKind(entry, request.kind)) return undefined;
    if (shift !== undefined && transit.shiftOf(trip, day) !== shift) return undefined;
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

/** Orders by time, then by trip. The other members only make the order total. */
function isBefore(one: Found, other: Found): boolean {
  if (one.time !== other.time) return one.time < other.time;
  if (one.trip !== other.trip) return one.trip < other.trip;
  if (one.day !== other.day) return one.day < other.day;
  return one.position < other.position;
}

function callOf({ trip, day, position, stop, arrival, departure }: Found): Call {
  return { trip, day, position, stop, arrival, departure };
}
