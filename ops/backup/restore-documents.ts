/**
 * Writes a back-up's documents into a database. They replace its content byte for byte, and are read back and hashed
 * before the indexes are made; or they are added. Caller: the command of restoring, after restore-target.ts or
 * restore-keys.ts has allowed it.
 */
import mongoose, { type mongo } from 'mongoose';
import { batchesOf } from '../../platform/batches.ts';
import { isAdded } from './added-collections.ts';
import type { Report } from './back-up.ts';
import { listCollections, readRaw } from './back-up-documents.ts';
import type { BackupFolder } from './backup-folder.ts';
import { DocumentCount, isSame, readBsonFile } from './bson-file.ts';
import type { CollectionEntry, Manifest } from './manifest.ts';
import { fromPlainJson } from './plain-json.ts';

const { BSON } = mongoose.mongo;
/** Numbers and bytes keep their types. */
const EXACT = { promoteValues: false, promoteBuffers: false, promoteLongs: false, bsonRegExp: true } as const;
const WRITE = { ordered: false, forceServerObjectId: true } as const;
const DUPLICATE_KEY = 11_000;
const BATCH = { count: 1_000, weight: { of: (bson: Uint8Array) => bson.length, limit: 8 * 1024 * 1024 } };

export async function replaceDocuments(
  db: mongo.Db,
  folder: BackupFolder,
  { collections }: Pick<Manifest, 'collections'>,
  report: Report,
): Promise<void> {
  for (const { name } of await listCollections(db)) if (!isAdded(name)) await db.dropCollection(name);
  for (const entry of collections) {
    if (isAdded(entry.name)) continue;
    await restoreCollection(db, folder, entry);
    report(`${entry.name}: ${entry.documents} documents`);
  }
}

/** Documents whose `_id` exists stay unchanged. Returns how many were added. Safe to repeat. */
export async function addDocuments(
  db: mongo.Db,
  folder: BackupFolder,
  { name, ...entry }: CollectionEntry,
): Promise<number> {
  const indexes = entry.indexes.map(fromPlainJson);
  if (indexes.length > 0) await db.command({ createIndexes: name, indexes });
  const collection = db.collection(name);
  let added = 0;
  for await (const batch of readBatches(folder, name)) {
    const ids = batch.map(({ _id }) => _id);
    added += await insertMissing(collection, batch);
    const there = await collection.countDocuments({ _id: { $in: ids } });
    if (there !== ids.length) throw new Error(`${name}: ${ids.length - there} documents were refused`);
  }
  return added;
}

async function insertMissing(collection: mongo.Collection, batch: mongo.Document[]): Promise<number> {
  try {
    return (await collection.insertMany(batch, WRITE)).insertedCount;
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) throw error;
    const refused = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
    const isOther = refused.length === 0 || refused.some(({ code }) => code !== DUPLICATE_KEY);
    if (isOther || error.result.getWriteConcernError()) throw error;
    return error.insertedCount;
  }
}

async function restoreCollection(db: mongo.Db, folder: BackupFolder, entry: CollectionEntry): Promise<void> {
  const { name } = entry;
  const collection = await db.createCollection(name, fromPlainJson(entry.options));
  for await (const batch of readBatches(folder, name)) await collection.insertMany(batch, WRITE);
  const count = new DocumentCount();
  for await (const document of readRaw(collection)) count.add(document);
  if (!isSame(count.facts(), entry)) throw new Error(`${name}: what was restored is not what the back-up holds`);
  const indexes = entry.indexes.map(fromPlainJson);
  // Indexes come last: one that lets documents expire would remove some before they are compared.
  if (indexes.length > 0) await db.command({ createIndexes: name, indexes });
}

async function* readBatches(folder: BackupFolder, name: string): AsyncGenerator<mongo.Document[]> {
  for await (const batch of batchesOf(readBsonFile(folder.collectionFile(name)), BATCH)) {
    yield batch.map((bytes) => BSON.deserialize(bytes, EXACT));
  }
}
