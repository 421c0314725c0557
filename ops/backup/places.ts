/**
 * The places of the data that the environment names: MONGODB_URI, and S3_ENDPOINT with its keys. Callers: the commands of back-ups. Half of
 * an installation is refused: the other half could be another installation's.
 */
import { type Environment, mongoShape, objectStoreShape, parseConfig } from '../../platform/config.ts';
import type { Places, PlacesOptions } from './place-types.ts';
import { UserError } from './user-error.ts';

const NEEDED = ['MONGODB_URI', 'S3_ENDPOINT'] as const;

export async function withNamedPlaces<Result>(
  _options: PlacesOptions,
  use: (places: Places) => Promise<Result>,
): Promise<Result> {
  const named = findNamedPlaces(process.env);
  if (named) return await use(named);
  refuseHalfNamed(process.env);
  throw new UserError('Nothing was done: set MONGODB_URI, S3_ENDPOINT and what else docs/operations/backup.md names');
}

/** Undefined when the environment does not name both database and object store. */
export function findNamedPlaces(env: Environment): Places | undefined {
  if (NEEDED.some((name) => !env[name])) return undefined;
  const { MONGODB_URI, ...objectStore } = parseConfig({ ...mongoShape, ...objectStoreShape }, env);
  return { mongodbUri: MONGODB_URI, objectStore, customerKeysUri: env.CUSTOMER_KEYS_MONGODB_URI || undefined };
}

export function refuseHalfNamed(env: Environment): void {
  const set = [...NEEDED, 'CUSTOMER_KEYS_MONGODB_URI'].filter((name) => env[name]);
  if (set.length === 0) return;
  const missing = NEEDED.filter((name) => !env[name]);
  throw new UserError(
    `Nothing was done: ${set.join(' and ')} set, ${missing.join(' and ')} not. Set what names the whole installation, or give the ` +
      'folder of the local stack that these servers belong to: --local .local',
  );
}
