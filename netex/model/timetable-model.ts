/**
 * The timetable of one file as rules see it after its last element: what is spread over frames, joined.
 *
 * Callers: model checks (model-check.ts). Collected by `collector.ts` in the one pass; never a tree of the file. References are
 * looked up in the file first, then in the common files. Every element below can be given to `run.report` as the place of
 * a finding.
 */
import type { NotedPlace } from '../rules/finding-list.ts';
import type { Calendar } from './calendar.ts';
import type { PlacedServiceLink, ServiceLink, StopAssignment } from './facts.ts';
import type { PassingTimes } from './passing-times.ts';

/** An element of the file: where it is, and its id (empty when it has none). */
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
  /** As written; stops are sorted by it. */
  readonly order: number;
  readonly scheduledStopPointRef: string | undefined;
  /** Undefined: not said, which means allowed. */
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
  /** By order. TimingPointInJourneyPattern and other kinds of points are left out. */
  readonly stops: readonly StopPointInJourneyPattern[];
  /** By order; empty when the pattern names no links. */
  readonly links: readonly ServiceLinkInJourneyPattern[];
}

/** Its passing times are `firstTime` … `firstTime + timeCount - 1`. */
export interface ServiceJourney extends ModelElement {
  readonly dayTypeRefs: readonly string[];
  readonly firstTime: number;
  readonly timeCount: number;
  /** Looked up in the file; undefined also when the pattern is in no file. */
  readonly pattern: JourneyPattern | undefined;
  /** LineRef or FlexibleLineRef of the journey itself. */
  readonly lineRef: string | undefined;
  /** Own values only: see `transportModeOf`. */
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
  /** The dated journeys that this one replaces. */
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
  /** Of ServiceJourneys; in the order of the pattern's stops where all of a journey's times name one of them. */
  readonly passingTimes: PassingTimes;
  readonly deadRuns: readonly DeadRun[];
  readonly datedServiceJourneys: readonly DatedServiceJourney[];
  readonly interchanges: readonly ServiceJourneyInterchange[];
  /** Defined in this file, each with its place. */
  readonly serviceLinks: readonly PlacedServiceLink[];
  readonly calendar: Calendar;

  findDatedServiceJourney(ref: string): DatedServiceJourney | undefined;

  /** By its route, else the only line of the file. */
  findLineOfPattern(pattern: JourneyPattern): Line | undefined;
  /** The journey's own, else its line's. */
  transportModeOf(journey: ServiceJourney): string | undefined;
  transportSubmodeOf(journey: ServiceJourney): string | undefined;

  /** In the file first, then in the common files. */
  findStopAssignment(scheduledStopPointRef: string): StopAssignment | undefined;
  findServiceLink(serviceLinkRef: string): ServiceLink | undefined;

  /** The place of a passing time, with the id of its journey. */
  placeOfTime(journey: ServiceJourney, index: number): NotedPlace;
}
