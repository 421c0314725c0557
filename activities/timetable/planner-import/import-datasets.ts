/**
 * Maps published datasets and the stop register to the planner's builder.
 * Callers: the activity that builds snapshots, dev tools, tests. Never calls `finish`.
 */
import type { TimetableBuilder } from '../../../planner/build/input.ts';
import type { ImportReport, ImportRequest } from './import-types.ts';

/** Throws ArchiveError, NotWellFormedError and XmlEncodingError for what cannot be read, and the signal's reason. */
export async function importDatasets(request: ImportRequest, builder: TimetableBuilder): Promise<ImportReport> {
  const stops = {};
  builder.reject('dataset', 'not yet imported', request.datasets.map(({ codespace }) => codespace).join(' '));
  return { datasets: [], stops };
}
