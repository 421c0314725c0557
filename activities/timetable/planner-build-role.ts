/**
 * The role of the queue `planner-build`: the workflow `plannerBuild` and its activities, one build at a time, the heavy
 * part in a thread. Its sweep requests a build when a crash lost the request. One process does the work; more are
 * standbys. Caller: workers/, by the manifest.
 */
import type { RoleCode, WorkerBase, WorkerPart } from '../../platform/area.ts';
import type { Codespace } from '../../workflows/shared/ids.ts';
import { removeDeadBuildFolders } from './build-folder.ts';
import { createPlannerBuildActivities, createPlannerBuildRecords } from './planner-build-activities.ts';
import { PlannerBuildMetrics } from './planner-build-metrics.ts';
import { PlannerBuildStore } from './planner-build-store.ts';
import { PlannerInputStore } from './planner-input.ts';
import { PlannerJourneyStore } from './planner-journey-store.ts';
import { sweepPlanner } from './planner-sweep.ts';
import { archiveLimits, plannerBuildRoleShape } from './timetable-config.ts';

const SWEEP_EVERY_MS = 10_000;

export const plannerBuildRole: RoleCode<WorkerBase, WorkerPart> = {
  create: async ({ log, mongo, objects, temporal, registry, readConfig }) => {
    const config = readConfig(plannerBuildRoleShape);
    const removed = await removeDeadBuildFolders();
    if (removed.length > 0) log.info({ folders: removed.length }, 'removed the folders of builds that were killed');
    const inputs = new PlannerInputStore(mongo, {
      stopRegisterCodespace: config.STOP_REGISTER_CODESPACE as Codespace,
      period: { from: config.PLANNER_FROM, to: config.PLANNER_TO },
    });
    const builds = new PlannerBuildStore(mongo, config.PLANNER_SIGNING_KEYS);
    const metrics = new PlannerBuildMetrics(registry);
    const sweep = { inputs, builds, temporal, log, onStatus: metrics.show.bind(metrics) };
    return {
      activities: {
        ...createPlannerBuildRecords({ inputs, builds, quietMs: config.PLANNER_QUIET_MS }),
        ...createPlannerBuildActivities({
          objects,
          inputs,
          builds,
          journeys: new PlannerJourneyStore(mongo),
          temporal,
          log,
          archiveLimits: archiveLimits(config),
        }),
      },
      repeated: [{ name: 'planner-sweep', everyMs: SWEEP_EVERY_MS, run: async () => void (await sweepPlanner(sweep)) }],
    };
  },
};
