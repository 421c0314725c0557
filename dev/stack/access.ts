/**
 * The accounts of a local stack or a test: the user of each process in databases and object store. It creates these
 * users in servers that the stack has started. Callers: parts.ts, prepare.ts, tests.
 */
import mongoose from 'mongoose';
import { type Account, accountOf } from '../../ops/privileges/accounts.ts';
import { prepareBucket } from '../../ops/privileges/prepare-bucket.ts';
import { MECHANISMS, makeIndexes, putUsers } from '../../ops/privileges/prepare-database.ts';
import type { Environment } from '../../platform/config.ts';
import type { ObjectStoreConfig } from '../../platform/object-store/object-store.ts';
import { replacingAll } from '../../platform/privileges/database-privileges.ts';
import { HELPER_NAMES, isHelper, SIMULATOR_DATABASE } from './helper-processes.ts';
import { kebabCase, type RunnableName } from './process-names.ts';
import { PROCESS_NAMES, SHARED_PROCESSES } from './processes.ts';
import { type DatabaseLogin, mongoUri, systemLogin } from './servers.ts';

export const DATABASE = 'samferd';
/** Holds the keys that seal customers' data. A backup of the data never contains it. */
export const CUSTOMER_KEYS_DATABASE = 'samferd_customer_keys';
/**
 * This user may do everything on the database server. Unlike `root` it also reads the server's own collections and the
 * oplog. Developers use it, and tests that check all stored data.
 */
const ADMINISTRATOR = 'administrator';
const COMMANDS = ['client'] as const;

export interface LocalAccess {
  readonly mongodbPort: number;
  /** Members of the replica set authenticate with it: the content of mongod's key file. */
  readonly mongodbKey: string;
  readonly bucket: string;
  /** The password of an account, in databases and object store. */
  readonly passwordOf: (account: string) => string;
}

/** Includes the accounts of processes that share one, and of operators' commands. */
export function localAccountNames(): readonly string[] {
  return [...PROCESS_NAMES, ...Object.keys(SHARED_PROCESSES), ...HELPER_NAMES, ...COMMANDS]
    .map(kebabCase)
    .concat(ADMINISTRATOR);
}

export function administratorLogin({ passwordOf }: Pick<LocalAccess, 'passwordOf'>): DatabaseLogin {
  return { user: ADMINISTRATOR, password: passwordOf(ADMINISTRATOR), database: 'admin' };
}

/**
 * Returns the variables for a process's access to the databases. Variables of databases that it does not use are unset.
 */
export function databaseAccess(name: RunnableName | 'client', access: LocalAccess): Environment {
  const uri = (database: string) => {
    const user = kebabCase(name);
    return mongoUri(access.mongodbPort, database, { user, password: access.passwordOf(user), database });
  };
  if (name !== 'client' && isHelper(name)) return { MONGODB_URI: uri(SIMULATOR_DATABASE) };
  const account = localAccount(name, access.bucket);
  return {
    MONGODB_URI: uri(DATABASE),
    CUSTOMER_KEYS_MONGODB_URI: account.customerKeys.length > 0 ? uri(CUSTOMER_KEYS_DATABASE) : undefined,
  };
}

const NO_OBJECTS: Environment = {
  S3_ENDPOINT: undefined,
  S3_REGION: undefined,
  S3_BUCKET: undefined,
  S3_ACCESS_KEY_ID: undefined,
  S3_SECRET_ACCESS_KEY: undefined,
};

/**
 * Returns the variables for a process's access to the object store. A process without objects gets no address either.
 */
export function objectAccess(name: RunnableName, { bucket, passwordOf }: LocalAccess): Environment {
  const account = isHelper(name) ? undefined : localAccount(name, bucket);
  if (account?.policy === undefined) return NO_OBJECTS;
  return { S3_ACCESS_KEY_ID: account.name, S3_SECRET_ACCESS_KEY: passwordOf(account.name) };
}

/** Creates indexes, roles and users in both databases. */
export async function prepareDatabases(access: LocalAccess): Promise<void> {
  const client = new mongoose.mongo.MongoClient(mongoUri(access.mongodbPort, DATABASE, systemLogin(access.mongodbKey)));
  try {
    await client.connect();
    await Promise.all([
      putAdministrator(client.db('admin'), access),
      prepareOne(client.db(DATABASE), 'data', access),
      prepareOne(client.db(CUSTOMER_KEYS_DATABASE), 'customerKeys', access),
      putHelpers(client.db(SIMULATOR_DATABASE), access),
    ]);
  } finally {
    await client.close();
  }
}

async function prepareOne(db: mongoose.mongo.Db, kind: 'data' | 'customerKeys', access: LocalAccess): Promise<void> {
  const accounts = listAccounts(access.bucket).filter((account) => account[kind].length > 0);
  const users = accounts.map((account) => ({
    name: account.name,
    password: access.passwordOf(account.name),
    privileges: account[kind],
  }));
  await Promise.all([makeIndexes(db, kind), putUsers(db, users)]);
}

/** A helper owns its whole database. */
async function putHelpers(db: mongoose.mongo.Db, { passwordOf }: LocalAccess): Promise<void> {
  const privileges = replacingAll(db.databaseName);
  const users = HELPER_NAMES.map((name) => ({
    name: kebabCase(name),
    password: passwordOf(kebabCase(name)),
    privileges,
  }));
  await putUsers(db, users);
}

async function putAdministrator(admin: mongoose.mongo.Db, { passwordOf }: LocalAccess): Promise<void> {
  const { users } = await admin.command({ usersInfo: ADMINISTRATOR });
  const command = (users as readonly unknown[]).length === 0 ? 'createUser' : 'updateUser';
  await admin.command({
    [command]: ADMINISTRATOR,
    pwd: passwordOf(ADMINISTRATOR),
    mechanisms: MECHANISMS,
    roles: ['__system'],
  });
}

/** `config` holds the keys of the server's administrator. */
export async function prepareObjects(config: ObjectStoreConfig, access: LocalAccess): Promise<void> {
  await prepareBucket(
    config,
    listAccounts(access.bucket).flatMap(({ name, policy }) =>
      policy === undefined ? [] : [{ name, policy, secret: access.passwordOf(name) }],
    ),
  );
}

function listAccounts(bucket: string): readonly Account[] {
  const names = [
    ...PROCESS_NAMES,
    ...(Object.keys(SHARED_PROCESSES) as (keyof typeof SHARED_PROCESSES)[]),
    ...COMMANDS,
  ];
  return names.map((name) => localAccount(name, bucket));
}

function localAccount(name: RunnableName | 'client', bucket: string): Account {
  const parts: readonly string[] =
    name === 'lightServers' || name === 'lightWorkers' ? SHARED_PROCESSES[name].parts : [name];
  const places = { data: DATABASE, customerKeys: CUSTOMER_KEYS_DATABASE, bucket };
  return accountOf(kebabCase(name), places, parts.map(kebabCase));
}
