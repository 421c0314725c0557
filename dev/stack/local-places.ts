/**
 * The places of a local stack's data, for commands without an installation in the environment. If the stack does not
 * run, database and object store are started for the duration of the command. Callers: dev/backup.ts, dev/restore.ts.
 */
import { findCustomerSecrets } from '../../activities/customers/customer-config.ts';
import { namedBackupKeys } from '../../ops/backup/backup-keys.ts';
import type { Places, PlacesOptions } from '../../ops/backup/place-types.ts';
import { findAuditKeys, findNamedPlaces, refuseHalfNamed } from '../../ops/backup/places.ts';
import { UserError } from '../../ops/backup/user-error.ts';
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import { Children } from './children.ts';
import { choosePorts, readPorts } from './chosen-ports.ts';
import { customerKeysUri, listEndpoints, objectStoreEnvironment } from './endpoints.ts';
import { endLeftovers, recordProcesses } from './leftovers.ts';
import { LocalState } from './local-state.ts';
import { type StackContext, serverParts } from './parts.ts';
import { localSecrets, prepareData, prepareObjectStore } from './prepare.ts';
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
  if (!state.findOwner()) {
    if (options.mustExist && !readPorts(state))
      throw new UserError(`There is nothing to back up: Samferd has not run with its data in ${state.directory}`);
    return await withServers(state, options, use);
  }
  if (!options.whileRunning) throw new UserError('Samferd runs from this folder: stop it first');
  return await use(localPlaces(readContext(state)));
}

/** Takes the keys of the environment, else those of the local stack. */
export function findLocalBackupKeys(local: string | undefined): KeyRing {
  const { BACKUP_KEYS = localSecrets(new LocalState(local)).backupKeys } = process.env;
  return namedBackupKeys({ BACKUP_KEYS });
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
    const context = { state, ports, secrets: localSecrets(state), env: process.env };
    await supervisor.start(serverParts(context).filter((part) => NEEDED_SERVERS.has(part.process.name)));
    await Promise.all([prepareData(context), prepareObjectStore(context)]);
    return await use({ ...localPlaces(context), forgetTemporal: () => state.remove('temporal') });
  } finally {
    await supervisor.stop();
    await children.stopAll(GRACE_MS);
    state.release();
  }
}

function readContext(state: LocalState): StackContext {
  const ports = readPorts(state);
  if (!ports) throw new UserError('Samferd is still starting: try again when it is ready');
  return { state, ports, secrets: localSecrets(state), env: process.env };
}

function localPlaces({ ports, secrets, env }: StackContext): Places {
  const { mongodb = '' } = listEndpoints(ports, secrets, env);
  const objectStore = objectStoreEnvironment(ports, secrets, env);
  const customerSecrets = findCustomerSecrets({
    CUSTOMER_MASTER_KEYS: secrets.customerMasterKeys,
    CUSTOMER_SEARCH_KEY: secrets.customerSearchKey,
    ...env,
  });
  const auditKeys = findAuditKeys({ AUDIT_KEYS: secrets.auditKeys, ...env });
  return {
    mongodbUri: mongodb,
    objectStore,
    customerKeysUri: customerKeysUri(ports, secrets, env),
    customerSecrets,
    auditKeys,
  };
}
