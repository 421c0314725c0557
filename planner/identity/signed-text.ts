/**
 * Bytes as a text that nobody else can make: `<kind><version>.<key id>.<bytes>.<signature>`, all of it fit for addresses. The kind
 * is signed too, so an id of one kind is none of another. Called by the ids beside it.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IdKeys } from './id-keys.ts';

/** L: a leg; P: a trip pattern. */
export type IdKind = 'L' | 'P';

const VERSION = 1;
const ALGORITHM = 'sha256';
/** Of the 32 bytes of the HMAC: nobody guesses 128 bits. */
const SIGNATURE_BYTES = 16;

export function signText(kind: IdKind, bytes: Uint8Array, { writingKeyId, keys }: IdKeys): string {
  const key = keys.get(writingKeyId);
  if (key === undefined) throw new Error(`The key ${writingKeyId} is to sign, and is not there`);
  const text = `${kind}${VERSION}.${writingKeyId}.${Buffer.from(bytes).toString('base64url')}`;
  return `${text}.${signatureOf(text, key).toString('base64url')}`;
}

/** Undefined: not signed by one of the keys, of another kind or version, or no id at all. */
export function openText(kind: IdKind, text: string, { keys }: IdKeys): Uint8Array | undefined {
  const [head, keyId, bytes, signature, ...rest] = text.split('.');
  if (head !== `${kind}${VERSION}` || keyId === undefined || bytes === undefined || signature === undefined) {
    return undefined;
  }
  const key = keys.get(keyId);
  if (key === undefined || rest.length > 0) return undefined;
  const given = Buffer.from(signature, 'base64url');
  const right = signatureOf(`${head}.${keyId}.${bytes}`, key);
  // Decoding passes over what is no base64url: another text must not be the same id.
  if (given.toString('base64url') !== signature) return undefined;
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  return new Uint8Array(Buffer.from(bytes, 'base64url'));
}

function signatureOf(text: string, key: KeyObject): Buffer {
  return createHmac(ALGORITHM, key).update(text).digest().subarray(0, SIGNATURE_BYTES);
}
