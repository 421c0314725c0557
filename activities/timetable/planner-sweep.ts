/**
 * Starts the planner build when the snapshot in use was not built from what is published now. Either a process crashed
 * between its publication or withdrawal and its signal, or Temporal lost its storage. Caller: the planner worker, every
 * few seconds.
 */
import type { Logger } from '../../platform/log.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { startPlannerBuild } from './planner-build-start.ts';
import type { PlannerBuildStore } from './planner-build-store.ts';
import type { PlannerInputStore } from './planner-input.ts';
import { isSnapshotCurrent } from './snapshot-in-use.ts';

/** Status for metrics. */
export interface PlannerStatus {
  /** Published versions that the snapshot in use leaves out. */
  readonly leftOut: number;
  /** 0 before the first build. */
  readonly publishedBuild: number;
  /** True when the snapshot in use matches the published versions. */
  readonly isCurrent: boolean;
}

export interface PlannerSweepDependencies {
  readonly inputs: PlannerInputStore;
  readonly builds: PlannerBuildStore;
  readonly temporal: TemporalClient;
  readonly log: Logger;
  readonly onStatus?: (status: PlannerStatus) => void;
  readonly now?: () => Date;
}

/** A failed build mostly fails again, but a newer release or a repaired disk may help. */
const RETRY_FAILED_MS = 10 * 60_000;

/** True when it has requested a build. */
export async function sweepPlanner(dependencies: PlannerSweepDependencies): Promise<boolean> {
  const { inputs, builds, temporal, log, now = () => new Date() } = dependencies;
  const input = await inputs.read();
  const isCurrent = await isSnapshotCurrent(inputs, builds, input);
  const publishedBuild = (await builds.findPointer())?.build ?? 0;
  dependencies.onStatus?.({ leftOut: (await builds.listLeftOut()).length, publishedBuild, isCurrent });
  if (isCurrent) return false;
  const { hash, sources } = input;
  const failedAt = await builds.findLastFailure(hash);
  if (failedAt && failedAt.getTime() > now().getTime() - RETRY_FAILED_MS) return false;
  await startPlannerBuild(temporal);
  log.debug({ inputHash: hash, sources: sources.length }, 'asked for a planner build');
  return true;
}
