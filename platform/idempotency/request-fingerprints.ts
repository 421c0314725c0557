/**
 * Fingerprints by which a repeated request is recognised: HMAC-SHA-256 under a key of the server's configuration.
 * Caller: the HTTP base. Requests hold passwords and names; a plain hash, or one under the caller's guessable
 * `Idempotency-Key`, would let a reader of the database guess them.
 *
 * A fingerprint begins with the id of its key, so the key can be replaced. Requests stored under an earlier key are
 * recognised as long as that key is configured.
 */
import { createHmac } from 'node:crypto';
import type { KeyRing } from '../keys/key-ring.ts';

/** The first is stored; a request with any of them is the same one. */
export type Fingerprints = readonly [string, ...string[]];

export class RequestFingerprints {
  readonly #keys: KeyRing;

  /** `keys`: those of `IDEMPOTENCY_KEYS`. */
  constructor(keys: KeyRing) {
    this.#keys = keys;
  }

  /** `scope` names client, path and key, so equal requests of two clients have different fingerprints. */
  of(scope: string, requestHash: string): Fingerprints {
    const { writingKeyId, keys } = this.#keys;
    const made = (keyId: string, key: Uint8Array) =>
      `${keyId}:${createHmac('sha256', key)
        .update(JSON.stringify([scope, requestHash]))
        .digest('hex')}`;
    const writingKey = keys.get(writingKeyId);
    if (!writingKey) throw new Error('IDEMPOTENCY_KEYS has no key that writes');
    const earlier = [...keys].filter(([keyId]) => keyId !== writingKeyId);
    return [made(writingKeyId, writingKey), ...earlier.map(([keyId, key]) => made(keyId, key))];
  }
}
