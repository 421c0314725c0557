/**
 * Assembles the authentication server's area and the token check of its own administration from stores and configuration. Callers:
 * api/auth/server.ts, tests.
 */
import type { Connection } from 'mongoose';
import { ClientAuthentication } from '../../activities/auth/client-authentication.ts';
import type { FailureLimits } from '../../activities/auth/client-failures.ts';
import { ClientStore } from '../../activities/auth/client-store.ts';
import type { SigningKeyStore } from '../../activities/auth/signing-key-store.ts';
import { KeySet } from '../shared/key-set.ts';
import type { Area, Caller } from '../shared/operation.ts';
import type { RequestContext } from '../shared/request-context.ts';
import { createTokenCheck } from '../shared/token-check.ts';
import { callerAddress, type TrustedProxies } from '../shared/trusted-proxies.ts';
import type { AccessTokenOptions } from './access-token.ts';
import { createAuthArea, tokenEndpointOf } from './auth-area.ts';
import type { TokenOutcome } from './token-outcome.ts';

export interface AuthParts extends AccessTokenOptions {
  readonly connection: Connection;
  readonly keys: Pick<SigningKeyStore, 'listPublicKeys'>;
  /** The 32 bytes of `CLIENT_SECRET_KEY`. */
  readonly secretKey: Uint8Array;
  readonly overlapSeconds: number;
  readonly limits: FailureLimits;
  readonly trustedProxies: TrustedProxies;
  readonly isDisabled: (clientId: string) => boolean;
  /** Called with the outcome of each token request. */
  readonly onOutcome?: (outcome: TokenOutcome) => void;
}

export interface AuthServerParts {
  readonly area: Area;
  readonly verifyToken: (context: RequestContext) => Promise<Caller>;
}

export async function composeAuth({ connection, secretKey, limits, trustedProxies, ...parts }: AuthParts) {
  const { issuer, audience, keys, now } = parts;
  const clock = now && { now };
  const clients = new ClientStore(connection, secretKey, now);
  const authentication = new ClientAuthentication({
    connection,
    secretKey,
    limits,
    ...clock,
    audience: { issuer, tokenEndpoint: tokenEndpointOf(issuer) },
  });
  await Promise.all([clients.ensureIndexes(), authentication.prepare()]);
  const area = createAuthArea({
    ...parts,
    clients,
    authentication,
    addressOf: (request) => callerAddress(request, trustedProxies),
  });
  const ownKeys = new KeySet({ fetchKeys: async () => ({ keys: [...(await keys.listPublicKeys())] }) });
  const verifyToken = createTokenCheck({ issuer, audience, keys: ownKeys, isDisabled: parts.isDisabled });
  return { area, verifyToken, clients };
}
