/**
 * Copies a database at one instant, while the service continues to write: every read is of one snapshot, so a transaction over several
 * collections is copied completely or not at all. Caller: the command of back-ups.
 *
 * The server keeps snapshots for `minSnapshotHistoryWindowInSeconds` (300 unless set): a copy that takes longer fails, and says so.
 */
import type { mongo } from 'mongoose';
import { RESTORE_MARK } from '../../platform/mongo/restore-mark.ts';
import { type BackupFolder, type CollectionEntry, toPlainJson } from './backup-folder.ts';
import { type DocumentFacts, writeBsonFile } from './bson-file.ts';
import { UserError } from './user-error.ts';

export interface DocumentsBackup {
  readonly asOf: Date;
  readonly collections: readonly CollectionEntry[];
}

const TRIES = 5;
const SNAPSHOT_TOO_OLD = 239;
/** A collection or an index was made meanwhile. */
const SNAPSHOT_UNAVAILABLE = 246;
const BATCH = 500;

export async function backUpDocuments(
  client: mongo.MongoClient,
  folder: BackupFolder,
  onCopied: (name: string, facts: DocumentFacts) => void,
): Promise<DocumentsBackup> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await copySnapshot(client, folder, onCopied);
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code === SNAPSHOT_TOO_OLD) throw tooLong(error);
      if (code !== SNAPSHOT_UNAVAILABLE || tries === TRIES) throw error;
    }
  }
}

async function copySnapshot(
  client: mongo.MongoClient,
  folder: BackupFolder,
  onCopied: (name: string, facts: DocumentFacts) => void,
): Promise<DocumentsBackup> {
  const db = client.db();
  const session = client.startSession({ snapshot: true });
  try {
    const asOf = new Date();
    // The first read chooses the instant. Collections are listed after it: none of that instant can be missing.
    await db.collection('none').findOne({}, { session });
    const collections: CollectionEntry[] = [];
    for (const { name, options = {} } of await listCollections(db)) {
      const indexes = (await db.collection(name).indexes()).filter((index) => index.name !== '_id_');
      const facts = await writeBsonFile(folder.collectionFile(name), readRaw(db.collection(name), session));
      collections.push({ name, ...facts, options: toPlainJson(options), indexes: indexes.map(toPlainJson) });
      onCopied(name, facts);
    }
    return { asOf, collections };
  } finally {
    await session.endSession();
  }
}

/** Those with documents: no views, nothing of the database's own, no mark of a restore. */
export async function listCollections(db: mongo.Db): Promise<readonly mongo.CollectionInfo[]> {
  const found = await db.listCollections({ type: 'collection' }).toArray();
  return found
    .filter((each): each is mongo.CollectionInfo => 'type' in each && !each.name.startsWith('system.'))
    .filter(({ name }) => name !== RESTORE_MARK)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The bytes of each document, in the order of `_id`. */
export async function* readRaw(
  collection: mongo.Collection,
  session?: mongo.ClientSession,
): AsyncGenerator<Uint8Array> {
  const options = { raw: true, batchSize: BATCH, ...(session && { session }) };
  const cursor = collection.find({}, options).sort({ _id: 1 }).hint('_id_');
  for await (const document of cursor) yield document as unknown as Uint8Array;
}

function tooLong(cause: unknown): UserError {
  return new UserError(
    'Copying took longer than the database keeps snapshots: raise its parameter minSnapshotHistoryWindowInSeconds',
    { cause },
  );
}
