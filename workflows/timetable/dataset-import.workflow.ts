/**
 * From a received archive to a published, or refused, dataset, and on to what is made of a published one. Orders the
 * steps and carries the retries; what is true about an import stands in its document in the database.
 *
 * Started by the upload handler or the sweep, see `dataset-import-start.ts`. Never sees bytes, findings or reports.
 * Failures of servers are retried without end, so that every import ends. Up to the publication, a failure that no
 * retry can cure ends it FAILED. From there on it stays published, and the later steps are tried until they succeed.
 */
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  log,
  patched,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { continueOnCurrentBuild } from '../shared/continue-on-current-build.ts';
import { Mutex } from '../shared/mutex.ts';
import { ARCHIVE_REFUSED, type ImportFailure, type StepLeftUndone } from './activities.ts';
import { dataset, records, validation } from './activity-proxies.ts';
import { compareWithPrevious } from './comparison.ts';
import { validateArchive } from './dataset-validation.ts';
import {
  type DatasetImportInput,
  type DatasetImportProgress,
  type DatasetImportResult,
  type DatasetImportStart,
  type ImportAction,
  importProgressQuery,
} from './messages.ts';
import { followPlannerBuild } from './planner-step.ts';
import { makePrivateDataset } from './private-export.ts';
import { pauseBeforeNextExport } from './rules/export-pause.ts';
import {
  EXPORT_CANCELLED,
  INVALID_DATASET,
  PLANNER_CANCELLED,
  systemFailure,
  WITHDRAWN_MEANWHILE,
} from './rules/import-failure.ts';
import { atStep, describeProgress, NOTHING_DONE, withFilesFound, withFilesValidated } from './rules/import-progress.ts';
import { importStateAttribute, type SearchableImportState } from './search-attributes.ts';

/** Imports that were published before there were steps behind the publication end with it. */
const LATER_STEPS_PATCH = 'steps-after-publication';
/** Imports that were published before there was a planner end with the private dataset. */
const PLANNER_PATCH = 'planner-build-step';
/** Imports that had gone on before though another build was current do so when they are released to this code. */
const NEXT_BUILD_PATCH = 'next-build-after-failed-export';
/** Imports that were published before have called records of both later steps at once. */
const ONE_RECORD_PATCH = 'one-record-at-a-time';
/** Imports that were published before are not compared with the version before them. */
const COMPARISON_PATCH = 'comparison-with-version-before';

/** The state that the steps share; a plain object, alive for one run. */
class ImportRun {
  readonly input: DatasetImportInput;
  progress: DatasetImportProgress = NOTHING_DONE;
  /** Failures of the private export, earlier runs included. */
  failedExports: number;
  /** Set while two steps run at once. */
  #recordTurns: Mutex | undefined;

  constructor({ codespace, correlationId, failedExports = 0 }: DatasetImportStart) {
    this.input = { codespace, correlationId };
    this.failedExports = failedExports;
    setHandler(importProgressQuery, () => this.progress);
  }

  show(progress: DatasetImportProgress): void {
    this.progress = progress;
    setCurrentDetails(describeProgress(progress));
  }

  /**
   * From here on records are called one at a time. Replay answers local activities that were in progress together in
   * one activation, whatever time was between their answers. The commands that follow would then come in another order.
   */
  orderRecords(): void {
    this.#recordTurns = new Mutex();
  }

  record<T>(call: () => Promise<T>): Promise<T> {
    return this.#recordTurns ? this.#recordTurns.run(call) : call();
  }

  /** Enters the step unless it is not to be done (any more). */
  async begin(action: ImportAction): Promise<'STARTED' | 'PUBLISHED' | 'ALREADY_ENDED'> {
    const answer = await this.record(() => records.startStep(this.input, action));
    if (answer === 'STARTED') this.enter(atStep(this.progress, action), action);
    return answer;
  }

  enter(progress: DatasetImportProgress, state: SearchableImportState): void {
    this.show(progress);
    upsertSearchAttributes([importStateAttribute(state)]);
  }
}

export async function datasetImport(input: DatasetImportStart): Promise<DatasetImportResult> {
  const run = new ImportRun(input);
  const result = await runSteps(run);
  // It also removes the remains of a cancelled or superseded run, so nothing may stop this.
  await CancellationScope.nonCancellable(() => dataset.removeWorkFiles(run.input));
  return result;
}

async function runSteps(run: ImportRun): Promise<DatasetImportResult> {
  try {
    const ended = await classifyValidatePublish(run);
    if (ended === 'ALREADY_ENDED') return { state: ended };
    if (ended !== 'PUBLISHED') return await endFailed(run, ended);
  } catch (error) {
    return await endFailed(run, failureOf(error, run.progress.action));
  }
  if (patched(LATER_STEPS_PATCH)) await finishPublished(run);
  run.enter(atStep(run.progress, 'DONE'), 'OK');
  return { state: 'OK' };
}

