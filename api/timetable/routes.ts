/**
 * The timetable area: upload, status and download of datasets, and their codespaces. openapi.yaml describes each
 * operation; this maps operations to handlers.
 */
import type { TypedArea } from '../shared/operation.ts';
import { createCodespaceOperations } from './codespaces.ts';
import type { Operations } from './contract.gen.ts';
import type { TimetableDependencies } from './dependencies.ts';
import { createDownloads } from './downloads/download.ts';
import { createFinds } from './finds.ts';
import { createImportOperations } from './imports.ts';
import { createUpload } from './upload/upload-dataset.ts';

export function createTimetableArea(dependencies: TimetableDependencies): TypedArea<Operations> {
  const upload = createUpload(dependencies);
  return {
    name: 'timetable',
    document: new URL('./openapi.yaml', import.meta.url),
    operations: {
      uploadDataset: upload,
      uploadDatasetDeprecated: upload,
      ...createDownloads(dependencies),
      ...createImportOperations(dependencies),
      ...createCodespaceOperations(dependencies),
    },
    finds: createFinds(dependencies),
  };
}
