/**
 * First step of `buildTransit`: puts the trips of all journeys into routes. Trips of one route share pattern, mode,
 * submode, zone and whether a search may ride them. A journey with an interchange that is not allowed has routes of its
 * own. Routes are in the order of patterns; within one pattern by mode,
 * submode, zone and time.
 */
import { GrowingInt32 } from '../model/growing-array.ts';
import { NOT_ALLOWED, ROUTE_NOT_SEARCHABLE } from '../model/transit.ts';
import { splitRoutes } from './split-routes.ts';
import { NOT_SEARCHABLE, type TransitInput } from './transit-input.ts';

export interface PlacedRoutes {
  readonly routePattern: Int32Array;
  readonly routeFlags: Uint8Array;
  readonly routeTripsStart: Int32Array;
  /** By trip, in the final order. */
  readonly tripJourney: Int32Array;
  readonly tripOffset: Int32Array;
}

const at = (array: Int32Array | Uint8Array | Uint16Array, index: number): number => array[index] as number;

/** Journeys of a pattern in order, as CSR. */
function journeysByPattern(input: TransitInput): { start: Int32Array; journeys: Int32Array } {
  const start = new Int32Array(input.patternCount + 1);
  for (const pattern of input.journeyPattern) start[pattern + 1] = at(start, pattern + 1) + 1;
  for (let pattern = 0; pattern < input.patternCount; pattern++)
    start[pattern + 1] = at(start, pattern + 1) + at(start, pattern);
  const next = start.slice();
  const journeys = new Int32Array(input.journeyCount);
  for (let journey = 0; journey < input.journeyCount; journey++) {
    const pattern = at(input.journeyPattern, journey);
    journeys[at(next, pattern)] = journey;
    next[pattern] = at(next, pattern) + 1;
  }
  return { start, journeys };
}

/** Returns a number for the properties that trips of a route share besides the pattern. It orders the routes. */
function groupKey(input: TransitInput, journey: number): number {
  const hidden = (at(input.journeyFlags, journey) & NOT_SEARCHABLE) === 0 ? 0 : 1;
  const mode = at(input.journeyMode, journey) * 65_536 + at(input.journeySubmode, journey);
  return (mode * 256 + at(input.journeyZone, journey)) * 2 + hidden;
}

interface Group {
  readonly journeys: number[];
  readonly offsets: number[];
}

function groupsOf(input: TransitInput, journeys: Int32Array, isAlone: Uint8Array): [number, Group][] {
  const groups = new Map<number, Group>();
  const alone: [number, Group][] = [];
  for (const journey of journeys) {
    const key = groupKey(input, journey);
    const group = (at(isAlone, journey) === 0 ? groups.get(key) : undefined) ?? { journeys: [], offsets: [] };
    if (at(isAlone, journey) === 0) groups.set(key, group);
    else alone.push([key, group]);
    for (let entry = at(input.startOffsetsStart, journey); entry < at(input.startOffsetsStart, journey + 1); entry++) {
      group.journeys.push(journey);
      group.offsets.push(at(input.startOffsets, entry));
    }
  }
  return [...groups, ...alone].sort(([one], [other]) => one - other);
}

/** Journeys with an interchange that is not allowed. A search that closes their call must find the next trip all the same. */
function journeysAlone(input: TransitInput): Uint8Array {
  const isAlone = new Uint8Array(input.journeyCount);
  for (let source = 0; source < input.interchangeCount; source++) {
    if ((at(input.interchangeFlags, source) & NOT_ALLOWED) === 0) continue;
    isAlone[at(input.interchangeFromJourney, source)] = 1;
    isAlone[at(input.interchangeToJourney, source)] = 1;
  }
  return isAlone;
}

export function placeRoutes(input: TransitInput): PlacedRoutes {
  const { start, journeys } = journeysByPattern(input);
  const isAlone = journeysAlone(input);
  const lists = { pattern: new GrowingInt32(), flags: new GrowingInt32(), trips: new GrowingInt32() };
  const trips = { journey: new GrowingInt32(), offset: new GrowingInt32() };
  lists.trips.push(0);
  for (let pattern = 0; pattern < input.patternCount; pattern++) {
    const stops = at(input.patternStopsStart, pattern + 1) - at(input.patternStopsStart, pattern);
    const ofPattern = journeys.subarray(at(start, pattern), at(start, pattern + 1));
    for (const [key, group] of groupsOf(input, ofPattern, isAlone)) {
      const timesStart = Int32Array.from(group.journeys, (journey) => at(input.journeyTimesStart, journey));
      const offset = Int32Array.from(group.offsets);
      const times = { stops, timesStart, offset, arrivals: input.arrivals, departures: input.departures };
      for (const route of splitRoutes([...group.journeys.keys()], times)) {
        for (const trip of route) {
          trips.journey.push(group.journeys[trip] as number);
          trips.offset.push(at(offset, trip));
        }
        lists.pattern.push(pattern);
        lists.flags.push(key % 2 === 1 ? ROUTE_NOT_SEARCHABLE : 0);
        lists.trips.push(trips.journey.length);
      }
    }
  }
  return {
    routePattern: lists.pattern.view().slice(),
    routeFlags: Uint8Array.from(lists.flags.view()),
    routeTripsStart: lists.trips.view().slice(),
    tripJourney: trips.journey.view().slice(),
    tripOffset: trips.offset.view().slice(),
  };
}
