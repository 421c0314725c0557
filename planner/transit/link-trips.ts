/**
 * Third step of `buildTransit`: turns interchanges between journeys into interchanges between trips. For frequency
 * journeys, each departure gets the nearest fitting trip: the first that leaves at or after it arrives. A single
 * journey fed by many gets the last trip that arrives before it. If no trip fits on the same service day, the first
 * departure represents that of the next day.
 */
import { GrowingInt32 } from '../model/growing-array.ts';
import type { Transit } from '../model/transit.ts';
import type { TransitInput } from './transit-input.ts';

const at = (array: Int32Array | Uint8Array | Uint16Array, index: number): number => array[index] as number;

export interface TripsOfJourneys {
  readonly journeyTripsStart: Int32Array;
  readonly journeyTrips: Int32Array;
}

/** Times of a trip by position, from the step before. */
export interface TripTimes {
  arrivalAt(trip: number, position: number): number;
  departureAt(trip: number, position: number): number;
}

export type TripLinks = Pick<
  Transit,
  | 'tripInterchangesStart'
  | 'interchangeFromTrip'
  | 'interchangeFromPosition'
  | 'interchangeToTrip'
  | 'interchangeToPosition'
  | 'interchangeFlags'
  | 'interchangeIndex'
  | 'tripInterchangesByToStart'
  | 'interchangesByTo'
>;

/** Orders the trips of each journey by time. Trips of one journey have the same times but for their offset. */
export function layTripsOfJourneys(
  journeyCount: number,
  tripJourney: Int32Array,
  tripOffset: Int32Array,
): TripsOfJourneys {
  const { start, entries } = grouped(journeyCount, tripJourney);
  for (let journey = 0; journey < journeyCount; journey++) {
    entries
      .subarray(at(start, journey), at(start, journey + 1))
      .sort((one, other) => at(tripOffset, one) - at(tripOffset, other) || one - other);
  }
  return { journeyTripsStart: start, journeyTrips: entries };
}

/** Groups the indexes of `keys` by key, as CSR, in order. */
function grouped(keyCount: number, keys: Int32Array): { start: Int32Array; entries: Int32Array } {
  const start = new Int32Array(keyCount + 1);
  for (const key of keys) start[key + 1] = at(start, key + 1) + 1;
  for (let key = 0; key < keyCount; key++) start[key + 1] = at(start, key + 1) + at(start, key);
  const next = start.slice();
  const entries = new Int32Array(keys.length);
  for (let index = 0; index < keys.length; index++) {
    const key = at(keys, index);
    entries[at(next, key)] = index;
    next[key] = at(next, key) + 1;
  }
  return { start, entries };
}

export function linkTrips(input: TransitInput, trips: TripsOfJourneys, times: TripTimes, tripCount: number): TripLinks {
  const links = { from: new GrowingInt32(), to: new GrowingInt32(), source: new GrowingInt32() };
  for (let source = 0; source < input.interchangeCount; source++) {
    for (const [from, to] of pairs(input, trips, times, source)) {
      links.from.push(from);
      links.to.push(to);
      links.source.push(source);
    }
  }
  const from = links.from.view();
  const byFrom = grouped(tripCount, from);
  const sources = byFrom.entries.map((entry) => at(links.source.view(), entry));
  const interchangeToTrip = byFrom.entries.map((entry) => at(links.to.view(), entry));
  const byTo = grouped(tripCount, interchangeToTrip);
  return {
    tripInterchangesStart: byFrom.start,
    interchangeFromTrip: byFrom.entries.map((entry) => at(from, entry)),
    interchangeFromPosition: sources.map((source) => at(input.interchangeFromPosition, source)),
    interchangeToTrip,
    interchangeToPosition: sources.map((source) => at(input.interchangeToPosition, source)),
    interchangeFlags: Uint8Array.from(sources, (source) => at(input.interchangeFlags, source)),
    interchangeIndex: sources.map((source) => at(input.interchangeIndex, source)),
    tripInterchangesByToStart: byTo.start,
    interchangesByTo: byTo.entries,
  };
}

function tripsOf(trips: TripsOfJourneys, journey: number): Int32Array {
  return trips.journeyTrips.subarray(at(trips.journeyTripsStart, journey), at(trips.journeyTripsStart, journey + 1));
}

function pairs(input: TransitInput, trips: TripsOfJourneys, times: TripTimes, source: number): [number, number][] {
  const fromTrips = tripsOf(trips, at(input.interchangeFromJourney, source));
  const toTrips = tripsOf(trips, at(input.interchangeToJourney, source));
  if (fromTrips.length === 0 || toTrips.length === 0) return [];
  const arrival = (trip: number): number => times.arrivalAt(trip, at(input.interchangeFromPosition, source));
  const departure = (trip: number): number => times.departureAt(trip, at(input.interchangeToPosition, source));
  if (toTrips.length === 1) {
    const to = at(toTrips, 0);
    const from = fromTrips.findLast((trip) => arrival(trip) <= departure(to)) ?? at(fromTrips, fromTrips.length - 1);
    return [[from, to]];
  }
  return Array.from(fromTrips, (from) => {
    const next = firstLeaving(toTrips, departure, arrival(from));
    return [from, at(toTrips, next === toTrips.length ? 0 : next)];
  });
}

/**
 * Returns the place of the first trip that leaves at or after `from`, or one past the last. `trips` must be in order of
 * time.
 */
function firstLeaving(trips: Int32Array, departure: (trip: number) => number, from: number): number {
  let [low, high] = [0, trips.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (departure(at(trips, middle)) >= from) high = middle;
    else low = middle + 1;
  }
  return low;
}
