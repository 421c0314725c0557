/**
 * Describes the service's own processes: entry, port, variables. The local stack, the tests, the kill matrix and the
 * benchmarks start them from here. This module starts nothing itself.
 *
 * Worker processes follow the manifests of the areas. In the composition each process runs alone. Roles and servers
 * with little load can share a process ({@link SHARED_NAMES}), as `npm start` does. A test selects them by
 * `Service.start({ processes: […] })`.
 */
import { join, resolve } from 'node:path';
import { AREAS } from '../../activities/areas.ts';
import {
  API_CROWDED_NODE_FLAGS,
  API_NODE_FLAGS,
  PLANNER_ENVIRONMENT,
  PLANNER_NODE_FLAGS,
} from '../../api/node-flags.ts';
import { rolesOf, type WorkerRole } from '../../platform/area.ts';
import type { Environment } from '../../platform/config.ts';
import { demoCatalogueFile } from '../demo/catalogue/catalogue-file.ts';
import { projectRoot } from '../setup/resolve.mjs';
import { HELPERS, isHelper } from './helper-processes.ts';
import { chosenSettings } from './passed-on.ts';
import type { ProcessDescription } from './process-description.ts';
import {
  environmentOfRoles,
  forCustomers,
  forPaymentPages,
  forPayments,
  forTemporal,
  type ProcessSetting,
  plannerPublicKeys,
  sharedEnvironment,
} from './process-environment.ts';
import {
  camelCase,
  kebabCase,
  type ProcessName,
  type RunnableName,
  type SharedName,
  variableName,
} from './process-names.ts';
import type { ServerOptions } from './servers.ts';

export type { ProcessDescription } from './process-description.ts';
export type { ProcessSetting } from './process-environment.ts';
export type { HelperName, ProcessName, RunnableName } from './process-names.ts';

const AUTH: ProcessDescription = {
  title: 'Authentication server',
  usualPort: 8081,
  entry: 'api/auth/server.ts',
  environment: ({ url, secrets, authAdminPort }) => ({
    ISSUER: url('auth'),
    KEY_ENCRYPTION_KEY: secrets.keyEncryptionKey,
    CLIENT_SECRET_KEY: secrets.clientSecretKey,
    ...(authAdminPort !== undefined && { ADMIN_PORT: String(authAdminPort) }),
    AUDIT_KEYS: secrets.auditKeys,
  }),
};

const API: ProcessDescription = {
  title: 'API',
  usualPort: 8080,
  entry: 'api/server.ts',
  nodeFlags: API_NODE_FLAGS,
  composedNodeFlags: API_CROWDED_NODE_FLAGS,
  environment: (setting) => ({
    AUTH_ISSUER: setting.url('auth'),
    PLANNER_URL: setting.url('journeyPlanner'),
    AUDIT_KEYS: setting.secrets.auditKeys,
    IDEMPOTENCY_KEYS: setting.secrets.idempotencyKeys,
    CATALOGUE_FILE: demoCatalogueFile(),
    WEBHOOK_KEYS: setting.secrets.webhookKeys,
    PLANNER_PUBLIC_KEYS: plannerPublicKeys(setting),
    ...forTemporal(setting),
    ...forCustomers(setting),
    ...forPaymentPages(setting),
    ...forPayments(setting),
  }),
};

const PAYMENT_PAGE: ProcessDescription = {
  title: 'Payment page',
  usualPort: 8082,
  entry: 'api/payment-page/server.ts',
  environment: (setting) => ({
    ...forPaymentPages(setting),
    ...forTemporal(setting),
    TERMINAL_ORIGINS: setting.url('providerSimulator'),
  }),
};

const JOURNEY_PLANNER: ProcessDescription = {
  title: 'Journey planner',
  usualPort: 8084,
  entry: ({ plannerBundle }) => join(plannerBundle, 'server.mjs'),
  nodeFlags: PLANNER_NODE_FLAGS,
  environment: (setting) => ({
    PLANNER_ID_KEYS: `local:${setting.secrets.plannerIdKey}`,
    PLANNER_PUBLIC_KEYS: plannerPublicKeys(setting),
    PLANNER_CACHE_DIR: setting.plannerCache,
    IDE_DIRECTORY: setting.ideDirectory,
    // The API forwards from this machine.
    TRUSTED_PROXIES: '127.0.0.1,::1',
    ...PLANNER_ENVIRONMENT,
  }),
  // The planner is ready with the first snapshot, which needs a dataset.
  startedWhen: 'live',
};