/** The steps up to the publication, in order; answers that it is published, or why not. */
async function classifyValidatePublish(run: ImportRun): Promise<ImportFailure | 'PUBLISHED' | 'ALREADY_ENDED'> {
  const { input } = run;
  const begun = await run.begin('FILE_CLASSIFICATION');
  if (begun !== 'STARTED') return begun;
  const found = await dataset.classifyDataset(input);
  if (found.outcome === 'refused') return { ...found, action: 'FILE_CLASSIFICATION' };
  const { manifestId, kind, filesTotal, unpackedBytes, ignored } = found;
  const manifest = { ...input, manifestId };
  const details = { kind, files: filesTotal, unpackedBytes, ...ignored };
  await records.finishStep(input, 'FILE_CLASSIFICATION', { details });

  run.progress = withFilesFound(run.progress, filesTotal);
  if ((await run.begin('VALIDATION')) !== 'STARTED') return 'ALREADY_ENDED';
  const { valid, findings } = await validateArchive(validation, manifest, found.batchesTotal, (files) =>
    run.show(withFilesValidated(run.progress, files)),
  );
  if (!valid) return { ...INVALID_DATASET, findings };
  await records.finishStep(input, 'VALIDATION', { details: { files: filesTotal }, findings });

  if ((await run.begin('PUBLICATION')) !== 'STARTED') return 'ALREADY_ENDED';
  if (kind === 'stop-register') await validation.indexStopRegister(manifest);
  await records.publishImport(input);
  return 'PUBLISHED';
}

/** From here on nothing makes the import FAILED, and nothing but a withdrawal takes the version away. */
async function finishPublished(run: ImportRun): Promise<void> {
  if (patched(ONE_RECORD_PATCH)) run.orderRecords();
  const exporting = unlessCancelled(exportPrivately(run), EXPORT_CANCELLED);
  // Beside it: a private dataset that is tried for hours shall not keep travellers waiting.
  const planning = patched(PLANNER_PATCH)
    ? unlessCancelled(buildPlanner(run, exporting), PLANNER_CANCELLED)
    : Promise.resolve(undefined);
  const comparing = patched(COMPARISON_PATCH)
    ? compareWithPrevious(run.input, (call) => run.record(call))
    : Promise.resolve();
  const [unexported, unplanned] = await Promise.all([exporting, planning, comparing]);
  const undone = [unexported, unplanned].filter((step) => step !== undefined);
  await CancellationScope.nonCancellable(() => records.completeImport(run.input, ...undone));
}

async function unlessCancelled(
  step: Promise<StepLeftUndone | undefined>,
  cancelled: StepLeftUndone,
): Promise<StepLeftUndone | undefined> {
  try {
    return await step;
  } catch (error) {
    if (!isCancellation(error)) throw error;
    return cancelled;
  }
}

async function buildPlanner(run: ImportRun, exporting: Promise<unknown>): Promise<StepLeftUndone | undefined> {
  let ended = false;
  const building = followPlannerBuild(run.input, {
    begin: async () => {
      return (await run.record(() => records.startStep(run.input, 'PLANNER_BUILD'))) !== 'ALREADY_ENDED';
    },
    record: (call) => run.record(call),
  }).finally(() => {
    ended = true;
  });
  // Operators see the step that the import waits for last.
  const showing = exporting.then(() => {
    if (!ended) run.enter(atStep(run.progress, 'PLANNER_BUILD'), 'PLANNER_BUILD');
  });
  const [undone] = await Promise.all([building, showing]);
  return undone;
}

/** Tries until the private dataset is shown, or there is no version any more to make one of. */
async function exportPrivately(run: ImportRun): Promise<StepLeftUndone | undefined> {
  const { input } = run;
  for (;;) {
    const plan = await run.record(() => records.planPrivateExport(input));
    if (plan === 'DONE') return undefined;
    if (plan === 'WITHDRAWN' || (await run.begin('PRIVATE_EXPORT')) === 'ALREADY_ENDED') return WITHDRAWN_MEANWHILE;
    run.show(withFilesFound(run.progress, 0));
    const outcome = await makePrivateDataset(
      { ...input, ...plan },
      {
        filesFound: (files) => run.show(withFilesFound(run.progress, files)),
        filesValidated: (files) => run.show(withFilesValidated(run.progress, files)),
      },
    );
    if (outcome.state === 'WITHDRAWN') return WITHDRAWN_MEANWHILE;
    if (outcome.state !== 'DEFECT') return undefined;
    run.failedExports += 1;
    const { errorCode, rules } = outcome;
    const { failedExports: tries } = run;
    log.error('The private dataset could not be made', { ...input, errorCode, rules, tries });
    await run.record(() => records.noteStep(input, 'PRIVATE_EXPORT', { details: { errorCode, rules, tries } }));
    await dataset.removeWorkFiles(input);
    await sleep(pauseBeforeNextExport(tries));
    if (isToBeginAnew()) await continueOnCurrentBuild<typeof datasetImport>({ ...input, failedExports: tries });
  }
}

/**
 * Also where another build is current: this goes on without end, and the workers of the build that it began with shall
 * not have to.
 */
function isToBeginAnew(): boolean {
  const { continueAsNewSuggested, targetWorkerDeploymentVersionChanged } = workflowInfo();
  return continueAsNewSuggested || (targetWorkerDeploymentVersionChanged && patched(NEXT_BUILD_PATCH));
}

/** Only this function ends an import as FAILED. */
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
