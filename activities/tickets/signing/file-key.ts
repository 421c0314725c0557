/** The adapter of ticket signing for private keys in files. */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { KeyFileError } from './key-file.ts';
import type { KeyMaterial } from './ticket-signer.ts';

const signInThreads = promisify(sign) as (algorithm: string, bytes: Uint8Array, key: KeyObject) => Promise<Buffer>;

/** Throws KeyFileError for anything but a private key on P-256. */
export function openFileKey(pem: string): KeyMaterial {
  const key = tryToRead(pem);
  if (key?.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new KeyFileError('a private key is none on P-256 in PEM: npm run ticket-keys makes them');
  }
  return {
    publicKeyDer: createPublicKey(key).export({ format: 'der', type: 'spki' }),
    sign: async (bytes) => await signInThreads('sha256', bytes, key),
    close: () => {},
  };
}

/** The public half of a key that signs no more, in base64. */
export function openRetiredKey(publicKeyDer: string): KeyMaterial {
  const der = Buffer.from(publicKeyDer, 'base64');
  if (!isPublicKey(der)) throw new KeyFileError('a publicKeyDer is no public key on P-256 in base64');
  return { publicKeyDer: der, close: () => {} };
}

/** In DER: SubjectPublicKeyInfo on P-256. */
export function isPublicKey(der: Uint8Array): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

function tryToRead(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
