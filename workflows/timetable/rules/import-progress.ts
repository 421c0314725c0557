/** How far an import has come: what the query `progress` answers and what the Temporal UI shows. Pure. */
import type { DatasetImportProgress, ImportAction } from '../messages.ts';

export const NOTHING_DONE: DatasetImportProgress = { action: 'FILE_CLASSIFICATION', filesTotal: 0, filesValidated: 0 };

export function atStep(progress: DatasetImportProgress, action: ImportAction | 'DONE'): DatasetImportProgress {
  return { ...progress, action };
}

export function withFilesFound(progress: DatasetImportProgress, filesTotal: number): DatasetImportProgress {
  return { ...progress, filesTotal, filesValidated: 0 };
}

/** Never counts past the total, so a batch reported twice does no harm. */
export function withFilesValidated(progress: DatasetImportProgress, files: number): DatasetImportProgress {
  return { ...progress, filesValidated: Math.min(progress.filesTotal, progress.filesValidated + files) };
}

/** One line of Markdown for the Temporal UI. */
export function describeProgress({ action, filesTotal, filesValidated }: DatasetImportProgress): string {
  if (filesTotal === 0) return `**${action}**`;
  const percent = Math.floor((100 * filesValidated) / filesTotal);
  return `**${action}**: ${filesValidated} of ${filesTotal} files validated (${percent} %)`;
}
