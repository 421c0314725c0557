/** The patterns and journeys of a snapshot as rows for planner-journey-store.ts, read from the snapshot's catalogue. Pure. */
import type { Timetable } from '../../planner/index.ts';
import type { JourneyPattern } from '../../planner/model/entities.ts';
import type { JourneyPatternIndex, ServiceDay, ServiceJourneyIndex, TripIndex } from '../../planner/model/indices.ts';
import { QuayPlaces } from './planner-quay-places.ts';

export interface PatternRow {
  readonly snapshotId: string;
  readonly id: string;
  readonly lineId: string;
  readonly authorityId: string;
  /** IANA name; times of its journeys are clock times there. */
  readonly timeZone: string;
  readonly quayIds: readonly string[];
  /** Of the quays, by position; the quay itself where it has no stop place. */
  readonly stopPlaceIds: readonly string[];
  /** Fare zones by position: of the quay and its stop place, else of that one's parent. */
  readonly zoneIds: readonly (readonly string[])[];
  /** Whole metres along the path from the first call, by position. */
  readonly distances: readonly number[];
  /** Its stop places and their parents, each once. */
  readonly places: readonly string[];
  /** Positions, from 0, where passengers may not board or alight. */
  readonly noBoarding: readonly number[];
  readonly noAlighting: readonly number[];
}

export interface TripRow {
  /** Seconds since the start of the service day, by position. */
  readonly arrivals: readonly number[];
  readonly departures: readonly number[];
}

export interface DatedRow {
  readonly id: string;
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly alteration?: string;
}

export interface ServiceJourneyRow {
  readonly snapshotId: string;
  readonly id: string;
  readonly privateCode?: string;
  readonly mode: string;
  readonly patternId: string;
  readonly lineId: string;
  readonly operatorId?: string;
  /** One row, or one for each departure of a frequency journey. */
  readonly trips: readonly TripRow[];
  /** Of `trips`, for the index by days. */
  readonly tripCount: number;
  /** First departure of the first trip, seconds since the start of the service day. */
  readonly first: number;
  /** Service days that all of them run, as days since 1970-01-01, in intervals: first, last, first, last … */
  readonly days: readonly number[];
  /** The row of the same days, a {@link DaySetRow}. */
  readonly daySet: number;
  readonly dated?: readonly DatedRow[];
}

/** Days that some journeys run on. */
export interface DaySetRow {
  readonly snapshotId: string;
  readonly id: number;
  /** As those of a journey. */
  readonly days: readonly number[];
}

/** Of a journey without a trip: no row of days has it. */
const NO_DAYS = -1;

export function* patternRows(timetable: Timetable): Generator<PatternRow> {
  const { snapshotId, catalogue } = timetable;
  const places = new QuayPlaces(catalogue);
  for (let index = 0; index < catalogue.journeyPatterns.count; index++) {
    const pattern = catalogue.journeyPatterns.at(index as JourneyPatternIndex);
    const line = catalogue.lines.at(pattern.line);
    const authority = catalogue.authorities.at(line.authority);
    const stops = pattern.stops.map(({ stop }) => places.of(stop));
    const where = (allowed: 'forBoarding' | 'forAlighting') =>
      pattern.stops.flatMap((stop, position) => (stop[allowed] ? [] : [position]));
    yield {
      snapshotId,
      id: pattern.id,
      lineId: line.id,
      authorityId: authority.id,
      timeZone: authority.timeZone,
      quayIds: stops.map(({ quayId }) => quayId),
      stopPlaceIds: stops.map(({ stopPlaceId }) => stopPlaceId),
      zoneIds: stops.map(({ zoneIds }) => zoneIds),
      distances: distancesOf(pattern),
      places: [...new Set(stops.flatMap(({ places: each }) => each))],
      noBoarding: where('forBoarding'),
      noAlighting: where('forAlighting'),
    };
  }
}

export function* serviceJourneyRows(timetable: Timetable): Generator<ServiceJourneyRow> {
  const { snapshotId, catalogue, transit } = timetable;
  const daysOf = daysOfTrips(timetable);
  for (let at = 0; at < catalogue.serviceJourneys.count; at++) {
    const index = at as ServiceJourneyIndex;
    const { id, privateCode, mode, pattern, line, operator } = catalogue.serviceJourneys.at(index);
    const trips = transit.tripsOfJourney(index);
    const dated = catalogue.datedJourneysOf(index).map((each) => {
      const { id: datedId, day, alteration } = catalogue.datedServiceJourneys.at(each);
      return { id: datedId, day, ...(alteration !== undefined && { alteration }) };
    });
    const [first] = trips;
    yield {
      snapshotId,
      id,
      ...(privateCode !== undefined && { privateCode }),
      mode,
      patternId: catalogue.journeyPatterns.at(pattern).id,
      lineId: catalogue.lines.at(line).id,
      ...(operator !== undefined && { operatorId: catalogue.operators.at(operator).id }),
      trips: trips.map((trip) => tripRow(timetable, trip)),
      tripCount: trips.length,
      first: first === undefined ? 0 : transit.departureAt(first, 0),
      days: first === undefined ? [] : daysOf(first),
      daySet: first === undefined ? NO_DAYS : (transit.tripDays[first] ?? NO_DAYS),
      ...(dated.length > 0 && { dated }),
    };
  }
}

/** One row for each number of days that a trip has. */
export function* daySetRows(timetable: Timetable): Generator<DaySetRow> {
  const { snapshotId, transit } = timetable;
  const seen = new Set<number>();
  for (const [trip, id] of transit.tripDays.entries()) {
    if (seen.has(id)) continue;
    seen.add(id);
    yield { snapshotId, id, days: stretchesOf(transit.activeDays(trip as TripIndex)) };
  }
}

function daysOfTrips({ transit }: Timetable): (trip: TripIndex) => readonly number[] {
  const known = new Map<number | undefined, readonly number[]>();
  return (trip) => {
    const set = transit.tripDays[trip];
    const days = known.get(set) ?? stretchesOf(transit.activeDays(trip));
    known.set(set, days);
    return days;
  };
}

function distancesOf(pattern: JourneyPattern): readonly number[] {
  let metres = 0;
  return pattern.stops.map((_, position) => {
    if (position > 0) metres += pattern.hop(position - 1).distanceMetres;
    return Math.round(metres);
  });
}

function tripRow({ transit }: Timetable, trip: TripIndex): TripRow {
  const route = transit.routeOf(trip);
  const stops = (transit.routeStopsStart[route + 1] ?? 0) - (transit.routeStopsStart[route] ?? 0);
  const positions = Array.from({ length: stops }, (_, position) => position);
  return {
    arrivals: positions.map((position) => transit.arrivalAt(trip, position)),
    departures: positions.map((position) => transit.departureAt(trip, position)),
  };
}

/** Ascending days as first and last of each unbroken interval. */
export function stretchesOf(days: readonly ServiceDay[]): readonly number[] {
  const stretches: number[] = [];
  for (const day of days) {
    if (stretches.at(-1) === day - 1) stretches[stretches.length - 1] = day;
    else stretches.push(day, day);
  }
  return stretches;
}
