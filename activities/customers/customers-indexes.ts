/** The indexes of the keys database, and of the stored answers that this area erases. Caller: area.ts. */
import type { StoreBase } from '../../platform/area.ts';
import { IdempotencyStore } from '../../platform/idempotency/idempotency-store.ts';
import { SUBJECT_KEYS } from '../../platform/personal/key-document.ts';
import { customerShape, masterKeysOf } from './customer-config.ts';

export async function ensureCustomersIndexes(base: StoreBase): Promise<void> {
  const { mongo } = base;
  const config = base.readConfig(customerShape);
  const keysConnection = await base.connectKeys(config.CUSTOMER_KEYS_MONGODB_URI);
  await masterKeysOf(config, keysConnection, base.log).check();
  await Promise.all([SUBJECT_KEYS.ensureIndexes(keysConnection), new IdempotencyStore(mongo).ensureIndexes()]);
}
