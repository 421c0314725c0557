/**
 * The parts of a local stack: which processes there are, with what environment, and how each is seen to be ready. Two stages: servers and
 * in-box first, the service's own processes after them; they stop the other way round.
 */
import { join, resolve } from 'node:path';

import { API_NODE_FLAGS, PLANNER_ENVIRONMENT, PLANNER_NODE_FLAGS } from '../../api/node-flags.ts';
import { projectRoot, xsdDirectory } from '../setup/resolve.mjs';
import type { ChildOptions } from './children.ts';
import type { PortName, Ports } from './chosen-ports.ts';
import { at, type Environment, MINIO_ACCESS_KEY_ID, ownServers, sharedEnvironment } from './endpoints.ts';
import type { LocalState } from './local-state.ts';
import type { Secrets } from './secrets.ts';
import * as servers from './servers.ts';
import type { Part } from './supervisor.ts';

export interface StackContext {
  readonly state: LocalState;
  readonly ports: Ports;
  readonly secrets: Secrets;
  readonly env: Environment;
}

/** Together with the stages' order these keep the whole stop within 15 seconds. */
const SERVER_STOP_MS = 4_000;
const PROCESS_STOP_MS = 10_500;
const REQUEST_GRACE_MS = 3_000;
const WORKER_GRACE_MS = 5_000;
const WORKER_FORCE_MS = 10_000;
/** Who tries it here waits for his upload to be searchable; nobody else is uploading. */
const PLANNER_QUIET_MS = '2000';

export function serverParts(context: StackContext): Part[] {
  const { state, ports, secrets, env } = context;
  const own = ownServers(env);
  const parts: Part[] = [];
  const add = (title: string, options: servers.ServerOptions, check: () => Promise<void>) =>
    parts.push({ title, process: withLog(context, options), check, stopGraceMs: SERVER_STOP_MS });
  if (!own.mongodb) {
    const options = servers.mongodOptions({
      port: ports.mongodb,
      directory: state.folder('mongodb'),
      cacheSizeGb: 0.5,
    });
    add('MongoDB', options, () => servers.initiateReplicaSet(ports.mongodb));
  }
  if (!own.objectStore) {
    const keys = { accessKeyId: MINIO_ACCESS_KEY_ID, secretAccessKey: secrets.minioSecretAccessKey };
    const where = { port: ports.minio, consolePort: ports.minioConsole, directory: state.folder('minio') };
    add('MinIO', servers.minioOptions({ ...where, ...keys }), () => servers.checkMinio(ports.minio));
  }
  if (!own.temporal) {
    const ui = { port: ports.temporalUi, codecEndpoint: at(ports.codec) };
    const databaseFile = join(state.folder('temporal'), 'temporal.db');
    const options = servers.temporalOptions({ port: ports.temporal, databaseFile, ui });
    add('Temporal', options, () => servers.checkTemporal(`127.0.0.1:${ports.temporal}`));
    parts.push(
      ownProcess(context, 'Temporal UI decoder', 'codec', 'dev/stack/codec-server.ts', {
        ALLOWED_ORIGINS: uiOrigins(ports),
      }),
    );
  }
  if (!own.mail) {
    const extra = { SMTP_PORT: String(ports.smtp), MAIL_DIRECTORY: state.folder('mail') };
    parts.push(ownProcess(context, 'Mail in-box', 'mail', 'dev/mail/server.ts', extra));
  }
  return parts;
}

function uiOrigins(ports: Ports): string {
  return `http://127.0.0.1:${ports.temporalUi},http://localhost:${ports.temporalUi}`;
}

/** `ideDirectory`: where the built query page lies. */
export function serviceParts(context: StackContext, ideDirectory: string): Part[] {
  const { ports, secrets, state } = context;
  const issuer = at(ports.auth);
  const keys = { KEY_ENCRYPTION_KEY: secrets.keyEncryptionKey, CLIENT_SECRET_KEY: secrets.clientSecretKey };
  const plannerUrl = { PLANNER_URL: at(ports.journeyPlanner) };
  const plannerEntry = state.path('planner-process', 'server.mjs');
  const planner = {
    PLANNER_ID_KEYS: `local:${secrets.plannerIdKey}`,
    PLANNER_CACHE_DIR: state.folder('planner'),
    IDE_DIRECTORY: ideDirectory,
    ...PLANNER_ENVIRONMENT,
  };
  const worker = {
    WORKFLOW_BUNDLE: state.path('workflow-bundle.js'),
    NETEX_XSD_DIR: xsdDirectory(),
    WORKER_GRACE_MS: String(WORKER_GRACE_MS),
    WORKER_FORCE_MS: String(WORKER_FORCE_MS),
  };
  return [
    ownProcess(context, 'Authentication server', 'auth', 'api/auth/server.ts', { ISSUER: issuer, ...keys }),
    ownProcess(context, 'API', 'api', 'api/server.ts', { AUTH_ISSUER: issuer, ...plannerUrl }, API_NODE_FLAGS),
    ownProcess(context, 'Timetable worker', 'timetableWorker', 'workers/timetable.ts', worker),
    ownProcess(context, 'Validation worker', 'timetableValidationWorker', 'workers/timetable-validation.ts', worker),
    ownProcess(context, 'Planner worker', 'plannerBuildWorker', 'workers/planner-build.ts', {
      ...worker,
      PLANNER_QUIET_MS: context.env.PLANNER_QUIET_MS || PLANNER_QUIET_MS,
    }),
    {
      ...ownProcess(context, 'Journey planner', 'journeyPlanner', plannerEntry, planner, PLANNER_NODE_FLAGS),
      // It is ready with the first snapshot, which needs a dataset: the first start has none yet.
      check: () => checkHealth(ports.journeyPlanner, 'live'),
    },
  ];
}

/** A process of this project: it listens on its port and says at /health/ready when it can work. */
function ownProcess(
  context: StackContext,
  title: string,
  port: PortName,
  entry: string,
  extra: Environment,
  nodeFlags: readonly string[] = [],
): Part {
  const { ports, secrets, env } = context;
  const number = ports[port];
  const limits = { PORT: String(number), SHUTDOWN_GRACE_MS: String(REQUEST_GRACE_MS) };
  const options = {
    name: kebab(port),
    command: process.execPath,
    args: ['--enable-source-maps', ...nodeFlags, resolve(projectRoot, entry)],
    cwd: projectRoot,
    // Compiled code is kept: from the second start on a process starts sooner and weighs some 15 MB less.
    env: {
      NODE_COMPILE_CACHE: context.state.folder('compiled'),
      ...sharedEnvironment(ports, secrets, env),
      ...limits,
      ...extra,
    },
  };
  return {
    ...{ title, process: withLog(context, options), stopGraceMs: PROCESS_STOP_MS },
    check: () => checkHealth(number, 'ready'),
  };
}

async function checkHealth(port: number, what: 'live' | 'ready'): Promise<void> {
  const answer = await fetch(`${at(port)}/health/${what}`, { signal: AbortSignal.timeout(2_500) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`it answers ${answer.status}: ${text}`);
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function withLog({ state }: StackContext, options: servers.ServerOptions): ChildOptions {
  return { ...options, logFile: join(state.folder('logs'), `${options.name}.log`) };
}
