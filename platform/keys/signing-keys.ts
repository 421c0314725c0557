/**
 * Ed25519 keys that are replaced without a pause: the first one signs, all verify. A process that only verifies gets the public
 * keys, and cannot sign. Callers: what one process makes and others must be able to trust. Never repeats a key in an error.
 */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { type KeyRing, parseKeyRing } from './key-ring.ts';

export type PublicKeys = ReadonlyMap<string, KeyObject>;

export interface SigningKeys {
  readonly signingKeyId: string;
  readonly signingKey: KeyObject;
  /** The public keys of all keys, by key id. */
  readonly publicKeys: PublicKeys;
}

/** The DER prefix of the 32 bytes (RFC 8410). */
const PRIVATE_KEY_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_KEY_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

/** Reads `keyId:base64 of 32 bytes`, comma-separated: private keys, any random bytes. */
export function parseSigningKeys(text: string, variable: string): SigningKeys {
  const ring = parseKeyRing(text, variable);
  const privateKeys = mapKeys(ring, (bytes) =>
    createPrivateKey({ key: Buffer.concat([PRIVATE_KEY_HEAD, bytes]), format: 'der', type: 'pkcs8' }),
  );
  const signingKey = privateKeys.get(ring.writingKeyId);
  if (!signingKey) throw new Error(`${variable}: at least one key is needed`);
  const publicKeys = new Map([...privateKeys].map(([keyId, key]) => [keyId, createPublicKey(key)]));
  return { signingKeyId: ring.writingKeyId, signingKey, publicKeys };
}

/** Reads `keyId:base64 of 32 bytes`, comma-separated: public keys. */
export function parsePublicKeys(text: string, variable: string): PublicKeys {
  return mapKeys(parseKeyRing(text, variable), (bytes) =>
    createPublicKey({ key: Buffer.concat([PUBLIC_KEY_HEAD, bytes]), format: 'der', type: 'spki' }),
  );
}

/** In the format of `parsePublicKeys`. */
export function formatPublicKeys({ publicKeys }: SigningKeys): string {
  const bytesOf = (key: KeyObject) =>
    key.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_KEY_HEAD.length).toString('base64');
  return [...publicKeys].map(([keyId, key]) => `${keyId}:${bytesOf(key)}`).join(',');
}

function mapKeys(ring: KeyRing, make: (bytes: Uint8Array) => KeyObject): Map<string, KeyObject> {
  return new Map([...ring.keys].map(([keyId, bytes]) => [keyId, make(bytes)]));
}
