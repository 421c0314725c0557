/**
 * Removal of keys whose profile never came to be: whoever made it died between the two. Caller: the sweep of keys.
 *
 * A key that is destroyed takes its profile with it, so this stops where it finds more than deaths explain: then it looks into
 * another database than the one the keys are of, or into one that was restored.
 */
import { batchesOf } from '../../platform/batches.ts';
import type { CustomerKeys } from './customer-keys.ts';
import type { ProfileLifecycleStore } from './profile-lifecycle-store.ts';

export interface OrphanKeyStores {
  readonly keys: Pick<CustomerKeys, 'eachCreated' | 'discard'>;
  readonly profiles: Pick<ProfileLifecycleStore, 'listKept'>;
}

/** Of when the keys were made; `before` is so long ago that their profiles must be there. */
export interface OrphanKeyAge {
  readonly from: Date;
  readonly before: Date;
}

/** `kept`: so many of those looked at have no profile, and none was removed. */
export type OrphanKeyOutcome = { readonly removed: number } | { readonly kept: number; readonly looked: number };

const KEYS_AT_ONCE = 500;
const BELIEVED = 5;
const BELIEVED_SHARE = 0.05;

export async function removeOrphanKeys(stores: OrphanKeyStores, age: OrphanKeyAge): Promise<OrphanKeyOutcome> {
  const orphans: string[] = [];
  let looked = 0;
  for await (const batch of batchesOf(stores.keys.eachCreated(age.from, age.before), { count: KEYS_AT_ONCE })) {
    looked += batch.length;
    const kept = await stores.profiles.listKept(batch.map((key) => key.customerNumber));
    orphans.push(...batch.filter((key) => !kept.has(key.customerNumber)).map((key) => key.keyId));
  }
  if (orphans.length > BELIEVED + looked * BELIEVED_SHARE) return { kept: orphans.length, looked };
  for (const keyId of orphans) await stores.keys.discard(keyId);
  return { removed: orphans.length };
}
