/**
 * The authentication server's operations: tokens under the client credentials grant, public keys, metadata. Checks in the
 * order body shape → grant type → client and secret → audience → scope. Logs who asked and what came of it; never a
 * secret or a token.
 */
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { ClientRecord, ClientStore } from '../../activities/auth/client-store.ts';
import type { SigningKey, SigningKeyStore } from '../../activities/auth/signing-key-store.ts';
import { KEY_SET_MAX_AGE_SECONDS } from '../../activities/auth/signing-key-times.ts';
import type { Area, OperationContext, Reply } from '../shared/operation.ts';
import { type OauthErrorCode, oauthError, presentAsOauth } from './oauth-errors.ts';
import { narrowScopes, readTokenRequest, type TokenRequest } from './token-request.ts';

export interface AuthAreaOptions {
  readonly clients: Pick<ClientStore, 'authenticate'>;
  readonly keys: Pick<SigningKeyStore, 'listPublicKeys'>;
  /** The one to sign with now; rejects when nobody can tell. */
  readonly signingKey: () => Promise<SigningKey>;
  /** Also the base URL. */
  readonly issuer: string;
  readonly audience: string;
  readonly lifetimeSeconds: number;
  readonly now?: () => number;
}

const METADATA_CACHE_SECONDS = 3600;

export function createAuthArea(options: AuthAreaOptions): Area {
  return {
    name: 'auth',
    document: new URL('./openapi.yaml', import.meta.url),
    errors: { oauth: presentAsOauth },
    operations: {
      issueToken: async (context) => await issueToken(context, options),
      getKeys: async (context) => ({
        status: 200,
        headers: cacheable(context.accepted ?? 'application/json', KEY_SET_MAX_AGE_SECONDS),
        bytes: JSON.stringify({ keys: await options.keys.listPublicKeys() }),
      }),
      getMetadata: async () => ({
        status: 200,
        headers: cacheable('application/json', METADATA_CACHE_SECONDS),
        bytes: JSON.stringify(metadata(options.issuer)),
      }),
    },
  };
}

async function issueToken(context: OperationContext, options: AuthAreaOptions): Promise<Reply> {
  const request = readTokenRequest(context.body, context.headers.authorization);
  if (typeof request === 'string') return oauthError(400, 'invalid_request', request);
  const refuse = (status: number, error: OauthErrorCode, description: string, reason: string): Reply => {
    note(context, request, reason);
    const basic = status === 401 && request.usedBasic ? { 'www-authenticate': 'Basic realm="token"' } : {};
    return oauthError(status, error, description, basic);
  };
  if (request.grantType === 'password') return refuse(400, 'invalid_grant', 'Invalid grant', 'password grant');
  if (request.grantType !== 'client_credentials') {
    return refuse(400, 'unsupported_grant_type', 'The grant type must be client_credentials', 'other grant type');
  }
  const outcome = await options.clients.authenticate(request.clientId, request.clientSecret);
  if ('refusal' in outcome) return refuse(401, 'unauthorized_client', 'Unauthorized client', outcome.refusal);
  if (request.audience !== options.audience) return refuse(400, 'invalid_grant', 'Invalid grant', 'other audience');
  const scopes = narrowScopes(request.scope, outcome.client.scopes);
  if (!scopes) return refuse(400, 'invalid_scope', 'The client does not have the scope asked for', 'scope not granted');
  note(context, request, 'issued');
  const scope = scopes.join(' ');
  const token = await sign(outcome.client, scope, options);
  return {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    json: { access_token: token, token_type: 'Bearer', expires_in: options.lifetimeSeconds, scope },
  };
}

function note(context: OperationContext, request: TokenRequest, outcome: string): void {
  const address = context.request.socket.remoteAddress;
  context.log.info({ clientId: request.clientId, outcome, address }, 'token request');
}

async function sign(client: ClientRecord, scope: string, options: AuthAreaOptions): Promise<string> {
  const { kid, privateKey } = await options.signingKey();
  const issuedAt = Math.floor((options.now?.() ?? Date.now()) / 1000);
  const claims = {
    scope,
    client_id: client.clientId,
    organisationId: client.organisationId,
    codespaces: client.codespaces,
  };
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid })
    .setIssuer(options.issuer)
    .setSubject(client.clientId)
    .setAudience(options.audience)
    .setIssuedAt(issuedAt)
    .setNotBefore(issuedAt)
    .setExpirationTime(issuedAt + options.lifetimeSeconds)
    .setJti(randomUUID())
    .sign(privateKey);
}

/** Only what is really there: a client that reads this must be able to rely on it. */
function metadata(issuer: string): Record<string, unknown> {
  const base = issuer.replace(/\/$/, '');
  return {
    issuer,
    token_endpoint: `${base}/oauth/token`,
    jwks_uri: `${base}/.well-known/jwks.json`,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  };
}

function cacheable(contentType: string, seconds: number): Record<string, string> {
  return { 'content-type': contentType, 'cache-control': `public, max-age=${seconds}` };
}
