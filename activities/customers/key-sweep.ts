/**
 * Keeps the keys database as it should be: every key wrapped by the master key that writes, none whose profile never came to
 * be. Several processes may do it at once. Caller: the worker `sales-customers`, now and then.
 */
import type { Logger } from '../../platform/log.ts';
import type { CustomerKeys } from './customer-keys.ts';
import { type OrphanKeyStores, removeOrphanKeys } from './orphan-keys.ts';

export interface KeySweepDependencies {
  readonly keys: Pick<CustomerKeys, 'rewrapKeys'> & OrphanKeyStores['keys'];
  readonly profiles: OrphanKeyStores['profiles'];
  readonly log: Logger;
  readonly now?: () => Date;
}

const KEYS_AT_ONCE = 500;
/** A key is written before its profile; whoever takes longer has died. */
const PROFILE_COMES_WITHIN_MS = 60 * 60_000;

/** After a change of CUSTOMER_MASTER_KEYS: until none is left that only an older master key opens. */
export async function rewrapKeys({ keys, log }: Pick<KeySweepDependencies, 'keys' | 'log'>): Promise<void> {
  let total = 0;
  for (let done = KEYS_AT_ONCE; done === KEYS_AT_ONCE; total += done) done = await keys.rewrapKeys(KEYS_AT_ONCE);
  if (total > 0) log.info({ keys: total }, 'wrapped keys anew');
}

/** Remembers how far it has looked, so that each key is looked at once in the life of a process. */
export class OrphanKeySweep {
  readonly #dependencies: KeySweepDependencies;
  #lookedUntil = new Date(0);

  constructor(dependencies: KeySweepDependencies) {
    this.#dependencies = dependencies;
  }

  async run(): Promise<void> {
    const { log, now = () => new Date(), ...stores } = this.#dependencies;
    const before = new Date(now().getTime() - PROFILE_COMES_WITHIN_MS);
    const outcome = await removeOrphanKeys(stores, { from: this.#lookedUntil, before });
    if ('kept' in outcome) {
      log.error(outcome, 'many keys have no profile, and none was removed: is this the database that they belong to?');
      return;
    }
    this.#lookedUntil = before;
    if (outcome.removed > 0) log.info({ keys: outcome.removed }, 'removed keys without a profile');
  }
}
