/** Makes access tokens (RFC 9068), signed with the current key. Called by the token endpoint. */
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { ClientRecord } from '../../activities/auth/client-types.ts';
import type { SigningKey } from '../../activities/auth/signing-key-store.ts';

export interface AccessTokenOptions {
  /** The current signing key. Rejects while it is unknown. */
  readonly signingKey: () => Promise<SigningKey>;
  /** Claim `iss`, and base URL of the authentication server. */
  readonly issuer: string;
  readonly audience: string;
  readonly lifetimeSeconds: number;
  readonly now?: () => Date;
}

export function createTokenSigner(options: AccessTokenOptions) {
  const { signingKey, issuer, audience, lifetimeSeconds, now = () => new Date() } = options;
  return async ({ clientId, organisationId, codespaces }: ClientRecord, scope: string): Promise<string> => {
    const { kid, privateKey } = await signingKey();
    const issuedAt = Math.floor(now().getTime() / 1000);
    return await new SignJWT({ scope, client_id: clientId, organisationId, codespaces })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid })
      .setIssuer(issuer)
      .setSubject(clientId)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setNotBefore(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .setJti(randomUUID())
      .sign(privateKey);
  };
}
