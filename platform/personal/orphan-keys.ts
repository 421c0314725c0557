/**
 * Removes keys whose subject was never created: the process that made the key died before it wrote the document.
 * Caller: the sweep of keys.
 *
 * Destroying a key erases its subject. So this stops when it finds more orphans than crashes explain. Then it probably
 * reads a restored database, or one that the keys do not belong to.
 */
import { batchesOf } from '../batches.ts';
import type { SubjectId } from './subject-id.ts';
import type { SubjectKeys } from './subject-keys.ts';

/** Answers the given subjects that exist and are not erased: their sealed data must stay readable. */
export type ListKept = (subjects: readonly SubjectId[]) => Promise<ReadonlySet<SubjectId>>;

/** The stores for one kind of subject. */
export interface OrphanKeyStores {
  readonly kind: string;
  readonly keys: Pick<SubjectKeys, 'eachCreated' | 'discard'>;
  readonly listKept: ListKept;
}

/** Creation times of the keys; `before` is so long ago that their subjects must exist. */
export interface OrphanKeyAge {
  readonly from: Date;
  readonly before: Date;
}

/** `kept`: the number of checked keys without a subject; none was removed. */
export type OrphanKeyOutcome = { readonly removed: number } | { readonly kept: number; readonly looked: number };

const KEYS_AT_ONCE = 500;
const BELIEVED = 5;
const BELIEVED_SHARE = 0.05;

export async function removeOrphanKeys(stores: OrphanKeyStores, age: OrphanKeyAge): Promise<OrphanKeyOutcome> {
  const { kind, keys, listKept } = stores;
  const orphans: string[] = [];
  let looked = 0;
  for await (const batch of batchesOf(keys.eachCreated(kind, age.from, age.before), { count: KEYS_AT_ONCE })) {
    looked += batch.length;
    const kept = await listKept(batch.map((key) => key.subject));
    orphans.push(...batch.filter((key) => !kept.has(key.subject)).map((key) => key.keyId));
  }
  if (orphans.length > BELIEVED + looked * BELIEVED_SHARE) return { kept: orphans.length, looked };
  for (const keyId of orphans) await keys.discard(keyId);
  return { removed: orphans.length };
}
