/**
 * `node docker/jobs/prepare-mongodb.ts` makes a new mongod a replica set and creates the indexes of its database. It
 * gives every account its user with the rights of the manifests. It runs at every start, before the service's
 * processes. Documents stay, users get the passwords of the environment, and users of earlier releases are removed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import { z } from 'zod';
import { accountOf, listAccountNames } from '../../ops/privileges/accounts.ts';
import { makeIndexes, putUsers } from '../../ops/privileges/prepare-database.ts';
import { parseConfig } from '../../platform/config.ts';
import { redactText } from '../../platform/log.ts';
import { accountPasswords, withPasswords } from './accounts.ts';

const REPLICA_SET = 'rs0';
const WAIT_MS = 60_000;
const PAUSE_MS = 500;

const shape = {
  /** The server's address for the processes, which also names the single member of the replica set. */
  MONGODB_HOST: z.string().regex(/^[^/:]+:\d+$/, 'must be host:port'),
  MONGODB_ROOT_USER: z.string(),
  MONGODB_ROOT_PASSWORD: z.string(),
  MONGODB_DATABASE: z.string(),
  /** Selects the collections that the database holds. */
  MONGODB_HOLDS: z.enum(['data', 'customerKeys']),
  MONGODB_ACCOUNTS: accountPasswords,
};

type Config = z.infer<z.ZodObject<typeof shape>>;
type Database = mongoose.mongo.Db;

async function ensureReplicaSet(admin: Database, host: string): Promise<void> {
  const found = await admin.command({ replSetGetConfig: 1 }).catch(() => undefined);
  if (found === undefined) {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
  }
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await delay(PAUSE_MS)) {
    const { isWritablePrimary } = await admin.command({ hello: 1 });
    if (isWritablePrimary === true) return;
  }
  throw new Error(`The replica set has no primary after ${WAIT_MS / 1_000} s`);
}

function listUsers({ MONGODB_DATABASE: database, MONGODB_HOLDS: kind, MONGODB_ACCOUNTS: passwords }: Config) {
  const places = { data: database, customerKeys: database, bucket: '' };
  const accounts = listAccountNames()
    .map((name) => ({ name, privileges: accountOf(name, places)[kind] }))
    .filter(({ privileges }) => privileges.length > 0);
  return withPasswords(accounts, passwords);
}

async function prepare(config: Config): Promise<void> {
  const users = listUsers(config);
  const client = new mongoose.mongo.MongoClient(`mongodb://${config.MONGODB_HOST}/?directConnection=true`, {
    auth: { username: config.MONGODB_ROOT_USER, password: config.MONGODB_ROOT_PASSWORD },
    serverSelectionTimeoutMS: WAIT_MS,
  });
  try {
    await client.connect();
    await ensureReplicaSet(client.db('admin'), config.MONGODB_HOST);
    const db = client.db(config.MONGODB_DATABASE);
    await Promise.all([makeIndexes(db, config.MONGODB_HOLDS), putUsers(db, users)]);
  } finally {
    await client.close();
  }
}

try {
  await prepare(parseConfig(shape));
  process.stdout.write('MongoDB is a replica set and has its indexes and users\n');
} catch (error) {
  process.stderr.write(`${redactText(error instanceof Error ? error.message : String(error))}\n`);
  process.exitCode = 1;
}
