/**
 * The timetable area: upload, status and download of datasets, and their codespaces. What each operation takes and
 * answers stands in openapi.yaml; this only says which handler serves which operation.
 */
import type { Area } from '../shared/operation.ts';
import { createCodespaceOperations } from './codespaces.ts';
import type { TimetableDependencies } from './dependencies.ts';
import { createDownloads } from './downloads/download.ts';
import { createImportOperations } from './imports.ts';
import { createUpload } from './upload/upload-dataset.ts';

export function createTimetableArea(dependencies: TimetableDependencies): Area {
  const upload = createUpload(dependencies);
  const downloads = createDownloads(dependencies);
  return {
    name: 'timetable',
    document: new URL('./openapi.yaml', import.meta.url),
    operations: {
      uploadDataset: upload,
      uploadDatasetDeprecated: upload,
      getLatestDataset: downloads.latest,
      getDatasetVersion: downloads.version,
      getFilteredDataset: downloads.filtered,
      ...createImportOperations(dependencies),
      ...createCodespaceOperations(dependencies),
    },
  };
}
