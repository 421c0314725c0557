/**
 * Repairs the effects of crashes: starts the missing workflows of imports, and removes unused uploads, bytes and
 * working files. Every process may sweep at any time, also several at once.
 *
 * Caller: the timetable worker, every few seconds.
 */
import { sweepPendingStarts } from '../../platform/aggregate/pending-starts.ts';
import type { Logger } from '../../platform/log.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import { startDatasetImport } from './dataset-import-start.ts';
import { startDatasetRefresh } from './dataset-refresh-start.ts';
import { type CleanUpDependencies, cleanUpImports } from './import-clean-up.ts';
import type { ImportStore } from './import-store.ts';
import { PRIVATE_DATASETS, parsePrivateKey, WORK, workPrefix } from './object-keys.ts';
import type { PrivateDatasetStore } from './private-dataset-store.ts';

export interface SweepDependencies extends CleanUpDependencies {
  readonly imports: ImportStore;
  readonly privateDatasets: PrivateDatasetStore;
  readonly temporal: TemporalClient;
  readonly log: Logger;
  readonly now?: () => Date;
}

const REFRESHES_PER_SWEEP = 20;
/** Most imports have ended by then, so Temporal is asked about few. */
const LOST_AFTER_MS = 60_000;
/** An attempt that outlived its import may still be writing. */
const WORK_KEPT_MS = 10 * 60_000;
/** The nightly refresh of a version uses the same prefix, and may wait for hours before it begins. */
const REFRESH_WORK_KEPT_MS = 24 * 60 * 60_000;
/** By then an export is shown, or its activity has ended; downloads of older ones have ended too. */
const UNSHOWN_KEPT_MS = 24 * 60 * 60_000;
/** Number of keys looked up at once. */
const PRIVATE_PAGE = 500;

export async function sweepImports(dependencies: SweepDependencies): Promise<void> {
  await startPendingImports(dependencies);
  await startWantedRefreshes(dependencies);
  const done = await cleanUpImports(dependencies);
  if (done.abandonedUploads + done.withdrawals + done.purged > 0) dependencies.log.info(done, 'swept');
}

export async function startPendingImports({ imports, temporal, log, now }: SweepDependencies): Promise<void> {
  await sweepPendingStarts({
    list: (before, limit) => imports.listPendingStarts(before, limit),
    start: (input) => startDatasetImport(temporal, input),
    clear: ({ codespace, correlationId }) => imports.clearPendingStart(codespace, correlationId),
    describe: ({ codespace, correlationId }) => ({ codespace, correlationId }),
    log,
    ...(now && { now }),
  });
}

/**
 * Restarts the workflows of unfinished imports that no workflow runs for: one was terminated by hand, or Temporal lost its
 * storage. Asks Temporal about every import in progress and changes nothing where a run is alive, so run it seldom.
 */
export async function startLostImports({ imports, temporal, now }: SweepDependencies): Promise<void> {
  const before = new Date((now?.() ?? new Date()).getTime() - LOST_AFTER_MS);
  for await (const { codespace, correlationId } of imports.eachInProgress(before)) {
    await startDatasetImport(temporal, { codespace, correlationId });
  }
}

/** After a withdrawal an older version is the latest again: starts a refresh of its private dataset. */
export async function startWantedRefreshes({ privateDatasets, temporal, log }: SweepDependencies): Promise<void> {
  for (const wanted of await privateDatasets.listWanted(REFRESHES_PER_SWEEP)) {
    // A running refresh may have begun before the withdrawal: the version stays wanted until that run has ended.
    if (!(await startDatasetRefresh(temporal, wanted.codespace))) continue;
    await privateDatasets.clearWanted(wanted);
    log.info(wanted, 'started the refresh of a version that is the latest again');
  }
}

/** Removes working files that an attempt has written after its import had ended. Lists many objects: run it rarely. */
export async function removeWorkLeftovers({ imports, objects, log, ...clock }: SweepDependencies): Promise<void> {
  const now = (clock.now?.() ?? new Date()).getTime();
  const newest = new Map<string, { codespace: Codespace; correlationId: CorrelationId; at: number }>();
  for await (const { key, lastModified } of objects.list(WORK)) {
    const [, codespace, correlationId] = key.split('/') as ['work', Codespace, CorrelationId];
    const at = Math.max(lastModified.getTime(), newest.get(correlationId)?.at ?? 0);
    newest.set(correlationId, { codespace, correlationId, at });
  }
  for (const { codespace, correlationId, at } of newest.values()) {
    if (at > now - WORK_KEPT_MS) continue;
    const found = await imports.find(codespace, correlationId);
    if (found?.state === 'IN_PROGRESS') continue;
    const mayBeRefreshed = found?.publishedAt !== undefined && found.withdrawnAt === undefined;
    if (mayBeRefreshed && at > now - REFRESH_WORK_KEPT_MS) continue;
    await objects.deletePrefix(workPrefix(codespace, correlationId));
    log.info({ codespace, correlationId }, 'removed working files of an import that had ended');
  }
}

/**
 * Removes private datasets without a reader: exports whose activity died, and those that newer ones have replaced
 * twice. Lists all of them: run it rarely.
 */
export async function removeUnshownExports({
  privateDatasets,
  objects,
  log,
  ...clock
}: SweepDependencies): Promise<void> {
  const before = (clock.now?.() ?? new Date()).getTime() - UNSHOWN_KEPT_MS;
  let page: Array<{ readonly key: string; readonly correlationId: CorrelationId; readonly exportId: string }> = [];
  const flush = async () => {
    const readable = await privateDatasets.listReadable([...new Set(page.map(({ correlationId }) => correlationId))]);
    let removed = 0;
    for (const { key, correlationId, exportId } of page) {
      // The claim decides, not the read, because the dataset may have been shown since. Ids of exports are unique
      // within their version only.
      const isReadable = readable.get(correlationId)?.includes(exportId);
      if (isReadable || !(await privateDatasets.discard(correlationId, exportId))) continue;
      await objects.delete(key);
      removed++;
    }
    if (removed > 0) log.info({ objects: removed }, 'removed private datasets without a reader');
    page = [];
  };
  for await (const { key, lastModified } of objects.list(PRIVATE_DATASETS)) {
    const parsed = parsePrivateKey(key);
    if (!parsed || lastModified.getTime() > before) continue;
    if (page.push({ key, ...parsed }) === PRIVATE_PAGE) await flush();
  }
  await flush();
}
