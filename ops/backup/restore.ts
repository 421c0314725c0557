/**
 * Restores a back-up of the data, or of the customers' keys. It checks the whole back-up and the target, then writes, compares, and erases
 * the customers again who were erased since. Callers: `npm run restore`, tests. No process of the service may run meanwhile.
 */
import mongoose from 'mongoose';
import { PROFILES, type ProfileDocument } from '../../activities/customers/profile-document.ts';
import { ErasuresSince, type ReappliedErasures } from '../../activities/customers/reapplied-erasures.ts';
import { EVENT_TOPICS } from '../../activities/events/event-log-store.ts';
import { connectForRestore, connectMongo } from '../../platform/mongo/mongo.ts';
import { ObjectStore } from '../../platform/object-store/object-store.ts';
import { checkBackup, keysUriOf, type Report, withDatabase } from './back-up.ts';
import type { BackupFolder, BackupKind, Manifest } from './backup-folder.ts';
import { readBsonFile } from './bson-file.ts';
import type { Places } from './place-types.ts';
import { replaceDocuments } from './restore-documents.ts';
import { restoreKeys } from './restore-keys.ts';
import { restoreObjects } from './restore-objects.ts';
import { beginRestore, endRestore, type RestoreTarget } from './restore-target.ts';
import { UserError } from './user-error.ts';

export interface RestoreOptions {
  /** Delete the existing content. Without it keys are added to the existing ones, and other content is refused. */
  readonly replace: boolean;
  /** Accept any number of customers without a key. */
  readonly eraseKeyless: boolean;
}

/** More than these, or all, cannot be erasures: the keys are missing, or are another installation's. */
const BELIEVED = 20;
const BELIEVED_SHARE = 0.05;

export async function restore(
  places: Places,
  kind: BackupKind,
  folder: BackupFolder,
  options: RestoreOptions,
  report: Report,
): Promise<void> {
  const manifest = await checkBackup(folder, report, kind);
  if (kind === 'data') await restoreData(places, folder, manifest, options, report);
  else await restoreKeys(places, folder, manifest, options.replace, report);
}

async function restoreData(
  places: Places,
  folder: BackupFolder,
  manifest: Manifest,
  { replace, eraseKeyless }: RestoreOptions,
  report: Report,
): Promise<void> {
  const hasCustomers = manifest.collections.some(
    ({ name, documents }) => name === PROFILES.collection && documents > 0,
  );
  if (hasCustomers) await withErasures(places, (erasures) => refuseKeyless(erasures, folder, eraseKeyless));
  const objects = await ObjectStore.open(places.objectStore);
  try {
    await withDatabase(places.mongodbUri, async (client) => {
      const target = { db: client.db(), objects };
      await beginRestore(target, manifest.id, replace);
      await replaceDocuments(target.db, folder, manifest, report);
      await restoreObjects(objects, folder.objects);
      report(`objects: ${manifest.objects?.count ?? 0}`);
      if (hasCustomers) await reapplyErasures(places, report);
      await reportOffsets(target, report);
      await endRestore(target);
    });
  } finally {
    objects.close();
  }
}

/** Higher offsets belonged to events that are lost; they are used again. */
async function reportOffsets({ db }: RestoreTarget, report: Report): Promise<void> {
  const topics = EVENT_TOPICS.open(db).find();
  for await (const { _id, lastOffset } of topics) report(`events of ${_id} go on after offset ${lastOffset}`);
}

/** Runs before anything is changed. */
async function refuseKeyless(erasures: ErasuresSince, folder: BackupFolder, eraseKeyless: boolean): Promise<void> {
  const { living, keyless } = await erasures.count(readProfiles(folder));
  const believed = keyless === 0 || (keyless < living && keyless <= BELIEVED + living * BELIEVED_SHARE);
  if (eraseKeyless || believed) return;
  throw new UserError(
    `Nothing was changed: ${keyless} of ${living} customers have no key in CUSTOMER_KEYS_MONGODB_URI. Restore the keys first ` +
      '(npm run restore -- --customer-keys), or have these customers erased with --erase-keyless.',
  );
}

async function* readProfiles(folder: BackupFolder): AsyncGenerator<ProfileDocument> {
  for await (const bytes of readBsonFile(folder.collectionFile(PROFILES.collection))) {
    yield mongoose.mongo.BSON.deserialize(bytes) as ProfileDocument;
  }
}

async function reapplyErasures(places: Places, report: Report): Promise<void> {
  const { keyless }: ReappliedErasures = await whileConnected(connectForRestore(places.mongodbUri), (data) =>
    withErasures(places, (erasures) => erasures.reapply(data)),
  );
  report(`customers erased since the back-up, to be erased again when the service runs: ${keyless}`);
}

/** Needs all keys: with half of them the other customers would count as erased. */
async function withErasures<Result>(
  places: Places,
  use: (erasures: ErasuresSince) => Promise<Result>,
): Promise<Result> {
  return await whileConnected(connectMongo(keysUriOf(places)), (connection) => use(new ErasuresSince(connection)));
}

async function whileConnected<Result>(
  connecting: Promise<mongoose.Connection>,
  use: (connection: mongoose.Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await connecting;
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}
