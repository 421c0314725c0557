/**
 * Worker of the queue `timetable-validation`: judges files and datasets, one heavy activity at a time on one core, the
 * files in a thread that can be stopped. Scale by adding processes: each takes its share of the batches.
 */
import { setFlagsFromString } from 'node:v8';
import { z } from 'zod';
import { ImportMaterialSource } from '../activities/timetable/import-materials.ts';
import { requireSchemas } from '../activities/timetable/schema-folder.ts';
import { createValidationActivities } from '../activities/timetable/validation-activities.ts';
import { ValidationThread } from '../netex/thread/index.ts';
import { parseConfig } from '../platform/config.ts';
import { runProcess } from '../platform/process/run-process.ts';
import { TIMETABLE_VALIDATION_QUEUE } from '../workflows/timetable/messages.ts';
import { archiveLimits, archiveShape, stopRegisterShape, workerShape } from './shared/worker-config.ts';
import { startWorker, type WorkerBase, type WorkerPart } from './shared/worker-process.ts';

/** Folders of the NeTEx schemas, as fetched by the set-up, and of what they are compiled to. */
const schemaShape = {
  NETEX_XSD_DIR: z.string(),
  /** Where compiled schemas are kept, so that a restart need not compile them again. Nobody else may write there; nowhere unless given. */
  NETEX_SCHEMA_IMAGES: z.string().optional(),
};

/**
 * How much a heap may grow before all of it is marked again. V8 sees a main thread that makes little and lets its heap
 * grow by a fifth; but archives, results and requests count too, so it would mark the same 50 MB of code and tables twice a
 * second: a fifth of the worker's time. Each of its heaps may thus reach three times what lives in it.
 */
setFlagsFromString('--heap-growing-percent=200');

await runProcess(async () => {
  const config = parseConfig({ ...workerShape, ...stopRegisterShape, ...archiveShape, ...schemaShape });
  requireSchemas(config.NETEX_XSD_DIR);

  const createPart = async ({ objects, metrics }: WorkerBase): Promise<WorkerPart> => {
    const limits = archiveLimits(config);
    const thread = await ValidationThread.start({
      xsdDirectory: config.NETEX_XSD_DIR,
      imageDirectory: config.NETEX_SCHEMA_IMAGES,
    });
    const materials = new ImportMaterialSource({
      objects,
      archiveLimits: limits,
      stopRegisterXmlns: config.STOP_REGISTER_XMLNS,
    });
    return {
      taskQueue: TIMETABLE_VALIDATION_QUEUE,
      options: {
        activities: createValidationActivities({
          ...{ objects, materials, archiveLimits: limits },
          validator: thread,
          onFile: (file) => metrics.fileValidated(file),
        }),
        maxConcurrentActivityTaskExecutions: 1,
        maxHeartbeatThrottleInterval: '1s',
      },
      stop: [() => thread.stop()],
    };
  };

  return await startWorker('timetable-validation-worker', config, createPart);
});
