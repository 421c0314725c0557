/**
 * `node docker/jobs/prepare-mongodb.ts`: makes a new mongod a replica set and gives the service its two users, one for the documents and one
 * for the customers' keys, each with no rights on the other's database. Runs before the service's processes, at every start: what is there
 * already stays, except that the users get the passwords of the environment. Never touches a document.
 */
import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import { z } from 'zod';
import { parseConfig } from '../../platform/config.ts';
import { redactText } from '../../platform/log.ts';

const REPLICA_SET = 'rs0';
const WAIT_MS = 60_000;
const PAUSE_MS = 500;

const shape = {
  /** As the processes reach it; the replica set's one member is known by it. */
  MONGODB_HOST: z.string().regex(/^[^/:]+:\d+$/, 'must be host:port'),
  MONGODB_ROOT_USER: z.string(),
  MONGODB_ROOT_PASSWORD: z.string(),
  MONGODB_USER: z.string(),
  MONGODB_PASSWORD: z.string(),
  MONGODB_DATABASE: z.string(),
  MONGODB_KEYS_USER: z.string(),
  MONGODB_KEYS_PASSWORD: z.string(),
  MONGODB_KEYS_DATABASE: z.string(),
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

/** `readWrite` lacks `collMod`, by which the time that events are kept is changed. */
async function ensureUser(database: Database, user: string, pwd: string): Promise<void> {
  const roles = ['readWrite', 'dbAdmin'].map((role) => ({ role, db: database.databaseName }));
  const { users } = await database.command({ usersInfo: user });
  const command = (users as readonly unknown[]).length === 0 ? { createUser: user } : { updateUser: user };
  await database.command({ ...command, pwd, roles });
}

async function prepare(config: Config): Promise<void> {
  const client = new mongoose.mongo.MongoClient(`mongodb://${config.MONGODB_HOST}/?directConnection=true`, {
    auth: { username: config.MONGODB_ROOT_USER, password: config.MONGODB_ROOT_PASSWORD },
    serverSelectionTimeoutMS: WAIT_MS,
  });
  try {
    await client.connect();
    await ensureReplicaSet(client.db('admin'), config.MONGODB_HOST);
    await ensureUser(client.db(config.MONGODB_DATABASE), config.MONGODB_USER, config.MONGODB_PASSWORD);
    await ensureUser(client.db(config.MONGODB_KEYS_DATABASE), config.MONGODB_KEYS_USER, config.MONGODB_KEYS_PASSWORD);
  } finally {
    await client.close();
  }
}

try {
  await prepare(parseConfig(shape));
  process.stdout.write('MongoDB is a replica set and has its users\n');
} catch (error) {
  process.stderr.write(`${redactText(error instanceof Error ? error.message : String(error))}\n`);
  process.exitCode = 1;
}
