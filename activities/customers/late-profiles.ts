/**
 * Ends profiles that their workflows have not ended in time, because many end at one moment or Temporal is unavailable.
 * It ends those whose date has passed and destroys the keys of all, hundreds in one write. From then on their data is
 * unreadable in every copy. Their workflows do the rest, and repeat these writes. Caller: the lifecycle store.
 */
import { conditionalUpdate } from '../../platform/aggregate/conditional-update.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import { CUSTOMER } from '../shared/customer-kind.ts';
import type { CustomerStoreOptions } from './customer-config.ts';
import { type ProfileCollection, type ProfileDocument, profileCollection } from './profile-document.ts';
import { endProfile, isDue } from './profile-ending.ts';
import { isErasing } from './profile-tombstone.ts';

const AT_ONCE = 500;
/** Turns are seconds apart. Keys missed within this time are left to the workflows. */
const KEYS_LOOKED_BACK_MS = 60_000;
const KEYS_AT_ONCE = 20_000;

export class LateProfiles {
  readonly #keys: CustomerStoreOptions['keys'];
  readonly #profiles: ProfileCollection;

  constructor({ connection, keys }: Pick<CustomerStoreOptions, 'connection' | 'keys'>) {
    this.#keys = keys;
    this.#profiles = profileCollection(connection);
  }

  /**
   * Ends profiles whose date is at or before `before`, and answers how many. Also destroys the keys of those that had
   * ended otherwise by then.
   */
  async end(before: Date): Promise<number> {
    const ended = await this.#endDue(before);
    await this.#destroyKeysOfEnded(before);
    return ended;
  }

  async #endDue(before: Date): Promise<number> {
    let ended = 0;
    for (;;) {
      const late = await this.#profiles
        .find(isDue(before), { projection: { expirationDate: 1 } })
        .sort({ expirationDate: 1 })
        .limit(AT_ONCE)
        .toArray();
      if (late.length > 0) ended += await this.#end(late, before);
      if (late.length < AT_ONCE) return ended;
    }
  }

  /** Each write is conditional on the date, and on the profile not being converted. */
  async #end(late: readonly ProfileDocument[], before: Date): Promise<number> {
    const writes = late.map(({ _id, expirationDate: at = before }) => ({
      updateOne: {
        filter: { _id, ...isDue(before) },
        update: conditionalUpdate(endProfile('TEMPORARY', { at, pendingStart: false }), at),
      },
    }));
    const { modifiedCount } = await this.#profiles.bulkWrite(writes, { ordered: false });
    const numbers = late.map(({ _id }) => _id);
    const gone = await this.#profiles
      .find({ _id: { $in: numbers }, ...isErasing() }, { projection: { _id: 1 } })
      .toArray();
    await this.#destroyKeys(gone);
    return modifiedCount;
  }

  async #destroyKeysOfEnded(before: Date): Promise<void> {
    const since = new Date(before.getTime() - KEYS_LOOKED_BACK_MS);
    const ended = { 'erasure.begunAt': { $gt: since, $lte: before }, ...isErasing() };
    const options = { projection: { _id: 1 }, limit: KEYS_AT_ONCE } as const;
    const found = await this.#profiles.find(ended, options).sort({ 'erasure.begunAt': 1 }).toArray();
    if (found.length > 0) await this.#destroyKeys(found);
  }

  async #destroyKeys(ended: readonly { readonly _id: CustomerNumber }[]): Promise<void> {
    await this.#keys.destroyOf(...ended.map(({ _id }) => CUSTOMER.subjectOf(_id)));
  }
}
