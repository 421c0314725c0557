/**
 * The collection of signing keys: the members of a document in each state, the indexes that allow one SIGNING and one
 * NEXT key, and the creation of a key. Callers: the stores in this folder for the auth processes and for rotations.
 *
 * NEXT (published, does not sign yet) → SIGNING → RETIRING (published, signs no more) → removed. Each step is one write
 * on condition of the state before it, so it may run twice and two at once. The private part is removed when the key
 * retires.
 */
import { createPublicKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose';
import type { Connection, mongo } from 'mongoose';
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { type KeptPrivateKey, sealPrivateKey } from './signing-key-sealing.ts';

export type SigningKeyState = 'NEXT' | 'SIGNING' | 'RETIRING';

export interface KeyDocument extends KeptPrivateKey {
  /** The key id: thumbprint of the public part (RFC 7638). */
  _id: string;
  state: SigningKeyState;
  publicJwk: JWK;
  /** When it was created and published. */
  createdAt: Date;
  /** The rotation that made it. */
  rotationId?: string;
  /** The key does not sign before this time. Present while NEXT. */
  signsFrom?: Date;
  /** Present from SIGNING on. */
  signsSince?: Date;
  /** Longest lifetime of the tokens that it signs, over all auth processes. */
  longestLifetimeSeconds?: number;
  /** Present from RETIRING on; the last token that it signed has ended by `removableAt`. */
  stoppedAt?: Date;
  removableAt?: Date;
}

export type KeyCollection = mongo.Collection<KeyDocument>;

export const ONE_SIGNING_KEY = 'one_signing_key';
export const ONE_NEXT_KEY = 'one_next_key';
export const ONE_KEY_OF_A_ROTATION = 'one_key_of_a_rotation';

const MODULUS_BITS = 2048;
const generate = promisify(generateKeyPair);

export interface SigningKeyStoreOptions {
  readonly connection: Connection;
  /** Keys of `KEY_ENCRYPTION_KEY`. */
  readonly encryptionKeys: KeyRing;
  readonly now?: () => Date;
}

/** Make these indexes first. Without them two processes could each make a key, or two rotations each a next one. */
export const SIGNING_KEYS = new CollectionDefinition<KeyDocument>('signing_keys', [
  onlyOne(ONE_SIGNING_KEY, 'SIGNING'),
  onlyOne(ONE_NEXT_KEY, 'NEXT'),
  {
    name: ONE_KEY_OF_A_ROTATION,
    key: { rotationId: 1 },
    unique: true,
    partialFilterExpression: { rotationId: { $exists: true } },
  },
]);

function onlyOne(name: string, state: SigningKeyState): mongo.IndexDescription {
  return { name, key: { state: 1 }, unique: true, partialFilterExpression: { state } };
}

export async function makeKey(
  encryptionKeys: KeyRing,
  createdAt: Date,
): Promise<Pick<KeyDocument, '_id' | 'publicJwk' | 'sealed' | 'createdAt'>> {
  const { privateKey } = await generate('rsa', { modulusLength: MODULUS_BITS });
  const jwk = await exportJWK(createPublicKey(privateKey));
  const kid = await calculateJwkThumbprint(jwk);
  return {
    _id: kid,
    publicJwk: { ...jwk, kid, alg: 'RS256', use: 'sig' },
    sealed: sealPrivateKey(encryptionKeys, kid, privateKey),
    createdAt,
  };
}
