/**
 * What a file says that others join to: which quay a stop point is, where a link runs, what a display reads, on which days
 * a day type is in force. Of one file while it is validated, of all common files together for the line files.
 */
import type { NotedPlace } from '../rules/finding-list.ts';

/** PassengerStopAssignment or FlexibleStopAssignment; where a stop point has several, the first that names a quay. */
export interface StopAssignment {
  readonly quayRef: string | undefined;
  readonly stopPlaceRef: string | undefined;
  readonly flexibleStopPlaceRef: string | undefined;
}

/** Degrees, WGS 84. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** The place is that of the element in its own file: only meaningful for links of the file under validation. */
export interface ServiceLink extends NotedPlace {
  readonly id: string;
  readonly fromPointRef: string | undefined;
  readonly toPointRef: string | undefined;
  /** The Distance element. */
  readonly distanceMetres: number | undefined;
  /** First and last position of the LineString; undefined when there is none, or it cannot be read. */
  readonly start: Position | undefined;
  readonly end: Position | undefined;
}

export type DayTypeAssignment =
  /** A day, counted from 1970-01-01. */
  | { readonly day: number; readonly isAvailable: boolean }
  /** First and last day, with the weekdays on which it holds: bit 0 is Monday; 127 when the day type says none. */
  | { readonly fromDay: number; readonly toDay: number; readonly weekdays: number; readonly isAvailable: boolean };

/** Looks facts up by id. Made by `FactsBuilder`; `CommonFacts.open` reads those of the common files. */
export interface TimetableFacts {
  findStopAssignment(scheduledStopPointRef: string): StopAssignment | undefined;
  findServiceLink(id: string): ServiceLink | undefined;
  findDestinationDisplay(id: string): string | undefined;
}
