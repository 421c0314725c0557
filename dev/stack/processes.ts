/**
 * The service's own processes, described once: entry, port, and what each is told. The local stack, the tests' service and pipeline, the
 * kill matrix and the benchmarks all start what stands here. Never starts anything itself.
 *
 * To add a process: its name in {@link ProcessName}, its entry in {@link PROCESSES}; a new secret in secrets.ts; its variables in
 * docs/configuration.md. The local stack then runs it; a test asks for it by `Service.start({ processes: […] })`.
 */
import { join, resolve } from 'node:path';
import { API_NODE_FLAGS, PLANNER_ENVIRONMENT, PLANNER_NODE_FLAGS } from '../../api/node-flags.ts';
import type { Environment } from '../../platform/config.ts';
import { cacheDirectory } from '../setup/cache.mjs';
import { projectRoot, xsdDirectory } from '../setup/resolve.mjs';
import type { ServiceSecrets } from './secrets.ts';
import type { ServerOptions } from './servers.ts';

export type ProcessName =
  | 'auth'
  | 'api'
  | 'timetableWorker'
  | 'timetableValidationWorker'
  | 'plannerBuildWorker'
  | 'salesCustomersWorker'
  | 'eventsWorker'
  | 'operationsWorker'
  | 'journeyPlanner'
  | 'codec';

/** What the processes find around them; it differs from stack to stack. */
export interface Surroundings {
  /** Addresses and access of database, object store, Temporal and mail. */
  readonly servers: Environment;
  /** The database of the keys that customers' data is sealed with. */
  readonly customerKeysUri: string;
  readonly secrets: ServiceSecrets;
  readonly audience: string;
  /** Base URL of a process, without a trailing slash. */
  readonly url: (name: ProcessName) => string;
  readonly workflowBundle: string;
  /** Folders: of the bundled planner, and where it keeps copies of snapshots. */
  readonly plannerBundle: string;
  readonly plannerCache: string;
  /** Folder of the built query page; none: where `npm run build:ide` puts it. */
  readonly ideDirectory?: string;
  /** Origins of the Temporal UI's pages, comma-separated. */
  readonly temporalUiOrigins?: string;
  /** For every process, before its own flags. */
  readonly nodeFlags?: readonly string[];
  /** For every process, over all else: patience, limits, a test's own values. */
  readonly overrides?: Environment;
}

interface ProcessDescription {
  readonly title: string;
  /** In a local stack; a test takes free ones. */
  readonly usualPort: number;
  /** Relative to the project, unless it is made elsewhere. */
  readonly entry: string | ((around: Surroundings) => string);
  /** What it is told beside what all are told. */
  readonly environment: (around: Surroundings) => Environment;
  readonly nodeFlags?: readonly string[];
  /** `live` where it is ready only with data that has yet to come; `ready` unless given. */
  readonly startedWhen?: 'live' | 'ready';
}

