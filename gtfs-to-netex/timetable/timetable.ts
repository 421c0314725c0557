/**
 * The source of the NeTEx files: lines with patterns and journeys, stop places with quays, calendars, interchanges,
 * path links. Plain data. Callers: build-timetable.ts makes it, the XML modules write it.
 */
import type { Agency, Feed, Frequency, Route } from '../feed/feed.ts';
import type { LineMode } from './modes.ts';
import type { ServiceDays } from './service-days.ts';
import type { StopPositions } from './stop-positions.ts';

export interface Pattern {
  /** Follows the line's key in its ids; from 1. */
  readonly number: number;
  readonly direction: number;
  /** Indexes of stops. */
  readonly stops: Int32Array;
  /** As Calls.rules. */
  readonly rules: Uint8Array;
  /** Indexes of texts, −1 where the display does not change. */
  readonly displays: Int32Array;
  /** The shape that most of its trips refer to (−1 for none), and one of these trips. */
  shape: number;
  shapeTrip: number;
  readonly trips: number[];
}

export interface Line {
  /** Last part of its id. */
  readonly key: string;
  /** Names its file: numbered from 1, in the order of the feed. */
  readonly number: number;
  readonly route: Route;
  readonly name: string;
  readonly mode: LineMode;
  readonly patterns: readonly Pattern[];
  readonly interchanges: readonly Interchange[];
}

export interface Interchange {
  readonly fromTrip: number;
  readonly toTrip: number;
  /** Indexes of stops. */
  readonly fromStop: number;
  readonly toStop: number;
  readonly staySeated: boolean;
}

export interface QuayPlan {
  readonly stop: number;
  readonly key: string;
  readonly latitude: number;
  readonly longitude: number;
}

export interface StopPlacePlan {
  readonly key: string;
  /** Index of its source: a station, or a stop without a station. */
  readonly stop: number;
  /** Undefined when several modes stop there, and for the parent of several. */
  readonly mode: string | undefined;
  readonly parentKey: string | undefined;
  readonly isParent: boolean;
  readonly latitude: number;
  readonly longitude: number;
  readonly quays: readonly QuayPlan[];
}

export interface PathLink {
  readonly key: string;
  /** `Quay:7` or `StopPlace:3`: kind and last part of the id. */
  readonly from: string;
  readonly to: string;
  readonly metres: number | undefined;
  readonly seconds: number;
  readonly isBothWays: boolean;
}

export interface CalendarEntry {
  readonly key: string;
  readonly serviceId: string;
  readonly days: ServiceDays;
}

/** One of the journeys that a trip becomes. */
export interface JourneyVersion {
  readonly dayType: string;
  /** Follows the trip's key in ids; empty for most days. */
  readonly suffix: string;
  /** Seconds to add to the trip's times. */
  readonly shift: number;
}

export interface AgencyPlan {
  readonly key: string;
  readonly agency: Agency;
  readonly url: string;
}

export interface Timetable {
  readonly feed: Feed;
  readonly positions: StopPositions;
  readonly agencies: readonly AgencyPlan[];
  readonly lines: readonly Line[];
  /** Services that a journey uses, by index of the service; undefined for the others. */
  readonly calendar: readonly (CalendarEntry | undefined)[];
  /** Day types of parts of services: with and without the nights on which the clock changes. */
  readonly partCalendar: readonly CalendarEntry[];
  readonly firstDay: number;
  readonly lastDay: number;
  readonly stopPlaces: readonly StopPlacePlan[];
  readonly pathLinks: readonly PathLink[];
  /** By index of the stop: last part of the ids of its quay and of its stop point; undefined when it has none. */
  readonly quayKeys: readonly (string | undefined)[];
  readonly pointKeys: readonly (string | undefined)[];
  /** Indexes of texts that displays show. */
  readonly displays: readonly number[];
  /** By trip. */
  readonly journeyKeys: readonly string[];
  /** Departures that replace the trip's own, by trip. */
  readonly frequencies: ReadonlyMap<number, readonly Frequency[]>;
  /** The journeys that a departure of a trip becomes: one, or more for nights on which the clock changes. */
  versionsOf(trip: number, departure: number): readonly JourneyVersion[];
}

/** For a trip by frequency: each departure, and its offset from the trip's own times. */
export function departuresOf(
  { first, departure }: Pick<Feed['calls'], 'first' | 'departure'>,
  frequencies: readonly Frequency[],
  trip: number,
): { start: number; shift: number }[] {
  const own = departure[first[trip] as number] as number;
  const starts = new Set<number>();
  for (const { from, to, headway } of frequencies)
    for (let start = from; start < to; start += headway) starts.add(start);
  return [...starts].sort((a, b) => a - b).map((start) => ({ start, shift: start - own }));
}
