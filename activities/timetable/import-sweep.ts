/**
 * Does again what crashes have left undone: starts the workflows of imports that none runs for, removes uploads, bytes
 * and working files that nobody needs. Every process may sweep at any time; several at once do no harm.
 *
 * Caller: the timetable worker, every few seconds.
 */

import type { Logger } from '../../platform/log.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import { startDatasetImport } from './dataset-import-start.ts';
import { startDatasetRefresh } from './dataset-refresh-start.ts';
import { type CleanUpDependencies, cleanUpImports } from './import-clean-up.ts';
import type { ImportStore } from './import-store.ts';
import { PRIVATE_DATASETS, parsePrivateKey, workPrefix } from './object-keys.ts';
import type { PrivateDatasetStore } from './private-dataset-store.ts';

export interface SweepDependencies extends CleanUpDependencies {
  readonly imports: ImportStore;
  readonly privateDatasets: PrivateDatasetStore;
  readonly temporal: TemporalClient;
  readonly log: Logger;
  readonly now?: () => Date;
}

/** The upload handler starts its workflow itself within this time of the receipt. */
const HANDLER_TIME_MS = 2_000;
const STARTS_PER_SWEEP = 100;
const REFRESHES_PER_SWEEP = 20;
/** Most imports have ended by then, and are not asked about. */
const LOST_AFTER_MS = 60_000;
/** An attempt that outlived its import may still be writing. */
const WORK_KEPT_MS = 10 * 60_000;
/** The nightly refresh of a version works under the same prefix, and may wait for its turn for hours. */
const REFRESH_WORK_KEPT_MS = 24 * 60 * 60_000;
/** By then it is shown, or nobody goes on with it; and whoever was reading an older one has ended. */
const UNSHOWN_KEPT_MS = 24 * 60 * 60_000;
/** Keys that are asked about at once. */
const PRIVATE_PAGE = 500;

export async function sweepImports(dependencies: SweepDependencies): Promise<void> {
  await startPendingImports(dependencies);
  await startWantedRefreshes(dependencies);
  const done = await cleanUpImports(dependencies);
  if (done.abandonedUploads + done.withdrawals + done.purged > 0) dependencies.log.info(done, 'swept');
}

export async function startPendingImports({ imports, temporal, log, now }: SweepDependencies): Promise<void> {
  const before = new Date((now?.() ?? new Date()).getTime() - HANDLER_TIME_MS);
  for (const { codespace, correlationId } of await imports.listPendingStarts(before, STARTS_PER_SWEEP)) {
    await startDatasetImport(temporal, { codespace, correlationId });
    await imports.clearPendingStart(codespace, correlationId);
    log.info({ codespace, correlationId }, 'started an import that was pending');
  }
}

/**
 * Starts again what should be running and is not: its run was terminated by hand, or Temporal lost its storage. Where a
 * run is alive this asks Temporal once and changes nothing; so it is to be run seldom.
 */
export async function startLostImports({ imports, temporal, now }: SweepDependencies): Promise<void> {
  const before = new Date((now?.() ?? new Date()).getTime() - LOST_AFTER_MS);
  for await (const { codespace, correlationId } of imports.eachInProgress(before)) {
    await startDatasetImport(temporal, { codespace, correlationId });
  }
}

/** A withdrawal has made an older version the latest again: its private dataset is to be of today, too. */
export async function startWantedRefreshes({ privateDatasets, temporal, log }: SweepDependencies): Promise<void> {
  for (const wanted of await privateDatasets.listWanted(REFRESHES_PER_SWEEP)) {
    // One that runs may have begun before this was wanted: the wish stays until that has ended.
    if (!(await startDatasetRefresh(temporal, wanted.codespace))) continue;
    await privateDatasets.clearWanted(wanted);
    log.info(wanted, 'started the refresh of a version that is the latest again');
  }
}

/** Working files of imports that have ended, written by an attempt that outlived them. Lists much: to be run seldom. */
export async function removeWorkLeftovers({ imports, objects, log, ...clock }: SweepDependencies): Promise<void> {
  const now = (clock.now?.() ?? new Date()).getTime();
  const newest = new Map<string, { codespace: Codespace; correlationId: CorrelationId; at: number }>();
  for await (const { key, lastModified } of objects.list('work/')) {
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
 * Private datasets that nobody can read: exports whose makers died, and those that newer ones have replaced twice. Lists
 * them all: to be run seldom.
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
      // Shown meanwhile, perhaps: the claim decides, not what was read.
      // Of its own version only: no id of an export is taken to be unique beyond that.
      const isReadable = readable.get(correlationId)?.includes(exportId);
      if (isReadable || !(await privateDatasets.discard(correlationId, exportId))) continue;
      await objects.delete(key);
      removed++;
    }
    if (removed > 0) log.info({ objects: removed }, 'removed private datasets that nobody can read');
    page = [];
  };
  for await (const { key, lastModified } of objects.list(PRIVATE_DATASETS)) {
    const parsed = parsePrivateKey(key);
    if (!parsed || lastModified.getTime() > before) continue;
    if (page.push({ key, ...parsed }) === PRIVATE_PAGE) await flush();
  }
  await flush();
}
