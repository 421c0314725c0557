/**
 * Runs the HTTP processes as in production: API and authentication server with their own TLS, the planner behind the
 * API. Tests a token and a request over HTTPS, plain HTTP at each process, and a new certificate on SIGHUP.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ClientStore } from '../../../activities/auth/client-store.ts';
import { freePort } from '../../../dev/stack/ports.ts';
import { type ProcessSetting, processEnvironment } from '../../../dev/stack/processes.ts';
import { createServiceSecrets } from '../../../dev/stack/secrets.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { makeCertificate, writeFiles } from '../../support/certificate.ts';
import { temporaryDirectory } from '../../support/folders.ts';
import { onOtherPorts } from '../../support/on-other-ports.ts';
import { programEnvironment } from '../../support/run.ts';
import { useMongo, useObjectStore, useTemporal } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { fetchUrl } from './support.ts';

const ENTRIES = { auth: 'auth/server.ts', api: 'server.ts', journeyPlanner: 'journey-planner/server.ts' } as const;
type Name = keyof typeof ENTRIES;
const NAMES = Object.keys(ENTRIES) as Name[];
const AUDIENCE = 'https://api.test';
/** The port of processes that the test does not start. */
const NOBODY = 9;
const JSON_TYPE = { 'content-type': 'application/json' };

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly plainUrl: string;
}

