/**
 * Reads a token request with its credential: a secret in the body, a secret in HTTP Basic, or a signed assertion (RFC
 * 7523). Pure.
 */

import { claimedClient } from '../../activities/auth/client-assertion.ts';
import type { Credential } from '../../activities/auth/client-authentication.ts';
import type { Schemas } from './contract.gen.ts';

export interface TokenRequest {
  readonly grantType: string;
  readonly audience: string;
  readonly clientId: string;
  readonly credential: Credential;
  readonly scope: string | undefined;
  /** Whether a refusal must be answered with `WWW-Authenticate: Basic`. */
  readonly usedBasic: boolean;
}

/** The document has checked types and lengths. */
type TokenBody = Schemas['TokenRequest'];

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

type Proof = Pick<TokenRequest, 'clientId' | 'credential' | 'usedBasic'>;

/** The request, or one sentence that says what is missing or malformed. */
export function readTokenRequest(body: TokenBody, authorization: string | undefined): TokenRequest | string {
  const proof = readProof(body, authorization);
  if (typeof proof === 'string') return proof;
  const { grant_type: grantType, audience, scope } = body;
  return { grantType, audience, scope: scope === '' ? undefined : scope, ...proof };
}

function readProof(body: TokenBody, authorization: string | undefined): Proof | string {
  const { client_id, client_secret, client_assertion, client_assertion_type } = body;
  if (client_assertion !== undefined || client_assertion_type !== undefined) {
    const twice = authorization !== undefined || client_secret !== undefined;
    return twice ? 'Send the credentials in one way only' : readAssertion(body);
  }
  if (authorization === undefined) {
    if (client_id === undefined || client_secret === undefined) return 'client_id and client_secret are required';
    return { clientId: client_id, credential: { secret: client_secret }, usedBasic: false };
  }
  const basic = readBasic(authorization);
  if (!basic) return 'The Authorization header must hold HTTP Basic credentials or be absent';
  if (client_secret !== undefined) return 'Send the credentials in one way only';
  if (client_id !== undefined && client_id !== basic.clientId) return 'The credentials name two clients';
  return { ...basic, usedBasic: true };
}

function readAssertion({ client_id, client_assertion_type, client_assertion }: TokenBody): Proof | string {
  if (client_assertion === undefined) return 'client_assertion is required';
  if (client_assertion_type !== ASSERTION_TYPE) return `client_assertion_type must be ${ASSERTION_TYPE}`;
  const clientId = claimedClient(client_assertion);
  if (clientId === undefined) return 'client_assertion must be a JWT whose sub names the client';
  if (client_id !== undefined && client_id !== clientId) return 'The credentials name two clients';
  return { clientId, credential: { assertion: client_assertion }, usedBasic: false };
}

/** Both parts are form-encoded before they are joined (RFC 6749 §2.3.1). */
function readBasic(authorization: string): Pick<Proof, 'clientId' | 'credential'> | undefined {
  const match = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization.trim());
  if (!match) return undefined;
  const text = Buffer.from(match[1] ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  try {
    const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '));
    const [clientId, secret] = [decode(text.slice(0, colon)), decode(text.slice(colon + 1))];
    return secret === '' || `${clientId}${secret}`.includes('\0') ? undefined : { clientId, credential: { secret } };
  } catch {
    return undefined;
  }
}

/** The scopes of the token, in the requested order; undefined when the client lacks one or the text is malformed. */
export function narrowScopes(requested: string | undefined, granted: readonly string[]): readonly string[] | undefined {
  if (requested === undefined) return granted;
  const scopes = [...new Set(requested.split(' '))];
  return scopes.every((scope) => granted.includes(scope)) ? scopes : undefined;
}
