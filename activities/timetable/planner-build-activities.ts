/**
 * The activities of `plannerBuild`, on the queue `planner-build`. Each has the same result however often it runs, and
 * two at once are harmless. Builds are numbered, snapshots are named by their content, and unique indexes guard the
 * rows.
 */
import type { ArchiveLimits } from '../../netex/zip/index.ts';
import { openTimetable } from '../../planner/index.ts';
import type { Logger } from '../../platform/log.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { withHeartbeat } from '../../platform/temporal/heartbeat.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { handleOf } from '../../platform/temporal/workflow-calls.ts';
import {
  datasetImportWorkflow,
  datasetImportWorkflowId,
  plannerBuiltSignal,
} from '../../workflows/timetable/messages.ts';
import type {
  PlannerBuildActivities,
  PlannerBuildRecords,
} from '../../workflows/timetable/planner-build-activities.ts';
import { plannerSnapshotKey } from '../shared/planner-snapshot.ts';
import { fetchSnapshot } from '../shared/planner-snapshot-file.ts';
import { isDigest } from '../shared/snapshot-signature.ts';
import { giveUp, guardActivities } from './activity-guard.ts';
import type { PlannerBuildStore } from './planner-build-store.ts';
import { SnapshotThreadError } from './planner-build-thread.ts';
import type { PlannerInputStore } from './planner-input.ts';
import type { PlannerJourneyStore } from './planner-journey-store.ts';
import { makeSnapshotOf } from './planner-snapshot-build.ts';
import { isSnapshotCurrent } from './snapshot-in-use.ts';

export interface PlannerBuildDependencies {
  readonly objects: ObjectStore;
  readonly inputs: PlannerInputStore;
  readonly builds: PlannerBuildStore;
  readonly journeys: PlannerJourneyStore;
  readonly temporal: TemporalClient;
  readonly archiveLimits: ArchiveLimits;
  readonly log: Logger;
  readonly now?: () => Date;
}

/** A steady stream of changes delays a build by at most this many quiet times. */
const LONGEST_QUIET_TIMES = 6;
/**
 * Counted from its replacement: longer than a planner process takes to follow the pointer, or a caller to return with
 * an id.
 */
const SNAPSHOTS_KEPT_MS = 24 * 60 * 60_000;
const RECORDS_KEPT_MS = 30 * 24 * 60 * 60_000;
const REMOVALS = 20;
const WOKEN_AT_ONCE = 200;

export function createPlannerBuildRecords({
  inputs,
  builds,
  quietMs,
}: Pick<PlannerBuildDependencies, 'inputs' | 'builds'> & { readonly quietMs: number }): PlannerBuildRecords {
  return guardActivities<PlannerBuildRecords>({
    async plannerSettings() {
      return { quietMs, longestMs: quietMs * LONGEST_QUIET_TIMES };
    },

    async planPlannerBuild() {
      const build = await builds.nextNumber();
      const input = await inputs.read();
      if (await isSnapshotCurrent(inputs, builds, input)) return { outcome: 'UNCHANGED' };
      await builds.plan(build, input);
      return { outcome: 'PLANNED', build };
    },

    publishSnapshot: ({ build }) => builds.publish(build),
    failPlannerBuild: ({ build }, failure) => builds.fail(build, failure),
  });
}

export function createPlannerBuildActivities(dependencies: PlannerBuildDependencies): PlannerBuildActivities {
  const { inputs, log } = dependencies;
  return guardActivities<PlannerBuildActivities>({
    buildSnapshot: ({ build }) =>
      withHeartbeat(async (signal, noteProgress) => {
        const { snapshotId, sizeBytes } = await buildSnapshot(dependencies, build, signal, noteProgress);
        log.info({ build, snapshotId, sizeBytes }, 'built a planner snapshot');
        return { snapshotId, sizeBytes };
      }),

    storeJourneys: ({ build }) => withHeartbeat((signal) => storeJourneys(dependencies, build, signal)),

    wakeImports: () =>
      withHeartbeat(async () => {
        for (const waiting of await inputs.listWaiting(WOKEN_AT_ONCE)) await wake(dependencies, waiting);
      }),

    removeOldSnapshots: () => withHeartbeat((signal) => removeOldSnapshots(dependencies, signal)),
  });
}

async function buildSnapshot(
  dependencies: PlannerBuildDependencies,
  build: number,
  signal: AbortSignal,
  noteProgress: (details: unknown) => void,
) {
  const { period } = dependencies.inputs;
  try {
    return await makeSnapshotOf({ ...dependencies, period }, build, { signal, onProgress: noteProgress });
  } catch (error) {
    if (error instanceof SnapshotThreadError) throw giveUp(error.message, error);
    throw error;
  }
}

async function storeJourneys(
  { objects, builds, journeys }: PlannerBuildDependencies,
  build: number,
  signal: AbortSignal,
): Promise<{ journeys: number }> {
  const snapshot = await builds.findSnapshot(build);
  if (!snapshot) throw giveUp(`Planner build ${build} has no snapshot`);
  const timetable = openTimetable(await fetchSnapshot(objects, snapshot, signal));
  await journeys.add(timetable, signal);
  return { journeys: timetable.catalogue.serviceJourneys.count };
}

/** An import that has ended in the time between, or whose workflow is lost, is not signalled. */
async function wake(
  { temporal, log }: PlannerBuildDependencies,
  { codespace, correlationId }: Awaited<ReturnType<PlannerInputStore['listWaiting']>>[number],
): Promise<void> {
  try {
    await temporal.withDeadline((client) =>
      handleOf(client, datasetImportWorkflow, datasetImportWorkflowId(codespace, correlationId)).signal(
        plannerBuiltSignal,
      ),
    );
  } catch (error) {
    log.info({ err: error, codespace, correlationId }, 'an import could not be woken');
  }
}

async function removeOldSnapshots(dependencies: PlannerBuildDependencies, signal: AbortSignal): Promise<void> {
  const { objects, builds, journeys, log, now = () => new Date() } = dependencies;
  const at = now().getTime();
  for (const { _id: build, snapshotId } of await builds.claimRemovals(new Date(at - SNAPSHOTS_KEPT_MS), REMOVALS)) {
    signal.throwIfAborted();
    if (snapshotId === undefined) continue;
    if (isDigest(snapshotId)) await objects.delete(plannerSnapshotKey(snapshotId));
    await journeys.remove(snapshotId);
    await builds.markRemoved(build);
    log.info({ build, snapshotId }, 'removed an old planner snapshot');
  }
  await builds.forgetBefore(new Date(at - RECORDS_KEPT_MS));
}
