/**
 * Keeps the keys database in order. The writing master key wraps every key, and no key is left whose subject was never
 * created. Several processes may sweep at once. Caller: a worker, at intervals.
 */
import type { Logger } from '../log.ts';
import { type OrphanKeyStores, removeOrphanKeys } from './orphan-keys.ts';
import type { SubjectKeys } from './subject-keys.ts';

export interface RewrapDependencies {
  readonly keys: Pick<SubjectKeys, 'rewrapKeys'>;
  readonly log: Logger;
}

export interface OrphanKeySweepDependencies extends OrphanKeyStores {
  readonly log: Logger;
  readonly now?: () => Date;
}

/** A key is written before its subject; a process that takes longer has died. */
const SUBJECT_FOLLOWS_WITHIN_MS = 60 * 60_000;

/** Needed after a change of the master keys. Afterwards only keys that do not open need an older one. */
export async function rewrapKeys({ keys, log }: RewrapDependencies): Promise<void> {
  const { wrapped, unopened } = await keys.rewrapKeys();
  if (wrapped > 0) log.info({ keys: wrapped }, 'wrapped keys with the writing key');
  if (unopened.length > 0) {
    log.error(
      { keys: unopened },
      'data keys do not open and keep an older master key in use: restore the keys database, or erase their subjects',
    );
  }
}

/** Sweeps one kind of subject. Remembers its position, so that a process checks each key once. */
export class OrphanKeySweep {
  readonly #dependencies: OrphanKeySweepDependencies;
  #lookedUntil = new Date(0);

  constructor(dependencies: OrphanKeySweepDependencies) {
    this.#dependencies = dependencies;
  }

  async run(): Promise<void> {
    const { log, now = () => new Date(), ...stores } = this.#dependencies;
    const before = new Date(now().getTime() - SUBJECT_FOLLOWS_WITHIN_MS);
    const outcome = await removeOrphanKeys(stores, { from: this.#lookedUntil, before });
    const { kind } = stores;
    if ('kept' in outcome) {
      log.error(
        { kind, ...outcome },
        'many keys have no subject, and none was removed: check that the keys database belongs to the data',
      );
      return;
    }
    this.#lookedUntil = before;
    if (outcome.removed > 0) log.info({ kind, keys: outcome.removed }, 'removed keys without a subject');
  }
}
