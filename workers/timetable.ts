/**
 * Worker of the queue `timetable`: runs the workflows, their short steps and database writes, and the sweep; keeps the
 * schedule of the nightly refresh.
 * Scale by adding processes.
 */

import { CodespaceStore } from '../activities/timetable/codespace-store.ts';
import { createDatasetActivities } from '../activities/timetable/dataset-activities.ts';
import { readImportFigures } from '../activities/timetable/import-figures.ts';
import { ImportMetrics } from '../activities/timetable/import-metrics.ts';
import { createImportRecordActivities } from '../activities/timetable/import-record-activities.ts';
import { ImportStore } from '../activities/timetable/import-store.ts';
import {
  removeUnshownExports,
  removeWorkLeftovers,
  type SweepDependencies,
  startLostImports,
  sweepImports,
} from '../activities/timetable/import-sweep.ts';
import { signalPlannerBuild } from '../activities/timetable/planner-build-start.ts';
import { PlannerBuildStore } from '../activities/timetable/planner-build-store.ts';
import { createPlannerStepRecords } from '../activities/timetable/planner-step-activities.ts';
import { createPrivateDatasetActivities } from '../activities/timetable/private-dataset-activities.ts';
import { PrivateDatasetStore } from '../activities/timetable/private-dataset-store.ts';
import { ReceiptStore } from '../activities/timetable/receipt-store.ts';
import { ensureRefreshSchedule } from '../activities/timetable/refresh-schedule.ts';
import { readRuleSeverities, severityShape } from '../activities/timetable/rule-severities.ts';
import { VersionStore } from '../activities/timetable/version-store.ts';
import { parseConfig } from '../platform/config.ts';
import { eventEnvironment } from '../platform/events/outbox.ts';
import { connectPatiently } from '../platform/process/connect.ts';
import { repeat } from '../platform/process/repeat.ts';
import { runProcess } from '../platform/process/run-process.ts';
import { TemporalClient } from '../platform/temporal/temporal.ts';
import type { Codespace } from '../workflows/shared/ids.ts';
import { TIMETABLE_QUEUE } from '../workflows/timetable/messages.ts';
import {
  archiveLimits,
  archiveShape,
  plannerShape,
  refreshShape,
  stopRegisterShape,
  workerShape,
} from './shared/worker-config.ts';
import { startWorker, type WorkerBase, type WorkerPart } from './shared/worker-process.ts';

const SWEEP_EVERY_MS = 5_000;
const LOST_EVERY_MS = 60_000;
const LEFTOVERS_EVERY_MS = 300_000;
const UNSHOWN_EVERY_MS = 3_600_000;
const COUNT_EVERY_MS = 10_000;
/** Asked for again and again: a Temporal that lost its storage gets it back. */
const SCHEDULE_EVERY_MS = 60_000;
/** A cached workflow takes about a megabyte; what is not cached is replayed. */
const CACHED_WORKFLOWS = 200;
/** They wait for the object store more than for the processor. */
const CLASSIFICATIONS_AT_ONCE = 4;

await runProcess(async () => {
  const config = parseConfig({
    ...workerShape,
    ...stopRegisterShape,
    ...archiveShape,
    ...refreshShape,
    ...severityShape,
    ...plannerShape,
  });
  const severities = readRuleSeverities(config);

  const createPart = async ({ log, mongo, objects, bundle, metrics, repeating }: WorkerBase): Promise<WorkerPart> => {
    const importMetrics = new ImportMetrics(metrics.registry);
    const imports = new ImportStore(mongo, {
      environment: eventEnvironment(config.ENVIRONMENT),
      observer: importMetrics,
    });
    const codespaces = new CodespaceStore(mongo);
    const versions = new VersionStore(mongo);
    const privateDatasets = new PrivateDatasetStore(mongo);
    await connectPatiently('mongodb', log, () => imports.ensureIndexes());
    const temporal = new TemporalClient(config);
    const sweep: SweepDependencies = {
      ...{ imports, codespaces, versions, privateDatasets, objects, temporal, log },
      receipts: new ReceiptStore(mongo),
    };
    const refreshAt = { time: config.REFRESH_TIME, timeZone: config.TIME_ZONE };
    const repeated = [
      repeat('sweep', SWEEP_EVERY_MS, repeating, () => sweepImports(sweep)),
      repeat('lost-imports', LOST_EVERY_MS, repeating, () => startLostImports(sweep)),
      repeat('work-leftovers', LEFTOVERS_EVERY_MS, repeating, () => removeWorkLeftovers(sweep)),
      repeat('unshown-exports', UNSHOWN_EVERY_MS, repeating, () => removeUnshownExports(sweep)),
      repeat('imports-counted', COUNT_EVERY_MS, repeating, async () =>
        importMetrics.show(await readImportFigures(mongo)),
      ),
      repeat('refresh-schedule', SCHEDULE_EVERY_MS, repeating, () => ensureRefreshSchedule(temporal, refreshAt)),
    ];
    return {
      taskQueue: TIMETABLE_QUEUE,
      versioning: 'PINNED',
      options: {
        workflowBundle: { code: bundle.code },
        activities: {
          ...createImportRecordActivities(imports, { timeZone: config.TIME_ZONE }),
          ...createPlannerStepRecords({
            ...{ imports, builds: new PlannerBuildStore(mongo) },
            signalPlanner: config.PLANNER === 'on' ? () => signalPlannerBuild(temporal) : undefined,
          }),
          ...createPrivateDatasetActivities({ objects, privateDatasets }),
          ...createDatasetActivities({
            ...{ objects, imports, codespaces, versions },
            archiveLimits: archiveLimits(config),
            severities,
            stopRegisterCodespace: config.STOP_REGISTER_CODESPACE as Codespace,
          }),
        },
        maxCachedWorkflows: CACHED_WORKFLOWS,
        stickyQueueScheduleToStartTimeout: '1s',
        maxConcurrentActivityTaskExecutions: CLASSIFICATIONS_AT_ONCE,
        maxHeartbeatThrottleInterval: '1s',
      },
      stop: [...repeated.map((repetition) => () => repetition.stop()), () => temporal.close()],
    };
  };

  return await startWorker('timetable-worker', config, createPart);
});
