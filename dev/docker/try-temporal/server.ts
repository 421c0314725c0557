/**
 * Temporal's server as the composition starts it: the program of that version, its environment, its certificates. Only
 * database, ports and folders differ.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeTemporalAccess } from '../../../docker/jobs/temporal-access.ts';
import { TemporalClient, type TemporalConfig } from '../../../platform/temporal/temporal.ts';
import { entryDirectory } from '../../setup/cache.mjs';
import { providePart } from '../../setup/parts.mjs';
import { Progress } from '../../setup/progress.mjs';
import { getPart, projectRoot, serverPath } from '../../setup/resolve.mjs';
import type { Children } from '../../stack/children.ts';
import { freePort } from '../../stack/ports.ts';
import { waitUntilReady } from '../../stack/wait.ts';
import { exampleValues } from '../check/example-values.ts';
import { type ComposeFile, readCompose } from '../compose-file.ts';

const HOST = '127.0.0.1';
/** The first start makes the database. */
const START_TIMEOUT_MS = 180_000;
const SERVICES = ['FRONTEND', 'INTERNAL_FRONTEND', 'MATCHING', 'HISTORY', 'WORKER'] as const;
const execute = promisify(execFile);

export interface TriedServer {
  readonly address: string;
  /** Address of the inner service, which asks for no token. */
  readonly innerAddress: string;
  readonly namespace: string;
  /** The folders of the callers. */
  readonly access: string;
}

export async function startServer(children: Children, folder: string): Promise<TriedServer> {
  const text = readFileSync(join(projectRoot, 'docker/compose.yaml'), 'utf8');
  const compose = readCompose(text, exampleValues(text));
  const access = join(folder, 'access');
  await prepareAccess(compose, access);
  const part = getPart('temporal-server');
  for (const each of [part, getPart('temporal')]) await providePart(each, new Progress());
  const ports = new Map<string, number>();
  for (const name of SERVICES) ports.set(name, await freePort());
  const { DB_PORT: _, ...environment } = compose.services.temporal?.environment ?? {};
  const env = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replace('/run/temporal', join(access, 'temporal')),
    ]),
  );
  const at = (name: (typeof SERVICES)[number]) => `${HOST}:${ports.get(name)}`;
  const server = { address: at('FRONTEND'), innerAddress: at('INTERNAL_FRONTEND'), namespace: 'samferd', access };
  const child = children.start({
    name: 'temporal',
    command: join(entryDirectory(part), part.command ?? ''),
    args: ['start'],
    env: { ...env, ...(await localSettings(folder, ports)) },
    logFile: join(folder, 'temporal.log'),
  });
  await waitUntilReady(child, () => makeNamespace(compose, server, folder), START_TIMEOUT_MS);
  return server;
}

/** By the composition's own list, and a caller of another namespace. */
async function prepareAccess({ services }: ComposeFile, folder: string): Promise<void> {
  const { TEMPORAL_CALLERS = '', TEMPORAL_HOSTS = '' } = services['temporal-access']?.environment ?? {};
  const pairs = TEMPORAL_CALLERS.split(/\s+/).map((pair) => pair.split('='));
  const callers = new Map(pairs.map(([name = '', permissions = '']) => [name, permissions.split(',')] as const));
  callers.set('elsewhere', ['other:write']);
  await makeTemporalAccess({ folder, hosts: TEMPORAL_HOSTS.split(' '), callers });
}

async function localSettings(folder: string, ports: ReadonlyMap<string, number>) {
  const settings: Record<string, string> = {
    DB: 'sqlite',
    DBNAME: join(folder, 'temporal.db'),
    VISIBILITY_DBNAME: join(folder, 'visibility.db'),
    BIND_ON_IP: HOST,
    NUM_HISTORY_SHARDS: '4',
    PROMETHEUS_ENDPOINT: `${HOST}:${await freePort()}`,
    DYNAMIC_CONFIG_FILE_PATH: join(projectRoot, 'docker/temporal/dynamic-config.yaml'),
    LOG_LEVEL: 'warn',
    FRONTEND_HTTP_PORT: String(await freePort()),
    INTERNAL_FRONTEND_HTTP_PORT: String(await freePort()),
  };
  for (const [name, port] of ports) {
    settings[`${name}_GRPC_PORT`] = String(port);
    settings[`${name}_MEMBERSHIP_PORT`] = String(await freePort());
  }
  return settings;
}

/** The composition's job, with the identity of its own. */
async function makeNamespace({ services }: ComposeFile, server: TriedServer, folder: string): Promise<void> {
  const env = {
    ...services['temporal-namespace']?.environment,
    TEMPORAL_ADDRESS: server.address,
    TEMPORAL_TLS_SERVER_NAME: 'temporal',
    TEMPORAL_ACCESS: join(server.access, 'temporal-namespace'),
    PATH: `${dirname(serverPath('temporal'))}:${process.env.PATH}`,
    HOME: folder,
  };
  await execute('sh', [join(projectRoot, 'docker/temporal/namespace.sh')], { env });
}

/** The settings of a caller, as its process would have them. */
export function settingsOf({ address, namespace, access }: TriedServer, caller: string): TemporalConfig {
  const file = (name: string) => join(access, caller, name);
  return {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    PAYLOAD_KEYS: `try:${Buffer.alloc(32, 7).toString('base64')}`,
    TEMPORAL_TLS_CA_FILE: file('ca.pem'),
    TEMPORAL_TLS_CERT_FILE: file('cert.pem'),
    TEMPORAL_TLS_KEY_FILE: file('key.pem'),
    TEMPORAL_TLS_SERVER_NAME: 'temporal',
    TEMPORAL_AUTH_TOKEN_FILE: file('token'),
  };
}

export async function withClient<Result>(
  config: TemporalConfig,
  use: (temporal: TemporalClient) => Promise<Result>,
): Promise<Result> {
  const temporal = new TemporalClient(config, 'try');
  try {
    return await use(temporal);
  } finally {
    await temporal.close();
  }
}
