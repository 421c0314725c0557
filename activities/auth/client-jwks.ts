/**
 * The public keys that a client may register for its assertions: which keys are accepted, and which key a header means.
 * Pure except for parsing keys. Callers: the operation that registers them, the verification of assertions.
 */
import { createPublicKey } from 'node:crypto';
import type { JWK } from 'jose';

/** HMAC is excluded, because the server would have to know the secret; `none` is never accepted. */
export const ASSERTION_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;
export type AssertionAlgorithm = (typeof ASSERTION_ALGORITHMS)[number];

const KIND_OF: Readonly<Record<AssertionAlgorithm, string>> = {
  RS256: 'RSA',
  PS256: 'RSA',
  ES256: 'EC/P-256',
  EdDSA: 'OKP/Ed25519',
};
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const PUBLIC_MEMBERS = ['kty', 'kid', 'use', 'alg', 'n', 'e', 'crv', 'x', 'y'] as const;
const MODULUS_BITS = { least: 2_048, most: 4_096 };
/** 65537 is usual. A giant exponent would only cost the server time. */
const MOST_EXPONENT = 0xff_ff_ff_ffn;

export function isAssertionAlgorithm(text: unknown): text is AssertionAlgorithm {
  return ASSERTION_ALGORITHMS.some((each) => each === text);
}

/** The fault of the key at `index` in the registered list; undefined when it is accepted. */
export function findKeyFault(keys: readonly JWK[], index: number): string | undefined {
  const key = keys[index] ?? {};
  if (PRIVATE_MEMBERS.some((member) => member in key)) return 'must be a public key: keep the private one';
  if (!Object.values(KIND_OF).includes(kindOf(key)))
    return 'must be an RSA key, an EC key on P-256 or an OKP key on Ed25519';
  if (key.use !== undefined && key.use !== 'sig') return 'must be for signatures';
  if (key.alg !== undefined && !(isAssertionAlgorithm(key.alg) && KIND_OF[key.alg] === kindOf(key))) {
    return `must be for one of ${ASSERTION_ALGORITHMS.join(', ')} and fit its algorithm`;
  }
  const rivals = keys.filter((each) => kindOf(each) === kindOf(key));
  if (rivals.length > 1 && key.kid === undefined) return 'must have a kid: there are several keys of its type';
  if (keys.findIndex((each) => each.kid !== undefined && each.kid === key.kid) < index && key.kid !== undefined) {
    return 'must have a kid of its own';
  }
  return findNumberFault(key);
}

function findNumberFault(key: JWK): string | undefined {
  try {
    const { modulusLength, publicExponent } = createPublicKey({ key, format: 'jwk' }).asymmetricKeyDetails ?? {};
    if (modulusLength === undefined) return undefined;
    if (modulusLength < MODULUS_BITS.least || modulusLength > MODULUS_BITS.most) {
      return `must have a modulus of ${MODULUS_BITS.least} to ${MODULUS_BITS.most} bits`;
    }
    const exponent = publicExponent ?? 0n;
    return exponent < 3n || exponent > MOST_EXPONENT || exponent % 2n === 0n ? 'must have a usual exponent' : undefined;
  } catch {
    return 'cannot be read as a key';
  }
}

/** The key as stored and shown: without members that the service does not read. */
export function plainKey(key: JWK): JWK {
  return Object.fromEntries(PUBLIC_MEMBERS.flatMap((name) => (key[name] === undefined ? [] : [[name, key[name]]])));
}

/** The only key that fits; undefined when none or several fit. */
export function findAssertionKey(
  keys: readonly JWK[],
  alg: AssertionAlgorithm,
  kid: string | undefined,
): JWK | undefined {
  const fitting = keys.filter(
    (key) =>
      kindOf(key) === KIND_OF[alg] &&
      (key.alg === undefined || key.alg === alg) &&
      (kid === undefined || key.kid === kid),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

function kindOf({ kty, crv }: JWK): string {
  return crv === undefined ? String(kty) : `${kty}/${crv}`;
}
