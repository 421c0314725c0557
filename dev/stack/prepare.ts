/**
 * Prepares the servers before the service's processes start: bucket, search attributes, development clients, bundle.
 */
import { join } from 'node:path';
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { stop } from 'esbuild';
import { ClientStore } from '../../activities/auth/client-store.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { bundlePlanner } from '../planner/bundle.ts';
import { projectRoot } from '../setup/resolve.mjs';
import { localAccountNames, prepareDatabases, prepareObjects } from './access.ts';
import type { Children } from './children.ts';
import { DEVELOPMENT_CLIENTS } from './development-clients.ts';
import {
  AUDIENCE,
  listEndpoints,
  localAccess,
  type ObjectStoreEnvironment,
  objectStoreEnvironment,
  ownServers,
} from './endpoints.ts';
import type { LocalState } from './local-state.ts';
import { makeUnlessCurrent } from './made-from-sources.ts';
import type { StackContext } from './parts.ts';
import { ensureSecrets, type Secrets } from './secrets.ts';
import { ensureSearchAttributes } from './servers.ts';

/** An entry of `.local/clients.json`. */
export interface ClientEntry {
  readonly name: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly audience: string;
  readonly organisationId: number;
  readonly scope: string;
}

export function localSecrets(state: LocalState): Secrets {
  return ensureSecrets(state, {
    clients: DEVELOPMENT_CLIENTS.map(({ name }) => name),
    accounts: localAccountNames(),
  });
}

export function listClients({ secrets }: StackContext): readonly ClientEntry[] {
  return DEVELOPMENT_CLIENTS.map(({ name, organisationId, scopes }) => ({
    name,
    client_id: name,
    client_secret: secrets.clients[name] ?? '',
    audience: AUDIENCE,
    organisationId,
    scope: scopes.join(' '),
  }));
}

export async function prepareServers(context: StackContext): Promise<void> {
  const { ports, secrets, env } = context;
  const endpoints = listEndpoints(ports, secrets, env);
  await Promise.all([
    prepareObjectStore(context),
    prepareData(context).then(() => ensureClients(context, endpoints.mongodb ?? '')),
    ensureSearchAttributes(endpoints.temporal ?? '', env.TEMPORAL_NAMESPACE || 'default'),
  ]);
}

/**
 * Creates indexes and the processes' users. A user's own server gets neither, because its login may not have the right.
 */
export async function prepareData({ ports, secrets, env }: StackContext): Promise<void> {
  if (!ownServers(env).mongodb) await prepareDatabases(localAccess(ports, secrets, env));
}

export async function prepareObjectStore({ ports, secrets, env }: StackContext): Promise<void> {
  const store = objectStoreEnvironment(ports, secrets, env);
  if (ownServers(env).objectStore) await ensureBucket(store);
  else await prepareObjects(store, localAccess(ports, secrets, env));
}

async function ensureBucket(store: ObjectStoreEnvironment): Promise<void> {
  const client = new S3Client({
    endpoint: store.S3_ENDPOINT,
    region: store.S3_REGION,
    forcePathStyle: true,
    credentials: { accessKeyId: store.S3_ACCESS_KEY_ID, secretAccessKey: store.S3_SECRET_ACCESS_KEY },
  });
  try {
    await client.send(new HeadBucketCommand({ Bucket: store.S3_BUCKET }));
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'NotFound') throw error;
    await client.send(new CreateBucketCommand({ Bucket: store.S3_BUCKET }));
  } finally {
    client.destroy();
  }
}

async function ensureClients({ secrets }: StackContext, uri: string): Promise<void> {
  const connection = await connectMongo(uri);
  try {
    const store = new ClientStore(connection, Buffer.from(secrets.clientSecretKey, 'base64'));
    for (const { name, ...rights } of DEVELOPMENT_CLIENTS) {
      await store.ensureClient({ client_id: name, client_secret: secrets.clients[name] ?? '', name, ...rights });
    }
  } finally {
    await connection.close();
  }
}

const BUNDLE_SOURCES = ['workflows', 'workers', 'platform'];
const PLANNER_SOURCES = ['api', 'planner', 'netex', 'platform', 'activities', 'workflows', 'dev/planner'];

/** Builds the workflows of this clone in their current state. */
export async function buildBundle({ state, env }: StackContext, children: Children): Promise<void> {
  const path = state.path('workflow-bundle.js');
  const options = untraced(env);
  await makeUnlessCurrent({ path, sources: BUNDLE_SOURCES, options }, async () => {
    const child = children.start({
      name: 'workflow bundle',
      command: process.execPath,
      args: [join(projectRoot, 'workers/build-bundle.ts'), '--out', path, ...options],
      cwd: projectRoot,
      logFile: join(state.folder('logs'), 'bundle.log'),
    });
    const { code, signal } = await child.ended;
    if (code !== 0)
      throw new Error(`The workflow bundle cannot be built (${signal ?? `code ${code}`}):\n${child.lastLines()}`);
  });
}

function untraced({ OTEL_EXPORTER_OTLP_ENDPOINT }: StackContext['env']): readonly string[] {
  return OTEL_EXPORTER_OTLP_ENDPOINT ? [] : ['--without-traced'];
}

/** Builds the planner's process of this clone in its current state. */
export async function buildPlanner({ state }: StackContext): Promise<void> {
  const path = state.path('planner-process');
  await makeUnlessCurrent({ path, sources: PLANNER_SOURCES }, () => bundlePlanner(path));
}

/** Call after the last build: the bundler's process would otherwise stay and hold some 300 MB. */
export async function endBundler(): Promise<void> {
  await stop();
}
