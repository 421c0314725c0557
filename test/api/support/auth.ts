/** A real authentication server on a database of its own, with one client, for tests of tokens. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import type { Connection } from 'mongoose';
import { ClientStore, type EnsuredClient } from '../../../activities/auth/client-store.ts';
import { ringOf } from '../../../activities/auth/signing-key-sealing.ts';
import { type SigningKey, SigningKeyStore } from '../../../activities/auth/signing-key-store.ts';
import { createLog } from '../../../activities/shared/log.ts';
import { connectMongo } from '../../../activities/shared/mongo.ts';
import { createAuthArea } from '../../../api/auth/auth-area.ts';
import { createApp } from '../../../api/shared/app.ts';
import { serve } from '../../../api/shared/serve.ts';
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

export interface AuthServer {
  readonly url: string;
  readonly clients: ClientStore;
  readonly keys: SigningKeyStore;
  readonly signingKey: SigningKey;
  readonly connection: Connection;
  readonly logged: string[];
  close(): Promise<void>;
}

export async function startAuth(): Promise<AuthServer> {
  const { uri } = await useMongo();
  const connection = await connectMongo(uri(`auth-${randomBytes(4).toString('hex')}`));
  const clients = new ClientStore(connection, randomBytes(32));
  const keys = new SigningKeyStore({ connection, encryptionKeys: ringOf(randomBytes(32)) });
  await keys.ensureIndexes();
  await clients.ensureClient(CLIENT);
  const signingKey = await keys.getSigningKey();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const logged: string[] = [];
  const log = createLog({ level: 'debug', name: 'auth', destination: { write: (line) => void logged.push(line) } });
  const area = createAuthArea({
    clients,
    keys,
    signingKey: async () => signingKey,
    issuer: url,
    audience: AUDIENCE,
    lifetimeSeconds: LIFETIME_SECONDS,
  });
  const server = await serve(createApp({ areas: [area], log }), { host: '127.0.0.1', port, graceMs: 1_000 });
  return {
    url,
    clients,
    keys,
    signingKey,
    connection,
    logged,
    close: async () => {
      await server.close();
      await connection.close();
    },
  };
}

/** The issuer is part of the tokens, so the port must be known before the server starts. */
async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
