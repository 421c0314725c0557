/**
 * The collection of signing keys. It defines the members of a document in each state, and creates keys. Its indexes
 * allow one SIGNING and one NEXT key. Callers: the stores in this folder for the auth processes and for rotations.
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
import { CollectionDefinition, type NamedIndex } from '../../platform/mongo/collection.ts';
import type { AuditActor, AuditTrail } from '../shared/audit.ts';
import { SigningKeyMac } from './signing-key-mac.ts';
import { type KeptPrivateKey, sealPrivateKey } from './signing-key-sealing.ts';

export type SigningKeyState = 'NEXT' | 'SIGNING' | 'RETIRING';

export interface KeyDocument extends KeptPrivateKey {
  /** The key id: thumbprint of the public part (RFC 7638). */
  _id: string;
  state: SigningKeyState;
  publicJwk: JWK;
  /** Proves that the service made the key (signing-key-mac.ts). */
  mac?: string;
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
  /** Called with the ids of the keys that the service did not make, at each read of the published keys; mostly none. */
  readonly onUntrusted?: (kids: readonly string[]) => void;
  /** Absent in tests of other parts. */
  readonly audit?: KeyAudit;
}

/** Records the life of signing keys. */
export interface KeyAudit {
  readonly trail: AuditTrail;
  readonly actor: AuditActor;
}

export async function recordKeyChange<Result>(
  audit: KeyAudit | undefined,
  verb: string,
  kid: string | undefined,
  act: () => Promise<Result>,
): Promise<Result> {
  if (!audit) return await act();
  const resource = { type: 'signing-key', ...(kid !== undefined && { id: kid }) };
  return await audit.trail.record({ action: `signing-key.${verb}`, actor: audit.actor, resource }, act);
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

function onlyOne(name: string, state: SigningKeyState): NamedIndex {
  return { name, key: { state: 1 }, unique: true, partialFilterExpression: { state } };
}

/**
 * Removes every key, so none signs or is published. Caller: the restore of a back-up, while no process runs. Some of
 * the keys may have been withdrawn since the back-up. The authentication server makes a new one when it starts. Answers
 * how many there were.
 */
export async function withdrawEveryKey(database: mongo.Db): Promise<number> {
  return (await SIGNING_KEYS.open(database).deleteMany({})).deletedCount;
}

export async function makeKey(
  encryptionKeys: KeyRing,
  createdAt: Date,
): Promise<Pick<KeyDocument, '_id' | 'publicJwk' | 'mac' | 'sealed' | 'createdAt'>> {
  const { privateKey } = await generate('rsa', { modulusLength: MODULUS_BITS });
  const jwk = await exportJWK(createPublicKey(privateKey));
  const kid = await calculateJwkThumbprint(jwk);
  const key = { _id: kid, publicJwk: { ...jwk, kid, alg: 'RS256', use: 'sig' } };
  return {
    ...key,
    mac: new SigningKeyMac(encryptionKeys).make(key),
    sealed: sealPrivateKey(encryptionKeys, kid, privateKey),
    createdAt,
  };
}
