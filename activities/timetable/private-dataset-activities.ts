/**
 * Activities that show or discard an export of a private dataset, and list those due for a refresh. On the queue `timetable`.
 * Each may run any number of times.
 */
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { withHeartbeat } from '../../platform/temporal/heartbeat.ts';
import type { PrivateDatasetActivities, PrivateExport } from '../../workflows/timetable/activities.ts';
import { giveUp, guardActivities } from './activity-guard.ts';
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
        if (!(await privateDatasets.discard(correlationId, exportId))) return;
        await objects.delete(privateDatasetKey(codespace, correlationId, exportId));
        await objects.delete(privateFactsKey(codespace, correlationId, exportId));
      }),

    listStaleExports: (query) => withHeartbeat(() => privateDatasets.listStale(query)),
  });
}

async function show(objects: ObjectStore, privateDatasets: PrivateDatasetStore, input: PrivateExport) {
  const { codespace, correlationId, exportId, day } = input;
  const { sizeBytes, sha256, empty, details } = await readPrivateExportFacts(objects, input);
  const made = { exportId, day, empty, sizeBytes, sha256 };
  const answer = await privateDatasets.show(codespace, correlationId, made, details);
  // The sweep or another run has discarded it: the workflow makes another one.
  if (answer === 'DISCARDED') throw giveUp(`the export ${exportId} was discarded before it was shown`);
  return answer;
}
