/**
 * The validation of one archive by its manifest: common files, all files in batches over every worker, then the rules
 * across them. The same for an upload and for a private dataset before it is shown.
 */
import { CancellationScope } from '@temporalio/workflow';
import { runBounded } from '../shared/run-bounded.ts';
import type { ManifestInput, ValidatedDataset } from './activities.ts';
import type { ValidationProxy } from './activity-proxies.ts';

/** Enough to feed many workers; few enough that imports take turns on the queue. */
const BATCHES_AT_ONCE = 16;

export async function validateArchive(
  validation: ValidationProxy,
  manifest: ManifestInput,
  batchesTotal: number,
  onFiles: (files: number) => void,
): Promise<ValidatedDataset> {
  await validation.indexCommonFiles(manifest);
  const batches = new CancellationScope();
  try {
    await batches.run(() =>
      runBounded(batchesTotal, BATCHES_AT_ONCE, async (batch) => {
        const { files } = await validation.validateFiles({ ...manifest, batch });
        onFiles(files);
      }),
    );
  } catch (error) {
    // The validation is lost: workers need not go on with its other batches.
    batches.cancel();
    throw error;
  }
  return await validation.validateDataset(manifest);
}
