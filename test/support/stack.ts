/**
 * Starts real servers for tests. Each starts on first request, on free ports, with its state in a temporary folder, and
 * serves the whole run. hooks.ts stops them at the end; when the run is killed, a watchdog does so. Never touches what
 * `npm start` runs or has stored.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { serverPath } from '../../dev/setup/resolve.mjs';
import { type Child, Children } from '../../dev/stack/children.ts';
import { freePort } from '../../dev/stack/ports.ts';
import * as servers from '../../dev/stack/servers.ts';
import { waitUntilReady } from '../../dev/stack/wait.ts';
import { stopAtEnd } from './hooks.ts';
import { rarelyCollected } from './rarely-collected.ts';

export { serverPath };

const START_TIMEOUT_MS = 180_000;
/** Their data is deleted at the end, so they need no time to stop. */
const STOP_GRACE_MS = 0;
const START_TRIES = 3;

const children = new Children();
const started = new Map<string, Promise<unknown>>();
let folder: string | undefined;

export interface TestMongo {
  /** The address of the database with this name. The server is shared, so each test file uses its own name. */
  readonly uri: (databaseName: string) => string;
}

export async function useMongo(): Promise<TestMongo> {
  const port = await once('mongod', async (directory) => {
    const mongoPort = await freePort();
    const child = launch(servers.mongodOptions({ port: mongoPort, directory, cacheSizeGb: 0.5 }));
    await waitUntilReady(child, () => servers.initiateReplicaSet(mongoPort), START_TIMEOUT_MS);
    return mongoPort;
  });
  return { uri: (databaseName) => servers.mongoUri(port, databaseName) };
}

/** Environment values for platform/config.ts's `objectStoreShape`. */
export interface TestObjectStore {
  readonly S3_ENDPOINT: string;
  readonly S3_REGION: string;
  readonly S3_BUCKET: string;
  readonly S3_ACCESS_KEY_ID: string;
  readonly S3_SECRET_ACCESS_KEY: string;
}

/** Makes a new bucket at each call. */
export async function useObjectStore(): Promise<TestObjectStore> {
  const access = await once('minio', async (directory) => {
    const port = await freePort();
    const [accessKeyId, secretAccessKey] = ['test', randomBytes(16).toString('hex')];
    const child = launch(rarelyCollected(servers.minioOptions({ port, directory, accessKeyId, secretAccessKey })));
    await waitUntilReady(child, () => servers.checkMinio(port), START_TIMEOUT_MS);
    return {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    };
  });
  const store = { ...access, S3_REGION: 'us-east-1', S3_BUCKET: `test-${randomUUID()}` };
  const client = new S3Client({
    endpoint: store.S3_ENDPOINT,
    region: store.S3_REGION,
    forcePathStyle: true,
    credentials: { accessKeyId: store.S3_ACCESS_KEY_ID, secretAccessKey: store.S3_SECRET_ACCESS_KEY },
  });
  await client.send(new CreateBucketCommand({ Bucket: store.S3_BUCKET }));
  client.destroy();
  return store;
}

/**
 * The development server, for updates, versioning and heartbeats. The search attributes of all workflows are
 * registered.
 */
export async function useTemporal(): Promise<{ readonly address: string }> {
  const address = await once('temporal', async (directory) => {
    const port = await freePort();
    const child = launch(
      rarelyCollected(servers.temporalOptions({ port, databaseFile: join(directory, 'temporal.db') })),
    );
    await waitUntilReady(child, () => servers.checkTemporal(`127.0.0.1:${port}`), START_TIMEOUT_MS);
    return `127.0.0.1:${port}`;
  });
  return { address };
}

/** For `TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path } } })`. */
export function useTimeSkippingServerPath(): string {
  return serverPath('temporal-test-server');
}

stopAtEnd(stopServers);

/** hooks.ts calls this when all tests have run. */
export async function stopServers(): Promise<void> {
  await Promise.allSettled(started.values());
  started.clear();
  await children.stopAll(STOP_GRACE_MS);
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

function runFolder(): string {
  if (folder !== undefined) return folder;
  folder = mkdtempSync(join(tmpdir(), 'samferd-test-'));
  children.removeAtEnd(folder);
  return folder;
}

function launch(options: servers.ServerOptions): Child {
  return children.start({ ...options, logFile: join(runFolder(), `${options.name}.log`) });
}

/** Starts a server once per run. A failed start fails its caller only: the next one starts the server anew. */
function once<Result>(name: string, start: (directory: string) => Promise<Result>): Promise<Result> {
  const running = started.get(name) ?? startWithRetries(name, start);
  started.set(name, running);
  running.catch(() => started.delete(name));
  return running as Promise<Result>;
}

/** Another process may take the free port first, so the start is tried again. */

async function startWithRetries<Result>(name: string, start: (directory: string) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const directory = join(runFolder(), `${name}-${attempt}`);
    try {
      // The folder may be gone by now: some systems clear temporary files.
      mkdirSync(directory, { recursive: true });
      return await start(directory);
    } catch (error) {
      if (attempt === START_TRIES) throw error;
    }
  }
}
