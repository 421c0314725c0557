/** The API process alone, with a database, an object store and a signer of tokens of its own. Callers: benchmarks of the API. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { deriveListKey } from '../../activities/auth/disabled-list.ts';
import { API_NODE_FLAGS } from '../../api/node-flags.ts';
import { formatPublicKeys, parseSigningKeys } from '../../platform/keys/signing-keys.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { makeDisabledList } from '../../test/support/disabled-list.ts';
import { stopServers, useMongo, useObjectStore } from '../../test/support/stack.ts';

const AUDIENCE = 'https://bench.invalid';

export interface ApiAlone {
  readonly url: string;
  readonly process: ChildProcess;
  /** A token of this client with these further claims. */
  sign(clientId: string, claims: Readonly<Record<string, unknown>>): Promise<string>;
  stop(): Promise<void>;
}

export async function startApiAlone(
  environment: Readonly<Record<string, string>> = {},
  nodeFlags = API_NODE_FLAGS,
): Promise<ApiAlone> {
  const secretKey = randomBytes(32);
  const keys = await startKeyServer(secretKey);
  await writeDisabledList(secretKey);
  const api = await startApi({ AUTH_ISSUER: keys.issuer, ...environment }, nodeFlags);
  const stop = async () => {
    api.process.kill('SIGTERM');
    await once(api.process, 'exit');
    keys.close();
    await stopServers();
  };
  return { ...api, sign: keys.sign, stop };
}

async function startApi(
  environment: Readonly<Record<string, string>>,
  nodeFlags: readonly string[],
): Promise<Pick<ApiAlone, 'url' | 'process'>> {
  const [mongo, objects] = await Promise.all([useMongo(), useObjectStore()]);
  const child = spawn(process.execPath, [...nodeFlags, 'api/server.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...objects,
      ENVIRONMENT: 'development',
      LOG_LEVEL: 'info',
      PORT: '0',
      MONGODB_URI: mongo.uri('bench'),
      CUSTOMER_KEYS_MONGODB_URI: mongo.uri('bench_customer_keys'),
      CUSTOMER_MASTER_KEYS: `bench:${randomBytes(32).toString('base64')}`,
      CUSTOMER_SEARCH_KEY: randomBytes(32).toString('base64'),
      AUDIENCE,
      // Nobody listens there: receipts count without it.
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      IDEMPOTENCY_KEYS: `bench:${randomBytes(32).toString('base64')}`,
      PAYMENT_PAGE_KEYS: `bench:${randomBytes(32).toString('base64')}`,
      PAYMENT_PAGE_URL: 'http://127.0.0.1:1',
      WEBHOOK_KEYS: `bench:${randomBytes(32).toString('base64')}`,
      AUDIT_KEYS: `bench:${randomBytes(32).toString('base64')}`,
      PLANNER_PUBLIC_KEYS: formatPublicKeys(parseSigningKeys(`bench:${randomBytes(32).toString('base64')}`, 'bench')),
      PAYLOAD_KEYS: `bench:${randomBytes(32).toString('base64')}`,
      ...environment,
    },
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const entry = JSON.parse(line) as { msg?: string; url?: string };
    if (entry.msg !== 'ready' || entry.url === undefined) continue;
    child.stdout.resume();
    return { process: child, url: entry.url };
  }
  throw new Error('The API did not start');
}

/** No authentication server runs, and without the list no token is accepted. */
async function writeDisabledList(secretKey: Uint8Array): Promise<void> {
  const connection = await connectMongo((await useMongo()).uri('bench'));
  await makeDisabledList(connection, secretKey);
  await connection.close();
}

async function startKeyServer(secretKey: Uint8Array) {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'RS256', use: 'sig' };
  const server = createServer((_request, response) => {
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ keys: [jwk, deriveListKey(secretKey).publicJwk] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sign = async (clientId: string, claims: Readonly<Record<string, unknown>>) =>
    await new SignJWT({ client_id: clientId, ...claims })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'bench' })
      .setIssuer(issuer)
      .setAudience(AUDIENCE)
      .setSubject(clientId)
      .setJti(randomBytes(8).toString('hex'))
      .setIssuedAt()
      .setNotBefore('0s')
      .setExpirationTime('1h')
      .sign(privateKey);
  return { issuer, close: () => server.close(), sign };
}

export async function putCodespace(url: string, token: string, codespace: string): Promise<void> {
  const answer = await fetch(`${url}/timetable/v1/codespaces/${codespace}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', ownerOrganisationId: 1 }),
  });
  if (!answer.ok) throw new Error(`The codespace was refused: ${await answer.text()}`);
}
