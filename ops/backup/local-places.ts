/**
 * The data of a local stack. Of one that does not run, database and object store are started for the time it takes. Caller:
 * places.ts.
 */
import { Children } from '../../dev/stack/children.ts';
import { choosePorts } from '../../dev/stack/chosen-ports.ts';
import { DEVELOPMENT_CLIENTS } from '../../dev/stack/development-clients.ts';
import { customerKeysUri, listEndpoints, objectStoreEnvironment } from '../../dev/stack/endpoints.ts';
import { endLeftovers, recordProcesses } from '../../dev/stack/leftovers.ts';
import { LocalState } from '../../dev/stack/local-state.ts';
import { type StackContext, serverParts } from '../../dev/stack/parts.ts';
import { ensureSecrets } from '../../dev/stack/secrets.ts';
import { SUPERVISOR_LIMITS, Supervisor } from '../../dev/stack/supervisor.ts';
import type { Places, PlacesOptions } from './place-types.ts';
import { UserError } from './user-error.ts';

const NEEDED_SERVERS: ReadonlySet<string> = new Set(['mongod', 'minio']);
const GRACE_MS = 5_000;

export async function withLocalPlaces<Result>(
  options: PlacesOptions,
  use: (places: Places) => Promise<Result>,
): Promise<Result> {
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
