/**
 * Where the data lies that is backed up or restored: what the environment names (MONGODB_URI and S3_ENDPOINT with its keys), else the
 * local stack. Callers: the two commands.
 */
import { type Environment, mongoShape, objectStoreShape, parseConfig } from '../../activities/shared/config.ts';
import type { Places, PlacesOptions } from './place-types.ts';

export async function withPlaces<Result>(
  options: PlacesOptions,
  use: (places: Places) => Promise<Result>,
): Promise<Result> {
  const named = namedPlaces(process.env);
  if (named) return await use(named);
  // Not loaded where it is not needed: it knows all of the stack.
  const { withLocalPlaces } = await import('./local-places.ts');
  return await withLocalPlaces(options, use);
}

function namedPlaces(env: Environment): Places | undefined {
  if (!env.MONGODB_URI || !env.S3_ENDPOINT) return undefined;
  const { MONGODB_URI, ...objectStore } = parseConfig({ ...mongoShape, ...objectStoreShape }, env);
  return { mongodbUri: MONGODB_URI, objectStore, customerKeysUri: env.CUSTOMER_KEYS_MONGODB_URI || undefined };
}
