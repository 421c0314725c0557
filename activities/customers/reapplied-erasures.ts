/**
 * After a restore of older data: erases again the customers that were erased since. The keys database identifies them:
 * it is not restored with the data, and an erased customer has no key there. Caller: the restore command, while no
 * process runs.
 *
 * It ends those profiles as a deletion does; the sweep then starts their erasure, which reaches all areas and writes
 * the event. The sweeps handle temporary profiles whose date has passed.
 */
import type { Connection } from 'mongoose';
import { conditionalUpdate } from '../../platform/aggregate/conditional-update.ts';
import { batchesOf } from '../../platform/batches.ts';
import { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import { CUSTOMER } from '../shared/customer-kind.ts';
import { type ProfileDocument, profileCollection } from './profile-document.ts';
import { endProfile } from './profile-ending.ts';

export interface ReappliedErasures {
  /** Number of live profiles in the data. */
  readonly living: number;
  /** Live profiles without a key whose date has not passed. */
  readonly keyless: number;
}

type ProfileMembers = Pick<ProfileDocument, '_id' | 'status' | 'profileType' | 'keyId' | 'expirationDate'>;

const AT_ONCE = 500;
const MEMBERS = { projection: { status: 1, profileType: 1, keyId: 1, expirationDate: 1 } } as const;

export class ErasuresSince {
  readonly #keys: SubjectKeys;
  readonly #now: () => Date;

  constructor(keysConnection: Connection, now: () => Date = () => new Date()) {
    // No key is opened here.
    const masterKeys = { writingKeyId: '', keys: new Map<string, Uint8Array>() };
    this.#keys = new SubjectKeys({ connection: keysConnection, masterKeys });
    this.#now = now;
  }

  /** Changes nothing: used to inspect a back-up before it is restored. */
  async count(profiles: AsyncIterable<ProfileMembers>): Promise<ReappliedErasures> {
    return await this.#forEachKeyless(profiles, async () => undefined);
  }

  /** Safe to repeat. */
  async reapply(data: Connection): Promise<ReappliedErasures> {
    const profiles = profileCollection(data);
    const living = profiles.find({ status: 'ACTIVE' }, MEMBERS);
    return await this.#forEachKeyless(living, async (keyless) => {
      const at = this.#now();
      const writes = keyless.map(({ _id, profileType = 'PERMANENT' }) => ({
        updateOne: {
          filter: { _id, status: 'ACTIVE' as const },
          update: conditionalUpdate(endProfile(profileType, { at, pendingStart: true }), at),
        },
      }));
      await profiles.bulkWrite(writes, { ordered: false });
    });
  }

  async #forEachKeyless(
    profiles: AsyncIterable<ProfileMembers>,
    act: (keyless: readonly ProfileMembers[]) => Promise<unknown>,
  ): Promise<ReappliedErasures> {
    const now = this.#now();
    let [living, keyless] = [0, 0];
    for await (const batch of batchesOf(onlyLiving(profiles, now), { count: AT_ONCE })) {
      living += batch.length;
      const kept = await this.#keys.listExisting(batch.map(({ _id }) => CUSTOMER.subjectOf(_id)));
      const without = batch.filter(({ _id }) => !kept.has(CUSTOMER.subjectOf(_id)));
      keyless += without.length;
      if (without.length > 0) await act(without);
    }
    return { living, keyless };
  }
}

async function* onlyLiving(profiles: AsyncIterable<ProfileMembers>, now: Date): AsyncGenerator<ProfileMembers> {
  for await (const each of profiles) {
    if (each.status === 'ACTIVE' && !(each.expirationDate && each.expirationDate <= now)) yield each;
  }
}
