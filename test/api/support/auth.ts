/** A real authentication server on a database of its own, with one client, for tests of tokens. */
import { randomBytes } from 'node:crypto';
import type { Connection } from 'mongoose';
import type { ClientStore, EnsuredClient } from '../../../activities/auth/client-store.ts';
import { DisabledClients } from '../../../activities/auth/disabled-clients.ts';
import { ringOf } from '../../../activities/auth/signing-key-sealing.ts';
import { type SigningKey, SigningKeyStore } from '../../../activities/auth/signing-key-store.ts';
import { type AuthParts, composeAuth } from '../../../api/auth/compose.ts';
import { createApp } from '../../../api/shared/app.ts';
import { serve } from '../../../api/shared/serve.ts';
import { parseProxies } from '../../../api/shared/trusted-proxies.ts';
import { freePort } from '../../../dev/stack/ports.ts';
import { createLog } from '../../../platform/log.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { onOtherPorts } from '../../support/on-other-ports.ts';
import { useMongo } from '../../support/stack.ts';

export const AUDIENCE = 'https://api.test';
export const LIFETIME_SECONDS = 600;

/** A secret with the characters that Basic credentials must encode. */
export const CLIENT: EnsuredClient = {
  client_id: 'partner 1:å',
  client_secret: 'secret+with/odd=chars&%:å',
  name: 'Partner',
  organisationId: 7,
  codespaces: ['dem'],
  scopes: ['parcels:read', 'parcels:write', 'timetable:write'],
};

/** Of the operator's own organisation: may administer clients. */
export const OPERATOR: EnsuredClient = {
  client_id: 'operator',
  client_secret: 'the-operator',
  name: 'Operator',
  organisationId: 1000,
  codespaces: ['*'],
  scopes: ['clients:write', 'organisation:any'],
};

export interface AuthServer {
  readonly url: string;
  readonly clients: ClientStore;
  readonly keys: SigningKeyStore;
  readonly signingKey: SigningKey;
  readonly connection: Connection;
  readonly logged: string[];
  /** Of everything that counts failures, secrets and assertions; tests move it on. */
  readonly clock: { now?: Date };
  /** An access token of {@link OPERATOR}. */
  operatorToken(): Promise<string>;
  close(): Promise<void>;
}

/** Loopback is a trusted proxy, so a test says by `X-Forwarded-For` from where it comes. */
export async function startAuth(changed: Partial<AuthParts> = {}): Promise<AuthServer> {
  const { uri } = await useMongo();
  const connection = await connectMongo(uri(`auth-${randomBytes(4).toString('hex')}`));
  const keys = new SigningKeyStore({ connection, encryptionKeys: ringOf(randomBytes(32)) });
  await keys.ensureIndexes();
  const signingKey = await keys.getSigningKey();
  const logged: string[] = [];
  const clock: AuthServer['clock'] = {};
  const log = createLog({ level: 'debug', name: 'auth', destination: { write: (line) => void logged.push(line) } });
  const disabled = await DisabledClients.start({ connection, log, pollMs: 20 });
  // The issuer is part of the tokens, so the port must be known before the server starts.
  const { running, clients } = await onOtherPorts(async () => {
    const port = await freePort();
    const { area, verifyToken, ...made } = await composeAuth({
      connection,
      keys,
      issuer: `http://127.0.0.1:${port}`,
      audience: AUDIENCE,
      lifetimeSeconds: LIFETIME_SECONDS,
      overlapSeconds: 3_600,
      signingKey: async () => signingKey,
      secretKey: randomBytes(32),
      limits: { perClient: 10, perAddress: 100 },
      trustedProxies: parseProxies('127.0.0.1'),
      isDisabled: disabled.includes,
      now: () => clock.now ?? new Date(),
      ...changed,
    });
    const app = createApp({ areas: [area], log, verifyToken });
    return { ...made, running: await serve(app, { host: '127.0.0.1', port, graceMs: 1_000 }) };
  });
  const { url } = running;
  await clients.ensureClient(CLIENT);
  await clients.ensureClient(OPERATOR);
  return {
    url,
    clients,
    keys,
    signingKey,
    connection,
    logged,
    clock,
    operatorToken: async () => {
      const { client_id, client_secret } = OPERATOR;
      const body = { grant_type: 'client_credentials', client_id, client_secret, audience: AUDIENCE };
      const response = await fetch(`${url}/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return ((await response.json()) as { access_token: string }).access_token;
    },
    close: async () => {
      await running.close();
      await disabled.stop();
      await connection.close();
    },
  };
}
