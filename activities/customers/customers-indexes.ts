/** The indexes of this area's collections, in both databases, and of the stored answers that it erases. Caller: area.ts. */
import type { StoreBase } from '../../platform/area.ts';
import { IdempotencyStore } from '../../platform/idempotency/idempotency-store.ts';
import { customerShape, customerStoreOptions } from './customer-config.ts';
import { LoginFailureStore } from './login-failures.ts';
import { ProfileStore } from './profile-store.ts';

export async function ensureCustomersIndexes(base: StoreBase): Promise<void> {
  const { mongo, eventEnvironment: environment } = base;
  const config = base.readConfig(customerShape);
  const keysConnection = await base.connectKeys(config.CUSTOMER_KEYS_MONGODB_URI);
  const options = customerStoreOptions(config, { connection: mongo, keysConnection, environment });
  await Promise.all([
    new ProfileStore(options).ensureIndexes(),
    new LoginFailureStore({ connection: mongo, now: () => new Date() }).ensureIndexes(),
    new IdempotencyStore(mongo).ensureIndexes(),
  ]);
}
