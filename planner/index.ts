/**
 * The planner's public interface for the API, the importer and tests: build a snapshot, open it, query it. Everything
 * else in this folder is private, except for its types.
 */
export type { BuildReport, BuiltSnapshot, SnapshotOptions, TimetableBuilder } from './build/input.ts';
export { isTimeZone } from './build/time-zones.ts';
export { createTimetableBuilder } from './build/timetable-builder.ts';
export type { Timetable } from './model/timetable.ts';
export { openTimetable } from './open-timetable.ts';
export { SnapshotError, type SnapshotErrorCode } from './snapshot/snapshot-error.ts';
export {
  createTripPlanner,
  type TripPlannerOptions,
  type TripPlannerProcess,
  type TripPlannerStats,
} from './threads/create-trip-planner.ts';
export { TripSearchFailure, type TripSearchFailureCode } from './trip/trip-search-failure.ts';
export type { TripAnswer, TripPlanner, TripRequest } from './trip/trip-types.ts';
