/** The HTTP processes as they are started for real: ready line, health, clean end on SIGTERM, one sentence for a bad configuration. */
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

  it('two authentication servers that start together publish one key', async () => {
    const change = { MONGODB_URI: mongo.uri('processes-two') };
    const urls = await Promise.all([untilReady(start('auth', change)), untilReady(start('auth', change))]);
    const sets = await Promise.all(urls.map(async (url) => (await fetch(`${url}/.well-known/jwks.json`)).json()));
    assert.equal((sets[0] as { keys: unknown[] }).keys.length, 1);
    assert.deepEqual(sets[0], sets[1]);
  });

  it('auth refuses a key that is not the one its database was made with', async () => {
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

  it('api refuses the live token of a client within ten seconds after auth has disabled it', async function () {
    this.timeout(120_000);
    const { clientSecretKey } = setting.secrets;
    const databases = { MONGODB_URI: mongo.uri('processes-disabled'), AUTH_ISSUER: setting.url('auth') };
    const auth = start('auth', { ...databases, PORT: new URL(setting.url('auth')).port });
    const [authUrl, apiUrl] = [await untilReady(auth), await untilReady(start('api', databases))];
    const connection = await connectMongo(databases.MONGODB_URI);
    try {
      const clients = new ClientStore(connection, Buffer.from(clientSecretKey, 'base64'));
      const rights = { name: 'Test', organisationId: 1000, codespaces: [], scopes: ['clients:write', 'offers:search'] };
      const { client, secret } = await clients.create(rights);
      const credentials = { client_id: client.clientId, client_secret: secret, audience: setting.audience };
      const authorization = `Bearer ${(await fetchToken(authUrl, credentials)).access_token}`;
      const ask = async (method: string, url: string) =>
        (await fetch(url, { method, headers: { authorization } })).status;
      assert.equal(await ask('GET', `${apiUrl}/v1/catalogue`), 200);
      assert.equal(await ask('POST', `${authUrl}/admin/clients/${client.clientId}/disable`), 200);
      await assert.rejects(fetchToken(authUrl, credentials));
      const refused = async (url: string) => (await ask('GET', url)) === 401;
      await until(() => refused(`${apiUrl}/v1/catalogue`), { timeoutMs: 10_000 });
      await until(() => refused(`${authUrl}/admin/clients`), { timeoutMs: 10_000 });
    } finally {
      await connection.close();
    }
  });
});
