/** Runs a real authentication server on a separate database, with one client, for tests of tokens. */
import { randomBytes } from 'node:crypto';
import type { Connection } from 'mongoose';
import type { ClientStore, EnsuredClient } from '../../../activities/auth/client-store.ts';
import { DisabledListKeeper } from '../../../activities/auth/disabled-list-keeper.ts';
import { ringOf } from '../../../activities/auth/signing-key-sealing.ts';
import { type SigningKey, SigningKeyStore } from '../../../activities/auth/signing-key-store.ts';
import type { AuditTrail } from '../../../activities/shared/audit.ts';
import { type AuthParts, composeAuth } from '../../../api/auth/compose.ts';
import { createApp } from '../../../api/shared/app.ts';
import { AuditedCalls } from '../../../api/shared/audited-calls.ts';
import { serve } from '../../../api/shared/serve.ts';
import { parseProxies } from '../../../api/shared/trusted-proxies.ts';
import { freePort } from '../../../dev/stack/ports.ts';
import { createLog } from '../../../platform/log.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { onOtherPorts } from '../../support/on-other-ports.ts';
import { useMongo } from '../../support/stack.ts';

export const AUDIENCE = 'https://api.test';
export const LIFETIME_SECONDS = 600;
/** Recorded calls of one client in a minute. */
export const AUDITED_CALLS = 3;

/** The secret has the characters that Basic credentials must encode. */
export const CLIENT: EnsuredClient = {
  client_id: 'partner 1:å',
  client_secret: 'secret+with/odd=chars&%:å',
  name: 'Partner',
  organisationId: 7,
  codespaces: ['dem'],
  scopes: ['parcels:read', 'parcels:write', 'timetable:write'],
};

/** A client of the operator's own organisation, which may administer clients. */
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
  /** Address of the internal listener. */
  readonly adminUrl: string;
  readonly clients: ClientStore;
  readonly keys: SigningKeyStore;
  readonly signingKey: SigningKey;
  readonly connection: Connection;
  readonly logged: string[];
  /** The clock of failures, secrets and assertions, which tests set. */
  readonly clock: { now?: Date };
  /** Gets an access token of {@link OPERATOR}. */
  operatorToken(): Promise<string>;
  close(): Promise<void>;
}

/** Loopback is a trusted proxy, so tests set the caller's address by `X-Forwarded-For`. */
export async function startAuth(
  changed: Partial<AuthParts> = {},
  openTrail?: (connection: Connection) => AuditTrail,
): Promise<AuthServer> {
  const { uri } = await useMongo();
  const connection = await connectMongo(uri(`auth-${randomBytes(4).toString('hex')}`));
  const keys = new SigningKeyStore({ connection, encryptionKeys: ringOf(randomBytes(32)) });
  await keys.ensureIndexes();
  const signingKey = await keys.getSigningKey();
  const logged: string[] = [];
  const clock: AuthServer['clock'] = {};
  const log = createLog({ level: 'debug', name: 'auth', destination: { write: (line) => void logged.push(line) } });
  const secretKey = changed.secretKey ?? randomBytes(32);
  const disabled = await DisabledListKeeper.start({ connection, log, secretKey, everyMs: 20 });
  // Tokens contain the issuer, so the port must be known before the server starts.
  const { running, clients, admin } = await onOtherPorts(async () => {
    const port = await freePort();
    const { area, adminArea, verifyToken, ...made } = await composeAuth({
      connection,
      keys,
      issuer: `http://127.0.0.1:${port}`,
      audience: AUDIENCE,
      lifetimeSeconds: LIFETIME_SECONDS,
      overlapSeconds: 3_600,
      signingKey: async () => signingKey,
      secretKey,
      limits: { perClient: 10, perAddress: 100 },
      trustedProxies: parseProxies('127.0.0.1'),
      isDisabled: disabled.includes,
      now: () => clock.now ?? new Date(),
      ...changed,
    });
    const app = createApp({ areas: [area], log, verifyToken });
    const running = await serve(app, { host: '127.0.0.1', port, graceMs: 1_000 });
    const audit = openTrail && {
      trail: openTrail(connection),
      addressOf: () => '192.0.2.7',
      calls: new AuditedCalls(AUDITED_CALLS),
    };
    const adminApp = createApp({ areas: [adminArea], log, verifyToken, ...(audit && { audit }) });
    return { ...made, running, admin: await serve(adminApp, { host: '127.0.0.1', port: 0, graceMs: 1_000 }) };
  });
  const { url } = running;
  await clients.ensureClient(CLIENT);
  await clients.ensureClient(OPERATOR);
  return {
    url,
    adminUrl: admin.url,
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
      await Promise.all([running.close(), admin.close()]);
      await disabled.stop();
      await connection.close();
    },
  };
}
