/**
 * Finds the places of the data in the environment: MONGODB_URI, and S3_ENDPOINT with its keys. It rejects half of an
 * installation, because the other half could belong to another one. Callers: the commands of back-ups.
 */
import { findCustomerSecrets } from '../../activities/customers/customer-config.ts';
import { auditShape } from '../../activities/shared/audit.ts';
import { type Environment, mongoShape, objectStoreShape, parseConfig } from '../../platform/config.ts';
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import type { Places, PlacesOptions } from './place-types.ts';
import { UserError } from './user-error.ts';

const NEEDED = ['MONGODB_URI', 'S3_ENDPOINT'] as const;

export async function withNamedPlaces<Result>(
  { keysAlone }: PlacesOptions,
  use: (places: Places) => Promise<Result>,
): Promise<Result> {
  const named = findNamedPlaces(process.env) ?? (keysAlone ? findKeysPlace(process.env) : undefined);
  if (named) return await use(named);
  refuseHalfNamed(process.env);
  throw new UserError('Nothing was done: set MONGODB_URI, S3_ENDPOINT and what else docs/operations/backup.md names');
}

/** Undefined unless the environment names both database and object store. */
export function findNamedPlaces(env: Environment): Places | undefined {
  if (NEEDED.some((name) => !env[name])) return undefined;
  const { MONGODB_URI, ...objectStore } = parseConfig({ ...mongoShape, ...objectStoreShape }, env);
  const customerKeysUri = env.CUSTOMER_KEYS_MONGODB_URI || undefined;
  return {
    mongodbUri: MONGODB_URI,
    objectStore,
    customerKeysUri,
    customerSecrets: findCustomerSecrets(env),
    auditKeys: findAuditKeys(env),
  };
}

export function findAuditKeys(env: Environment): KeyRing | undefined {
  return env.AUDIT_KEYS ? parseConfig(auditShape, env).AUDIT_KEYS : undefined;
}

/** A back-up of the keys needs nothing else, so its environment should name nothing else. */
function findKeysPlace({ CUSTOMER_KEYS_MONGODB_URI: customerKeysUri, ...env }: Environment): Places | undefined {
  if (!customerKeysUri || NEEDED.some((name) => env[name])) return undefined;
  return {
    customerKeysUri,
    get mongodbUri(): string {
      throw new UserError('MONGODB_URI is not set');
    },
    get objectStore(): Places['objectStore'] {
      throw new UserError('S3_ENDPOINT is not set');
    },
  };
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
