/**
 * The role of the queue `timetable`. It runs workflows of imports and refreshes, their short steps and database writes,
 * the sweeps after crashes, and the schedule of the nightly refresh. Caller: workers/, by the manifest. Scale by adding
 * processes.
 */
import type { ReadConfig, RoleCode, WorkerBase, WorkerPart } from '../../platform/area.ts';
import type { RepeatedTask } from '../../platform/process/repeat.ts';
import type { Codespace } from '../../workflows/shared/ids.ts';
import { CodespaceStore } from './codespace-store.ts';
import { createComparisonRecords } from './comparison-records.ts';
import { createDatasetActivities } from './dataset-activities.ts';
import { readImportFigures } from './import-figures.ts';
import { ImportMetrics } from './import-metrics.ts';
import { createImportRecordActivities } from './import-record-activities.ts';
import { ImportStore } from './import-store.ts';
import {
  removeUnshownExports,
  removeWorkLeftovers,
  type SweepDependencies,
  startLostImports,
  sweepImports,
} from './import-sweep.ts';
import { PlannerBuildQueries } from './planner-build-queries.ts';
import { signalPlannerBuild } from './planner-build-start.ts';
import { createPlannerStepRecords } from './planner-step-activities.ts';
import { createPrivateDatasetActivities } from './private-dataset-activities.ts';
import { PrivateDatasetStore } from './private-dataset-store.ts';
import { ReceiptStore } from './receipt-store.ts';
import { ensureRefreshSchedule } from './refresh-schedule.ts';
import { readRuleSeverities } from './rule-severities.ts';
import { archiveLimits, timetableRoleShape } from './timetable-config.ts';
import { VersionStore } from './version-store.ts';

const SWEEP_EVERY_MS = 5_000;
const LOST_EVERY_MS = 60_000;
const LEFTOVERS_EVERY_MS = 300_000;
const UNSHOWN_EVERY_MS = 3_600_000;
const COUNT_EVERY_MS = 10_000;
/** Repeated, so that a Temporal that lost its storage gets the schedule back. */
const SCHEDULE_EVERY_MS = 60_000;

type RoleConfig = ReturnType<typeof readRoleConfig>;

function readRoleConfig(readConfig: ReadConfig) {
  return readConfig(timetableRoleShape);
}

export const timetableRole: RoleCode<WorkerBase, WorkerPart> = {
  checkConfig: (readConfig) => {
    readRuleSeverities(readRoleConfig(readConfig));
  },
  create: async (base) => {
    const { mongo, objects, temporal, log } = base;
    const config = readRoleConfig(base.readConfig);
    const metrics = new ImportMetrics(base.registry);
    const stores = {
      imports: new ImportStore(mongo, { environment: base.eventEnvironment, observer: metrics }),
      codespaces: new CodespaceStore(mongo),
      versions: new VersionStore(mongo),
      privateDatasets: new PrivateDatasetStore(mongo),
      receipts: new ReceiptStore(mongo),
    };
    return {
      activities: {
        ...createImportRecordActivities(stores.imports, { timeZone: config.TIME_ZONE }),
        ...createComparisonRecords({
          ...stores,
          timeZone: config.TIME_ZONE,
          stopRegisterCodespace: config.STOP_REGISTER_CODESPACE as Codespace,
        }),
        ...createPlannerStepRecords({
          imports: stores.imports,
          builds: new PlannerBuildQueries(mongo),
          signalPlanner: config.PLANNER === 'on' ? () => signalPlannerBuild(temporal) : undefined,
        }),
        ...createPrivateDatasetActivities({ objects, privateDatasets: stores.privateDatasets }),
        ...createDatasetActivities({
          ...stores,
          objects,
          archiveLimits: archiveLimits(config),
          severities: readRuleSeverities(config),
          stopRegisterCodespace: config.STOP_REGISTER_CODESPACE as Codespace,
        }),
      },
      repeated: listTasks(base, { ...stores, objects, temporal, log }, metrics, config),
    };
  },
};

function listTasks(
  { mongo, temporal }: WorkerBase,
  sweep: SweepDependencies,
  metrics: ImportMetrics,
  config: RoleConfig,
): readonly RepeatedTask[] {
  const refreshAt = { time: config.REFRESH_TIME, timeZone: config.TIME_ZONE };
  return [
    { name: 'import-sweep', everyMs: SWEEP_EVERY_MS, run: () => sweepImports(sweep) },
    { name: 'lost-imports', everyMs: LOST_EVERY_MS, run: () => startLostImports(sweep) },
    { name: 'work-leftovers', everyMs: LEFTOVERS_EVERY_MS, run: () => removeWorkLeftovers(sweep) },
    { name: 'unshown-exports', everyMs: UNSHOWN_EVERY_MS, run: () => removeUnshownExports(sweep) },
    {
      name: 'imports-counted',
      everyMs: COUNT_EVERY_MS,
      run: async () => metrics.show(await readImportFigures(mongo)),
    },
    { name: 'refresh-schedule', everyMs: SCHEDULE_EVERY_MS, run: () => ensureRefreshSchedule(temporal, refreshAt) },
  ];
}
