/** Configuration of processes that read or write customers. Callers: the API, the workers `sales-customers`. */
import type { Connection } from 'mongoose';
import { z } from 'zod';
import type { StoreBase } from '../../platform/area.ts';
import { type Environment, parseConfig } from '../../platform/config.ts';
import type { EventEnvironment } from '../../platform/events/outbox.ts';
import type { Logger } from '../../platform/log.ts';
import { MasterKeys, type RecordKeyChange } from '../../platform/personal/master-keys.ts';
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import { openSubjectKeys, subjectKeysShape } from '../../platform/personal/subject-keys-config.ts';
import { auditShape } from '../shared/audit.ts';
import { SearchKeys } from './search-keys.ts';

const KEY_BYTES = 32;

export const customerShape = {
  ...subjectKeysShape,
  /**
   * Hashes the values that customers are searched by. A restore computes every hash again, so that is how to replace
   * it.
   */
  CUSTOMER_SEARCH_KEY: z
    .base64()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((bytes) => bytes.length === KEY_BYTES, 'must be 32 bytes in base64'),
};

export const customersRoleShape = {
  ...customerShape,
  ...auditShape,
  /**
   * Days after which a master key that wraps nothing any more is withdrawn. At least as many as back-ups of the keys are
   * kept: they are read with it.
   */
  CUSTOMER_MASTER_KEY_KEPT_DAYS: z.coerce.number().int().min(0).max(3_650).default(7),
};

export type CustomerConfig = z.infer<z.ZodObject<typeof customerShape>>;
export type CustomerSecrets = Omit<CustomerConfig, 'CUSTOMER_KEYS_MONGODB_URI'>;

/** Undefined unless the environment has both. Throws ConfigError for malformed ones. */
export function findCustomerSecrets(env: Environment): CustomerSecrets | undefined {
  const { CUSTOMER_KEYS_MONGODB_URI: _, ...shape } = customerShape;
  if (Object.keys(shape).some((name) => !env[name])) return undefined;
  return parseConfig(shape, env);
}

/** Dependencies of every store of customers. */
export interface CustomerStoreOptions {
  /** Connection to `MONGODB_URI`. */
  readonly connection: Connection;
  readonly keys: SubjectKeys;
  readonly searchKeys: SearchKeys;
  /** Part of the topic's name. */
  readonly environment: EventEnvironment;
  readonly now?: () => Date;
}

export function masterKeysOf(
  { CUSTOMER_MASTER_KEYS: masterKeys }: Pick<CustomerConfig, 'CUSTOMER_MASTER_KEYS'>,
  connection: Connection,
  log: Logger,
  record?: RecordKeyChange,
): MasterKeys {
  return new MasterKeys({ connection, masterKeys, variable: 'CUSTOMER_MASTER_KEYS', log, record });
}

export function customerStoreOptions(
  { CUSTOMER_SEARCH_KEY }: Pick<CustomerConfig, 'CUSTOMER_SEARCH_KEY'>,
  databases: Omit<CustomerStoreOptions, 'searchKeys'>,
): CustomerStoreOptions {
  return { ...databases, searchKeys: new SearchKeys(CUSTOMER_SEARCH_KEY) };
}

/** For the stores of a process of the service. */
export async function openCustomerStores(base: StoreBase): Promise<CustomerStoreOptions> {
  const keys = await openSubjectKeys(base);
  const databases = { connection: base.mongo, keys, environment: base.eventEnvironment };
  return customerStoreOptions(base.readConfig(customerShape), databases);
}
