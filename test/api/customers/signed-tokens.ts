/** Makes real access tokens and the check that accepts them, for tests of authorisation. */
import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { KeySet } from '../../../api/shared/key-set.ts';
import type { Caller } from '../../../api/shared/operation.ts';
import type { RequestContext } from '../../../api/shared/request-context.ts';
import { createTokenCheck } from '../../../api/shared/token-check.ts';

const ISSUER = 'https://auth.test';
const AUDIENCE = 'https://api.test';

export interface TokenContent {
  readonly organisationId: number;
  readonly scopes: readonly string[];
  readonly codespaces?: readonly string[];
  /** A negative value makes an expired token. */
  readonly livesSeconds?: number;
}

export interface SignedTokens {
  readonly verifyToken: (context: RequestContext) => Promise<Caller>;
  sign(content: TokenContent): Promise<string>;
}

export async function createSignedTokens(): Promise<SignedTokens> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'test', alg: 'RS256', use: 'sig' };
  const keys = new KeySet({ fetchKeys: async () => ({ keys: [jwk] }) });
  return {
    verifyToken: createTokenCheck({ issuer: ISSUER, audience: AUDIENCE, keys }),
    sign: async ({ organisationId, scopes, codespaces = [], livesSeconds = 600 }) => {
      const now = Math.floor(Date.now() / 1000);
      const begin = Math.min(now, now + livesSeconds) - 60;
      return await new SignJWT({ scope: scopes.join(' '), organisationId, client_id: 'partner', codespaces })
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'test' })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject('partner')
        .setJti(randomUUID())
        .setIssuedAt(begin)
        .setNotBefore(begin)
        .setExpirationTime(now + livesSeconds)
        .sign(privateKey);
    },
  };
}
