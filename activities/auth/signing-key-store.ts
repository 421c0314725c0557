/**
 * The signing keys for the authentication server: the key that signs, and the published keys. When several processes
 * start together without a key, one creates it and all use it. The private part leaves the store only as a key object.
 * Rotations have their own store.
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

  /** The signing key, created when there is none. */
  async getSigningKey(): Promise<SigningKey> {
    for (;;) {
      const found = await this.#collection.findOne({ state: 'SIGNING' });
      if (found) return this.#open(found);
      await this.#ensureOneSigns();
    }
  }

  /**
   * Also records the lifetime of the tokens that the caller signs with the key: it stays published while any of them
   * lives. Only a key from this method may sign.
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

  /** Id of the signing key; undefined for an instant while one key takes over from another. */
  async findSigningKid(): Promise<string | undefined> {
    return (await this.#collection.findOne({ state: 'SIGNING' }, { projection: { _id: 1 } }))?._id;
  }

  /** Public parts with their ids, oldest first, as published: next, signing and retiring keys. */
  async listPublicKeys(): Promise<readonly JWK[]> {
    const found = this.#collection.find({}, { projection: { publicJwk: 1 } }).sort({ createdAt: 1, _id: 1 });
    return (await found.toArray()).map((key) => key.publicJwk);
  }

  /** Needed at the first start, and after a process died between stopping one key and starting the next. */
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
