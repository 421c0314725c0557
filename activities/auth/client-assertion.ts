/**
 * Verifies the assertion of a client that has a key of its own (`private_key_jwt`, RFC 7523). Caller: the authentication of
 * clients, which also refuses an assertion that was used before. For an unknown client, or one without such a key, the same
 * verification runs with a random key.
 */
import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { decodeJwt, errors, importJWK, type JWK, type JWTPayload, jwtVerify } from 'jose';
import {
  ASSERTION_ALGORITHMS,
  type AssertionAlgorithm,
  findAssertionKey,
  isAssertionAlgorithm,
} from './client-jwks.ts';

export interface AssertionAudience {
  /** Issuer and token endpoint both name the authentication server. */
  readonly issuer: string;
  readonly tokenEndpoint: string;
}

export interface Assertion {
  readonly jti: string;
  readonly expiresAt: Date;
}

/** `wrong`: no key of the client made the signature. `unfit`: the signature is right, but audience or time is not. */
export type AssertionVerdict = Assertion | { readonly fault: 'wrong' | 'unfit'; readonly detail: string };

/** The same tolerance as in the rest of the service. */
export const CLOCK_TOLERANCE_SECONDS = 30;
/** Long-lived assertions would be as good as secrets. */
const LONGEST_LIFE_SECONDS = 300;
const LONGEST_ID = 255;

export interface AssertionCheck {
  readonly clientId: string;
  /** The client's keys; empty when the client is unknown. */
  readonly keys: readonly JWK[];
  readonly audience: AssertionAudience;
  readonly now: Date;
}

export async function verifyAssertion(assertion: string, check: AssertionCheck): Promise<AssertionVerdict> {
  const { clientId, keys, audience, now } = check;
  try {
    const { payload } = await jwtVerify(assertion, async ({ alg, kid }) => await keyFor(keys, alg, kid), {
      issuer: clientId,
      subject: clientId,
      audience: [audience.issuer, audience.tokenEndpoint],
      algorithms: [...ASSERTION_ALGORITHMS],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['iss', 'sub', 'aud', 'exp', 'jti'],
      currentDate: now,
    });
    return checkClaims(payload, check);
  } catch (cause) {
    // jose checks claims only after the signature.
    const proven = cause instanceof errors.JWTExpired || cause instanceof errors.JWTClaimValidationFailed;
    if (!proven && !(cause instanceof errors.JOSEError)) throw cause;
    return { fault: proven ? 'unfit' : 'wrong', detail: cause.message };
  }
}

function checkClaims({ aud, exp = 0, iat, jti }: JWTPayload, { audience, now }: AssertionCheck): AssertionVerdict {
  const nowSeconds = now.getTime() / 1000;
  const ours = [audience.issuer, audience.tokenEndpoint];
  const unfit = (detail: string): AssertionVerdict => ({ fault: 'unfit', detail });
  // Another server in the audience could send the assertion here.
  if (![aud].flat().every((each) => ours.includes(String(each)))) return unfit('aud names others too');
  if (exp > nowSeconds + LONGEST_LIFE_SECONDS) return unfit('exp is too far ahead');
  if (iat !== undefined && iat > nowSeconds + CLOCK_TOLERANCE_SECONDS) return unfit('iat lies in the future');
  if (typeof jti !== 'string' || jti === '' || jti.length > LONGEST_ID) return unfit('jti is not usable');
  return { jti, expiresAt: new Date((exp + CLOCK_TOLERANCE_SECONDS) * 1000) };
}

type VerificationKey = KeyObject | Awaited<ReturnType<typeof importJWK>>;

async function keyFor(keys: readonly JWK[], alg: unknown, kid: unknown): Promise<VerificationKey> {
  if (!isAssertionAlgorithm(alg)) throw new errors.JOSEAlgNotAllowed('the algorithm is not taken');
  const key = findAssertionKey(keys, alg, typeof kid === 'string' ? kid : undefined);
  return key ? await importJWK(key, alg) : await standInFor(alg);
}

/** The client that an assertion names, unverified; undefined when it is not an assertion. */
export function claimedClient(assertion: string): string | undefined {
  try {
    const { sub } = decodeJwt(assertion);
    return typeof sub === 'string' && sub !== '' && sub.length <= LONGEST_ID && !sub.includes('\0') ? sub : undefined;
  } catch {
    return undefined;
  }
}

const generate = promisify(generateKeyPair);
const standIns = new Map<string, Promise<KeyObject>>();

async function standInFor(alg: AssertionAlgorithm): Promise<KeyObject> {
  const type = alg === 'ES256' ? 'ec' : alg === 'EdDSA' ? 'ed25519' : 'rsa';
  const kept = standIns.get(type) ?? makeStandIn(type);
  standIns.set(type, kept);
  return await kept;
}

async function makeStandIn(type: 'ec' | 'ed25519' | 'rsa'): Promise<KeyObject> {
  if (type === 'ec') return (await generate('ec', { namedCurve: 'P-256' })).publicKey;
  if (type === 'ed25519') return (await generate('ed25519')).publicKey;
  return (await generate('rsa', { modulusLength: 2_048 })).publicKey;
}

/** Called once at start, so that the first unknown client is answered as fast as others. */
export async function prepareStandIns(): Promise<void> {
  await Promise.all(ASSERTION_ALGORITHMS.map(standInFor));
}