const CODEC: ProcessDescription = {
  title: 'Temporal UI decoder',
  usualPort: 8234,
  entry: 'api/codec/server.ts',
  environment: (setting) => ({
    AUTH_ISSUER: setting.url('auth'),
    CODEC_ORIGINS: setting.temporalUiOrigins,
    ...forTemporal(setting),
  }),
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

/** Processes that run alone, in the order of their start. */
export const PROCESSES = {
  auth: AUTH,
  api: API,
  ...Object.fromEntries(ROLES.map((role) => [camelCase(role.name), describeRole(role)])),
  paymentPage: PAYMENT_PAGE,
  journeyPlanner: JOURNEY_PLANNER,
  codec: CODEC,
} as Readonly<Record<ProcessName, ProcessDescription>>;

export const PROCESS_NAMES = Object.keys(PROCESSES) as readonly ProcessName[];

const LIGHT_ROLES = ROLES.filter(({ weight }) => weight === 'light');
const LIGHT_SERVERS = ['auth', 'codec', 'paymentPage'] as const satisfies readonly ProcessName[];

/** Processes that several of {@link PROCESSES} share. */
export const SHARED_PROCESSES: Readonly<
  Record<SharedName, ProcessDescription & { readonly parts: readonly ProcessName[] }>
> = {
  lightServers: {
    title: 'Authentication server, Temporal UI decoder and payment page',
    parts: LIGHT_SERVERS,
    usualPort: 8081,
    entry: 'api/servers.ts',
    args: LIGHT_SERVERS.map(kebabCase),
    environment: (setting) => ({
      ...AUTH.environment(setting),
      ...CODEC.environment(setting),
      ...PAYMENT_PAGE.environment(setting),
      ...Object.fromEntries(
        LIGHT_SERVERS.map((name) => [`${variableName(name)}__PORT`, new URL(setting.url(name)).port]),
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

/** The processes of `npm start`. Shared ones come first, because one of them issues tokens. */
export const SHARED_NAMES: readonly RunnableName[] = listSharedForm();

function listSharedForm(): readonly RunnableName[] {
  const shared = Object.keys(SHARED_PROCESSES) as SharedName[];
  const parts = new Set(shared.flatMap((name) => SHARED_PROCESSES[name].parts));
  return [...shared, ...PROCESS_NAMES.filter((name) => !parts.has(name))];
}

export function describeProcess(name: RunnableName): ProcessDescription {
  if (isHelper(name)) return HELPERS[name];
  return name === 'lightServers' || name === 'lightWorkers' ? SHARED_PROCESSES[name] : PROCESSES[name];
}

export function processEnvironment(name: RunnableName, setting: ProcessSetting): Environment {
  return {
    ...sharedEnvironment(setting),
    ...describeProcess(name).environment(setting),
    ...setting.accessOf?.(name),
    ...setting.overrides,
  };
}

/** Returns the options to start it. `instance` numbers the processes of one kind from 1. */
export function processOptions(name: RunnableName, setting: ProcessSetting, port: number, instance = 1): ServerOptions {
  const { entry, args = [], nodeFlags = [], composedNodeFlags = nodeFlags } = describeProcess(name);
  const flags = setting.asComposed ? composedNodeFlags : nodeFlags;
  const file = typeof entry === 'string' ? entry : entry(setting);
  return {
    name: instance === 1 ? kebabCase(name) : `${kebabCase(name)}-${instance}`,
    command: process.execPath,
    args: [...(setting.nodeFlags ?? []), ...flags, resolve(projectRoot, file), ...args],
    cwd: projectRoot,
    env: { ...chosenSettings(process.env), ...processEnvironment(name, setting), PORT: String(port) },
  };
}

/** Throws until the process answers as started. */
export async function checkProcess(name: RunnableName, url: string): Promise<void> {
  await checkHealth(url, describeProcess(name).startedWhen ?? 'ready');
}

export async function checkHealth(url: string, what: 'live' | 'ready'): Promise<void> {
  const answer = await fetch(`${url}/health/${what}`, { signal: AbortSignal.timeout(2_500) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`it answers ${answer.status}: ${text}`);
}
