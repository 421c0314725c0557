/**
 * Measures the cost of checking an access token, apart from HTTP: the first time it is seen, and later. Caller: `npm
 * run bench:token`.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { exportJWK } from 'jose';
import { createTokenSigner } from '../../api/auth/access-token.ts';
import { KeySet } from '../../api/shared/key-set.ts';
import type { RequestContext } from '../../api/shared/request-context.ts';
import { createTokenCheck } from '../../api/shared/token-check.ts';

const TOKENS = 2_000;
const ROUNDS = 10;
const ISSUER = 'https://auth.example';
const AUDIENCE = 'https://api.example';

export async function timeTokenCheck(): Promise<{ readonly firstMs: number; readonly laterMs: number }> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const kid = randomUUID();
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' };
  const common = { issuer: ISSUER, audience: AUDIENCE };
  const sign = createTokenSigner({ ...common, lifetimeSeconds: 3_600, signingKey: async () => ({ kid, privateKey }) });
  const check = createTokenCheck({
    ...common,
    keys: new KeySet({ fetchKeys: async () => ({ keys: [jwk] }) }),
    isDisabled: () => false,
  });
  const contexts: RequestContext[] = [];
  for (let count = 0; count < TOKENS; count += 1) {
    const rights = { name: 'bench', organisationId: 1, codespaces: ['abc'] };
    const scopes = ['orders:read', 'orders:write', 'payments:read', 'payments:write', 'tickets:read'];
    const token = await sign({ clientId: randomUUID(), scopes, ...rights }, scopes.join(' '));
    const request = {
      headersDistinct: { authorization: [`Bearer ${token}`] },
    } as Partial<IncomingMessage> as IncomingMessage;
    contexts.push({ request } as RequestContext);
  }
  const time = async (): Promise<number> => {
    const begun = performance.now();
    for (const context of contexts) await check(context);
    return (performance.now() - begun) / TOKENS;
  };
  const firstMs = await time();
  let laterMs = 0;
  for (let round = 0; round < ROUNDS; round += 1) laterMs += (await time()) / ROUNDS;
  return { firstMs, laterMs };
}