/** In the order of their start. */
export const PROCESSES: Readonly<Record<ProcessName, ProcessDescription>> = {
  auth: {
    title: 'Authentication server',
    usualPort: 8081,
    entry: 'api/auth/server.ts',
    environment: ({ url, secrets }) => ({
      ISSUER: url('auth'),
      KEY_ENCRYPTION_KEY: secrets.keyEncryptionKey,
      CLIENT_SECRET_KEY: secrets.clientSecretKey,
    }),
  },
  api: {
    title: 'API',
    usualPort: 8080,
    entry: 'api/server.ts',
    nodeFlags: API_NODE_FLAGS,
    environment: (around) => ({
      AUTH_ISSUER: around.url('auth'),
      PLANNER_URL: around.url('journeyPlanner'),
      CATALOGUE_FILE: resolve(projectRoot, 'dev/demo/catalogue.json'),
      ...forCustomers(around),
    }),
  },
  timetableWorker: {
    title: 'Timetable worker',
    usualPort: 9101,
    entry: 'workers/timetable.ts',
    environment: forWorker,
  },
  timetableValidationWorker: {
    title: 'Validation worker',
    usualPort: 9102,
    entry: 'workers/timetable-validation.ts',
    environment: (around) => ({
      ...forWorker(around),
      NETEX_XSD_DIR: xsdDirectory(),
      NETEX_SCHEMA_IMAGES: join(cacheDirectory(), 'netex-schema-images'),
    }),
  },
  plannerBuildWorker: {
    title: 'Planner worker',
    usualPort: 9103,
    entry: 'workers/planner-build.ts',
    environment: forWorker,
  },
  salesCustomersWorker: {
    title: 'Customers worker',
    usualPort: 9104,
    entry: 'workers/sales-customers.ts',
    environment: (around) => ({ ...forWorker(around), ...forCustomers(around) }),
  },
  eventsWorker: {
    title: 'Events',
    usualPort: 9105,
    entry: 'workers/events.ts',
    environment: () => ({}),
  },
  operationsWorker: {
    title: 'Operations worker',
    usualPort: 9106,
    entry: 'workers/operations.ts',
    environment: (around) => ({ ...forWorker(around), KEY_ENCRYPTION_KEY: around.secrets.keyEncryptionKey }),
  },
  journeyPlanner: {
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
  },
  codec: {
    title: 'Temporal UI decoder',
    usualPort: 8234,
    entry: 'api/codec/server.ts',
    environment: ({ url, temporalUiOrigins }) => ({ AUTH_ISSUER: url('auth'), CODEC_ORIGINS: temporalUiOrigins }),
  },
};

export const PROCESS_NAMES = Object.keys(PROCESSES) as readonly ProcessName[];

function forWorker({ workflowBundle }: Surroundings): Environment {
  return { WORKFLOW_BUNDLE: workflowBundle };
}

function forCustomers({ customerKeysUri, secrets }: Surroundings): Environment {
  return {
    CUSTOMER_KEYS_MONGODB_URI: customerKeysUri,
    CUSTOMER_MASTER_KEYS: secrets.customerMasterKeys,
    CUSTOMER_SEARCH_KEY: secrets.customerSearchKey,
  };
}

/** What every process of the service is told; also helpers of a stack that belong to it. */
export function sharedEnvironment({ servers, secrets, audience, overrides }: Surroundings): Environment {
  return {
    ENVIRONMENT: 'development',
    HOST: '127.0.0.1',
    ...servers,
    PAYLOAD_KEYS: secrets.payloadKeys,
    AUDIENCE: audience,
    ...overrides,
  };
}

export function processEnvironment(name: ProcessName, around: Surroundings): Environment {
  return { ...sharedEnvironment(around), ...PROCESSES[name].environment(around), ...around.overrides };
}

/** How to start it. `instance` counts processes of one kind from 1. */
export function processOptions(name: ProcessName, around: Surroundings, port: number, instance = 1): ServerOptions {
  const { entry, nodeFlags = [] } = PROCESSES[name];
  const file = typeof entry === 'string' ? entry : entry(around);
  return {
    name: instance === 1 ? kebab(name) : `${kebab(name)}-${instance}`,
    command: process.execPath,
    args: [...(around.nodeFlags ?? []), ...nodeFlags, resolve(projectRoot, file)],
    cwd: projectRoot,
    env: { ...processEnvironment(name, around), PORT: String(port) },
  };
}

/** Throws while it does not answer as one that has started. */
export async function checkProcess(name: ProcessName, url: string): Promise<void> {
  await checkHealth(url, PROCESSES[name].startedWhen ?? 'ready');
}

export async function checkHealth(url: string, what: 'live' | 'ready'): Promise<void> {
  const answer = await fetch(`${url}/health/${what}`, { signal: AbortSignal.timeout(2_500) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`it answers ${answer.status}: ${text}`);
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
