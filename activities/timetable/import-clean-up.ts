/**
 * Removes what abandoned uploads, withdrawals and expired versions leave behind. Each part may die at any instant, and
 * any number of processes may run it again.
 *
 * Callers: the sweep (all of it, every few seconds); the upload handler (`removeAbandoned`, for its own upload); the
 * codespace handlers (`finishWithdrawal`).
 */
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { CodespaceStore, Withdrawal } from './codespace-store.ts';
import {
  differencesKey,
  privatePrefix,
  reportIdentitiesKey,
  reportKey,
  stopRegisterPrefix,
  uploadKey,
  workPrefix,
} from './object-keys.ts';
import type { Abandoned, ReceiptStore } from './receipt-store.ts';
import type { VersionStore } from './version-store.ts';

export interface CleanUpDependencies {
  readonly receipts: ReceiptStore;
  readonly versions: VersionStore;
  readonly codespaces: CodespaceStore;
  readonly objects: ObjectStore;
}

/** Items of each kind in one round, so that a round stays short. */
const ROUND = 100;

export interface CleanUpCounts {
  readonly abandonedUploads: number;
  readonly withdrawals: number;
  readonly purged: number;
}

export async function cleanUpImports(dependencies: CleanUpDependencies): Promise<CleanUpCounts> {
  const abandoned = await dependencies.receipts.abandonStale(ROUND);
  for (const upload of abandoned) await removeAbandoned(dependencies, upload);
  const withdrawals = await dependencies.codespaces.listWithdrawals();
  for (const withdrawal of withdrawals) await finishWithdrawal(dependencies, withdrawal);
  return {
    abandonedUploads: abandoned.length,
    withdrawals: withdrawals.length,
    purged: await purge(dependencies),
  };
}

/** The upload must be ABANDONED: nothing can accept it any more. */
export async function removeAbandoned(
  { receipts, objects }: Pick<CleanUpDependencies, 'receipts' | 'objects'>,
  { codespace, correlationId }: Abandoned,
): Promise<void> {
  const key = uploadKey(codespace, correlationId);
  await objects.abortUploads(key);
  await objects.delete(key);
  await receipts.forget(codespace, correlationId);
}

export async function finishWithdrawal(
  { codespaces, versions }: Pick<CleanUpDependencies, 'codespaces' | 'versions'>,
  withdrawal: Withdrawal,
): Promise<void> {
  await versions.withdrawAll(withdrawal.codespace, withdrawal.withdrawnAt);
  await codespaces.forget(withdrawal);
}

async function purge({ versions, objects }: CleanUpDependencies): Promise<number> {
  const due = await versions.listPurges(ROUND);
  for (const item of due) {
    await objects.delete(uploadKey(item.codespace, item.correlationId));
    await objects.delete(reportKey(item.codespace, item.correlationId));
    await objects.delete(reportIdentitiesKey(item.codespace, item.correlationId));
    await objects.delete(differencesKey(item.codespace, item.correlationId));
    await objects.deletePrefix(stopRegisterPrefix(item.correlationId));
    await objects.deletePrefix(privatePrefix(item.codespace, item.correlationId));
    await objects.deletePrefix(workPrefix(item.codespace, item.correlationId));
    await versions.markPurged(item);
  }
  return due.length;
}
