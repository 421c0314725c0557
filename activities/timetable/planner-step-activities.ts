/**
 * Activities of the step PLANNER_BUILD of an import. Local activities of `datasetImport`. They only read, except for
 * the signal.
 */
import type { PlannerStepRecords } from '../../workflows/timetable/planner-build-activities.ts';
import { guardActivities } from './activity-guard.ts';
import type { ImportStore } from './import-store.ts';
import type { PlannerBuildQueries } from './planner-build-queries.ts';

export interface PlannerStepDependencies {
  readonly imports: ImportStore;
  readonly builds: PlannerBuildQueries;
  /** Signals the planner build after published versions have changed; undefined when there is no planner. */
  readonly signalPlanner: (() => Promise<void>) | undefined;
}

export function createPlannerStepRecords(dependencies: PlannerStepDependencies): PlannerStepRecords {
  const { imports, builds, signalPlanner } = dependencies;
  return guardActivities<PlannerStepRecords>({
    async requestPlannerBuild() {
      if (!signalPlanner) return 'OFF';
      await signalPlanner();
      return 'REQUESTED';
    },

    async checkPlannerBuild({ codespace, correlationId }) {
      const record = await imports.find(codespace, correlationId);
      if (!record || record.withdrawnAt) return { state: 'WITHDRAWN' };
      const isRegister = record.actions.FILE_CLASSIFICATION?.details?.kind === 'stop-register';
      const kind = isRegister ? 'stop-register' : 'timetable';
      return await builds.findState({ codespace, kind, receivedAt: record.receivedAt });
    },
  });
}
