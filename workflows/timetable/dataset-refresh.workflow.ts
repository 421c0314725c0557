/**
 * Makes the private datasets anew for a new day, so that past trips drop out. The database says which are stale; this
 * pages through them, a few at a time, tries again what failed, and ends.
 *
 * Started by the schedule `dataset-refresh` (see refresh-schedule.ts), by hand, and for one codespace after a withdrawal.
 */
import { log, setCurrentDetails, setHandler, sleep, workflowInfo } from '@temporalio/workflow';
import { continueOnCurrentBuild } from '../shared/continue-on-current-build.ts';
import { dueAt } from '../shared/due-at.ts';
import { runBounded } from '../shared/run-bounded.ts';
import { dataset, records } from './activity-proxies.ts';
import {
  type DatasetImportInput,
  type DatasetRefreshInput,
  type DatasetRefreshProgress,
  refreshProgressQuery,
} from './messages.ts';
import { makePrivateDataset } from './private-export.ts';
import { describeRefresh, nextRound, REFRESH_BEGINS, withOutcome } from './rules/refresh-progress.ts';

/** Enough to keep several workers busy while one dataset is filtered. */
const DATASETS_AT_ONCE = 4;
/** A dataset of a gigabyte takes some 300 events; a run is to end well before its history is long. */
const PAGE = 10;

const NO_WATCH = { filesFound: () => {}, filesValidated: () => {} };

export async function datasetRefresh(input: DatasetRefreshInput = {}): Promise<DatasetRefreshProgress> {
  let progress = input.progress ?? REFRESH_BEGINS;
  setHandler(refreshProgressQuery, () => progress);
  const show = (next: DatasetRefreshProgress): void => {
    progress = next;
    setCurrentDetails(describeRefresh(next));
  };
  const { codespaces } = input;
  const day = progress.day ?? (await records.serviceDay({ instant: dueAt().toISOString() }));
  show({ ...progress, day });
  for (;;) {
    const query = { day, after: progress.after, limit: PAGE, ...(codespaces && { codespaces }) };
    const page = await dataset.listStaleExports(query);
    await runBounded(page.length, DATASETS_AT_ONCE, async (at) => {
      const target = page[at];
      if (!target) return;
      const outcome = await refresh(target, day);
      show(withOutcome(progress, target.codespace, outcome));
    });
    const last = page.at(-1);
    if (last) show({ ...progress, after: last.codespace });
    if (page.length < PAGE) {
      const next = nextRound(progress);
      if (!next) return progress;
      await sleep(next.pauseMs);
      show(next.progress);
    }
    if (workflowInfo().continueAsNewSuggested)
      await continueOnCurrentBuild<typeof datasetRefresh>({ ...input, progress });
  }
}

async function refresh({ codespace, correlationId }: DatasetImportInput, day: string) {
  const input = { codespace, correlationId };
  const outcome = await makePrivateDataset({ ...input, day }, NO_WATCH);
  await dataset.removeWorkFiles({ ...input, runId: workflowInfo().runId });
  if (outcome.state === 'DEFECT') {
    const { errorCode, rules } = outcome;
    log.error('A private dataset could not be made anew', { codespace, correlationId, day, errorCode, rules });
  }
  return outcome.state;
}