describe('HTTP processes in production', () => {
  const certificate = makeCertificate('first');
  const other = makeCertificate('second');
  const ca = [certificate.cert, other.cert];
  const files = writeFiles(temporaryDirectory('processes'), certificate);
  const tls = { TLS_CERT_FILE: files.certFile, TLS_KEY_FILE: files.keyFile };
  const ports = new Map<string, number>();
  const running = new Map<Name, Running>();
  const credentials = { client_id: '', client_secret: '', audience: AUDIENCE, grant_type: 'client_credentials' };
  let setting: ProcessSetting;

  before(async () => {
    const [mongo, objectStore, temporal] = await Promise.all([useMongo(), useObjectStore(), useTemporal()]);
    setting = {
      servers: { MONGODB_URI: mongo.uri('https'), ...objectStore, TEMPORAL_ADDRESS: temporal.address },
      customerKeysUri: mongo.uri('https_keys'),
      secrets: createServiceSecrets(),
      audience: AUDIENCE,
      url: (name) => `${name === 'journeyPlanner' ? 'http' : 'https'}://localhost:${ports.get(name) ?? NOBODY}`,
      workflowBundle: '',
      plannerBundle: '',
      plannerCache: temporaryDirectory('planner'),
      // Over the simulator of a local stack, which production refuses.
      overrides: { PAYMENT_PROVIDERS: '' },
    };
    await createClient();
    await onOtherPorts(startAll);
  });
  after(stopAll);

  async function startAll(): Promise<void> {
    await stopAll();
    for (const name of [...NAMES, 'plainAuth', 'plainApi']) ports.set(name, await freePort());
    running.set('auth', await start('auth', { ...tls, HTTP_PORT: String(ports.get('plainAuth')) }));
    const api = { ...tls, HTTP_PORT: String(ports.get('plainApi')), PUBLIC_URL: 'https://api.example.no' };
    running.set('api', await start('api', api));
    running.set('journeyPlanner', await start('journeyPlanner', { PUBLIC_URL: 'https://api.example.no' }));
  }

  async function stopAll(): Promise<void> {
    for (const { child } of running.values()) {
      const ended = child.exitCode === null && child.signalCode === null && once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    running.clear();
  }

  async function createClient(): Promise<void> {
    const connection = await connectMongo(String(setting.servers.MONGODB_URI));
    const clients = new ClientStore(connection, Buffer.from(setting.secrets.clientSecretKey, 'base64'));
    await clients.ensureIndexes();
    const rights = { name: 'Partner', organisationId: 1, codespaces: [], scopes: ['offers:search'] };
    const { client, secret } = await clients.create(rights);
    Object.assign(credentials, { client_id: client.clientId, client_secret: secret });
    await connection.close();
  }

  async function start(name: Name, environment: Record<string, string>): Promise<Running> {
    const entry = fileURLToPath(new URL(`../../../api/${ENTRIES[name]}`, import.meta.url));
    const port = String(ports.get(name));
    const trust = { NODE_EXTRA_CA_CERTS: files.certFile };
    const env = { ...programEnvironment(), ...processEnvironment(name, setting), ...trust, PORT: port };
    const child = spawn(process.execPath, [entry], {
      env: { ...env, ENVIRONMENT: 'production', ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await untilReady(child);
    child.stdout?.resume();
    const { HTTP_PORT: plainPort } = environment;
    return { child, url, plainUrl: plainPort === undefined ? url : `http://127.0.0.1:${plainPort}` };
  }

  async function untilReady(child: ChildProcess): Promise<string> {
    const lines = createInterface({ input: child.stdout ?? process.stdin });
    for await (const line of lines) {
      const entry = JSON.parse(line) as { msg: string; url?: string };
      if (entry.msg === 'ready') return String(entry.url);
    }
    throw new Error(`ended while starting, with ${child.exitCode}`);
  }

  const at = (name: Name): Running => {
    const found = running.get(name);
    assert.ok(found, name);
    return found;
  };
  const requestToken = (url: string) =>
    fetchUrl(`${url}/oauth/token`, { method: 'POST', ca, headers: JSON_TYPE, body: JSON.stringify(credentials) });

  it('issue a token, accept it and fetch its keys, all by HTTPS', async () => {
    const issued = await requestToken(at('auth').url);
    assert.equal(issued.status, 200, issued.text);
    assert.equal(issued.headers['strict-transport-security'], 'max-age=31536000');
    const authorization = `Bearer ${(JSON.parse(issued.text) as { access_token: string }).access_token}`;
    const answer = await fetchUrl(`${at('api').url}/v1/catalogue`, { ca, headers: { authorization } });
    assert.equal(answer.status, 200, answer.text);
  });

  it('refuse a token request by plain HTTP in the error format of RFC 6749', async () => {
    const { status, headers, text } = await requestToken(at('auth').plainUrl);
    assert.deepEqual([status, headers.allow, headers['content-type']], [405, 'GET, HEAD', 'application/json']);
    assert.deepEqual(JSON.parse(text), {
      error: 'invalid_request',
      error_description: 'Plain HTTP is not supported. Send the request again by HTTPS.',
    });
  });

  for (const [name, path, post] of [
    ['auth', '/.well-known/jwks.json?a=b', '/admin/clients'],
    ['api', '/v1/catalogue?a=b', '/customers/v2/profiles'],
    ['journeyPlanner', '/journey-planner/v3/ide?a=b', '/journey-planner/v3/graphql'],
  ] as const) {
    it(`redirect and refuse plain HTTP, probes excepted: ${name}`, async () => {
      const { plainUrl } = at(name);
      const redirect = await fetchUrl(`${plainUrl}${path}`, { headers: { host: 'evil.test' } });
      const base = name === 'auth' ? setting.url('auth') : 'https://api.example.no';
      assert.deepEqual([redirect.status, redirect.headers.location], [301, `${base}${path}`]);
      const refused = await fetchUrl(`${plainUrl}${post}`, { method: 'POST', headers: JSON_TYPE, body: '{}' });
      assert.deepEqual([refused.status, refused.headers.allow], [405, 'GET, HEAD']);
      assert.equal(refused.headers['content-type'], 'application/problem+json');
      assert.equal((await fetchUrl(`${plainUrl}/health/live`)).status, 200);
      assert.equal((await fetchUrl(`${plainUrl}/metrics`)).status, 200);
    });
  }

  it('forward requests to the planner only when they came by HTTPS', async () => {
    const question = {
      method: 'POST',
      ca,
      body: JSON.stringify({ query: '{ lines { id } }' }),
      headers: { ...JSON_TYPE, 'service-client-name': 'test-https' },
    };
    const path = '/journey-planner/v3/graphql';
    const answer = await fetchUrl(`${at('api').url}${path}`, question);
    assert.equal(answer.status, 503, 'from the planner, which has no timetable yet');
    assert.match(answer.text, /NO_TIMETABLE/);
    assert.equal((await fetchUrl(`${at('api').plainUrl}${path}`, question)).status, 405);
  });

  it('load another certificate on SIGHUP', async () => {
    const { child, url } = at('auth');
    const shown = async () => (await fetchUrl(`${url}/health/live`, { ca })).fingerprint;
    const before = await shown();
    const { certFile } = files;
    writeFiles(certFile.slice(0, certFile.lastIndexOf('/')), other);
    child.kill('SIGHUP');
    await until(async () => (await shown()) !== before, { timeoutMs: 5_000 });
    assert.equal(child.exitCode, null);
  });

  it('do not start in production with a plain HTTP issuer', async () => {
    const entry = fileURLToPath(new URL('../../../api/auth/server.ts', import.meta.url));
    const env = { ...processEnvironment('auth', setting), ISSUER: 'http://auth.test', ENVIRONMENT: 'production' };
    const child = spawn(process.execPath, [entry], {
      env: { ...programEnvironment(), ...env, PORT: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let text = '';
    child.stderr?.on('data', (chunk) => {
      text += chunk;
    });
    assert.deepEqual(await once(child, 'exit'), [1, null]);
    assert.match(text, /ISSUER: must start with https/);
  });
});
