/**
 * The collection of signing keys: what a document holds in each state, the indexes that allow one key to sign and one to be
 * next, and the making of a key. Callers: the two stores beside it, for the auth processes and for rotations.
 *
 * NEXT (published, does not sign yet) → SIGNING → RETIRING (published, signs no more) → removed. Each step is one write that
 * holds only in the state before it, so that it may be tried twice and by two at once. The private part goes when it retires.
 */
import { createPublicKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose';
import type { Collection, Connection } from 'mongoose';
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import { type KeptPrivateKey, sealPrivateKey } from './signing-key-sealing.ts';

export type SigningKeyState = 'NEXT' | 'SIGNING' | 'RETIRING';

export interface KeyDocument extends KeptPrivateKey {
  /** The key id: thumbprint of the public part (RFC 7638). */
  _id: string;
  state: SigningKeyState;
  publicJwk: JWK;
  /** When it was published too. */
  createdAt: Date;
  /** Of the rotation that made it. */
  rotationId?: string;
  /** While NEXT: not before. */
  signsFrom?: Date;
  /** Since SIGNING. */
  signsSince?: Date;
  /** Of the tokens it signs: the longest that any auth process has told of. */
  longestLifetimeSeconds?: number;
  /** Since RETIRING; the last token it signed has ended by `removableAt`. */
  stoppedAt?: Date;
  removableAt?: Date;
}

export type KeyCollection = Collection<KeyDocument>;

export const ONE_SIGNING_KEY = 'oneSigningKey';
export const ONE_NEXT_KEY = 'oneNextKey';
export const ONE_KEY_OF_A_ROTATION = 'oneKeyOfARotation';

const MODULUS_BITS = 2048;
const generate = promisify(generateKeyPair);

export interface SigningKeyStoreOptions {
  readonly connection: Connection;
  /** Of `KEY_ENCRYPTION_KEY`. */
  readonly encryptionKeys: KeyRing;
  readonly now?: () => Date;
}

export function openKeyCollection(connection: Connection): KeyCollection {
  return connection.collection<KeyDocument>('signingKeys') as unknown as KeyCollection;
}

/** Before anything else: without these two processes could each make a key, or two rotations each the next one. */
export async function ensureKeyIndexes(collection: KeyCollection): Promise<void> {
  const one = (name: string, state: SigningKeyState) => ({
    ...{ name, key: { state: 1 as const }, unique: true, partialFilterExpression: { state } },
  });
  await collection.createIndexes([
    one(ONE_SIGNING_KEY, 'SIGNING'),
    one(ONE_NEXT_KEY, 'NEXT'),
    {
      ...{ name: ONE_KEY_OF_A_ROTATION, key: { rotationId: 1 }, unique: true },
      partialFilterExpression: { rotationId: { $exists: true } },
    },
  ]);
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
