/**
 * Checks the access token of a request and returns the caller. Checks the format before any cryptography, and the type of every
 * claim that the service uses. The log says which check failed, the answer never does.
 */
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import type { ErrorCode } from '../../workflows/shared/error-codes.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { KeySet } from './key-set.ts';
import type { Caller } from './operation.ts';
import type { RequestContext } from './request-context.ts';
import { VerifiedTokens } from './verified-tokens.ts';

export interface TokenCheckOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly keys: Pick<KeySet, 'getKey'>;
  /**
   * Whether tokens of the client are refused before they expire. Called for every request, so it must mostly answer
   * from memory.
   */
  readonly isDisabled?: (clientId: string) => boolean | Promise<boolean>;
  readonly now?: () => number;
}

const CLOCK_TOLERANCE_SECONDS = 30;
/** The service's own tokens have about 1 KiB. A lower limit than that of headers bounds the work of hashing. */
const MAX_TOKEN_LENGTH = 8_192;
const PART = /^[A-Za-z0-9_-]+$/;
/** The only header members of the service's tokens: no key by value or address, no critical extension. */
const HEADER_MEMBERS = new Set(['alg', 'kid', 'typ']);

const claimsShape = z.object({
  sub: z.string().min(1),
  aud: z.string(),
  exp: z.number(),
  iat: z.number(),
  jti: z.string().min(1),
  client_id: z.string().min(1),
  organisationId: z.int().positive(),
  scope: z.string(),
  codespaces: z.array(z.string().regex(/^(\*|[a-z]{3})$/)),
});

export function createTokenCheck(options: TokenCheckOptions): (context: RequestContext) => Promise<Caller> {
  const verified = new VerifiedTokens();
  return async (context) => {
    const token = readBearer(context.request.headersDistinct.authorization ?? []);
    try {
      const now = options.now?.() ?? Date.now();
      let caller = verified.find(token, now);
      if (!caller) {
        caller = await verify(token, now, options);
        verified.keep(token, caller, now);
      }
      if (await options.isDisabled?.(caller.clientId)) throw new errors.JWTInvalid('the client is disabled');
      return caller;
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw refusal('EXPIRED_TOKEN', 'The access token has expired.', error);
      if (error instanceof errors.JOSEError) throw invalid(error);
      throw error;
    }
  };
}

/** The scheme's name is case-insensitive (RFC 9110 §11.1). */
function readBearer(lines: readonly string[]): string {
  const [line, ...more] = lines;
  if (line === undefined) throw missing();
  if (more.length > 0) throw invalid(new Error('more than one Authorization header'));
  const [scheme = '', ...rest] = line.trim().split(' ');
  if (scheme.toLowerCase() !== 'bearer') throw missing();
  const [token = ''] = rest;
  const parts = token.split('.');
  if (rest.length !== 1 || token.length > MAX_TOKEN_LENGTH || parts.length !== 3 || !parts.every(isCanonical)) {
    throw invalid(new Error('the token is not a compact JWS'));
  }
  return token;
}

/** Refuses padding and stray bits at the end: each value has one text. */
function isCanonical(part: string): boolean {
  return PART.test(part) && Buffer.from(part, 'base64url').toString('base64url') === part;
}

async function verify(token: string, now: number, options: TokenCheckOptions): Promise<Caller> {
  const { payload } = await jwtVerify(
    token,
    async (header, jws) => {
      const unknown = Object.keys(header).filter((member) => !HEADER_MEMBERS.has(member));
      if (unknown.length > 0) throw new errors.JWSInvalid(`header members not issued here: ${unknown.join(', ')}`);
      return await options.keys.getKey(header, jws);
    },
    {
      issuer: options.issuer,
      audience: options.audience,
      algorithms: ['RS256'],
      typ: 'at+jwt',
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti'],
      currentDate: new Date(now),
    },
  );
  return toCaller(payload, now);
}

function toCaller(payload: JWTPayload, now: number): Caller {
  const claims = claimsShape.safeParse(payload);
  if (!claims.success) throw new errors.JWTInvalid(`claims: ${z.prettifyError(claims.error)}`);
  const { client_id, sub, iat, exp, scope, organisationId, codespaces } = claims.data;
  if (sub !== client_id) throw new errors.JWTInvalid('claims: sub is not the client');
  if (iat > now / 1000 + CLOCK_TOLERANCE_SECONDS) throw new errors.JWTInvalid('claims: iat lies in the future');
  return {
    clientId: client_id,
    organisationId: organisationId as OrganisationId,
    scopes: new Set(scope.split(' ').filter((each) => each !== '')),
    codespaces: new Set(codespaces),
    tokenExpiresAtMs: (exp + CLOCK_TOLERANCE_SECONDS) * 1000,
  };
}

function missing(): ServiceError {
  return new ServiceError('MISSING_TOKEN', 'Send an access token: Authorization: Bearer <token>.', {
    headers: { 'www-authenticate': 'Bearer' },
  });
}

function invalid(cause: unknown): ServiceError {
  return refusal('INVALID_TOKEN', 'The access token is not valid.', cause);
}

function refusal(code: ErrorCode, detail: string, cause: unknown): ServiceError {
  return new ServiceError(code, detail, { cause, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } });
}
