/**
 * The activities of `plannerBuild` and of the step PLANNER_BUILD of an import: types only, implemented in
 * `activities/timetable`. Every function may run twice and two at once, with the same effect as one run.
 */
import type { DatasetImportInput } from './messages.ts';

/** One build of a snapshot, numbered in the order in which builds looked at what is published. */
export interface PlannerBuildInput {
  readonly build: number;
}

/** `UNCHANGED`: the snapshot in use was built from this very input. */
export type PlannedBuild = { readonly outcome: 'UNCHANGED' } | ({ readonly outcome: 'PLANNED' } & PlannerBuildInput);

export interface BuildFailure {
  readonly errorCode: 'SYSTEM_ERROR' | 'CANCELLED';
  /** For operators, in the build's record; senders of archives read a text of ours. */
  readonly reason: string;
}

/** On the queue `planner-build`: one write or read of the database each, run as local activities. */
export interface PlannerBuildRecords {
  /** How long no further change may come before a build begins, and how long it may be put off altogether. */
  plannerSettings(): Promise<{ readonly quietMs: number; readonly longestMs: number }>;
  /** Notes what is published now under a new number, unless the snapshot in use is of it. */
  planPlannerBuild(): Promise<PlannedBuild>;
  /**
   * The snapshot of this build becomes the one in use, in one write. `NOT_NEWER`: that of a later build is in use already.
   */
  publishSnapshot(input: PlannerBuildInput): Promise<'PUBLISHED' | 'NOT_NEWER'>;
  failPlannerBuild(input: PlannerBuildInput, failure: BuildFailure): Promise<void>;
}

/** On the queue `planner-build`: long, with heartbeats. */
export interface PlannerBuildActivities {
  /** Reads every published original and the stop register, and stores the snapshot and the build's report. */
  buildSnapshot(input: PlannerBuildInput): Promise<{ readonly snapshotId: string; readonly sizeBytes: number }>;
  /** Writes the service journeys of the snapshot, their days and calls, where other areas look them up. */
  storeJourneys(input: PlannerBuildInput): Promise<{ readonly journeys: number }>;
  /** Signals the imports that wait for a build, which then check whether it holds their version. */
  wakeImports(): Promise<void>;
  /** Deletes snapshots, with their journeys, that no planner process can be using any more. */
  removeOldSnapshots(): Promise<void>;
}

/** The state of the build that an import waits for. */
export type PlannerBuildState =
  | { readonly state: 'WAITING' | 'WITHDRAWN' }
  | { readonly state: 'BUILT'; readonly build: number; readonly snapshotId: string }
  | { readonly state: 'FAILED'; readonly build: number };

/** Activities of the import's step; on the queue `timetable`, run as local activities. */
export interface PlannerStepRecords {
  /** Signals `plannerBuild` that the input has changed. `OFF`: this installation has no planner. */
  requestPlannerBuild(input: DatasetImportInput): Promise<'REQUESTED' | 'OFF'>;
  checkPlannerBuild(input: DatasetImportInput): Promise<PlannerBuildState>;
}
