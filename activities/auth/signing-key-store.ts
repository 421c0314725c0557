/**
 * The keys that sign access tokens. Made at first start; the private part leaves this file only as a key object and is
 * stored only encrypted. Of several processes that start together, one makes the key and all use it: a unique index
 * allows one signing key.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose';
import type { Connection } from 'mongoose';
import { isDuplicateKey } from '../shared/mongo.ts';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

interface Encrypted {
  iv: string;
  tag: string;
  data: string;
}

interface KeyDocument {
  /** The key id: thumbprint of the public part (RFC 7638). */
  _id: string;
  state: 'SIGNING';
  publicJwk: JWK;
  /** PKCS #8, AES-256-GCM under `KEY_ENCRYPTION_KEY`, bound to the key id. */
  privateKey: Encrypted;
  createdAt: Date;
}

const INDEX = 'oneSigningKey';
const MODULUS_BITS = 2048;
const generate = promisify(generateKeyPair);

export class SigningKeyStore {
  readonly #collection;
  readonly #encryptionKey: Uint8Array;

  /** `encryptionKey`: the 32 bytes of `KEY_ENCRYPTION_KEY`. */
  constructor(connection: Connection, encryptionKey: Uint8Array) {
    this.#collection = connection.collection<KeyDocument>('signingKeys');
    this.#encryptionKey = encryptionKey;
  }

  /** Before anything else: without the index two processes could each make a key. */
  async ensureIndexes(): Promise<void> {
    await this.#collection.createIndex(
      { state: 1 },
      { name: INDEX, unique: true, partialFilterExpression: { state: 'SIGNING' } },
    );
  }

  async getSigningKey(): Promise<SigningKey> {
    const existing = await this.#collection.findOne({ state: 'SIGNING' });
    if (existing) return this.#open(existing);
    const made = await this.#make();
    try {
      await this.#collection.insertOne(made);
      return this.#open(made);
    } catch (error) {
      if (!isDuplicateKey(error, INDEX)) throw error;
      return await this.getSigningKey();
    }
  }

  /** Public parts with their ids, as published. */
  async listPublicKeys(): Promise<readonly JWK[]> {
    const keys = await this.#collection.find({}, { projection: { publicJwk: 1 } }).toArray();
    return keys.map((key) => key.publicJwk);
  }

  async #make(): Promise<KeyDocument> {
    const { privateKey } = await generate('rsa', { modulusLength: MODULUS_BITS });
    const jwk = await exportJWK(createPublicKey(privateKey));
    const kid = await calculateJwkThumbprint(jwk);
    return {
      _id: kid,
      state: 'SIGNING',
      publicJwk: { ...jwk, kid, alg: 'RS256', use: 'sig' },
      privateKey: encrypt(privateKey.export({ type: 'pkcs8', format: 'der' }), this.#encryptionKey, kid),
      createdAt: new Date(),
    };
  }

  #open(document: KeyDocument): SigningKey {
    let der: Buffer;
    try {
      der = decrypt(document.privateKey, this.#encryptionKey, document._id);
    } catch {
      throw new Error('The signing key cannot be decrypted: KEY_ENCRYPTION_KEY is not the one it was stored with');
    }
    return { kid: document._id, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
  }
}

function encrypt(plain: Buffer, key: Uint8Array, boundTo: string): Encrypted {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(boundTo));
  const data = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { iv: iv.toString('base64'), tag: cipher.getAuthTag().toString('base64'), data: data.toString('base64') };
}

function decrypt(encrypted: Encrypted, key: Uint8Array, boundTo: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(encrypted.iv, 'base64'), { authTagLength: 16 })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(Buffer.from(encrypted.tag, 'base64'));
  return Buffer.concat([decipher.update(Buffer.from(encrypted.data, 'base64')), decipher.final()]);
}
