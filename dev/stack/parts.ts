/**
 * The parts of a local stack and their readiness checks. Servers and in-box start first, then the service's own
 * processes (processes.ts). They stop in reverse order.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment } from '../../platform/config.ts';
import { projectRoot } from '../setup/resolve.mjs';
import type { ChildOptions } from './children.ts';
import type { Ports } from './chosen-ports.ts';
import {
  AUDIENCE,
  accessEnvironment,
  at,
  customerKeysUri,
  MINIO_ACCESS_KEY_ID,
  mailServer,
  ownServers,
  serverEnvironment,
} from './endpoints.ts';
import { HELPER_NAMES } from './helper-processes.ts';
import type { LocalState } from './local-state.ts';
import { MAIL_FROM, type ProcessSetting, sharedEnvironment } from './process-environment.ts';
import type { RunnableName } from './process-names.ts';
import {
  checkHealth,
  checkProcess,
  describeProcess,
  PROCESS_NAMES,
  processOptions,
  SHARED_NAMES,
  SHARED_PROCESSES,
} from './processes.ts';
import type { Secrets } from './secrets.ts';
import * as servers from './servers.ts';
import type { Part } from './supervisor.ts';
import { ensureTicketKeys } from './ticket-keys.ts';

export interface StackContext {
  readonly state: LocalState;
  readonly ports: Ports;
  readonly secrets: Secrets;
  readonly env: Environment;
}

/** The stages stop one after the other. All of them together must stay within the limit of ending.ts. */
const SERVER_STOP_MS = 2_500;
const PROCESS_STOP_MS = 5_000;
const REQUEST_GRACE_MS = 2_000;
const WORKER_GRACE_MS = 2_500;
const WORKER_FORCE_MS = 4_500;
/** A single developer waits for an upload to become searchable, and there are no other uploads. */
const PLANNER_QUIET_MS = '2000';

export function serverParts(context: StackContext): Part[] {
  const { state, ports, secrets, env } = context;
  const own = ownServers(env);
  const parts: Part[] = [];
  const add = (title: string, options: servers.ServerOptions, used: readonly number[], check: () => Promise<void>) =>
    parts.push({ title, process: withLog(context, options), ports: used, check, stopGraceMs: SERVER_STOP_MS });
  if (!own.mongodb) {
    const options = servers.mongodOptions({
      port: ports.mongodb,
      directory: state.folder('mongodb'),
      cacheSizeGb: 0.5,
      keyFile: writeKeyFile(context),
    });
    add('MongoDB', options, [ports.mongodb], () => servers.initiateReplicaSet(ports.mongodb, secrets.mongodbKey));
  }
  if (!own.objectStore) {
    const keys = { accessKeyId: MINIO_ACCESS_KEY_ID, secretAccessKey: secrets.minioSecretAccessKey };
    const where = { port: ports.minio, consolePort: ports.minioConsole, directory: state.folder('minio') };
    const options = servers.minioOptions({ ...where, ...keys });
    add('MinIO', options, [ports.minio, ports.minioConsole], () => servers.checkMinio(ports.minio));
  }
  if (!own.temporal) {
    const ui = { port: ports.temporalUi, codecEndpoint: at(ports.codec) };
    const databaseFile = join(state.folder('temporal'), 'temporal.db');
    const options = servers.temporalOptions({ port: ports.temporal, databaseFile, ui });
    add('Temporal', options, [ports.temporal, ports.temporalUi], () =>
      servers.checkTemporal(`127.0.0.1:${ports.temporal}`),
    );
  }
  if (!own.mail) {
    const extra = { SMTP_PORT: String(ports.smtp), MAIL_DIRECTORY: state.folder('mail') };
    parts.push(helper(context, 'Mail in-box', 'mail', 'dev/mail/server.ts', extra));
  }
  return parts;
}

/** mongod rejects a key file that others may read. */
function writeKeyFile({ state, secrets }: StackContext): string {
  const path = state.path('mongodb.key');
  rmSync(path, { force: true });
  writeFileSync(path, secrets.mongodbKey, { mode: 0o400 });
  return path;
}

