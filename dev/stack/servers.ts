/**
 * The command lines of the native servers and their readiness checks. The local stack and the tests both use them, so
 * that they run the same servers in the same way. Callers choose folders and ports.
 */

import { dirname } from 'node:path';
import { Connection } from '@temporalio/client';
import mongoose from 'mongoose';
import { expectedServerPath, serverPath } from '../setup/resolve.mjs';
import type { ChildOptions } from './children.ts';
import { listCliAttributes, missingAttributes } from './search-attributes.ts';

export type ServerOptions = Omit<ChildOptions, 'logFile'>;

const HOST = '127.0.0.1';
const REPLICA_SET = 'rs0';

export interface MongoOptions {
  readonly port: number;
  readonly directory: string;
  readonly cacheSizeGb: number;
  /** If set, the server requires a user and a password from every client. */
  readonly keyFile?: string;
  /** Further arguments. */
  readonly more?: readonly string[];
}

/** Size in MB of the oplog for data and customers' keys. It bounds how long the oplog keeps erased data. */
const OPLOG_MB = 256;

export function mongodOptions({ port, directory, cacheSizeGb, keyFile, more = [] }: MongoOptions): ServerOptions {
  const cache = ['--wiredTigerCacheSizeGB', String(cacheSizeGb)];
  const quiet = ['--quiet', '--setParameter', 'diagnosticDataCollectionEnabled=false', '--nounixsocket'];
  // The log of slow operations contains values, so sample none.
  const bounded = ['--oplogSize', String(OPLOG_MB), '--slowOpSampleRate', '0'];
  const args = [
    '--replSet',
    REPLICA_SET,
    '--dbpath',
    directory,
    '--port',
    String(port),
    '--bind_ip',
    HOST,
    // Every login that may read could otherwise run scripts in a query ($where, $function).
    '--noscripting',
    ...cache,
    ...quiet,
    // The members' own login exists before any user, so disable the exception for connections from this machine.
    ...(keyFile === undefined ? [] : ['--keyFile', keyFile, '--setParameter', 'enableLocalhostAuthBypass=false']),
    ...bounded,
    ...more,
  ];
  return { name: 'mongod', command: serverPath('mongod'), args };
}

export interface DatabaseLogin {
  readonly user: string;
  readonly password: string;
  /** The database that stores the user. */
  readonly database: string;
}

/**
 * The user by which members of a replica set authenticate to each other. It may do everything, even before any user
 * exists.
 */
export function systemLogin(key: string): DatabaseLogin {
  return { user: '__system', password: key, database: 'local' };
}

/** The address of another database on the same server. */
export function besideUri(uri: string, database: string): string {
  const [before, query] = uri.split('?', 2) as [string, string?];
  const server = /^mongodb(?:\+srv)?:\/\/[^/]+/.exec(before)?.[0] ?? before;
  return `${server}/${database}${query === undefined ? '' : `?${query}`}`;
}

/** Connects directly, because the single member's port may have changed since the set was made. */
export function mongoUri(port: number, database: string, login?: DatabaseLogin): string {
  const address = `${HOST}:${port}/${database}?replicaSet=${REPLICA_SET}&directConnection=true`;
  if (login === undefined) return `mongodb://${address}`;
  const [user, password] = [login.user, login.password].map(encodeURIComponent);
  return `mongodb://${user}:${password}@${address}&authSource=${login.database}&authMechanism=SCRAM-SHA-256`;
}

/**
 * Makes the server a replica set of one, or updates the port of an existing one. Returns once it accepts writes. `key`
 * is the content of the server's key file.
 */
