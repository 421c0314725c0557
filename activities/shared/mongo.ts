/** One mongoose connection per process. Stores take the connection; nothing uses mongoose's global one. */
import mongoose, { type Connection } from 'mongoose';

/** Connects with majority writes and bounded waits, so that a lost database fails a request in seconds instead of hanging it. */
export async function connectMongo(uri: string): Promise<Connection> {
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

/** True when a write lost to a unique index; `indexName` narrows to one index. */
export function isDuplicateKey(error: unknown, indexName?: string): boolean {
  if (!(error instanceof Error) || (error as { code?: unknown }).code !== DUPLICATE_KEY) return false;
  return indexName === undefined || error.message.includes(`index: ${indexName} `);
}
