/**
 * Does again what crashes have left undone: starts the workflows of imports that none runs for, removes uploads, bytes
 * and working files that nobody needs. Every process may sweep at any time; several at once do no harm.
 *
 * Caller: the timetable worker, every few seconds.
 */
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import type { Logger } from '../shared/log.ts';
import type { TemporalClient } from '../shared/temporal.ts';
import { startDatasetImport } from './dataset-import-start.ts';
import { type CleanUpDependencies, cleanUpImports } from './import-clean-up.ts';
import type { ImportStore } from './import-store.ts';
import { workPrefix } from './object-keys.ts';

export interface SweepDependencies extends CleanUpDependencies {
  readonly imports: ImportStore;
  readonly temporal: TemporalClient;
  readonly log: Logger;
  readonly now?: () => Date;
}

/** The upload handler starts its workflow itself within this time of the receipt. */
const HANDLER_TIME_MS = 2_000;
const STARTS_PER_SWEEP = 100;
/** Most imports have ended by then, and are not asked about. */
const LOST_AFTER_MS = 60_000;
/** An attempt that outlived its import may still be writing. */
const WORK_KEPT_MS = 10 * 60_000;

export async function sweepImports(dependencies: SweepDependencies): Promise<void> {
  await startPendingImports(dependencies);
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
  for (const { codespace, correlationId } of await imports.listInProgress(before, STARTS_PER_SWEEP)) {
    await startDatasetImport(temporal, { codespace, correlationId });
  }
}

/** Working files of imports that have ended, written by an attempt that outlived them. Lists much: to be run seldom. */
export async function removeWorkLeftovers({ imports, objects, log, now }: SweepDependencies): Promise<void> {
  const before = (now?.() ?? new Date()).getTime() - WORK_KEPT_MS;
  const newest = new Map<string, { codespace: Codespace; correlationId: CorrelationId; at: number }>();
  for await (const { key, lastModified } of objects.list('work/')) {
    const [, codespace, correlationId] = key.split('/') as ['work', Codespace, CorrelationId];
    const at = Math.max(lastModified.getTime(), newest.get(correlationId)?.at ?? 0);
    newest.set(correlationId, { codespace, correlationId, at });
  }
  for (const { codespace, correlationId, at } of newest.values()) {
    if (at > before) continue;
    const found = await imports.find(codespace, correlationId);
    if (found?.state === 'IN_PROGRESS') continue;
    await objects.deletePrefix(workPrefix(codespace, correlationId));
    log.info({ codespace, correlationId }, 'removed working files of an import that had ended');
  }
}