export async function initiateReplicaSet(port: number, key?: string): Promise<void> {
  const client = new mongoose.mongo.MongoClient(`mongodb://${HOST}:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
    ...(key !== undefined && {
      auth: { username: '__system', password: key },
      authSource: 'local',
      authMechanism: 'SCRAM-SHA-256' as const,
    }),
  });
  const member = { _id: 0, host: `${HOST}:${port}` };
  try {
    const admin = (await client.connect()).db('admin');
    const found = await admin.command({ replSetGetConfig: 1 }).catch(() => undefined);
    const config = found?.config as { version: number; members: { host: string }[] } | undefined;
    if (config === undefined) await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [member] } });
    else if (config.members[0]?.host !== member.host) {
      const moved = { ...config, version: config.version + 1, members: [{ ...config.members[0], ...member }] };
      await admin.command({ replSetReconfig: moved, force: true });
    }
    const hello = await admin.command({ hello: 1 });
    if (hello.isWritablePrimary !== true) throw new Error('The replica set has no primary yet');
  } finally {
    await client.close();
  }
}

export interface MinioOptions {
  readonly port: number;
  readonly directory: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** If absent, there is no console. */
  readonly consolePort?: number;
}

export function minioOptions(options: MinioOptions): ServerOptions {
  const { port, directory, consolePort } = options;
  const console = consolePort === undefined ? [] : ['--console-address', `${HOST}:${consolePort}`];
  return {
    name: 'minio',
    command: expectedServerPath('minio'),
    args: ['server', directory, '--address', `${HOST}:${port}`, ...console],
    env: {
      // MinIO makes a folder for certificates in its home, which must not be the user's home.
      HOME: dirname(directory),
      MINIO_ROOT_USER: options.accessKeyId,
      MINIO_ROOT_PASSWORD: options.secretAccessKey,
      MINIO_BROWSER: consolePort === undefined ? 'off' : 'on',
      MINIO_UPDATE: 'off',
    },
  };
}

export async function checkMinio(port: number): Promise<void> {
  const answer = await fetch(`http://${HOST}:${port}/minio/health/cluster`, { signal: AbortSignal.timeout(1_000) });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`MinIO answers ${answer.status}`);
}

export interface TemporalOptions {
  readonly port: number;
  readonly databaseFile: string;
  /** If absent, there is no web UI. */
  readonly ui?: { readonly port: number; readonly codecEndpoint: string };
}

/** Without these the development server completes a seventh of the workflows per second. */
const SQLITE_PRAGMAS = ['journal_mode=WAL', 'synchronous=NORMAL'];
const DYNAMIC_CONFIG = ['history.transferProcessorMaxPollRPS=200', 'history.timerProcessorMaxPollRPS=200'];

export function temporalOptions({ port, databaseFile, ui }: TemporalOptions): ServerOptions {
  const uiArgs = ui
    ? [
        '--ui-ip',
        HOST,
        '--ui-port',
        String(ui.port),
        '--ui-codec-endpoint',
        ui.codecEndpoint,
        '--ui-disable-news-fetch',
      ]
    : ['--headless'];
  const args = [
    'server',
    'start-dev',
    '--ip',
    HOST,
    '--port',
    String(port),
    '--db-filename',
    databaseFile,
    '--log-level',
    'warn',
    ...SQLITE_PRAGMAS.flatMap((pragma) => ['--sqlite-pragma', pragma]),
    ...DYNAMIC_CONFIG.flatMap((value) => ['--dynamic-config-value', value]),
    ...listCliAttributes().flatMap((attribute) => ['--search-attribute', attribute]),
    ...uiArgs,
  ];
  return { name: 'temporal', command: serverPath('temporal'), args };
}

export async function checkTemporal(address: string): Promise<void> {
  await withTemporal(address, async (connection) => {
    await connection.workflowService.describeNamespace({ namespace: 'default' });
    const missing = await readMissingAttributes(connection, 'default');
    if (missing.size > 0) throw new Error(`Temporal has no search attribute ${[...missing.keys()].join(', ')} yet`);
  });
}

/** Adds missing search attributes to a user's own server. */
export async function ensureSearchAttributes(address: string, namespace: string): Promise<void> {
  await withTemporal(
    address,
    async (connection) => {
      const missing = await readMissingAttributes(connection, namespace);
      if (missing.size === 0) return;
      const searchAttributes = Object.fromEntries(missing);
      await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
    },
    ONCE,
  );
}

async function readMissingAttributes(connection: Connection, namespace: string) {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return missingAttributes(customAttributes);
}

/**
 * `connectMs` limits a check that is repeated until it passes. `useMs` limits a single call, whose failure on a busy
 * machine ends the start.
 */
const LOOK = { connectMs: 1_000, useMs: 2_000 };
const ONCE = { connectMs: 30_000, useMs: 30_000 };

async function withTemporal(
  address: string,
  use: (connection: Connection) => Promise<void>,
  { connectMs, useMs } = LOOK,
): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: connectMs });
  try {
    await connection.withDeadline(Date.now() + useMs, () => use(connection));
  } finally {
    await connection.close();
  }
}
