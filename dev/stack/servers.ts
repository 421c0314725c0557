/**
 * The command lines of the native servers and how each is seen to be ready. Used by the local stack and by the tests, so that both run the
 * same servers in the same way. Never decides where state lives or which port is free.
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
}

export function mongodOptions({ port, directory, cacheSizeGb }: MongoOptions): ServerOptions {
  const cache = ['--wiredTigerCacheSizeGB', String(cacheSizeGb)];
  const quiet = ['--quiet', '--setParameter', 'diagnosticDataCollectionEnabled=false', '--nounixsocket'];
  const args = [
    '--replSet',
    REPLICA_SET,
    '--dbpath',
    directory,
    '--port',
    String(port),
    '--bind_ip',
    HOST,
    ...cache,
    ...quiet,
  ];
  return { name: 'mongod', command: serverPath('mongod'), args };
}

/** Direct, because the one member may have got another port since the set was made. */
export function mongoUri(port: number, database: string): string {
  return `mongodb://${HOST}:${port}/${database}?replicaSet=${REPLICA_SET}&directConnection=true`;
}

/** Makes the server a replica set of one, or gives an existing one its present port. Returns once it takes writes. */
export async function initiateReplicaSet(port: number): Promise<void> {
  const client = new mongoose.mongo.MongoClient(`mongodb://${HOST}:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
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
  /** Absent: no console. */
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
      // MinIO makes a folder for certificates in its home, which must not be the user's.
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
  /** Absent: no web UI. */
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

/** For a server of the user's own: adds what it lacks. */
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

/** Of a look that is repeated until it passes; of what is asked once, and ends the start when a busy machine is late. */
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
