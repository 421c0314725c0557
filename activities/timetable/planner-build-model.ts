/**
 * The documents of planner builds, and their collections. Callers: the stores of planner builds; nothing else opens the
 * collections.
 */
import type { BuildReport } from '../../planner/index.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import type { BuildFailure } from '../../workflows/timetable/planner-build-activities.ts';
import type { SignedSnapshot, SnapshotStatement } from '../shared/snapshot-signature.ts';
import type { LeftOutVersion } from './left-out-version.ts';
import type { ImportReport } from './planner-import/import-types.ts';
import type { PlannerSource } from './planner-input.ts';

export type BuiltFile = Pick<SnapshotStatement, 'snapshotId' | 'sha256' | 'sizeBytes'>;

export interface PlannerBuildReport extends BuildReport {
  readonly imported: ImportReport;
  readonly durationMs: number;
}

/** `keyId` and `signature` with the file: the record may have been changed since. */
export interface PlannerBuild extends Partial<Omit<SignedSnapshot, 'build' | 'inputHash'>> {
  readonly _id: number;
  readonly state: 'PLANNED' | 'BUILT' | 'PUBLISHED' | 'FAILED';
  readonly plannedAt: Date;
  readonly inputHash: string;
  /** The planned sources; `usedSources` has those that it was made from. */
  readonly sources: readonly PlannerSource[];
  /** Recorded when it is found, so an attempt after a crash does not search again. */
  readonly leftOut?: readonly LeftOutVersion[];
  readonly report?: PlannerBuildReport;
  readonly endedAt?: Date;
  readonly errorCode?: BuildFailure['errorCode'];
  readonly reason?: string;
  /** Attempts that have begun and not ended: they run, or their process died. */
  readonly attempts?: number;
  /** The snapshot and its journeys are deleted, or about to be. */
  readonly removedAt?: Date;
}

export const PLANNER_BUILDS = new CollectionDefinition<PlannerBuild>('planner_builds', [
  { name: 'snapshots', key: { snapshotId: 1 }, sparse: true },
  { name: 'endings', key: { state: 1, endedAt: -1 } },
]);

/** The last number given to a build. */
export const PLANNER_NUMBERS = new CollectionDefinition<{ readonly _id: 'builds'; readonly last: number }>(
  'planner_numbers',
);
