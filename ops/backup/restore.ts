/**
 * Restores a back-up of the data, or of the customers' keys. It checks the whole back-up and the target, then writes,
 * compares, and erases the customers again who were erased since. Callers: `npm run restore`, tests. No process of the
 * service may run meanwhile.
 */
import mongoose from 'mongoose';
import { AREAS } from '../../activities/areas.ts';
import { withdrawEveryKey } from '../../activities/auth/signing-key-collection.ts';
import { customerStoreOptions } from '../../activities/customers/customer-config.ts';
import { PROFILES, type ProfileDocument } from '../../activities/customers/profile-document.ts';
import { ErasuresSince, type ReappliedErasures } from '../../activities/customers/reapplied-erasures.ts';
import { renewSearchKeys } from '../../activities/customers/search-key-renewal.ts';
import { EVENT_TOPICS } from '../../activities/events/event-log-document.ts';
import { connectForRestore, connectMongo } from '../../platform/mongo/mongo.ts';
import { ObjectStore } from '../../platform/object-store/object-store.ts';
import { destroyKeysOfErased } from '../../platform/personal/erased-keys.ts';
import { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import { addAuditEntries } from './add-audit-entries.ts';
import { checkBackup, keysUriOf, type Report, withDatabase } from './back-up.ts';
import type { BackupFolder } from './backup-folder.ts';
import { readBsonFile } from './bson-file.ts';
import type { BackupKind, Manifest } from './manifest.ts';
import type { Places } from './place-types.ts';
import { recordBackup, requireAuditKeys } from './record-backup.ts';
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

/**
 * More keyless customers than this and the share below, or all of them, cannot be erasures. Then the keys are missing,
 * or belong to another installation.
 */
const BELIEVED = 20;
const BELIEVED_SHARE = 0.05;
/** Customer numbers in one line of the report. */
const LISTED = 20;

export async function restore(
  places: Places,
  kind: BackupKind,
  folder: BackupFolder,
  options: RestoreOptions,
  report: Report,
): Promise<void> {
  requireAuditKeys(places);
  const manifest = await checkBackup(folder, report, kind);
  if (kind === 'data') await restoreData(places, folder, manifest, options, report);
  else {
    const restored = async () => await restoreKeys(places, folder, manifest, options.replace, report);
    await recordBackup(places, 'restore', 'customer-keys', report, restored);
  }
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
  if (hasCustomers) {
    await refuseWithoutSecrets(places, folder);
    await withErasures(places, (erasures) => refuseKeyless(erasures, folder, eraseKeyless));
  }
  const objects = await ObjectStore.open(places.objectStore);
  try {
    await withDatabase(places.mongodbUri, async (client) => {
      const target = { db: client.db(), objects };
      await beginRestore(target, manifest.id, replace);
      const isSameLog = await addAuditEntries(target.db, folder, manifest, report);
      await recordBackup(places, 'restore', 'data', report, async () => {
        await replaceDocuments(target.db, folder, manifest, report);
        report(`signing keys withdrawn: ${await withdrawEveryKey(target.db)}`);
        await restoreObjects(objects, folder, isSameLog);
        report(`objects: ${manifest.objects?.count ?? 0}`);
        if (hasCustomers) {
          await reapplyErasures(places, report);
          await computeSearchKeys(places, report);
        }
      });
      await reportOffsets(target, report);
      await endRestore(target);
    });
  } finally {
    objects.close();
  }
}

/** Readers may know higher offsets, whose events are lost. The log uses these offsets again. */
async function reportOffsets({ db }: RestoreTarget, report: Report): Promise<void> {
  const topics = EVENT_TOPICS.open(db).find();
  for await (const { _id, lastOffset } of topics) report(`events of ${_id} go on after offset ${lastOffset}`);
}

/** Runs before any change. */
async function refuseKeyless(erasures: ErasuresSince, folder: BackupFolder, eraseKeyless: boolean): Promise<void> {
  const { living, keyless } = await erasures.count(readProfiles(folder));
  const believed = keyless === 0 || (keyless < living && keyless <= BELIEVED + living * BELIEVED_SHARE);
  if (eraseKeyless || believed) return;
  throw new UserError(
    `Nothing was changed: ${keyless} of ${living} customers have no key in CUSTOMER_KEYS_MONGODB_URI. Restore the keys first ` +
      '(npm run restore -- --customer-keys), or have these customers erased with --erase-keyless.',
  );
}

/** Runs before any change. */
async function refuseWithoutSecrets({ customerSecrets }: Places, folder: BackupFolder): Promise<void> {
  if (customerSecrets) return;
  for await (const { status, sealed } of readProfiles(folder)) {
    if (status !== 'ACTIVE' || !sealed) continue;
    throw new UserError(
      'Nothing was changed: set CUSTOMER_MASTER_KEYS and CUSTOMER_SEARCH_KEY. The back-up holds no search keys, so the restore ' +
        'computes them from the sealed data.',
    );
  }
}

/** Until it has ended, the mark of the restore keeps processes from starting: no search misses a customer. */
async function computeSearchKeys({ customerSecrets, ...places }: Places, report: Report): Promise<void> {
  if (!customerSecrets) return;
  const { renewed, unopened } = await whileConnected(connectForRestore(places.mongodbUri), (connection) =>
    whileConnected(connectMongo(keysUriOf(places)), async (keysConnection) => {
      const keys = new SubjectKeys({ connection: keysConnection, masterKeys: customerSecrets.CUSTOMER_MASTER_KEYS });
      return await renewSearchKeys(customerStoreOptions(customerSecrets, { connection, keys, environment: 'dev' }));
    }),
  );
  report(`customers whose search keys were computed: ${renewed}`);
  if (unopened.length > 0) {
    const listed = unopened.slice(0, LISTED).join(', ');
    report(
      `customers whose data does not open, so that no search finds them: ${unopened.length} (${listed}). Look at them before use`,
    );
  }
}

async function* readProfiles(folder: BackupFolder): AsyncGenerator<ProfileDocument> {
  for await (const bytes of readBsonFile(folder.collectionFile(PROFILES.collection))) {
    yield mongoose.mongo.BSON.deserialize(bytes) as ProfileDocument;
  }
}

async function reapplyErasures(places: Places, report: Report): Promise<void> {
  const { keyless }: ReappliedErasures = await whileConnected(connectForRestore(places.mongodbUri), (data) =>
    whileConnected(connectMongo(keysUriOf(places)), async (keys) => {
      const reapplied = await new ErasuresSince(keys).reapply(data);
      await destroyKeysOfErased(AREAS, data, keys);
      return reapplied;
    }),
  );
  report(`customers erased since the back-up, to be erased again when the service runs: ${keyless}`);
}

/** Requires all keys: without them, living customers would count as erased. */
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
