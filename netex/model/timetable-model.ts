/**
 * The timetable of one file as rules see it after the last element: the content of several frames, joined.
 *
 * Callers: model checks (model-check.ts). Built by `collector.ts` in the single pass, never from a tree of the file.
 * References are looked up in the file first, then in the common files. Every element below can be given to
 * `run.report` as the place of a finding.
 */
import type { NotedPlace } from '../rules/finding-list.ts';
import type { Calendar } from './calendar.ts';
import type { PlacedServiceLink, ServiceLink, StopAssignment } from './facts.ts';
import type { PassingTimes } from './passing-times.ts';

/** An element of the file with its place and id (empty without one). */
export interface ModelElement extends NotedPlace {
  readonly id: string;
}

export interface Line extends ModelElement {
  readonly name: string | undefined;
  readonly transportMode: string | undefined;
  /** The value inside TransportSubmode, e.g. `localBus`. */
  readonly transportSubmode: string | undefined;
}

export interface StopPointInJourneyPattern extends ModelElement {
  /** As written; sorts the stops. */
  readonly order: number;
  readonly scheduledStopPointRef: string | undefined;
  /** Undefined when absent, which means allowed. */
  readonly forBoarding: boolean | undefined;
  readonly forAlighting: boolean | undefined;
  readonly destinationDisplayRef: string | undefined;
}

export interface ServiceLinkInJourneyPattern extends ModelElement {
  readonly order: number;
  readonly serviceLinkRef: string | undefined;
}

export interface JourneyPattern extends ModelElement {
  readonly kind: 'JourneyPattern' | 'ServiceJourneyPattern';
  readonly routeRef: string | undefined;
  /** Sorted by order, without TimingPointInJourneyPattern and other kinds of points. */
  readonly stops: readonly StopPointInJourneyPattern[];
  /** Sorted by order; empty when the pattern has no links. */
  readonly links: readonly ServiceLinkInJourneyPattern[];
}

/** Its passing times are `firstTime` … `firstTime + timeCount - 1`. */
export interface ServiceJourney extends ModelElement {
  readonly dayTypeRefs: readonly string[];
  readonly firstTime: number;
  readonly timeCount: number;
  /** Looked up in the file; undefined also when no file has the pattern. */
  readonly pattern: JourneyPattern | undefined;
  /** LineRef or FlexibleLineRef of the journey itself. */
  readonly lineRef: string | undefined;
  /** The journey's own value only; `transportModeOf` includes the line's. */
  readonly transportMode: string | undefined;
  readonly transportSubmode: string | undefined;
  readonly serviceAlteration: string | undefined;
}

/** A run without passengers. */
export interface DeadRun extends ModelElement {
  readonly pattern: JourneyPattern | undefined;
}

export interface DatedServiceJourney extends ModelElement {
  readonly serviceJourneyRef: string | undefined;
  readonly operatingDayRef: string | undefined;
  readonly serviceAlteration: string | undefined;
  /** The dated journeys that it replaces. */
  readonly replacedRefs: readonly string[];
}

export interface ServiceJourneyInterchange extends ModelElement {
  readonly fromPointRef: string | undefined;
  readonly toPointRef: string | undefined;
  readonly fromJourneyRef: string | undefined;
  readonly toJourneyRef: string | undefined;
  readonly fromVisitNumber: number | undefined;
  readonly toVisitNumber: number | undefined;
}

export interface TimetableModel {
  readonly lines: readonly Line[];
  readonly journeyPatterns: readonly JourneyPattern[];
  readonly serviceJourneys: readonly ServiceJourney[];
  /**
   * Passing times of ServiceJourneys. They follow the pattern's stops when each time of a journey refers to one of
   * them.
   */
  readonly passingTimes: PassingTimes;
  readonly deadRuns: readonly DeadRun[];
  readonly datedServiceJourneys: readonly DatedServiceJourney[];
  readonly interchanges: readonly ServiceJourneyInterchange[];
  /** Links of this file, each with its place. */
  readonly serviceLinks: readonly PlacedServiceLink[];
  readonly calendar: Calendar;

  findDatedServiceJourney(ref: string): DatedServiceJourney | undefined;

  /** By its route, else the file's only line. */
  findLineOfPattern(pattern: JourneyPattern): Line | undefined;
  /** The journey's own mode, else its line's. */
  transportModeOf(journey: ServiceJourney): string | undefined;
  transportSubmodeOf(journey: ServiceJourney): string | undefined;

  /** Searches the file first, then the common files. */
  findStopAssignment(scheduledStopPointRef: string): StopAssignment | undefined;
  findServiceLink(serviceLinkRef: string): ServiceLink | undefined;

  /** The place of a passing time, with the id of its journey. */
  placeOfTime(journey: ServiceJourney, index: number): NotedPlace;
}
