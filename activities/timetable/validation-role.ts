/**
 * The role of the queue `timetable-validation`. It validates files and datasets, one heavy activity at a time on one
 * core. Files are validated in a thread that can be stopped. Caller: workers/, by the manifest. Scale by adding
 * processes: each takes its share of the batches.
 */
import { setFlagsFromString } from 'node:v8';
import { ValidationThread } from '../../netex/thread/index.ts';
import type { RoleCode, WorkerBase, WorkerPart } from '../../platform/area.ts';
import { usableMemoryBytes } from '../../platform/process/usable-memory.ts';
import { FileMetrics } from './file-metrics.ts';
import { ImportMaterialSource } from './import-materials.ts';
import { requireSchemas } from './schema-folder.ts';
import { archiveLimits, validationRoleShape } from './timetable-config.ts';
import { createValidationActivities } from './validation-activities.ts';
import { entryLimitBytes, givesUpAtBytes } from './validation-memory.ts';

/**
 * How much a heap may grow before V8 marks all of it again. V8 sees a main thread that allocates little and lets its
 * heap grow by a fifth. Archives, results and requests count too. So the collector would mark the same 50 MB of code
 * and tables twice a second, a fifth of the worker's time. With 200 each of its heaps may reach three times its live
 * size.
 */
const HEAP_FLAG = '--heap-growing-percent=200';

export const validationRole: RoleCode<WorkerBase, WorkerPart> = {
  checkConfig: (readConfig) => requireSchemas(readConfig(validationRoleShape).NETEX_XSD_DIR),
  create: async ({ objects, registry, readConfig }) => {
    setFlagsFromString(HEAP_FLAG);
    const config = readConfig(validationRoleShape);
    const metrics = new FileMetrics(registry);
    const memoryBytes = config.VALIDATION_MEMORY_BYTES ?? usableMemoryBytes();
    const limits = archiveLimits(config, entryLimitBytes(memoryBytes));
    const processBytes = givesUpAtBytes(memoryBytes);
    const thread = await ValidationThread.start({
      xsdDirectory: config.NETEX_XSD_DIR,
      imageDirectory: config.NETEX_SCHEMA_IMAGES,
      limits: { processBytes },
    });
    const materials = new ImportMaterialSource({
      objects,
      archiveLimits: limits,
      stopRegisterXmlns: config.STOP_REGISTER_XMLNS,
    });
    return {
      activities: createValidationActivities({
        objects,
        materials,
        archiveLimits: limits,
        processBytes,
        validator: thread,
        onFile: (file) => metrics.fileValidated(file),
      }),
      stop: [() => thread.stop()],
    };
  },
};
