/**
 * Puts a back-up's documents into a database, byte for byte: what was written is read back and hashed before its indexes are made.
 * Caller: the command of restoring. Drops what is there; whether that may be is decided before (restore-target.ts).
 */
import mongoose, { type mongo } from 'mongoose';
import { listCollections, readRaw } from './back-up-documents.ts';
import { type BackupFolder, type CollectionEntry, fromPlainJson } from './backup-folder.ts';
import { DocumentCount, isSame, readBsonFile } from './bson-file.ts';
import { RESTORE_MARK } from './restore-target.ts';

const { BSON } = mongoose.mongo;
/** Numbers and bytes keep their types. */
const EXACT = { promoteValues: false, promoteBuffers: false, promoteLongs: false, bsonRegExp: true } as const;
const BATCH_DOCUMENTS = 1_000;
const BATCH_BYTES = 8 * 1024 * 1024;

export async function dropAll(db: mongo.Db): Promise<void> {
  for (const { name } of await listCollections(db)) if (name !== RESTORE_MARK) await db.dropCollection(name);
}

export async function restoreCollection(db: mongo.Db, folder: BackupFolder, entry: CollectionEntry): Promise<void> {
  const { name } = entry;
  const collection = await db.createCollection(name, fromPlainJson(entry.options));
  for await (const batch of batchesOf(readBsonFile(folder.collectionFile(name)))) {
    await collection.insertMany(batch, { ordered: false, forceServerObjectId: true });
  }
  const count = new DocumentCount();
  for await (const document of readRaw(collection)) count.add(document);
  if (!isSame(count.facts(), entry)) throw new Error(`${name}: what was restored is not what the back-up holds`);
  const indexes = entry.indexes.map(fromPlainJson);
  // Last: an index that lets documents expire would remove some before they are compared.
  if (indexes.length > 0) await db.command({ createIndexes: name, indexes });
}

async function* batchesOf(documents: AsyncIterable<Uint8Array>): AsyncGenerator<mongo.Document[]> {
  let batch: mongo.Document[] = [];
  let bytes = 0;
  for await (const document of documents) {
    batch.push(BSON.deserialize(document, EXACT));
    bytes += document.length;
    if (batch.length < BATCH_DOCUMENTS && bytes < BATCH_BYTES) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
