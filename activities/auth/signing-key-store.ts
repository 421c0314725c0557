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
  type KeyAudit,
  type KeyCollection,
  type KeyDocument,
  makeKey,
  ONE_SIGNING_KEY,
  recordKeyChange,
  SIGNING_KEYS,
  type SigningKeyStoreOptions,
} from './signing-key-collection.ts';
import { isProvenByPrivatePart, SigningKeyMac } from './signing-key-mac.ts';
import { openPrivateKey } from './signing-key-sealing.ts';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

export class SigningKeyStore {
  readonly #connection: Connection;
  readonly #collection: KeyCollection;
  readonly #encryptionKeys: KeyRing;
  readonly #mac: SigningKeyMac;
  readonly #onUntrusted: (kids: readonly string[]) => void;
  readonly #now: () => Date;
  readonly #audit: KeyAudit | undefined;

  constructor({ connection, encryptionKeys, now, onUntrusted = () => {}, audit }: SigningKeyStoreOptions) {
    this.#connection = connection;
    this.#collection = SIGNING_KEYS.open(connection);
    this.#encryptionKeys = encryptionKeys;
    this.#mac = new SigningKeyMac(encryptionKeys);
    this.#onUntrusted = onUntrusted;
    this.#now = now ?? (() => new Date());
    this.#audit = audit;
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

  /**
   * Public parts with their ids, oldest first, as published: next, signing and retiring keys. Leaves out and reports the
   * keys that the service did not make.
   */
  async listPublicKeys(): Promise<readonly JWK[]> {
    return (await this.#listKeys()).trusted.map((key) => key.publicJwk);
  }

  /**
   * Throws when the service did not make the key that signs. Only reports other such keys. They are not published, and
   * an attacker who can insert one must not stop the service.
   */
  async checkRecords(): Promise<void> {
    const signing = (await this.#listKeys()).untrusted.find(({ state }) => state === 'SIGNING');
    if (signing) this.#mac.check(signing);
  }

  /**
   * Marks the keys of an earlier release, which have no MAC, where their private part proves them. Called once at start. Others,
   * which only verified tokens, are not published any more.
   */
  async markEarlierKeys(): Promise<void> {
    const unmarked = await this.#collection.find({ mac: { $exists: false } }).toArray();
    for (const key of unmarked) {
      if (!(await isProvenByPrivatePart(this.#encryptionKeys, key))) continue;
      const asRead = { _id: key._id, publicJwk: key.publicJwk, mac: { $exists: false } };
      await this.#collection.updateOne(asRead, { $set: { mac: this.#mac.make(key) } });
    }
  }

  async #listKeys() {
    const projection = { publicJwk: 1, mac: 1, state: 1 } as const;
    const found = await this.#collection.find({}, { projection }).sort({ createdAt: 1, _id: 1 }).toArray();
    const trusted = found.filter((key) => this.#mac.isTrusted(key));
    const untrusted = found.filter((key) => !trusted.includes(key));
    this.#onUntrusted(untrusted.map(({ _id }) => _id));
    return { trusted, untrusted };
  }

  /** Needed at the first start, and after a process died between stopping one key and starting the next. */
  async #ensureOneSigns(): Promise<void> {
    try {
      const next = await this.#findNext();
      if (next) await this.#startSigning(next);
      else await this.#createSigning();
    } catch (error) {
      if (!isDuplicateKey(error, ONE_SIGNING_KEY)) throw error;
    }
  }

  async #findNext(): Promise<KeyDocument | undefined> {
    const next = await this.#collection.findOne({ state: 'NEXT' });
    return next && this.#mac.isTrusted(next) ? next : undefined;
  }

  async #startSigning({ _id }: KeyDocument): Promise<void> {
    const waiting = { _id, state: 'NEXT' } as const;
    const signsSince = this.#now();
    await recordKeyChange(this.#audit, 'sign', _id, () =>
      this.#collection.updateOne(waiting, { $set: { state: 'SIGNING', signsSince } }),
    );
  }

  async #createSigning(): Promise<void> {
    const made = await makeKey(this.#encryptionKeys, this.#now());
    // Making a key takes so long that a rotation may have published one. That one signs, because verifiers know it.
    if (await this.#findNext()) return;
    const signsSince = made.createdAt;
    await recordKeyChange(this.#audit, 'create', made._id, () =>
      this.#collection.insertOne({ ...made, state: 'SIGNING', signsSince }),
    );
  }

  #open(document: KeyDocument): SigningKey {
    this.#mac.check(document);
    return { kid: document._id, privateKey: openPrivateKey(this.#encryptionKeys, document) };
  }
}
