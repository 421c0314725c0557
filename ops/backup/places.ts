/**
 * Where the data lies that is backed up or restored: what the environment names (MONGODB_URI and S3_ENDPOINT with its keys), else the
 * local stack. Callers: the two commands. Never completes one installation from another: who brings one server of his own to a local
 * stack names that stack.
 */
import { type Environment, mongoShape, objectStoreShape, parseConfig } from '../../platform/config.ts';
import type { Places, PlacesOptions } from './place-types.ts';
import { UserError } from './user-error.ts';

const NEEDED = ['MONGODB_URI', 'S3_ENDPOINT'] as const;

export async function withPlaces<Result>(
  options: PlacesOptions,
  use: (places: Places) => Promise<Result>,
): Promise<Result> {
  const named = namedPlaces(process.env);
  if (named) return await use(named);
  if (options.local === undefined) refuseHalfNamed(process.env);
  // Not loaded where it is not needed: it knows all of the stack.
  const { withLocalPlaces } = await import('./local-places.ts');
  return await withLocalPlaces(options, use);
}

function namedPlaces(env: Environment): Places | undefined {
  if (NEEDED.some((name) => !env[name])) return undefined;
  const { MONGODB_URI, ...objectStore } = parseConfig({ ...mongoShape, ...objectStoreShape }, env);
  return { mongodbUri: MONGODB_URI, objectStore, customerKeysUri: env.CUSTOMER_KEYS_MONGODB_URI || undefined };
}

function refuseHalfNamed(env: Environment): void {
  const [set, missing] = [
    [...NEEDED, 'CUSTOMER_KEYS_MONGODB_URI'].filter((name) => env[name]),
    NEEDED.filter((name) => !env[name]),
  ];
  if (set.length === 0) return;
  throw new UserError(
    `Nothing was done: ${set.join(' and ')} set, ${missing.join(' and ')} not. Set what names the whole installation, or give the ` +
      'folder of the local stack that these servers belong to: --local .local',
  );
}
