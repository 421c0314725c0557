/**
 * The places of a local stack's data, where the environment names no installation. For a stack that does not run, the database and the
 * object store are started for the time of the command. Callers: dev/backup.ts, dev/restore.ts.
 */
import type { Places, PlacesOptions } from '../../ops/backup/place-types.ts';
import { findNamedPlaces, refuseHalfNamed } from '../../ops/backup/places.ts';
import { UserError } from '../../ops/backup/user-error.ts';
import { Children } from './children.ts';
import { choosePorts } from './chosen-ports.ts';
import { DEVELOPMENT_CLIENTS } from './development-clients.ts';
import { customerKeysUri, listEndpoints, objectStoreEnvironment } from './endpoints.ts';
import { endLeftovers, recordProcesses } from './leftovers.ts';
import { LocalState } from './local-state.ts';
import { type StackContext, serverParts } from './parts.ts';
import { ensureSecrets } from './secrets.ts';
import { SUPERVISOR_LIMITS, Supervisor } from './supervisor.ts';

const NEEDED_SERVERS: ReadonlySet<string> = new Set(['mongod', 'minio']);
const GRACE_MS = 5_000;

export async function withLocalPlaces<Result>(
  options: PlacesOptions,
  use: (places: Places) => Promise<Result>,
): Promise<Result> {
  const named = findNamedPlaces(process.env);
  if (named) return await use(named);
  if (options.local === undefined) refuseHalfNamed(process.env);
  const state = new LocalState(options.local);
  if (!state.findOwner()) return await withServers(state, options, use);
  if (!options.whileRunning) throw new UserError('Samferd runs from this folder: stop it first');
  return await use(localPlaces(readContext(state)));
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

function readContext(state: LocalState): StackContext {
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
