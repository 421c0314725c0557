/**
 * Worker of the queue `planner-build`: runs the workflow `plannerBuild` and its activities, one build at a time, the heavy
 * part in a thread; and the sweep that asks for a build that a crash kept anyone from asking for. One process does; more
 * stand by.
 */

import { removeDeadBuildFolders } from '../activities/timetable/build-folder.ts';
import {
  createPlannerBuildActivities,
  createPlannerBuildRecords,
} from '../activities/timetable/planner-build-activities.ts';
import { PlannerBuildMetrics } from '../activities/timetable/planner-build-metrics.ts';
import { PlannerBuildStore } from '../activities/timetable/planner-build-store.ts';
import { PlannerInputStore } from '../activities/timetable/planner-input.ts';
import { PlannerJourneyStore } from '../activities/timetable/planner-journey-store.ts';
import { sweepPlanner } from '../activities/timetable/planner-sweep.ts';
import { parseConfig } from '../platform/config.ts';
import { connectPatiently } from '../platform/process/connect.ts';
import { repeat } from '../platform/process/repeat.ts';
import { runProcess } from '../platform/process/run-process.ts';
import { TemporalClient } from '../platform/temporal/temporal.ts';
import type { Codespace } from '../workflows/shared/ids.ts';
import { PLANNER_BUILD_QUEUE } from '../workflows/timetable/messages.ts';
import {
  archiveLimits,
  archiveShape,
  plannerBuildShape,
  stopRegisterShape,
  workerShape,
} from './shared/worker-config.ts';
import { startWorker, type WorkerBase, type WorkerPart } from './shared/worker-process.ts';

const SWEEP_EVERY_MS = 10_000;
const CACHED_WORKFLOWS = 10;
/** A build, and what wakes imports or removes old snapshots beside it. */
const ACTIVITIES_AT_ONCE = 2;

await runProcess(async () => {
  const config = parseConfig({ ...workerShape, ...stopRegisterShape, ...archiveShape, ...plannerBuildShape });

  const createPart = async ({ log, mongo, objects, metrics, bundle, repeating }: WorkerBase): Promise<WorkerPart> => {
    const left = await removeDeadBuildFolders();
    if (left.length > 0) log.info({ folders: left.length }, 'removed what killed builds had left on the disk');
    const inputs = new PlannerInputStore(mongo, {
      stopRegisterCodespace: config.STOP_REGISTER_CODESPACE as Codespace,
      period: { from: config.PLANNER_FROM, to: config.PLANNER_TO },
    });
    const builds = new PlannerBuildStore(mongo);
    const journeys = new PlannerJourneyStore(mongo);
    await connectPatiently('mongodb', log, () => Promise.all([builds.ensureIndexes(), journeys.ensureIndexes()]));
    const temporal = new TemporalClient(config);
    const told = new PlannerBuildMetrics(metrics.registry);
    const sweep = repeat('planner-sweep', SWEEP_EVERY_MS, repeating, async () => {
      await sweepPlanner({ inputs, builds, temporal, log, onStanding: (standing) => told.show(standing) });
    });
    return {
      taskQueue: PLANNER_BUILD_QUEUE,
      versioning: 'PINNED',
      options: {
        workflowBundle: { code: bundle.code },
        activities: {
          ...createPlannerBuildRecords({ inputs, builds, quietMs: config.PLANNER_QUIET_MS }),
          ...createPlannerBuildActivities({
            ...{ objects, inputs, builds, journeys, temporal, log },
            archiveLimits: archiveLimits(config),
          }),
        },
        maxCachedWorkflows: CACHED_WORKFLOWS,
        stickyQueueScheduleToStartTimeout: '1s',
        maxConcurrentActivityTaskExecutions: ACTIVITIES_AT_ONCE,
        maxHeartbeatThrottleInterval: '1s',
      },
      stop: [() => sweep.stop(), () => temporal.close()],
    };
  };

  return await startWorker('planner-build-worker', config, createPart);
});
