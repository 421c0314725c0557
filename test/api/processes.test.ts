/**
 * Starts the HTTP processes and checks ready line, health, clean end on SIGTERM, and the one-sentence error of a bad
 * configuration.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ClientStore } from '../../activities/auth/client-store.ts';
import { fetchToken } from '../../dev/demo/api-client.ts';
import { freePort } from '../../dev/stack/ports.ts';
import { type ProcessSetting, processEnvironment } from '../../dev/stack/processes.ts';
import { createServiceSecrets } from '../../dev/stack/secrets.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { programEnvironment } from '../support/run.ts';
import { type TestMongo, useMongo, useObjectStore, useTemporal } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { RawCaller } from './forwarding/support.ts';

const ENTRIES = {
  auth: fileURLToPath(new URL('../../api/auth/server.ts', import.meta.url)),
  api: fileURLToPath(new URL('../../api/server.ts', import.meta.url)),
};
type Name = keyof typeof ENTRIES;

describe('HTTP processes', () => {
  let mongo: TestMongo;
  let setting: ProcessSetting;
  const running = new Set<ChildProcess>();

  before(async () => {
    const [objectStore, temporal] = await Promise.all([useObjectStore(), useTemporal()]);
    mongo = await useMongo();
    const issuer = `http://127.0.0.1:${await freePort()}`;
    setting = {
      servers: { MONGODB_URI: mongo.uri('processes'), ...objectStore, TEMPORAL_ADDRESS: temporal.address },
      customerKeysUri: mongo.uri('processes_keys'),
      secrets: createServiceSecrets(),
      audience: 'https://api.test',
      url: () => issuer,
      workflowBundle: '',
      plannerBundle: '',
      plannerCache: '',
    };
  });
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL');
    running.clear();
  });

  function start(name: Name, change: Record<string, string> = {}) {
    const child = spawn(process.execPath, [ENTRIES[name]], {
      env: { ...programEnvironment(), ...processEnvironment(name, setting), PORT: '0', ...change },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    return child;
  }

  async function untilReady(child: ChildProcess): Promise<string> {
    assert.ok(child.stdout);
    for await (const line of createInterface({ input: child.stdout })) {
      const entry = JSON.parse(line) as { msg: string; url?: string };
      if (entry.msg === 'ready') return String(entry.url);
    }
    throw new Error(`ended before it was ready with ${child.exitCode}`);
  }

  for (const [name, path] of [
    ['auth', '/oauth/token'],
    ['api', '/journey-planner/v3/graphql'],
  ] as const) {
    it(`${name} limits the open requests of one caller behind a proxy`, async () => {
      const change = {
        TRUSTED_PROXIES: '127.0.0.1',
        MAX_OPEN_REQUESTS_PER_ADDRESS: '2',
        PLANNER_URL: 'http://127.0.0.1:1',
      };
      const url = await untilReady(start(name, change));
      const post = (address: string) =>
        `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`;
      const callers = ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'].map((address) => {
        const caller = new RawCaller(url);
        caller.socket.write(post(address));
        return caller;
      });
      await Promise.any(callers.slice(0, 3).map((caller) => caller.answers(1)));
      const health = await fetch(`${url}/health/live`);
      assert.deepEqual([health.status, callers.flatMap(({ statuses }) => statuses)], [200, [429]]);
      for (const { socket } of callers) socket.destroy();
    });
  }

  for (const name of ['auth', 'api'] as const) {
    it(`${name} starts, is healthy, and ends cleanly on SIGTERM`, async () => {
      const child = start(name);
      const url = await untilReady(child);
      const ready = await fetch(`${url}/health/ready`);
      assert.equal(ready.status, 200, await ready.text());
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
    });

    it(`${name} names an invalid variable, without its value, and ends`, async () => {
      const child = start(name, { MONGODB_URI: 'postgres://secret@x', AUDIENCE: '' });
      let text = '';
      child.stderr?.on('data', (chunk) => {
        text += chunk;
      });
      assert.deepEqual(await once(child, 'exit'), [1, null]);
      assert.match(text, /MONGODB_URI: must start with mongodb:\/\/.*AUDIENCE|AUDIENCE.*MONGODB_URI/s);
      assert.doesNotMatch(text, /secret/);
    });
  }

  it('publish one key when two authentication servers start together', async () => {
    const change = { MONGODB_URI: mongo.uri('processes-two') };
    const urls = await Promise.all([untilReady(start('auth', change)), untilReady(start('auth', change))]);
    const sets = await Promise.all(urls.map(async (url) => (await fetch(`${url}/.well-known/jwks.json`)).json()));
    const { keys } = sets[0] as { keys: { alg: string }[] };
    assert.deepEqual(
      keys.map(({ alg }) => alg),
      ['RS256', 'EdDSA'],
    );
    assert.deepEqual(sets[0], sets[1]);
  });

  it('start auth only with the key of its database', async () => {
    const child = start('auth');
    await untilReady(child);
    const other = start('auth', { KEY_ENCRYPTION_KEY: createServiceSecrets().keyEncryptionKey });
    let text = '';
    other.stderr?.on('data', (chunk) => {
      text += chunk;
    });
    assert.deepEqual(await once(other, 'exit'), [1, null]);
    assert.match(text, /KEY_ENCRYPTION_KEY/);
  });

  it('report a signing key that the service did not make, and do not publish it', async () => {
    const databases = { MONGODB_URI: mongo.uri('processes-forged'), PORT: new URL(setting.url('auth')).port };
    const url = await untilReady(start('auth', databases));
    const connection = await connectMongo(databases.MONGODB_URI);
    try {
      const forged = { _id: 'forged' as never, state: 'RETIRING', publicJwk: { kty: 'RSA', kid: 'forged' } };
      await connection.collection('signing_keys').insertOne({ ...forged, createdAt: new Date() });
      const readiness: number[] = [];
      const isReported = async () => {
        readiness.push((await fetch(`${url}/health/ready`)).status);
        return /^auth_untrusted_signing_keys 1$/m.test(await (await fetch(`${url}/metrics`)).text());
      };
      await until(isReported, { timeoutMs: 10_000 });
      assert.deepEqual([...new Set(readiness)], [200]);
      const published = (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] };
      assert.equal(published.keys.length, 2);
      assert.ok(published.keys.every(({ kid }) => kid !== 'forged'));
    } finally {
      await connection.close();
    }
  });

  it('refuse the live token of a disabled client within ten seconds, also when its record is put back', async () => {
    const { clientSecretKey } = setting.secrets;
    const databases = { MONGODB_URI: mongo.uri('processes-disabled'), AUTH_ISSUER: setting.url('auth') };
    const adminPort = await freePort();
    const adminUrl = `http://127.0.0.1:${adminPort}`;
    const auth = start('auth', {
      ...databases,
      PORT: new URL(setting.url('auth')).port,
      ADMIN_PORT: String(adminPort),
    });
    const [authUrl, apiUrl] = [await untilReady(auth), await untilReady(start('api', databases))];
    const connection = await connectMongo(databases.MONGODB_URI);
    try {
      const clients = new ClientStore(connection, Buffer.from(clientSecretKey, 'base64'));
      const rights = { name: 'Test', organisationId: 1000, codespaces: [], scopes: ['clients:write', 'offers:search'] };
      const make = async () => {
        const { client, secret } = await clients.create(rights);
        const credentials = { client_id: client.clientId, client_secret: secret, audience: setting.audience };
        const { access_token: token } = await fetchToken(authUrl, credentials);
        const statusOf = async (method: string, url: string) =>
          (await fetch(url, { method, headers: { authorization: `Bearer ${token}` } })).status;
        const refused = async (url: string) => (await statusOf('GET', url)) === 401;
        return { id: client.clientId, credentials, statusOf, refused };
      };
      const [client, other] = [await make(), await make()];
      const documents = connection.collection<{ _id: string }>('clients');
      const earlier = await documents.findOne({ _id: client.id });
      assert.ok(earlier);
      const catalogue = `${apiUrl}/v1/catalogue`;
      assert.equal(await client.statusOf('GET', catalogue), 200);
      assert.equal(await client.statusOf('POST', `${adminUrl}/admin/clients/${client.id}/disable`), 200);
      await assert.rejects(fetchToken(authUrl, client.credentials));
      await until(() => client.refused(catalogue), { timeoutMs: 10_000 });
      await until(() => client.refused(`${adminUrl}/admin/clients`), { timeoutMs: 10_000 });

      // An attacker restores the record from before. Once the other client is refused too, every process has looked
      // again.
      await documents.replaceOne({ _id: client.id }, earlier);
      assert.equal(await other.statusOf('POST', `${adminUrl}/admin/clients/${other.id}/disable`), 200);
      await until(() => other.refused(catalogue), { timeoutMs: 10_000 });
      await until(() => other.refused(`${adminUrl}/admin/clients`), { timeoutMs: 10_000 });
      for (const url of [catalogue, `${adminUrl}/admin/clients`]) assert.ok(await client.refused(url), url);
    } finally {
      await connection.close();
    }
  });
});
