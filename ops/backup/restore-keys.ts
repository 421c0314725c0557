/**
 * Restores the keys of customers. A customer whose key is lost cannot be read again. So existing keys stay, and missing
 * ones are added; replacing all is refused where it would take a living customer's key. Caller: the command of
 * restoring.
 */
import type mongoose from 'mongoose';
import { AREAS } from '../../activities/areas.ts';
import { connectForRestore } from '../../platform/mongo/mongo.ts';
import { destroyKeysOfErased } from '../../platform/personal/erased-keys.ts';
import { keysUriOf, type Report, withDatabase } from './back-up.ts';
import type { BackupFolder } from './backup-folder.ts';
import { countOtherKeys, countTakenKeys } from './count-keys.ts';
import type { Manifest } from './manifest.ts';
import type { Places } from './place-types.ts';
import { addDocuments, replaceDocuments } from './restore-documents.ts';
import { beginRestore, endRestore, findContent } from './restore-target.ts';
import { UserError } from './user-error.ts';

export async function restoreKeys(
  places: Places,
  folder: BackupFolder,
  manifest: Manifest,
  replace: boolean,
  report: Report,
): Promise<void> {
  await withDatabase(keysUriOf(places), async (client) => {
    const db = client.db();
    await withDatabase(places.mongodbUri, (data) => refuseLoss(db, data.db(), folder, replace));
    const isEmpty = (await findContent({ db })) === undefined;
    await beginRestore({ db }, manifest.id, true);
    if (replace || isEmpty) await replaceDocuments(db, folder, manifest, report);
    else await addKeys(db, folder, manifest, report);
    await destroyErased(places);
    report('keys of those that the data calls erased are destroyed again');
    await endRestore({ db });
  });
}

/** Runs before any change. Throws if the restore would remove a living customer's key, or if keys contradict. */
async function refuseLoss(keys: mongoose.mongo.Db, data: mongoose.mongo.Db, folder: BackupFolder, replace: boolean) {
  const count = replace ? await countTakenKeys(keys, data, folder) : await countOtherKeys(keys, folder);
  if (count === 0) return;
  throw new UserError(
    replace
      ? `Nothing was changed: ${count} keys are not in this back-up, and according to MONGODB_URI their customers live. ` +
          'Without --replace the back-up is added to the keys that are there.'
      : `Nothing was changed: ${count} customers have another key there than in this back-up, so one of the two is not of this installation.`,
  );
}

async function addKeys(db: mongoose.mongo.Db, folder: BackupFolder, { collections }: Manifest, report: Report) {
  for (const entry of collections) {
    const added = await addDocuments(db, folder, entry);
    report(`${entry.name}: ${added} documents added, ${entry.documents - added} were there`);
  }
}

async function destroyErased(places: Places): Promise<void> {
  const [keys, data] = [await connectForRestore(keysUriOf(places)), await connectForRestore(places.mongodbUri)];
  try {
    await destroyKeysOfErased(AREAS, data, keys);
  } finally {
    await Promise.all([keys.close(), data.close()]);
  }
}
