/**
 * What becomes of an export of a private dataset: shown, or discarded. And which are due for a refresh. On the queue
 * `timetable`. Each ends the same however often it runs.
 */
import type { PrivateDatasetActivities, PrivateExport } from '../../workflows/timetable/activities.ts';
import { withHeartbeat } from '../shared/heartbeat.ts';
import type { ObjectStore } from '../shared/object-store.ts';
import { guardActivities } from './activity-guard.ts';
import { privateDatasetKey, privateFactsKey } from './object-keys.ts';
import type { PrivateDatasetStore } from './private-dataset-store.ts';
import { readPrivateExportFacts } from './private-export.ts';

export interface PrivateDatasetActivityDependencies {
  readonly objects: ObjectStore;
  readonly privateDatasets: PrivateDatasetStore;
}

export function createPrivateDatasetActivities({
  objects,
  privateDatasets,
}: PrivateDatasetActivityDependencies): PrivateDatasetActivities {
  return guardActivities<PrivateDatasetActivities>({
    showPrivateExport: (input) => withHeartbeat(() => show(objects, privateDatasets, input)),

    discardPrivateExport: ({ codespace, correlationId, exportId }) =>
      withHeartbeat(async () => {
        if ((await privateDatasets.listReadable([correlationId])).has(exportId)) return;
        await objects.delete(privateDatasetKey(codespace, correlationId, exportId));
        await objects.delete(privateFactsKey(codespace, correlationId, exportId));
      }),

    listStaleExports: (query) => withHeartbeat(() => privateDatasets.listStale(query)),
  });
}

async function show(objects: ObjectStore, privateDatasets: PrivateDatasetStore, input: PrivateExport) {
  const { codespace, correlationId, exportId, day } = input;
  const { sizeBytes, sha256, empty, details } = await readPrivateExportFacts(objects, input);
  return await privateDatasets.show(codespace, correlationId, { exportId, day, empty, sizeBytes, sha256 }, details);
}
