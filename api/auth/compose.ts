/**
 * Assembles the authentication server's two areas, the public one and its administration, and the token check of the
 * latter. Callers: api/auth/server.ts, tests.
 */
import type { IncomingMessage } from 'node:http';
import type { Connection } from 'mongoose';
import { ClientAuthentication } from '../../activities/auth/client-authentication.ts';
import type { FailureLimits } from '../../activities/auth/client-failures.ts';
import { ClientStore } from '../../activities/auth/client-store.ts';
import { deriveListKey } from '../../activities/auth/disabled-list.ts';
import type { SigningKeyStore } from '../../activities/auth/signing-key-store.ts';
import { KeySet } from '../shared/key-set.ts';
import { createTokenCheck } from '../shared/token-check.ts';
import { callerAddress, type TrustedProxies } from '../shared/trusted-proxies.ts';
import type { AccessTokenOptions } from './access-token.ts';
import { createAuthArea, tokenEndpointOf } from './auth-area.ts';
import { createClientsArea } from './clients.ts';
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
  const addressOf = (request: IncomingMessage) => callerAddress(request, trustedProxies);
  const listKey = deriveListKey(secretKey).publicJwk;
  const area = createAuthArea({ ...parts, authentication, addressOf, listKey });
  const adminArea = createClientsArea({ clients, overlapSeconds: parts.overlapSeconds, addressOf });
  const ownKeys = new KeySet({ fetchKeys: async () => ({ keys: [...(await keys.listPublicKeys())] }) });
  const verifyToken = createTokenCheck({ issuer, audience, keys: ownKeys, isDisabled: parts.isDisabled });
  return { area, adminArea, verifyToken, clients };
}
