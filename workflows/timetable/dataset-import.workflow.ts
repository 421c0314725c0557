/**
 * From a received archive to a published, or refused, dataset. Orders the steps and carries the retries; what is true
 * about an import stands in its document in the database.
 *
 * Started by the upload handler or the sweep, see `dataset-import-start.ts`. Never sees bytes, findings or reports.
 * Failures of servers are retried without end, so that every import ends; what retrying cannot cure ends it FAILED.
 */
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  defineQuery,
  isCancellation,
  log,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { runBounded } from '../shared/run-bounded.ts';
import {
  ARCHIVE_REFUSED,
  type DatasetActivities,
  type ImportFailure,
  type ImportRecords,
  type ManifestInput,
  type ValidationActivities,
} from './activities.ts';
import {
  type DatasetImportInput,
  type DatasetImportProgress,
  type DatasetImportResult,
  type ImportAction,
  PROGRESS_QUERY,
  TIMETABLE_QUEUE,
  TIMETABLE_VALIDATION_QUEUE,
} from './messages.ts';
import { INVALID_DATASET, systemFailure } from './rules/import-failure.ts';
import { atStep, describeProgress, NOTHING_DONE, withFilesFound, withFilesValidated } from './rules/import-progress.ts';
import { importStateAttribute, type SearchableImportState } from './search-attributes.ts';

export const progressQuery = defineQuery<DatasetImportProgress>(PROGRESS_QUERY);

const retry = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' } as const;

const records = proxyLocalActivities<ImportRecords>({ startToCloseTimeout: '10s', localRetryThreshold: '10s', retry });

// Heartbeats, not the long time limit, tell that a worker died: another goes on 5 s later. The limit is more than the
// largest file may take.
const dataset = proxyActivities<DatasetActivities>({
  taskQueue: TIMETABLE_QUEUE,
  startToCloseTimeout: '2h',
  heartbeatTimeout: '5s',
  retry,
});
const validation = proxyActivities<ValidationActivities>({
  taskQueue: TIMETABLE_VALIDATION_QUEUE,
  startToCloseTimeout: '2h',
  heartbeatTimeout: '5s',
  retry,
});

/** Enough to feed many workers; few enough that imports take turns on the queue. */
const BATCHES_AT_ONCE = 16;

/** The state that the steps share; a plain object, alive for one run. */
class ImportRun {
  readonly input: DatasetImportInput;
  progress: DatasetImportProgress = NOTHING_DONE;

  constructor(input: DatasetImportInput) {
    this.input = input;
    setHandler(progressQuery, () => this.progress);
  }

  show(progress: DatasetImportProgress): void {
    this.progress = progress;
    setCurrentDetails(describeProgress(progress));
  }

  /** Answers false when the import had ended before. */
  async begin(action: ImportAction): Promise<boolean> {
    if ((await records.startStep(this.input, action)) === 'ALREADY_ENDED') return false;
    this.enter(atStep(this.progress, action), action);
    return true;
  }

  enter(progress: DatasetImportProgress, state: SearchableImportState): void {
    this.show(progress);
    upsertSearchAttributes([importStateAttribute(state)]);
  }
}

export async function datasetImport(input: DatasetImportInput): Promise<DatasetImportResult> {
  const run = new ImportRun(input);
  const result = await runSteps(run);
  // What a cancelled or superseded run left behind goes too, so no one may stop this.
  await CancellationScope.nonCancellable(() => dataset.removeWorkFiles(input));
  return result;
}

async function runSteps(run: ImportRun): Promise<DatasetImportResult> {
  try {
    const failure = await classifyValidatePublish(run);
    if (failure === 'ALREADY_ENDED') return { state: failure };
    if (failure) return await endFailed(run, failure);
    run.enter(atStep(run.progress, 'DONE'), 'OK');
    return { state: 'OK' };
  } catch (error) {
    return await endFailed(run, failureOf(error, run.progress.action));
  }
}

/** The steps in order; answers why the import fails, or nothing when it is published. */
async function classifyValidatePublish(run: ImportRun): Promise<ImportFailure | 'ALREADY_ENDED' | undefined> {
  const { input } = run;
  if (!(await run.begin('FILE_CLASSIFICATION'))) return 'ALREADY_ENDED';
  const found = await dataset.classifyDataset(input);
  if (found.outcome === 'refused') return { ...found, action: 'FILE_CLASSIFICATION' };
  const { manifestId, kind, filesTotal, unpackedBytes, ignored } = found;
  const manifest: ManifestInput = { ...input, manifestId };
  const details = { kind, files: filesTotal, unpackedBytes, ...ignored };
  await records.finishStep(input, 'FILE_CLASSIFICATION', { details });

  run.progress = withFilesFound(run.progress, filesTotal);
  if (!(await run.begin('VALIDATION'))) return 'ALREADY_ENDED';
  await validateAllFiles(run, manifest, found.batchesTotal);
  const { valid, findings } = await validation.validateDataset(manifest);
  if (!valid) return { ...INVALID_DATASET, findings };
  await records.finishStep(input, 'VALIDATION', { details: { files: filesTotal }, findings });

  if (!(await run.begin('PUBLICATION'))) return 'ALREADY_ENDED';
  if (kind === 'stop-register') await validation.indexStopRegister(manifest);
  await records.publishImport(input);
  return undefined;
}

async function validateAllFiles(run: ImportRun, manifest: ManifestInput, batchesTotal: number): Promise<void> {
  await validation.indexCommonFiles(manifest);
  const batches = new CancellationScope();
  try {
    await batches.run(() =>
      runBounded(batchesTotal, BATCHES_AT_ONCE, async (batch) => {
        const { files } = await validation.validateFiles({ ...manifest, batch });
        run.show(withFilesValidated(run.progress, files));
      }),
    );
  } catch (error) {
    // The import is lost: workers need not go on with its other batches.
    batches.cancel();
    throw error;
  }
}

/** The only way to FAILED. */
async function endFailed(run: ImportRun, failure: ImportFailure): Promise<DatasetImportResult> {
  const state = await CancellationScope.nonCancellable(() => records.failImport(run.input, failure));
  run.enter(atStep(run.progress, 'DONE'), state);
  if (state === 'OK') return { state };
  log.info('The import failed', { action: failure.action, errorCode: failure.errorCode });
  return { state, errorCode: failure.errorCode };
}

/** An operator's cancellation or an activity that gave up ends the import; anything else is a defect of this code. */
function failureOf(error: unknown, action: ImportAction | 'DONE'): ImportFailure {
  const step = action === 'DONE' ? 'PUBLICATION' : action;
  if (isCancellation(error)) {
    return { action: step, errorCode: 'CANCELLED', message: 'The import was cancelled by an operator.' };
  }
  if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure) {
    const { type, message, details } = error.cause;
    if (type === ARCHIVE_REFUSED) return { action: step, errorCode: String(details?.[0]), message };
    log.error('An activity gave up', { action: step, reason: message });
    return systemFailure(step);
  }
  throw error;
}
