/**
 * What a rotation does with the signing keys: publish the next, let it take over, remove what has retired; and, when keys are
 * no longer to be trusted, all of that at once. Callers: the activities of rotations, the worker `operations`. Each method may
 * be repeated, and several processes may call it at once: a write holds only for the key and the state it was decided for.
 */
import type { Connection } from 'mongoose';
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import {
  type KeyCollection,
  type KeyDocument,
  makeKey,
  ONE_SIGNING_KEY,
  SIGNING_KEYS,
  type SigningKeyState,
  type SigningKeyStoreOptions,
} from './signing-key-collection.ts';
import { isSealedAsWritten, openPrivateKey, sealPrivateKey } from './signing-key-sealing.ts';
import { LONGEST_LIFETIME_SECONDS, PUBLISHED_AHEAD_SECONDS, RETIRED_BEYOND_SECONDS } from './signing-key-times.ts';

export interface RotationStoreOptions extends SigningKeyStoreOptions {
  /** From publishing a key to signing with it. */
  readonly publishedAheadSeconds?: number;
}

export interface NextKey {
  readonly kid: string;
  readonly signsFrom: Date;
}

/** `GONE`: removed, or retired since; another rotation came between. */
export type StartOfSigning = 'SIGNS' | 'TOO_EARLY' | 'GONE';

export interface SigningKeyEntry {
  readonly kid: string;
  readonly state: SigningKeyState;
  /** In this state. */
  readonly since: Date;
  /** Of one that retires. */
  readonly removableAt?: Date;
}

export class SigningKeyRotationStore {
  readonly #connection: Connection;
  readonly #collection: KeyCollection;
  readonly #encryptionKeys: KeyRing;
  readonly #publishedAheadSeconds: number;
  readonly #now: () => Date;

  constructor({ connection, encryptionKeys, publishedAheadSeconds, now }: RotationStoreOptions) {
    this.#connection = connection;
    this.#collection = SIGNING_KEYS.open(connection);
    this.#encryptionKeys = encryptionKeys;
    this.#publishedAheadSeconds = publishedAheadSeconds ?? PUBLISHED_AHEAD_SECONDS;
    this.#now = now ?? (() => new Date());
  }

  async ensureIndexes(): Promise<void> {
    await SIGNING_KEYS.ensureIndexes(this.#connection);
  }

  /** Without private parts, oldest first. */
  async list(): Promise<readonly SigningKeyEntry[]> {
    const projection = { state: 1, createdAt: 1, signsSince: 1, stoppedAt: 1, removableAt: 1 } as const;
    const found = await this.#collection.find({}, { projection }).sort({ createdAt: 1, _id: 1 }).toArray();
    return found.map(({ _id, state, createdAt, signsSince, stoppedAt, removableAt }) => ({
      kid: _id,
      state,
      since: stoppedAt ?? signsSince ?? createdAt,
      ...(removableAt && { removableAt }),
    }));
  }

  /** The key of this rotation, made unless it exists; or the next key of another rotation. */
  async publishNext(rotationId: string): Promise<NextKey> {
    for (;;) {
      const found = await this.#collection.findOne({ $or: [{ rotationId }, { state: 'NEXT' }] });
      if (found) return { kid: found._id, signsFrom: found.signsFrom ?? found.createdAt };
      const createdAt = this.#now();
      const signsFrom = new Date(createdAt.getTime() + this.#publishedAheadSeconds * 1_000);
      const made = await makeKey(this.#encryptionKeys, createdAt);
      try {
        await this.#collection.insertOne({ ...made, state: 'NEXT', rotationId, signsFrom });
        return { kid: made._id, signsFrom };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    }
  }

  /**
   * Lets the next key take over: the one before stops, then it begins. Should the caller die between the two, a repetition or
   * any auth process does the second. `atOnce`: though not everybody may have fetched it yet.
   */
  async startSigning(kid: string, { atOnce = false } = {}): Promise<StartOfSigning> {
    const before = await this.#collection.findOne({ state: 'SIGNING' }, { projection: { _id: 1 } });
    // Read after the signing key: while this key is still NEXT, it has not followed the one that signed then.
    const key = await this.#collection.findOne({ _id: kid }, { projection: { state: 1, signsFrom: 1 } });
    if (key?.state === 'SIGNING') return 'SIGNS';
    if (key?.state !== 'NEXT') return 'GONE';
    const signsSince = this.#now();
    if (!atOnce && key.signsFrom && key.signsFrom > signsSince) return 'TOO_EARLY';
    if (before) await this.#retire(before._id, signsSince);
    // Otherwise another process has done it, has withdrawn the key, or has made a key while none signed: look again.
    return (await this.#sign(kid, signsSince)) ? 'SIGNS' : await this.startSigning(kid, { atOnce });
  }

  async #sign(kid: string, signsSince: Date): Promise<boolean> {
    try {
      const next = { _id: kid, state: 'NEXT' } as const;
      const { matchedCount } = await this.#collection.updateOne(next, { $set: { state: 'SIGNING', signsSince } });
      return matchedCount === 1;
    } catch (error) {
      if (!isDuplicateKey(error, ONE_SIGNING_KEY)) throw error;
      return false;
    }
  }

  /** Removes the next key if it is one of these: it is not published any more. */
  async withdrawNext(kids: readonly string[]): Promise<void> {
    await this.#collection.deleteMany({ _id: { $in: [...kids] }, state: 'NEXT' });
  }

  /** Removes those of these keys that sign no more: tokens that they have signed are refused from now on. */
  async withdrawRetired(kids: readonly string[]): Promise<void> {
    await this.#collection.deleteMany({ _id: { $in: [...kids] }, state: 'RETIRING' });
  }

  /** Removes the keys whose tokens have all ended. Answers when the next of those left may go; undefined when none is left. */
  async removeRetired(): Promise<Date | undefined> {
    await this.#collection.deleteMany({ state: 'RETIRING', removableAt: { $lte: this.#now() } });
    const [left] = await this.#collection.find({ state: 'RETIRING' }).sort({ removableAt: 1 }).limit(1).toArray();
    return left?.removableAt;
  }

  /** Seals private parts anew that another key than the writing one has sealed. Answers how many. */
  async resealKeys(): Promise<number> {
    const ring = this.#encryptionKeys;
    const kept = await this.#collection.find({ state: { $in: ['NEXT', 'SIGNING'] } }).toArray();
    const older = kept.filter((document) => !isSealedAsWritten(ring, document));
    for (const document of older) {
      const { _id, sealed, state } = document;
      // Only as it was read: one that has retired meanwhile has no private part any more, and gets none.
      const asRead = { _id, state, sealed: sealed ?? { $exists: false } };
      const anew = sealPrivateKey(ring, _id, openPrivateKey(ring, document));
      await this.#collection.updateOne(asRead, { $set: { sealed: anew }, $unset: { privateKey: 1 } });
    }
    return older.length;
  }

  async #retire(kid: string, stoppedAt: Date): Promise<void> {
    const lifetime = { $ifNull: ['$longestLifetimeSeconds', LONGEST_LIFETIME_SECONDS] };
    const keptMs = { $multiply: [1_000, { $add: [lifetime, RETIRED_BEYOND_SECONDS] }] };
    await this.#collection.updateOne({ _id: kid, state: 'SIGNING' } satisfies Partial<KeyDocument>, [
      { $set: { state: 'RETIRING', stoppedAt, removableAt: { $add: [stoppedAt, keptMs] } } },
      { $unset: ['sealed', 'privateKey'] },
    ]);
  }
}
