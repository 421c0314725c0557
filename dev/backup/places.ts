/**
 * Where the data lies that is backed up or restored: what the environment names (MONGODB_URI and S3_ENDPOINT with its keys), else the
 * local stack. Callers: the two commands.
 */
import { type Environment, mongoShape, objectStoreShape, parseConfig } from '../../activities/shared/config.ts';
import type { ObjectStoreConfig } from '../../activities/shared/object-store.ts';

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
