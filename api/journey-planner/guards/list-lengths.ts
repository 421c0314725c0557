/**
 * How long the lists of a timetable are on average: counted where it knows, else measured on a few things spread over all. Found when
 * first asked for, once per snapshot. Called by `expected-items.ts`. A list not named here is short, or of a size that is not known.
 */
import type { Timetable } from '../../../planner/index.ts';
import type { Entities } from '../../../planner/model/catalogue.ts';
import type { StopIndex } from '../../../planner/model/indices.ts';
import { MAX_LIST } from '../resolvers/lists.ts';

/** By `Type.field`; the field may also be of one thing, which is there or not. */
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

/** The stops of a board by its `Type.field`; its length is what is asked for, as far as that much calls there within a day. */
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

/** Whether anything is known of a field's length. */
export function isMeasured(name: string): boolean {
  return Object.hasOwn(MEASURES, name) || Object.hasOwn(BOARDS, name);
}

export function isBoard(name: string): boolean {
  return Object.hasOwn(BOARDS, name);
}

/** 0 where nothing is known. */
export function meanLength(name: string, timetable: Timetable): number {
  const { lists } = lengthsOf(timetable);
  let length = lists.get(name);
  if (length === undefined) {
    const measured = MEASURES[name]?.(timetable) ?? 0;
    // Of nothing there is no mean.
    length = Number.isFinite(measured) ? Math.min(measured, MAX_LIST) : 0;
    lists.set(name, length);
  }
  return length;
}

/** Of a board of so many calls; `now` in seconds since 1970 UTC. */
export function meanBoard(name: string, asked: number, timetable: Timetable, now: number): number {
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
  return counts.reduce((sum, count) => sum + Math.min(count, asked), 0) / Math.max(1, counts.length);
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

/** Spread over all, so that no part of the country speaks for the rest. */
function sample<Kind>(entities: Entities<Kind, never>): readonly Kind[] {
  const count = Math.min(SAMPLES, entities.count);
  return Array.from({ length: count }, (_, at) => entities.at(Math.floor((at * entities.count) / count) as never));
}
