/**
 * Proves that this service made a signing key: a MAC of its id and its public part, under a key derived from
 * `KEY_ENCRYPTION_KEY`. The private part is sealed and proves itself. Callers: the stores of signing keys. The state of
 * a key is not covered: it gives no one a key that is not ours.
 */
import { createPublicKey } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose';
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import { RecordMac } from '../../platform/keys/record-mac.ts';
import { type KeptPrivateKey, openPrivateKey } from './signing-key-sealing.ts';

export interface MarkedKey {
  readonly _id: string;
  readonly publicJwk: JWK;
  /** Absent on keys of an earlier release. */
  readonly mac?: string;
}

export class SigningKeyMac {
  readonly #mac: RecordMac;

  /** `ring`: the keys of `KEY_ENCRYPTION_KEY`. */
  constructor(ring: KeyRing) {
    this.#mac = new RecordMac(ring, 'signing-key');
  }

  make({ _id, publicJwk }: MarkedKey): string {
    return this.#mac.make([_id, publicJwk]);
  }

  isTrusted(key: MarkedKey): boolean {
    return this.#mac.isRight([key._id, key.publicJwk], key.mac);
  }

  /** Throws when the service did not make it. */
  check(key: MarkedKey): void {
    if (this.isTrusted(key)) return;
    throw new Error(
      `The signing key ${key._id} was not made by this service, or KEY_ENCRYPTION_KEY is another one. If the ` +
        'database was changed, withdraw the keys: npm run rotate-keys -- --withdraw',
    );
  }
}

/** Whether the private part, which only a holder of `KEY_ENCRYPTION_KEY` can seal, belongs to the public part. */
export async function isProvenByPrivatePart(ring: KeyRing, key: MarkedKey & KeptPrivateKey): Promise<boolean> {
  try {
    const jwk = await exportJWK(createPublicKey(openPrivateKey(ring, key)));
    const { n, e } = key.publicJwk;
    return (await calculateJwkThumbprint(jwk)) === key._id && jwk.n === n && jwk.e === e;
  } catch {
    return false;
  }
}
