/**
 * The signing keys as the authentication server needs them: which one signs, and what is published. Of several processes that
 * start together with no key yet, one makes it and all use it. The private part leaves only as a key object. Rotations have a
 * store of their own beside this one.
 */
import type { KeyObject } from 'node:crypto';
import type { JWK } from 'jose';
import type { Connection } from 'mongoose';
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import {
  type KeyCollection,
  type KeyDocument,
  makeKey,
  ONE_SIGNING_KEY,
  SIGNING_KEYS,
  type SigningKeyStoreOptions,
} from './signing-key-collection.ts';
import { openPrivateKey } from './signing-key-sealing.ts';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

export class SigningKeyStore {
  readonly #connection: Connection;
  readonly #collection: KeyCollection;
  readonly #encryptionKeys: KeyRing;
  readonly #now: () => Date;

  constructor({ connection, encryptionKeys, now }: SigningKeyStoreOptions) {
    this.#connection = connection;
    this.#collection = SIGNING_KEYS.open(connection);
    this.#encryptionKeys = encryptionKeys;
    this.#now = now ?? (() => new Date());
  }

  async ensureIndexes(): Promise<void> {
    await SIGNING_KEYS.ensureIndexes(this.#connection);
  }

  /** The one that signs, made when there is none. */
  async getSigningKey(): Promise<SigningKey> {
    for (;;) {
      const found = await this.#collection.findOne({ state: 'SIGNING' });
      if (found) return this.#open(found);
      await this.#ensureOneSigns();
    }
  }

  /**
   * The same, and records the lifetime of the tokens that the caller signs with it: the key stays published for as long as any of
   * them. Only a key from here may sign.
   */
  async adoptSigningKey(lifetimeSeconds: number): Promise<SigningKey> {
    for (;;) {
      const found = await this.#collection.findOneAndUpdate(
        { state: 'SIGNING' },
        { $max: { longestLifetimeSeconds: lifetimeSeconds } },
        { returnDocument: 'after' },
      );
      if (found) return this.#open(found);
      await this.#ensureOneSigns();
    }
  }

  /** Id of the one that signs; undefined for an instant while one takes over from another. */
  async findSigningKid(): Promise<string | undefined> {
    return (await this.#collection.findOne({ state: 'SIGNING' }, { projection: { _id: 1 } }))?._id;
  }

  /** Public parts with their ids, oldest first, as published: whether they sign, are to sign, or have signed. */
  async listPublicKeys(): Promise<readonly JWK[]> {
    const found = this.#collection.find({}, { projection: { publicJwk: 1 } }).sort({ createdAt: 1, _id: 1 });
    return (await found.toArray()).map((key) => key.publicJwk);
  }

  /** At the first start; and after a process has died between stopping one key and starting the next. */
  async #ensureOneSigns(): Promise<void> {
    const next = await this.#collection.findOne({ state: 'NEXT' }, { projection: { _id: 1 } });
    const signsSince = this.#now();
    try {
      if (next) {
        await this.#collection.updateOne({ _id: next._id, state: 'NEXT' }, { $set: { state: 'SIGNING', signsSince } });
      } else {
        const made = await makeKey(this.#encryptionKeys, signsSince);
        await this.#collection.insertOne({ ...made, state: 'SIGNING', signsSince });
      }
    } catch (error) {
      if (!isDuplicateKey(error, ONE_SIGNING_KEY)) throw error;
    }
  }

  #open(document: KeyDocument): SigningKey {
    return { kid: document._id, privateKey: openPrivateKey(this.#encryptionKeys, document) };
  }
}
