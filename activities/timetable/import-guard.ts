/**
 * Keeps the same bytes from being imported twice: an import holds `guardSha256`, unique within its codespace, while it is
 * in progress and while it is the latest version.
 *
 * Callers: the stores of this folder. In progress the guard is exact, being set and removed by the writes that begin and
 * end an import. Which version is the latest is a matter of several documents, so a guard may for a moment be held by a
 * version that no longer is, or be missing on the one that now is: both are put right before anyone is told DUPLICATE,
 * and again whenever the latest changes.
 */
import type { mongo } from 'mongoose';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { Codespace } from '../../workflows/shared/ids.ts';
import { IMPORT_INDEX, type ImportCollection, type ImportDocument } from './import-model.ts';

/** The visible version with the newest receipt. */
export async function findLatest(imports: ImportCollection, codespace: Codespace): Promise<ImportDocument | null> {
  return await imports.findOne({ codespace, visible: true }, { sort: { receivedAt: -1 } });
}

/** Lets go of the bytes of every ended import that is not the latest. */
async function releaseGuards(imports: ImportCollection, codespace: Codespace): Promise<void> {
  const latest = await findLatest(imports, codespace);
  const notLatest: mongo.Filter<ImportDocument>[] = [{ visible: { $ne: true }, state: { $in: ['OK', 'FAILED'] } }];
  // Older than a visible version: whatever happens meanwhile to newer ones, it is not the latest while that one stands.
  if (latest?.receivedAt) notLatest.push({ state: 'OK', receivedAt: { $lt: latest.receivedAt } });
  await imports.updateMany(
    { codespace, guardSha256: { $exists: true }, $or: notLatest },
    { $unset: { guardSha256: 1 } },
  );
}

/** Gives the latest version its guard, unless an import in progress holds the same bytes already. */
export async function settleGuard(imports: ImportCollection, codespace: Codespace): Promise<void> {
  await releaseGuards(imports, codespace);
  const latest = await findLatest(imports, codespace);
  if (!latest || latest.guardSha256 !== undefined) return;
  try {
    await imports.updateOne({ _id: latest._id, visible: true }, [{ $set: { guardSha256: '$sha256' } }]);
  } catch (error) {
    if (!isDuplicateKey(error, IMPORT_INDEX.activeBytes)) throw error;
  }
}
