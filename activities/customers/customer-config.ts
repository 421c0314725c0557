/** Configuration of processes that read or write customers. Callers: the API, the workers `sales-customers`. */
import type { Connection } from 'mongoose';
import { z } from 'zod';
import type { EventEnvironment } from '../../platform/events/outbox.ts';
import { parseKeyRing } from '../../platform/keys/key-ring.ts';
import { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import { SearchKeys } from './search-keys.ts';

const KEY_BYTES = 32;

export const customerShape = {
  /** The database of the data keys: another than that of the data, and left out of its back-ups. */
  CUSTOMER_KEYS_MONGODB_URI: z.string().regex(/^mongodb(\+srv)?:\/\//, 'must start with mongodb://'),
  /** Master keys that wrap the data keys: `keyId:base64 of 32 bytes`, comma-separated; the first writes, all read. */
  CUSTOMER_MASTER_KEYS: z.string().transform((text, context) => {
    try {
      return parseKeyRing(text, 'CUSTOMER_MASTER_KEYS');
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  }),
  /**
   * Hashes the values that customers are searched by. It cannot be replaced: every hash would have to be computed
   * again.
   */
  CUSTOMER_SEARCH_KEY: z
    .base64()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((bytes) => bytes.length === KEY_BYTES, 'must be 32 bytes in base64'),
};

export type CustomerConfig = z.infer<z.ZodObject<typeof customerShape>>;

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

export interface CustomerDatabases {
  readonly connection: Connection;
  readonly keysConnection: Connection;
  readonly environment: EventEnvironment;
}

export function customerStoreOptions(
  config: CustomerConfig,
  { connection, keysConnection, environment }: CustomerDatabases,
): CustomerStoreOptions {
  return {
    connection,
    keys: new SubjectKeys({ connection: keysConnection, masterKeys: config.CUSTOMER_MASTER_KEYS }),
    searchKeys: new SearchKeys(config.CUSTOMER_SEARCH_KEY),
    environment,
  };
}
