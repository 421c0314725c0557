/**
 * The planner's door, for the API, the importer and tests: build a snapshot, open it, ask it.
 * Everything else in this folder is private to it, its types excepted.
 */
export type { BuildReport, BuiltSnapshot, SnapshotOptions, TimetableBuilder } from './build/input.ts';
export type { Timetable } from './model/timetable.ts';
