/** What processes that read or write customers are configured with. Callers: the API, the workers `sales-customers`. */
import type { Connection } from 'mongoose';
import { z } from 'zod';
import type { EventEnvironment } from '../../platform/events/outbox.ts';
import { parseKeyRing } from '../../platform/keys/key-ring.ts';
import { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import { SearchKeys } from './search-keys.ts';

const KEY_BYTES = 32;

export const customerShape = {
  /** Of the data keys: another database than the data's, and left out of its backups. */
  CUSTOMER_KEYS_MONGODB_URI: z.string().regex(/^mongodb(\+srv)?:\/\//, 'must start with mongodb://'),
  /** Wrap the data keys. `keyId:base64 of 32 bytes`, comma-separated; the first writes, all read. */
  CUSTOMER_MASTER_KEYS: z.string().transform((text, context) => {
    try {
      return parseKeyRing(text, 'CUSTOMER_MASTER_KEYS');
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  }),
  /** Hashes what customers are searched by. It cannot be replaced: every hash would have to be made anew. */
  CUSTOMER_SEARCH_KEY: z
    .base64()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((bytes) => bytes.length === KEY_BYTES, 'must be 32 bytes in base64'),
};

export type CustomerConfig = z.infer<z.ZodObject<typeof customerShape>>;

/** What every store of customers is made with. */
export interface CustomerStoreOptions {
  /** Of `MONGODB_URI`. */
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
