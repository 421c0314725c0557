/**
 * Worker of the queue `timetable`: runs the workflows, their short steps and database writes, and the sweep.
 * Scale by adding processes.
 */
import { parseConfig } from '../activities/shared/config.ts';
import { TemporalClient } from '../activities/shared/temporal.ts';
import { CodespaceStore } from '../activities/timetable/codespace-store.ts';
import { createDatasetActivities } from '../activities/timetable/dataset-activities.ts';
import { eventEnvironment } from '../activities/timetable/dataset-published.ts';
import { createImportRecordActivities } from '../activities/timetable/import-record-activities.ts';
import { ImportStore } from '../activities/timetable/import-store.ts';
import {
  removeWorkLeftovers,
  type SweepDependencies,
  startLostImports,
  sweepImports,
} from '../activities/timetable/import-sweep.ts';
import { ReceiptStore } from '../activities/timetable/receipt-store.ts';
import { VersionStore } from '../activities/timetable/version-store.ts';
import { runProcess } from '../api/shared/run-process.ts';
import type { Codespace } from '../workflows/shared/ids.ts';
import { TIMETABLE_QUEUE } from '../workflows/timetable/messages.ts';
import { connectPatiently } from './shared/connect.ts';
import { repeat } from './shared/repeat.ts';
import { archiveLimits, archiveShape, stopRegisterShape, workerShape } from './shared/worker-config.ts';
import { startWorker, type WorkerBase, type WorkerPart } from './shared/worker-process.ts';

const SWEEP_EVERY_MS = 5_000;
const LOST_EVERY_MS = 60_000;
const LEFTOVERS_EVERY_MS = 300_000;
/** A cached workflow takes about a megabyte; what is not cached is replayed. */
const CACHED_WORKFLOWS = 200;
/** They wait for the object store more than for the processor. */
const CLASSIFICATIONS_AT_ONCE = 4;

await runProcess(async () => {
  const config = parseConfig({ ...workerShape, ...stopRegisterShape, ...archiveShape });

  const createPart = async ({ log, mongo, objects, bundle }: WorkerBase): Promise<WorkerPart> => {
    const imports = new ImportStore(mongo, { environment: eventEnvironment(config.ENVIRONMENT) });
    const codespaces = new CodespaceStore(mongo);
    const versions = new VersionStore(mongo);
    await connectPatiently('mongodb', log, () => imports.ensureIndexes());
    const temporal = new TemporalClient(config);
    const sweep: SweepDependencies = {
      ...{ imports, codespaces, versions, objects, temporal, log },
      receipts: new ReceiptStore(mongo),
    };
    const repeated = [
      repeat('sweep', SWEEP_EVERY_MS, log, () => sweepImports(sweep)),
      repeat('lost-imports', LOST_EVERY_MS, log, () => startLostImports(sweep)),
      repeat('work-leftovers', LEFTOVERS_EVERY_MS, log, () => removeWorkLeftovers(sweep)),
    ];
    return {
      taskQueue: TIMETABLE_QUEUE,
      options: {
        workflowBundle: { code: bundle.code },
        activities: {
          ...createImportRecordActivities(imports),
          ...createDatasetActivities({
            ...{ objects, imports, codespaces, versions },
            archiveLimits: archiveLimits(config),
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