function uiOrigins(ports: Ports): string {
  return `http://127.0.0.1:${ports.temporalUi},http://localhost:${ports.temporalUi}`;
}

export interface ServicePartsOptions {
  /** Folder of the built query page. */
  readonly ideDirectory: string;
  /** True if every process runs by itself, as in the composition. */
  readonly eachAlone: boolean;
}

export function serviceParts(context: StackContext, { ideDirectory, eachAlone }: ServicePartsOptions): Part[] {
  const setting = { ...settingOf(context), ideDirectory };
  const names: readonly RunnableName[] = [...HELPER_NAMES, ...(eachAlone ? PROCESS_NAMES : SHARED_NAMES)];
  return names.map((name) => ({
    title: describeProcess(name).title,
    process: withLog(context, processOptions(name, setting, portOf(name, context.ports))),
    ports: partsOf(name).map((each) => portOf(each, context.ports)),
    check: () => checkEach(name, context.ports),
    stopGraceMs: PROCESS_STOP_MS,
  }));
}

async function checkEach(name: RunnableName, ports: Ports): Promise<void> {
  await Promise.all(partsOf(name).map((each) => checkProcess(each, at(portOf(each, ports)))));
}

/** Servers that share a process listen each on a port. */
function partsOf(name: RunnableName): readonly RunnableName[] {
  return name === 'lightServers' ? SHARED_PROCESSES.lightServers.parts : [name];
}

/** Servers that share a process have a port each; the process itself has none. */
function portOf(name: RunnableName, ports: Ports): number {
  return name === 'lightServers' ? ports.auth : ports[name];
}

function settingOf({ state, ports, secrets, env }: StackContext): ProcessSetting {
  return {
    servers: serverEnvironment(ports, env),
    accessOf: (name) => accessEnvironment(name, ports, secrets, env),
    customerKeysUri: ownServers(env).mongodb ? customerKeysUri(ports, secrets, env) : '',
    secrets: { ...secrets, payloadKeys: env.PAYLOAD_KEYS || secrets.payloadKeys },
    audience: AUDIENCE,
    ticketKeys: ensureTicketKeys(state.folder('ticket-keys')),
    mail: { server: mailServer(ports, env), from: env.MAIL_FROM || MAIL_FROM },
    url: (name) => at(portOf(name, ports)),
    authAdminPort: ports.authAdmin,
    workflowBundle: state.path('workflow-bundle.js'),
    plannerBundle: state.path('planner-process'),
    plannerCache: state.folder('planner'),
    temporalUiOrigins: env.CODEC_ORIGINS || uiOrigins(ports),
    nodeFlags: ['--enable-source-maps'],
    overrides: {
      SHUTDOWN_GRACE_MS: String(REQUEST_GRACE_MS),
      WORKER_GRACE_MS: String(WORKER_GRACE_MS),
      WORKER_FORCE_MS: String(WORKER_FORCE_MS),
      PLANNER_QUIET_MS: env.PLANNER_QUIET_MS || PLANNER_QUIET_MS,
      // Caches compiled code: from the second start, a process starts sooner and uses some 15 MB less.
      NODE_COMPILE_CACHE: state.folder('compiled'),
    },
  };
}

/** A process that only a local stack has. It listens on its port, and /health/ready tells when it can work. */
function helper(context: StackContext, title: string, name: 'mail', entry: string, extra: Environment): Part {
  const number = context.ports[name];
  const options = {
    name,
    command: process.execPath,
    args: ['--enable-source-maps', resolve(projectRoot, entry)],
    cwd: projectRoot,
    env: { ...sharedEnvironment(settingOf(context)), PORT: String(number), ...extra },
  };
  return {
    title,
    process: withLog(context, options),
    ports: [number],
    stopGraceMs: PROCESS_STOP_MS,
    check: () => checkHealth(at(number), 'ready'),
  };
}

function withLog({ state }: StackContext, options: servers.ServerOptions): ChildOptions {
  return { ...options, logFile: join(state.folder('logs'), `${options.name}.log`) };
}
