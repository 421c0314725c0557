/**
 * The service's own processes, described once: entry, port, variables. The local stack, the tests' service and pipeline, the
 * kill matrix and the benchmarks all start what stands here. Never starts anything itself.
 *
 * Worker processes follow the manifests of the areas. Each process runs alone, as in the composition; roles and servers that need little
 * can share a process instead ({@link SHARED_NAMES}), which is what `npm start` does. A test asks for any by
 * `Service.start({ processes: […] })`.
 */
import { join, resolve } from 'node:path';
import { AREAS } from '../../activities/areas.ts';
import { API_NODE_FLAGS, PLANNER_ENVIRONMENT, PLANNER_NODE_FLAGS } from '../../api/node-flags.ts';
import { rolesOf, type WorkerRole } from '../../platform/area.ts';
import type { Environment } from '../../platform/config.ts';
import { projectRoot } from '../setup/resolve.mjs';
import { environmentOfRoles, forCustomers, type ProcessSetting, sharedEnvironment } from './process-environment.ts';
import { camelCase, kebabCase, type ProcessName, type RunnableName, type SharedName } from './process-names.ts';
import type { ServerOptions } from './servers.ts';

export type { ProcessSetting } from './process-environment.ts';
export type { ProcessName, RunnableName } from './process-names.ts';

export interface ProcessDescription {
  readonly title: string;
  /** In a local stack; a test takes free ones. */
  readonly usualPort: number;
  /** Relative to the project, unless it is made elsewhere. */
  readonly entry: string | ((setting: ProcessSetting) => string);
  readonly args?: readonly string[];
  /** Variables beside those that every process gets. */
  readonly environment: (setting: ProcessSetting) => Environment;
  readonly nodeFlags?: readonly string[];
  /** `live` where it is ready only with data that has yet to come; `ready` unless given. */
  readonly startedWhen?: 'live' | 'ready';
}

const AUTH: ProcessDescription = {
  title: 'Authentication server',
  usualPort: 8081,
  entry: 'api/auth/server.ts',
  environment: ({ url, secrets }) => ({
    ISSUER: url('auth'),
    KEY_ENCRYPTION_KEY: secrets.keyEncryptionKey,
    CLIENT_SECRET_KEY: secrets.clientSecretKey,
  }),
};

const API: ProcessDescription = {
  title: 'API',
  usualPort: 8080,
  entry: 'api/server.ts',
  nodeFlags: API_NODE_FLAGS,
  environment: (setting) => ({
    AUTH_ISSUER: setting.url('auth'),
    PLANNER_URL: setting.url('journeyPlanner'),
    CATALOGUE_FILE: resolve(projectRoot, 'dev/demo/catalogue.json'),
    ...forCustomers(setting),
  }),
};

const JOURNEY_PLANNER: ProcessDescription = {
  title: 'Journey planner',
  usualPort: 8084,
  entry: ({ plannerBundle }) => join(plannerBundle, 'server.mjs'),
  nodeFlags: PLANNER_NODE_FLAGS,
  environment: ({ secrets, plannerCache, ideDirectory }) => ({
    PLANNER_ID_KEYS: `local:${secrets.plannerIdKey}`,
    PLANNER_CACHE_DIR: plannerCache,
    IDE_DIRECTORY: ideDirectory,
    ...PLANNER_ENVIRONMENT,
  }),
  // It is ready with the first snapshot, which needs a dataset.
  startedWhen: 'live',
};

const CODEC: ProcessDescription = {
  title: 'Temporal UI decoder',
  usualPort: 8234,
  entry: 'api/codec/server.ts',
  environment: ({ url, temporalUiOrigins }) => ({ AUTH_ISSUER: url('auth'), CODEC_ORIGINS: temporalUiOrigins }),
};

const ROLES = rolesOf(AREAS);

