/**
 * Keeps the keys database as it should be: every key wrapped by the master key that writes, none without a profile. Several
 * processes may do it at once. Caller: the worker `sales-customers`, now and then.
 */
import type { Logger } from '../shared/log.ts';
import type { CustomerKeys } from './customer-keys.ts';
import type { ProfileLifecycleStore } from './profile-lifecycle-store.ts';

export interface KeySweepDependencies {
  readonly keys: Pick<CustomerKeys, 'rewrapKeys' | 'eachCreated' | 'discard'>;
  readonly profiles: Pick<ProfileLifecycleStore, 'expiryOf'>;
  readonly log: Logger;
  readonly now?: () => Date;
}

const KEYS_AT_ONCE = 500;
/** A key is written before its profile; whoever takes longer has died. */
const PROFILE_COMES_WITHIN_MS = 60 * 60_000;

/** After a change of CUSTOMER_MASTER_KEYS: until none is left that only an older master key opens. */
export async function rewrapKeys({ keys, log }: KeySweepDependencies): Promise<void> {
  let total = 0;
  for (let done = KEYS_AT_ONCE; done === KEYS_AT_ONCE; total += done) done = await keys.rewrapKeys(KEYS_AT_ONCE);
  if (total > 0) log.info({ keys: total }, 'wrapped keys anew');
}

/** Remembers how far it has looked, so that each key is looked at once in the life of a process. */
export class OrphanKeys {
  readonly #dependencies: KeySweepDependencies;
  #lookedUntil = new Date(0);

  constructor(dependencies: KeySweepDependencies) {
    this.#dependencies = dependencies;
  }

  /** Removes keys whose profile never came to be, or is erased. */
  async sweep(): Promise<void> {
    const { keys, profiles, log, now = () => new Date() } = this.#dependencies;
    const before = new Date(now().getTime() - PROFILE_COMES_WITHIN_MS);
    let removed = 0;
    for await (const { keyId, customerNumber } of keys.eachCreated(this.#lookedUntil, before)) {
      if ((await profiles.expiryOf(customerNumber)).state !== 'ERASED') continue;
      await keys.discard(keyId);
      removed += 1;
    }
    this.#lookedUntil = before;
    if (removed > 0) log.info({ keys: removed }, 'removed keys without a profile');
  }
}
