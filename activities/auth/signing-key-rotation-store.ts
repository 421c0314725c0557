/**
 * The steps of a rotation of signing keys: publish the next key, let it take over, remove retired keys. A withdrawal
 * does all of it at once, when keys can no longer be trusted. Callers: the activities of rotations, the worker
 * `operations`. Each method may be repeated, and several processes may call it at once: a write is conditional on the
 * key and its state.
 */
import type { Connection } from 'mongoose';
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import {
  type KeyAudit,
  type KeyCollection,
  type KeyDocument,
  makeKey,
  ONE_SIGNING_KEY,
  recordKeyChange,
  SIGNING_KEYS,
  type SigningKeyState,
  type SigningKeyStoreOptions,
} from './signing-key-collection.ts';
import { SigningKeyMac } from './signing-key-mac.ts';
import { isSealedAsWritten, openPrivateKey, sealPrivateKey } from './signing-key-sealing.ts';
import { LONGEST_LIFETIME_SECONDS, PUBLISHED_AHEAD_SECONDS, RETIRED_BEYOND_SECONDS } from './signing-key-times.ts';

export interface RotationStoreOptions extends SigningKeyStoreOptions {
  /** Time from publishing a key to signing with it. */
  readonly publishedAheadSeconds?: number;
}

export interface NextKey {
  readonly kid: string;
  readonly signsFrom: Date;
}

/** `GONE`: the key was removed or has retired, because of another rotation. */
export type StartOfSigning = 'SIGNS' | 'TOO_EARLY' | 'GONE';

export interface SigningKeyEntry {
  readonly kid: string;
  readonly state: SigningKeyState;
  /** When the key entered this state. */
  readonly since: Date;
  /** Present on a retiring key. */
  readonly removableAt?: Date;
}

export class SigningKeyRotationStore {
  readonly #connection: Connection;
  readonly #collection: KeyCollection;
  readonly #encryptionKeys: KeyRing;
  readonly #mac: SigningKeyMac;
  readonly #publishedAheadSeconds: number;
  readonly #now: () => Date;
  readonly #audit: KeyAudit | undefined;

  constructor({ connection, encryptionKeys, publishedAheadSeconds, now, audit }: RotationStoreOptions) {
    this.#connection = connection;
    this.#collection = SIGNING_KEYS.open(connection);
    this.#encryptionKeys = encryptionKeys;
    this.#mac = new SigningKeyMac(encryptionKeys);
    this.#publishedAheadSeconds = publishedAheadSeconds ?? PUBLISHED_AHEAD_SECONDS;
    this.#now = now ?? (() => new Date());
    this.#audit = audit;
  }