function describeRole(role: WorkerRole): ProcessDescription {
  return {
    title: role.title,
    usualPort: role.port,
    entry: 'workers/main.ts',
    args: [role.name],
    environment: (setting) => environmentOfRoles([role], setting),
  };
}

/** Each alone, in the order of their start. */
export const PROCESSES = {
  auth: AUTH,
  api: API,
  ...Object.fromEntries(ROLES.map((role) => [camelCase(role.name), describeRole(role)])),
  journeyPlanner: JOURNEY_PLANNER,
  codec: CODEC,
} as Readonly<Record<ProcessName, ProcessDescription>>;

export const PROCESS_NAMES = Object.keys(PROCESSES) as readonly ProcessName[];

const LIGHT_ROLES = ROLES.filter(({ weight }) => weight === 'light');
const LIGHT_SERVERS = ['auth', 'codec'] as const satisfies readonly ProcessName[];

/** Processes that several of {@link PROCESSES} share. */
export const SHARED_PROCESSES: Readonly<
  Record<SharedName, ProcessDescription & { readonly parts: readonly ProcessName[] }>
> = {
  lightServers: {
    title: 'Authentication server and Temporal UI decoder',
    parts: LIGHT_SERVERS,
    usualPort: 8082,
    entry: 'api/servers.ts',
    args: LIGHT_SERVERS,
    environment: (setting) => ({
      ...AUTH.environment(setting),
      ...CODEC.environment(setting),
      ...Object.fromEntries(
        LIGHT_SERVERS.map((name) => [`${name.toUpperCase()}__PORT`, new URL(setting.url(name)).port]),
      ),
    }),
  },
  lightWorkers: {
    title: 'Light workers',
    parts: LIGHT_ROLES.map(({ name }) => camelCase(name)),
    usualPort: 9100,
    entry: 'workers/main.ts',
    args: ['light'],
    environment: (setting) => environmentOfRoles(LIGHT_ROLES, setting),
  },
};

/** What `npm start` runs: shared processes first, as tokens come from one of them. */
export const SHARED_NAMES: readonly RunnableName[] = listSharedForm();

function listSharedForm(): readonly RunnableName[] {
  const shared = Object.keys(SHARED_PROCESSES) as SharedName[];
  const parts = new Set(shared.flatMap((name) => SHARED_PROCESSES[name].parts));
  return [...shared, ...PROCESS_NAMES.filter((name) => !parts.has(name))];
}

export function describeProcess(name: RunnableName): ProcessDescription {
  return name === 'lightServers' || name === 'lightWorkers' ? SHARED_PROCESSES[name] : PROCESSES[name];
}

export function processEnvironment(name: RunnableName, setting: ProcessSetting): Environment {
  return { ...sharedEnvironment(setting), ...describeProcess(name).environment(setting), ...setting.overrides };
}

/** How to start it. `instance` counts processes of one kind from 1. */
export function processOptions(name: RunnableName, setting: ProcessSetting, port: number, instance = 1): ServerOptions {
  const { entry, args = [], nodeFlags = [] } = describeProcess(name);
  const file = typeof entry === 'string' ? entry : entry(setting);
  return {
    name: instance === 1 ? kebabCase(name) : `${kebabCase(name)}-${instance}`,
    command: process.execPath,
    args: [...(setting.nodeFlags ?? []), ...nodeFlags, resolve(projectRoot, file), ...args],
    cwd: projectRoot,
    env: { ...processEnvironment(name, setting), PORT: String(port) },
  };
}

/** Throws while it does not answer as one that has started. */
export async function checkProcess(name: RunnableName, url: string): Promise<void> {
  await checkHealth(url, describeProcess(name).startedWhen ?? 'ready');
}

export async function checkHealth(url: string, what: 'live' | 'ready'): Promise<void> {
  const answer = await fetch(`${url}/health/${what}`, { signal: AbortSignal.timeout(2_500) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`it answers ${answer.status}: ${text}`);
}
