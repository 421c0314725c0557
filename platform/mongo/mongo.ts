/** One mongoose connection per process. Stores take the connection; nothing uses mongoose's global one. */
import mongoose, { type Connection, type mongo } from 'mongoose';
import { refuseUnfinishedRestore } from './restore-mark.ts';

/**
 * Connects with majority writes and bounded waits, so that a lost database fails a request in seconds instead of hanging it.
 * Throws UnfinishedRestore where the database may hold a part of its data.
 */
export async function connectMongo(uri: string): Promise<Connection> {
  const connection = await connectForRestore(uri);
  try {
    if (connection.db) await refuseUnfinishedRestore(connection.db);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Connects without that check, for the restore itself. */
export async function connectForRestore(uri: string): Promise<Connection> {
  const connection = mongoose.createConnection(uri, {
    serverSelectionTimeoutMS: 5_000,
    socketTimeoutMS: 30_000,
    writeConcern: { w: 'majority' },
    readConcern: { level: 'majority' },
    autoIndex: false,
    bufferCommands: false,
  });
  return await connection.asPromise();
}

const DUPLICATE_KEY = 11_000;
const { MongoBulkWriteError, MongoServerError } = mongoose.mongo;

/** True when a write lost to a unique index; `indexName` narrows to one index. */
export function isDuplicateKey(error: unknown, indexName?: string): boolean {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return false;
  return indexName === undefined || error.message.includes(`index: ${indexName} `);
}

/** The refused writes of a bulk; undefined for any other error. */
export function listRefusedWrites(error: unknown): readonly mongo.WriteError[] | undefined {
  return error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : undefined;
}

/** True when a bulk lost writes to unique indexes, and no write for another reason. */
export function isOnlyDuplicateKeys(error: unknown): boolean {
  const refused = listRefusedWrites(error) ?? [];
  return refused.length > 0 && refused.every(({ code }) => code === DUPLICATE_KEY);
}
