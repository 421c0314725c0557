/** The rows of a snapshot for planner-journey-store.ts, read from the snapshot's catalogue. Pure. */
import type { Timetable } from '../../planner/index.ts';
import type { JourneyPatternIndex, ServiceDay, ServiceJourneyIndex, TripIndex } from '../../planner/model/indices.ts';

export interface PatternRow {
  readonly snapshotId: string;
  readonly id: string;
  readonly lineId: string;
  readonly authorityId: string;
  /** IANA name; times of its journeys count from noon less 12 hours there. */
  readonly timeZone: string;
  readonly quayIds: readonly string[];
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
  readonly patternId: string;
  readonly lineId: string;
  readonly operatorId?: string;
  /** One row, or one for each departure of a frequency journey. */
  readonly trips: readonly TripRow[];
  /** Service days that all of them run, as days since 1970-01-01, in intervals: first, last, first, last … */
  readonly days: readonly number[];
  readonly dated?: readonly DatedRow[];
}

export function* patternRows({ snapshotId, catalogue }: Timetable): Generator<PatternRow> {
  for (let index = 0; index < catalogue.journeyPatterns.count; index++) {
    const pattern = catalogue.journeyPatterns.at(index as JourneyPatternIndex);
    const line = catalogue.lines.at(pattern.line);
    const authority = catalogue.authorities.at(line.authority);
    const where = (allowed: 'forBoarding' | 'forAlighting') =>
      pattern.stops.flatMap((stop, position) => (stop[allowed] ? [] : [position]));
    yield {
      snapshotId,
      id: pattern.id,
      lineId: line.id,
      authorityId: authority.id,
      timeZone: authority.timeZone,
      quayIds: pattern.stops.map(({ stop }) => catalogue.quays.at(stop).id),
      noBoarding: where('forBoarding'),
      noAlighting: where('forAlighting'),
    };
  }
}

export function* serviceJourneyRows(timetable: Timetable): Generator<ServiceJourneyRow> {
  const { snapshotId, catalogue, transit } = timetable;
  for (let at = 0; at < catalogue.serviceJourneys.count; at++) {
    const index = at as ServiceJourneyIndex;
    const { id, pattern, line, operator } = catalogue.serviceJourneys.at(index);
    const trips = transit.tripsOfJourney(index);
    const dated = catalogue.datedJourneysOf(index).map((each) => {
      const { id: datedId, day, alteration } = catalogue.datedServiceJourneys.at(each);
      return { id: datedId, day, ...(alteration !== undefined && { alteration }) };
    });
    yield {
      snapshotId,
      id,
      patternId: catalogue.journeyPatterns.at(pattern).id,
      lineId: catalogue.lines.at(line).id,
      ...(operator !== undefined && { operatorId: catalogue.operators.at(operator).id }),
      trips: trips.map((trip) => tripRow(timetable, trip)),
      days: trips[0] === undefined ? [] : stretchesOf(transit.activeDays(trips[0])),
      ...(dated.length > 0 && { dated }),
    };
  }
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
