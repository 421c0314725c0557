/**
 * Compares a published version with the one before it. Caller: `datasetImport`, after the publication. It is of use to
 * people alone: when it fails, is cancelled or takes longer than an hour, the version has no differences, and the import
 * goes on.
 */
import { ActivityFailure, isCancellation, log } from '@temporalio/workflow';
import { comparison, comparisonRecords } from './activity-proxies.ts';
import type { DatasetImportInput } from './messages.ts';

/** `record` calls a record of the step in its turn. */
export async function compareWithPrevious(
  input: DatasetImportInput,
  record: <T>(call: () => Promise<T>) => Promise<T>,
): Promise<void> {
  try {
    const plan = await record(() => comparisonRecords.planComparison(input));
    if (plan !== 'NOTHING') await comparison.compareVersions({ ...input, ...plan });
  } catch (error) {
    if (isCancellation(error)) return;
    if (!(error instanceof ActivityFailure)) throw error;
    log.error('The version was not compared with the one before', { ...input, reason: error.cause?.message });
  }
}
