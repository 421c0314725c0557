/**
 * Where the data lies that is backed up or restored: what the environment names (MONGODB_URI and S3_ENDPOINT with its keys), else the
 * local stack. Of a stack that does not run, database and object store are started for the time it takes. Callers: the two commands.
 */
import { type Environment, mongoShape, objectStoreShape, parseConfig } from '../../activities/shared/config.ts';
import type { ObjectStoreConfig } from '../../activities/shared/object-store.ts';
import { Children } from '../stack/children.ts';
import { choosePorts } from '../stack/chosen-ports.ts';
import { DEVELOPMENT_CLIENTS } from '../stack/development-clients.ts';
import { customerKeysUri, listEndpoints, objectStoreEnvironment } from '../stack/endpoints.ts';
import { endLeftovers, recordProcesses } from '../stack/leftovers.ts';
import { LocalState } from '../stack/local-state.ts';
import { type StackContext, serverParts } from '../stack/parts.ts';
import { ensureSecrets } from '../stack/secrets.ts';
import { SUPERVISOR_LIMITS, Supervisor } from '../stack/supervisor.ts';
import { UserError } from './user-error.ts';

export interface Places {
  readonly mongodbUri: string;
  readonly objectStore: ObjectStoreConfig;
  /** Undefined where the environment does not name it. */
  readonly customerKeysUri: string | undefined;
  /** Of a local stack: Temporal starts from nothing next time. */
  readonly forgetTemporal?: () => void;
}

export interface PlacesOptions {
  /** Of a local stack; `.local` unless given. */
  readonly local?: string | undefined;
  /** False: a local stack must not run meanwhile. */
  readonly whileRunning: boolean;
  readonly report: (line: string) => void;
}

const NEEDED_SERVERS: ReadonlySet<string> = new Set(['mongod', 'minio']);
const GRACE_MS = 5_000;

export async function withPlaces<Result>(options: PlacesOptions, use: (places: Places) => Promise<Result>) {
  const named = namedPlaces(process.env);
  if (named) return await use(named);
  const state = new LocalState(options.local);
  if (state.findOwner() && !options.whileRunning) throw new UserError('Samferd runs from this folder: stop it first');
  if (state.findOwner()) return await use(localPlaces(await readContext(state)));
  return await withServers(state, options, use);
}

function namedPlaces(env: Environment): Places | undefined {
  if (!env.MONGODB_URI || !env.S3_ENDPOINT) return undefined;
  const { MONGODB_URI, ...objectStore } = parseConfig({ ...mongoShape, ...objectStoreShape }, env);
  return { mongodbUri: MONGODB_URI, objectStore, customerKeysUri: env.CUSTOMER_KEYS_MONGODB_URI || undefined };
}

async function withServers<Result>(
  state: LocalState,
  { report }: PlacesOptions,
  use: (places: Places) => Promise<Result>,
): Promise<Result> {
  if (state.take()) throw new UserError('Samferd has just been started from this folder');
  const children = new Children((running) => recordProcesses(state, running));
  const supervisor = new Supervisor({ children, report, ...SUPERVISOR_LIMITS });
  try {
    await endLeftovers(state);
    const { ports } = await choosePorts(state);
    const context = { state, ports, secrets: secretsOf(state), env: process.env };
    await supervisor.start(serverParts(context).filter((part) => NEEDED_SERVERS.has(part.process.name)));
    return await use({ ...localPlaces(context), forgetTemporal: () => state.remove('temporal') });
  } finally {
    await supervisor.stop();
    await children.stopAll(GRACE_MS);
    state.release();
  }
}

async function readContext(state: LocalState): Promise<StackContext> {
  const ports = state.read('ports.json') as StackContext['ports'] | undefined;
  if (!ports) throw new UserError('Samferd is still starting: try again when it is ready');
  return { state, ports, secrets: secretsOf(state), env: process.env };
}

function secretsOf(state: LocalState) {
  return ensureSecrets(
    state,
    DEVELOPMENT_CLIENTS.map(({ name }) => name),
  );
}

function localPlaces({ ports, secrets, env }: StackContext): Places {
  const { mongodb = '' } = listEndpoints(ports, env);
  const objectStore = objectStoreEnvironment(ports, secrets, env);
  return { mongodbUri: mongodb, objectStore, customerKeysUri: customerKeysUri(ports, env) };
}
