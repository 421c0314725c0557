/**
 * After the data was restored as it stood on an earlier day: erases again who was erased since. The keys database tells who: it is
 * not restored with the data, and who was erased has no key there. Caller: the command of restoring, while no process runs.
 *
 * Ends those profiles as a deletion does; the sweep then starts their erasure, which reaches all areas and tells of it. Whose date
 * has passed meanwhile is left to the sweeps, which look for nothing else.
 */
import type { Connection } from 'mongoose';
import { batchesOf } from '../../platform/batches.ts';
import { CustomerKeys } from './customer-keys.ts';
import { type ProfileDocument, profileCollection } from './profile-document.ts';
import { endProfile } from './profile-ending.ts';

export interface ReappliedErasures {
  /** Profiles that live in the data. */
  readonly living: number;
  /** Of these: without a key, and not because their date has passed. */
  readonly keyless: number;
}

type Standing = Pick<ProfileDocument, '_id' | 'status' | 'profileType' | 'keyId' | 'expirationDate'>;

const AT_ONCE = 500;
const STANDING = { projection: { status: 1, profileType: 1, keyId: 1, expirationDate: 1 } } as const;

export class ErasuresSince {
  readonly #keys: CustomerKeys;
  readonly #now: () => Date;

  constructor(keysConnection: Connection, now: () => Date = () => new Date()) {
    // None is opened here.
    const masterKeys = { writingKeyId: '', keys: new Map<string, Uint8Array>() };
    this.#keys = new CustomerKeys({ connection: keysConnection, masterKeys });
    this.#now = now;
  }

  /** Changes nothing: for looking at a back-up before it is restored. */
  async count(profiles: AsyncIterable<Standing>): Promise<ReappliedErasures> {
    return await this.#forEachKeyless(profiles, async () => undefined);
  }

  /** Safe to repeat. */
  async reapply(data: Connection): Promise<ReappliedErasures> {
    const profiles = profileCollection(data);
    const living = profiles.find({ status: 'ACTIVE' }, STANDING);
    const reapplied = await this.#forEachKeyless(living, async (keyless) => {
      const at = this.#now();
      const writes = keyless.map(({ _id, profileType = 'PERMANENT' }) => ({
        updateOne: { filter: { _id, status: 'ACTIVE' as const }, update: endProfile(profileType, { at, tell: true }) },
      }));
      await profiles.bulkWrite(writes, { ordered: false });
    });
    await this.destroyKeysOfErased(data);
    return reapplied;
  }

  /** After the keys were restored as they stood earlier: keys of customers that the data calls erased go again. */
  async destroyKeysOfErased(data: Connection): Promise<void> {
    const erased = profileCollection(data).find({ status: 'ERASED' }, { projection: { _id: 1 } });
    for await (const batch of batchesOf(erased, { count: AT_ONCE }))
      await this.#keys.destroyOf(...batch.map(({ _id }) => _id));
  }

  async #forEachKeyless(
    profiles: AsyncIterable<Standing>,
    act: (keyless: readonly Standing[]) => Promise<unknown>,
  ): Promise<ReappliedErasures> {
    const now = this.#now();
    let [living, keyless] = [0, 0];
    for await (const batch of batchesOf(onlyLiving(profiles, now), { count: AT_ONCE })) {
      living += batch.length;
      const kept = await this.#keys.listExisting(batch.map(({ _id }) => _id));
      const without = batch.filter(({ _id }) => !kept.has(_id));
      keyless += without.length;
      if (without.length > 0) await act(without);
    }
    return { living, keyless };
  }
}

async function* onlyLiving(profiles: AsyncIterable<Standing>, now: Date): AsyncGenerator<Standing> {
  for await (const each of profiles) {
    if (each.status === 'ACTIVE' && !(each.expirationDate && each.expirationDate <= now)) yield each;
  }
}
