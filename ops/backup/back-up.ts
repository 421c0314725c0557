/**
 * Makes a back-up of the data, or of the customers' keys, and checks one. Callers: `npm run backup`, tests.
 *
 * Data and keys never come into one folder: together they make erased customers readable.
 */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { AREAS } from '../../activities/areas.ts';
import { collectionsOf } from '../../platform/area.ts';
import { PLATFORM_COLLECTIONS } from '../../platform/mongo/platform-collections.ts';
import { refuseUnfinishedRestore } from '../../platform/mongo/restore-mark.ts';
import { ObjectStore } from '../../platform/object-store/object-store.ts';
import { backUpDocuments, listCollections } from './back-up-documents.ts';
import { backUpObjects } from './back-up-objects.ts';
import type { BackupFolder } from './backup-folder.ts';
import { checkBsonFile } from './bson-file.ts';
import type { BackupKind, Manifest, ObjectsEntry } from './manifest.ts';
import type { Places } from './place-types.ts';
import { removeOthers, summarise } from './stored-object.ts';
import { UserError } from './user-error.ts';

export type Report = (line: string) => void;

const COLLECTIONS = [...collectionsOf(AREAS), ...PLATFORM_COLLECTIONS];
const KNOWN = new Set(COLLECTIONS.map(({ definition }) => definition.collection));
const OF_KEYS = COLLECTIONS.flatMap(({ database, definition }) =>
  database === 'customerKeys' ? [definition.collection] : [],
);

export async function backUp(
  places: Places,
  kind: BackupKind,
  folder: BackupFolder,
  report: Report,
): Promise<Manifest> {
  return kind === 'data' ? await backUpData(places, folder, report) : await backUpKeys(places, folder, report);
}

async function backUpData(places: Places, folder: BackupFolder, report: Report): Promise<Manifest> {
  const objects = ObjectStore.connect(places.objectStore);
  try {
    return await withDatabase(places.mongodbUri, async (client) => {
      await refuseKeysBesideData(client);
      await refuseUnfinishedRestore(client.db());
      await objects.ping().catch((cause: unknown) => {
        const { S3_ENDPOINT, S3_BUCKET } = places.objectStore;
        throw new UserError(`${S3_ENDPOINT} does not answer, or has no bucket ${S3_BUCKET}`, { cause });
      });
      await folder.begin('data');
      const run = randomUUID();
      report(`objects: ${await backUpObjects(objects, folder, run)} copied`);
      const { asOf, collections } = await copyDocuments(client, folder, report);
      report(`objects that came meanwhile: ${await backUpObjects(objects, folder, run)} copied`);
      await removeOthers(folder, run);
      // A restore may have begun meanwhile.
      await refuseUnfinishedRestore(client.db());
      const stored: ObjectsEntry = await summarise(folder, { check: false });
      return await folder.finish({ documentsAsOf: asOf.toISOString(), collections, objects: stored });
    });
  } finally {
    objects.close();
  }
}

async function backUpKeys(places: Places, folder: BackupFolder, report: Report): Promise<Manifest> {
  return await withDatabase(keysUriOf(places), async (client) => {
    await refuseUnfinishedRestore(client.db());
    await folder.begin('customer-keys');
    const { asOf, collections } = await copyDocuments(client, folder, report);
    await refuseUnfinishedRestore(client.db());
    return await folder.finish({ documentsAsOf: asOf.toISOString(), collections });
  });
}

async function copyDocuments(client: mongoose.mongo.MongoClient, folder: BackupFolder, report: Report) {
  const { asOf, collections } = await backUpDocuments(client, folder, (name, { documents }) => {
    report(`${name}: ${documents} documents${KNOWN.has(name) ? '' : ', of no area that this release knows'}`);
  });
  return { asOf, collections: [...collections] };
}

/** Reads every byte again. Throws UserError if one differs from what was written. */
export async function checkBackup(folder: BackupFolder, report: Report, kind?: BackupKind): Promise<Manifest> {
  const manifest = await folder.readManifest(kind);
  for (const entry of manifest.collections) await checkBsonFile(folder.collectionFile(entry.name), entry);
  if (manifest.objects) {
    const found = await summarise(folder, { check: true });
    if (JSON.stringify(found) !== JSON.stringify(manifest.objects)) {
      throw new UserError(`${folder.objects} does not hold the objects that the manifest counts`);
    }
  }
  report(`the back-up is whole: ${describeManifest(manifest)}`);
  return manifest;
}

export function describeManifest({ kind, documentsAsOf, collections, objects }: Manifest): string {
  const documents = collections.reduce((sum, entry) => sum + entry.documents, 0);
  const others = objects ? `, ${objects.count} objects of ${(objects.bytes / 1e6).toFixed(1)} MB` : '';
  return `${kind} as of ${documentsAsOf}, ${documents} documents of ${collections.length} collections${others}`;
}

export function keysUriOf({ customerKeysUri }: Places): string {
  if (customerKeysUri === undefined)
    throw new UserError('Set CUSTOMER_KEYS_MONGODB_URI: the database of customers’ keys');
  return customerKeysUri;
}

async function refuseKeysBesideData(client: mongoose.mongo.MongoClient): Promise<void> {
  const names = (await listCollections(client.db())).map(({ name }) => name);
  const found = OF_KEYS.filter((name) => names.includes(name));
  if (found.length > 0) {
    throw new UserError(
      `The customers’ keys lie in the database of the data (${found.join(', ')}): no back-up may hold both`,
    );
  }
}

/** Uses no defaults of the service's connection, because the reads of a snapshot set their own read concern. */
export async function withDatabase<Result>(
  uri: string,
  use: (client: mongoose.mongo.MongoClient) => Promise<Result>,
): Promise<Result> {
  const client = new mongoose.mongo.MongoClient(uri, {
    serverSelectionTimeoutMS: 5_000,
    writeConcern: { w: 'majority' },
  });
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.close();
  }
}
