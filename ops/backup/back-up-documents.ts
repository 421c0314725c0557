/**
 * Copies a database at one instant, while the service continues to write. Every read is of one snapshot, so a
 * transaction over several collections is copied completely or not at all. Caller: the command of back-ups.
 *
 * The server keeps snapshots for `minSnapshotHistoryWindowInSeconds` (300 unless set): a copy that takes longer fails,
 * and says so.
 */
import type { mongo } from 'mongoose';
import { RESTORE_MARK } from '../../platform/mongo/restore-mark.ts';
import type { BackupFolder } from './backup-folder.ts';
import { type DocumentFacts, writeBsonFile } from './bson-file.ts';
import { leftOutOf } from './left-out.ts';
import type { CollectionEntry } from './manifest.ts';
import { toPlainJson } from './plain-json.ts';
import { UserError } from './user-error.ts';

export interface DocumentsBackup {
  readonly asOf: Date;
  readonly collections: readonly CollectionEntry[];
}

const TRIES = 5;
const SNAPSHOT_TOO_OLD = 239;
/** Code of the error when a collection or an index was created meanwhile. */
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
    // The first read chooses the instant. List the collections after it, so that none of that instant is missing.
    await db.collection('none').findOne({}, { session });
    const collections: CollectionEntry[] = [];
    for (const { name, options = {} } of await listCollections(db)) {
      const leftOut = leftOutOf(name);
      if (leftOut === 'ALL') continue;
      const indexes = (await db.collection(name).indexes()).filter((index) => index.name !== '_id_');
      const facts = await writeBsonFile(
        folder.collectionFile(name),
        readRaw(db.collection(name), { session, leftOut }),
      );
      collections.push({ name, ...facts, options: toPlainJson(options), indexes: indexes.map(toPlainJson) });
      onCopied(name, facts);
    }
    return { asOf, collections };
  } finally {
    await session.endSession();
  }
}

/**
 * Lists the collections with documents. It excludes views, the database's own collections and the mark of a restore.
 */
export async function listCollections(db: mongo.Db): Promise<readonly mongo.CollectionInfo[]> {
  const found = await db.listCollections({ type: 'collection' }).toArray();
  return found
    .filter((each): each is mongo.CollectionInfo => 'type' in each && !each.name.startsWith('system.'))
    .filter(({ name }) => name !== RESTORE_MARK)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export interface RawReading {
  readonly session?: mongo.ClientSession;
  readonly leftOut?: readonly string[];
}

/** Yields the bytes of each document, in the order of `_id`. */
export async function* readRaw(
  collection: mongo.Collection,
  { session, leftOut = [] }: RawReading = {},
): AsyncGenerator<Uint8Array> {
  const projection = Object.fromEntries(leftOut.map((member) => [member, 0]));
  const options = { raw: true, batchSize: BATCH, projection, ...(session && { session }) };
  const cursor = collection.find({}, options).sort({ _id: 1 }).hint('_id_');
  for await (const document of cursor) yield document as unknown as Uint8Array;
}

function tooLong(cause: unknown): UserError {
  return new UserError(
    'Copying took longer than the database keeps snapshots: raise its parameter minSnapshotHistoryWindowInSeconds',
    { cause },
  );
}
