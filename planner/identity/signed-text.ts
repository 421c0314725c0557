/**
 * Writes bytes as a signed text: `<kind><version>.<key id>.<bytes>.<signature>`, with characters that are valid in
 * URLs. The signature covers the kind, so an id of one kind is invalid as another. Called by the ids in this folder.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IdKeys } from './id-keys.ts';

/** L: a leg; P: a trip pattern. */
export type IdKind = 'L' | 'P';

const VERSION = 1;
const ALGORITHM = 'sha256';
/** Part of the HMAC's 32 bytes: 128 bits cannot be guessed. */
const SIGNATURE_BYTES = 16;

export function signText(kind: IdKind, bytes: Uint8Array, { writingKeyId, keys }: IdKeys): string {
  const key = keys.get(writingKeyId);
  if (key === undefined) throw new Error(`The key ${writingKeyId} is to sign, and is not there`);
  const text = `${kind}${VERSION}.${writingKeyId}.${Buffer.from(bytes).toString('base64url')}`;
  return `${text}.${signatureOf(text, key).toString('base64url')}`;
}

/** Undefined if the text has another kind or version, or no valid signature by one of the keys. */
export function openText(kind: IdKind, text: string, { keys }: IdKeys): Uint8Array | undefined {
  const [head, keyId, bytes, signature, ...rest] = text.split('.');
  if (head !== `${kind}${VERSION}` || keyId === undefined || bytes === undefined || signature === undefined) {
    return undefined;
  }
  const key = keys.get(keyId);
  if (key === undefined || rest.length > 0) return undefined;
  const given = Buffer.from(signature, 'base64url');
  const right = signatureOf(`${head}.${keyId}.${bytes}`, key);
  // Decoding ignores characters outside base64url. So compare the text: a different text must not be the same id.
  if (given.toString('base64url') !== signature) return undefined;
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  return new Uint8Array(Buffer.from(bytes, 'base64url'));
}

function signatureOf(text: string, key: KeyObject): Buffer {
  return createHmac(ALGORITHM, key).update(text).digest().subarray(0, SIGNATURE_BYTES);
}
