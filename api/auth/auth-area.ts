/**
 * The authentication server's public operations: tokens under the client credentials grant (issue-token.ts), public
 * keys, metadata. Clients are administered on another listener (clients.ts).
 */
import type { JWK } from 'jose';
import { ASSERTION_ALGORITHMS } from '../../activities/auth/client-jwks.ts';
import type { SigningKeyStore } from '../../activities/auth/signing-key-store.ts';
import { KEY_SET_MAX_AGE_SECONDS } from '../../activities/auth/signing-key-times.ts';
import type { TypedArea } from '../shared/operation.ts';
import { type AccessTokenOptions, createTokenSigner } from './access-token.ts';
import type { Operations } from './contract.gen.ts';
import { createIssueToken, type IssueTokenOptions } from './issue-token.ts';
import { presentAsOauth } from './oauth-errors.ts';

export interface AuthAreaOptions extends AccessTokenOptions, Omit<IssueTokenOptions, 'signToken'> {
  readonly keys: Pick<SigningKeyStore, 'listPublicKeys'>;
  /** Verifies the list of disabled clients; published with the others. */
  readonly listKey: JWK;
}

const METADATA_CACHE_SECONDS = 3600;

export function createAuthArea(options: AuthAreaOptions): TypedArea<Operations> {
  return {
    name: 'auth',
    document: new URL('./openapi.yaml', import.meta.url),
    errors: { oauth: presentAsOauth },
    operations: {
      issueToken: createIssueToken({ ...options, signToken: createTokenSigner(options) }),
      getKeys: async (context) => ({
        status: 200,
        headers: cacheable(context.accepted ?? 'application/json', KEY_SET_MAX_AGE_SECONDS),
        bytes: JSON.stringify({ keys: [...(await options.keys.listPublicKeys()), options.listKey] }),
      }),
      getMetadata: async () => ({
        status: 200,
        headers: cacheable('application/json', METADATA_CACHE_SECONDS),
        bytes: JSON.stringify(metadata(options.issuer)),
      }),
    },
    finds: {},
  };
}

export function tokenEndpointOf(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/oauth/token`;
}

/** Lists supported features only: clients configure themselves from this document. */
function metadata(issuer: string): Record<string, unknown> {
  return {
    issuer,
    token_endpoint: tokenEndpointOf(issuer),
    jwks_uri: `${issuer.replace(/\/$/, '')}/.well-known/jwks.json`,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  };
}

function cacheable(contentType: string, seconds: number): Record<string, string> {
  return { 'content-type': contentType, 'cache-control': `public, max-age=${seconds}` };
}
