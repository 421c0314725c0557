/**
 * Keeps the same bytes from being imported twice. An import holds `guardSha256`, unique within its codespace, while it
 * is in progress and while it is the latest version.
 *
 * Callers: the stores of this folder. The writes that begin and end an import set and remove its guard, so in progress the
 * guard is exact. Several documents decide which version is the latest. So for a moment an older version may still hold its
 * guard, or the latest may miss it. `settleGuard` corrects both: before a receipt is refused as DUPLICATE, and after every
 * change of the latest.
 */
import type { mongo } from 'mongoose';
import { conditionalPipeline, conditionalUpdate } from '../../platform/aggregate/conditional-update.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { Codespace } from '../../workflows/shared/ids.ts';
import { IMPORT_INDEX, type ImportCollection, type ImportDocument } from './import-model.ts';

/** The visible version with the newest receipt. */
export async function findLatest(imports: ImportCollection, codespace: Codespace): Promise<ImportDocument | null> {
  return await imports.findOne({ codespace, visible: true }, { sort: { receivedAt: -1 } });
}

/** Removes the guard of every ended import that is not the latest version. */
async function releaseGuards(imports: ImportCollection, codespace: Codespace, at: Date): Promise<void> {
  const latest = await findLatest(imports, codespace);
  const notLatest: mongo.Filter<ImportDocument>[] = [{ visible: { $ne: true }, state: { $in: ['OK', 'FAILED'] } }];
  // While the found version is visible, no version with an older receipt is the latest, whatever happens to newer ones.
  if (latest?.receivedAt) notLatest.push({ state: 'OK', receivedAt: { $lt: latest.receivedAt } });
  await imports.updateMany(
    { codespace, guardSha256: { $exists: true }, $or: notLatest },
    conditionalUpdate<ImportDocument>({ set: { guardSha256: undefined } }, at),
  );
}

/** Gives the latest version its guard, unless an import in progress holds the same bytes already. */
export async function settleGuard(imports: ImportCollection, codespace: Codespace, at: Date): Promise<void> {
  await releaseGuards(imports, codespace, at);
  const latest = await findLatest(imports, codespace);
  if (!latest || latest.guardSha256 !== undefined) return;
  try {
    await imports.updateOne(
      { _id: latest._id, visible: true },
      conditionalPipeline([{ $set: { guardSha256: '$sha256' } }], at),
    );
  } catch (error) {
    if (!isDuplicateKey(error, IMPORT_INDEX.activeBytes)) throw error;
  }
}