  async ensureIndexes(): Promise<void> {
    await SIGNING_KEYS.ensureIndexes(this.#connection);
  }

  /** All keys without private parts, oldest first. */
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

  /**
   * The key of this rotation, created unless it exists; or the next key of another rotation. Removes a next key that the service
   * did not make. Rejects when it did not make the key that signs either: then KEY_ENCRYPTION_KEY may be another one.
   */
  async publishNext(rotationId: string): Promise<NextKey> {
    for (;;) {
      const found = await this.#collection.findOne({ $or: [{ rotationId }, { state: 'NEXT' }] });
      if (found && !this.#mac.isTrusted(found)) {
        await this.#removeUntrusted(found);
        continue;
      }
      if (found) return { kid: found._id, signsFrom: found.signsFrom ?? found.createdAt };
      const createdAt = this.#now();
      const signsFrom = new Date(createdAt.getTime() + this.#publishedAheadSeconds * 1_000);
      const made = await makeKey(this.#encryptionKeys, createdAt);
      try {
        await recordKeyChange(this.#audit, 'publish', made._id, () =>
          this.#collection.insertOne({ ...made, state: 'NEXT', rotationId, signsFrom }),
        );
        return { kid: made._id, signsFrom };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    }
  }

  async #removeUntrusted(key: KeyDocument): Promise<void> {
    const signing = await this.#collection.findOne({ state: 'SIGNING' });
    if (!signing || !this.#mac.isTrusted(signing)) this.#mac.check(key);
    const asRead = { _id: key._id, publicJwk: key.publicJwk, mac: key.mac ?? { $exists: false } };
    await recordKeyChange(this.#audit, 'withdraw', key._id, () => this.#collection.deleteOne(asRead));
  }

  /**
   * Lets the next key take over: the present key stops, then the next begins. When the caller dies between the two, a
   * repeat or any auth process does the second. `atOnce` skips the wait for other processes to fetch the key.
   */
  async startSigning(kid: string, { atOnce = false } = {}): Promise<StartOfSigning> {
    const before = await this.#collection.findOne({ state: 'SIGNING' }, { projection: { _id: 1 } });
    // This is read after the signing key. While this key is still NEXT, it has not followed the key that signed then.
    const key = await this.#collection.findOne({ _id: kid });
    if (key?.state === 'SIGNING') return 'SIGNS';
    if (key?.state !== 'NEXT') return 'GONE';
    const signsSince = this.#now();
    if (!atOnce && key.signsFrom && key.signsFrom > signsSince) return 'TOO_EARLY';
    // The present key loses its private part, so the next one must be usable.
    openPrivateKey(this.#encryptionKeys, key);
    const signs = await recordKeyChange(this.#audit, 'sign', kid, async () => {
      if (before) await this.#retire(before._id, signsSince);
      return await this.#sign(kid, signsSince);
    });
    // Otherwise another process did this, withdrew the key, or made a key while none signed: read again.
    return signs ? 'SIGNS' : await this.startSigning(kid, { atOnce });
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

  /** Removes the next key if it is in the list, so it is no longer published. */
  async withdrawNext(kids: readonly string[]): Promise<void> {
    await this.#withdraw(kids, 'NEXT');
  }

  /** Removes the listed keys that sign no more. Tokens that they signed are refused from now on. */
  async withdrawRetired(kids: readonly string[]): Promise<void> {
    await this.#withdraw(kids, 'RETIRING');
  }

  async #withdraw(kids: readonly string[], state: SigningKeyState): Promise<void> {
    for (const kid of kids) {
      if ((await this.#collection.countDocuments({ _id: kid, state })) === 0) continue;
      await recordKeyChange(this.#audit, 'withdraw', kid, () => this.#collection.deleteOne({ _id: kid, state }));
    }
  }

  /**
   * Removes the keys whose tokens have all ended. Answers when the next remaining key may be removed; undefined when
   * none is left.
   */
  async removeRetired(): Promise<Date | undefined> {
    const ended = { state: 'RETIRING', removableAt: { $lte: this.#now() } } as const;
    for (const { _id } of await this.#collection.find(ended, { projection: { _id: 1 } }).toArray()) {
      await recordKeyChange(this.#audit, 'remove', _id, () => this.#collection.deleteOne({ ...ended, _id }));
    }
    const [left] = await this.#collection.find({ state: 'RETIRING' }).sort({ removableAt: 1 }).limit(1).toArray();
    return left?.removableAt;
  }

  /**
   * Seals private parts again, and makes MACs again, that another key than the writing one has made. Leaves keys alone that the
   * service did not make. Answers how many it has written.
   */
  async resealKeys(): Promise<number> {
    const trusted = (await this.#collection.find({}).toArray()).filter((document) => this.#mac.isTrusted(document));
    const older = trusted.filter((document) => !this.#isWrittenWithWritingKey(document));
    for (const document of older) {
      await recordKeyChange(this.#audit, 'reseal', document._id, () => this.#reseal(document));
    }
    return older.length;
  }

  #isWrittenWithWritingKey(document: KeyDocument): boolean {
    if (document.mac !== this.#mac.make(document)) return false;
    return document.state === 'RETIRING' || isSealedAsWritten(this.#encryptionKeys, document);
  }

  async #reseal(document: KeyDocument): Promise<void> {
    const { _id, sealed, state } = document;
    const mac = this.#mac.make(document);
    if (state === 'RETIRING') {
      await this.#collection.updateOne({ _id, state }, { $set: { mac } });
      return;
    }
    // The write is conditional on what was read: a key that has just retired has no private part, and gets none.
    const asRead = { _id, state, sealed: sealed ?? { $exists: false } };
    const resealed = sealPrivateKey(this.#encryptionKeys, _id, openPrivateKey(this.#encryptionKeys, document));
    await this.#collection.updateOne(asRead, { $set: { sealed: resealed, mac }, $unset: { privateKey: 1 } });
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
