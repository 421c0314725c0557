/**
 * Seals the private parts of signing keys: PKCS #8 sealed under `KEY_ENCRYPTION_KEY`, bound to the key id. Callers: the
 * store of signing keys; processes that read the setting. Never repeats a key in an error.
 *
 * The setting is a key ring, or, in its earlier form, one key without an id.
 */
import { createDecipheriv, createPrivateKey, type KeyObject } from 'node:crypto';
import type { mongo } from 'mongoose';
import { z } from 'zod';
import { openBytes, sealBytes } from '../../platform/keys/aes-gcm.ts';
import { type KeyRing, parseKeyRing } from '../../platform/keys/key-ring.ts';

const VARIABLE = 'KEY_ENCRYPTION_KEY';
/** The id of a key that is configured without one. */
const ID_OF_A_KEY_ALONE = 'default';
const KEY_BYTES = 32;

export const keyEncryptionShape = {
  /** `keyId:base64 of 32 bytes`, comma-separated, the first writes, all read; or base64 of 32 bytes alone. */
  KEY_ENCRYPTION_KEY: z.string().transform((text, context) => {
    try {
      return parseKeyEncryptionKeys(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  }),
};

export function parseKeyEncryptionKeys(text: string): KeyRing {
  if (text.includes(':')) return parseKeyRing(text, VARIABLE);
  const key = Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES || !z.base64().safeParse(text).success) {
    throw new Error(`${VARIABLE}: must be 32 bytes in base64, or several as keyId:base64`);
  }
  return ringOf(key);
}

/** A key ring of one key that has no id. */
export function ringOf(key: Uint8Array): KeyRing {
  return { writingKeyId: ID_OF_A_KEY_ALONE, keys: new Map([[ID_OF_A_KEY_ALONE, key]]) };
}

/** The form before there were key rings. */
export interface EarlierPrivateKey {
  iv: string;
  tag: string;
  data: string;
}

/** Members of a key's document. The private part exists only while the key may sign. */
export interface KeptPrivateKey {
  readonly _id: string;
  sealed?: Uint8Array | mongo.Binary;
  privateKey?: EarlierPrivateKey;
}

export function sealPrivateKey(ring: KeyRing, kid: string, privateKey: KeyObject): Uint8Array {
  return sealBytes(writingKeyOf(ring), privateKey.export({ type: 'pkcs8', format: 'der' }), placeOf(kid));
}

/** Throws one sentence when no key of the ring opens it. */
export function openPrivateKey(ring: KeyRing, kept: KeptPrivateKey): KeyObject {
  // A ring has few keys, and an operator may reuse their ids: all are tried.
  for (const key of ring.keys.values()) {
    const der = tryOpen(key, kept);
    if (der) return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  }
  throw new Error(`The signing key cannot be decrypted: ${VARIABLE} has not the key it was stored with`);
}

/** Whether the writing key opens it, in the present form. */
export function isSealedAsWritten(ring: KeyRing, kept: KeptPrivateKey): boolean {
  return kept.sealed !== undefined && tryOpen(writingKeyOf(ring), kept) !== undefined;
}

function tryOpen(key: Uint8Array, kept: KeptPrivateKey): Buffer | undefined {
  try {
    return openWith(key, kept);
  } catch {
    return undefined;
  }
}

function openWith(key: Uint8Array, { _id, sealed, privateKey }: KeptPrivateKey): Buffer {
  if (sealed) return openBytes(key, sealed instanceof Uint8Array ? sealed : sealed.buffer, placeOf(_id));
  if (!privateKey) throw new Error('There is no private part');
  const { iv, tag, data } = privateKey;
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64'), { authTagLength: 16 })
    .setAAD(Buffer.from(_id))
    .setAuthTag(Buffer.from(tag, 'base64'));
  return Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]);
}

function writingKeyOf({ keys, writingKeyId }: KeyRing): Uint8Array {
  const key = keys.get(writingKeyId);
  if (!key) throw new Error(`${VARIABLE} has no key that writes`);
  return key;
}

function placeOf(kid: string): string {
  return `signing-key/${kid}`;
}
