/**
 * Mean lengths of a timetable's lists. Some are known counts; the others are measured on a sample. They are computed at
 * first use, once per snapshot. A list without an entry here is short, or its size is unknown. Caller:
 * `expected-items.ts`.
 */
import type { Timetable } from '../../../planner/index.ts';
import type { Entities } from '../../../planner/model/catalogue.ts';
import type { StopIndex } from '../../../planner/model/indices.ts';
import { MAX_LIST } from '../resolvers/lists.ts';

/** Measures by `Type.field`. The field may also be a single optional object. */
type Measure = (timetable: Timetable) => number;

const SAMPLES = 40;
const DAY_SECONDS = 86_400;
const MOST_CALLS = 500;

const journeyStops: Measure = ({ catalogue }) =>
  mean(catalogue.serviceJourneys, ({ pattern }) => catalogue.journeyPatterns.at(pattern).stops.length);
const linesPerAuthority: Measure = ({ catalogue }) => catalogue.lines.count / catalogue.authorities.count;
const patternStops: Measure = ({ catalogue }) => mean(catalogue.journeyPatterns, ({ stops }) => stops.length);

const MEASURES: Readonly<Record<string, Measure>> = {
  'Authority.lines': linesPerAuthority,
  'DatedServiceJourney.estimatedCalls': journeyStops,
  'DatedServiceJourney.quays': journeyStops,
  'GroupOfLines.lines': ({ catalogue }) =>
    mean(catalogue.groupsOfLines, ({ index }) => catalogue.linesOfGroup(index).length),
  'JourneyPattern.quays': patternStops,
  'JourneyPattern.serviceJourneys': ({ catalogue }) =>
    catalogue.serviceJourneys.count / catalogue.journeyPatterns.count,
  'JourneyPattern.stopToStopGeometries': patternStops,
  'Line.journeyPatterns': ({ catalogue }) => catalogue.journeyPatterns.count / catalogue.lines.count,
  'Line.quays': ({ catalogue }) =>
    mean(catalogue.lines, ({ index }) => {
      const stops = catalogue.patternsOfLine(index).flatMap((pattern) => catalogue.journeyPatterns.at(pattern).stops);
      return new Set(stops.map(({ stop }) => stop)).size;
    }),
  'Line.serviceJourneys': ({ catalogue }) => catalogue.serviceJourneys.count / catalogue.lines.count,
  'Operator.lines': ({ catalogue }) => catalogue.lines.count / catalogue.operators.count,
  'Operator.serviceJourney': ({ catalogue }) => catalogue.serviceJourneys.count / catalogue.operators.count,
  'Organisation.lines': linesPerAuthority,
  'Quay.journeyPatterns': ({ catalogue }) =>
    mean(catalogue.quays, ({ index }) => catalogue.patternsOfStop(index).length),
  'Quay.lines': ({ catalogue }) =>
    mean(
      catalogue.quays,
      ({ index }) =>
        new Set(catalogue.patternsOfStop(index).map((pattern) => catalogue.journeyPatterns.at(pattern).line)).size,
    ),
  'ServiceJourney.activeDates': ({ catalogue, transit }) =>
    mean(catalogue.serviceJourneys, ({ index }) => {
      const [trip] = transit.tripsOfJourney(index);
      return trip === undefined ? 0 : transit.activeDays(trip).length;
    }),
  'ServiceJourney.estimatedCalls': ({ catalogue, transit }) =>
    mean(catalogue.serviceJourneys, ({ index, pattern }) => {
      const [trip] = transit.tripsOfJourney(index);
      const days = trip === undefined ? 0 : transit.activeDays(trip).length;
      return (catalogue.journeyPatterns.at(pattern).stops.length * days) / transit.dayCount;
    }),
  'ServiceJourney.passingTimes': journeyStops,
  'ServiceJourney.quays': journeyStops,
  'StopPlace.parent': ({ catalogue }) => mean(catalogue.stopPlaces, ({ parent }) => (parent === undefined ? 0 : 1)),
  'StopPlace.quays': ({ catalogue }) =>
    mean(catalogue.stopPlaces, ({ index }) => catalogue.quaysOf(index, true).length),
};

/**
 * The stops of a board by its `Type.field`. The length of a board is the requested number, or fewer if fewer calls
 * occur within a day.
 */
const BOARDS: Readonly<Record<string, (timetable: Timetable) => readonly (readonly StopIndex[])[]>> = {
  'Quay.estimatedCalls': ({ catalogue }) => sample(catalogue.quays).map(({ index }) => [index]),
  'StopPlace.estimatedCalls': ({ catalogue }) =>
    sample(catalogue.stopPlaces).map(({ index }) => catalogue.quaysOf(index, true)),
};

interface Lengths {
  readonly lists: Map<string, number>;
  readonly boards: Map<string, readonly number[]>;
}

const bySnapshot = new WeakMap<Timetable, Lengths>();

/** Whether this module estimates the field's length. */
export function isMeasured(name: string): boolean {
  return Object.hasOwn(MEASURES, name) || Object.hasOwn(BOARDS, name);
}

export function isBoard(name: string): boolean {
  return Object.hasOwn(BOARDS, name);
}

/** Returns 0 for a field without an estimate. */
export function meanLength(name: string, timetable: Timetable): number {
  const { lists } = lengthsOf(timetable);
  let length = lists.get(name);
  if (length === undefined) {
    const measured = MEASURES[name]?.(timetable) ?? 0;
    // The mean of an empty sample is NaN.
    length = Number.isFinite(measured) ? Math.min(measured, MAX_LIST) : 0;
    lists.set(name, length);
  }
  return length;
}

/** Returns the mean length of a board with `requested` calls. `now` is in seconds since 1970 UTC. */
export function meanBoard(name: string, requested: number, timetable: Timetable, now: number): number {
  const { boards } = lengthsOf(timetable);
  let counts = boards.get(name);
  if (!counts) {
    const shared = { from: now, rangeSeconds: DAY_SECONDS, maximumCalls: MOST_CALLS, kind: 'departures' } as const;
    const all = { maximumPerLineAndDestination: undefined, accepts: undefined };
    counts = (BOARDS[name]?.(timetable) ?? []).map(
      (stops) => timetable.boards.calls({ stops, ...shared, ...all }).length,
    );
    boards.set(name, counts);
  }
  return counts.reduce((sum, count) => sum + Math.min(count, requested), 0) / Math.max(1, counts.length);
}

function lengthsOf(timetable: Timetable): Lengths {
  let lengths = bySnapshot.get(timetable);
  if (!lengths) {
    lengths = { lists: new Map(), boards: new Map() };
    bySnapshot.set(timetable, lengths);
  }
  return lengths;
}

function mean<Kind>(entities: Entities<Kind, never>, measure: (item: Kind) => number): number {
  const items = sample(entities);
  return items.reduce((sum, item) => sum + measure(item), 0) / items.length;
}

/** Spreads the sample over all entities, so that it represents the whole country. */
function sample<Kind>(entities: Entities<Kind, never>): readonly Kind[] {
  const count = Math.min(SAMPLES, entities.count);
  return Array.from({ length: count }, (_, at) => entities.at(Math.floor((at * entities.count) / count) as never));
}
