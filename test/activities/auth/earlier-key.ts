/** Makes a signing key in the stored form of earlier versions: AES-256-GCM under one key, its parts in base64. */
import { createCipheriv, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose';

export async function earlierKeyDocument(encryptionKey: Uint8Array) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const jwk: JWK = await exportJWK(createPublicKey(privateKey));
  const kid = await calculateJwkThumbprint(jwk);
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', encryptionKey, iv).setAAD(Buffer.from(kid));
  const der = privateKey.export({ type: 'pkcs8', format: 'der' });
  const data = Buffer.concat([cipher.update(der), cipher.final()]);
  return {
    _id: kid,
    state: 'SIGNING',
    publicJwk: { ...jwk, kid, alg: 'RS256', use: 'sig' },
    privateKey: {
      iv: iv.toString('base64'),
      tag: cipher.getAuthTag().toString('base64'),
      data: data.toString('base64'),
    },
    createdAt: new Date('2026-10-01T00:00:00Z'),
  };
}
