/** Tests the process that decodes payloads for the Temporal UI, in development and in production. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { CODEC_BODY_LIMIT_BYTES } from '../../api/codec/codec-router.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { type Child, Children } from '../../dev/stack/children.ts';
import { waitUntilReady } from '../../dev/stack/wait.ts';
import { makeCertificate, writeFiles } from '../support/certificate.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { useMongo } from '../support/stack.ts';
import { AUDIENCE, type AuthServer, startAuth } from './support/auth.ts';

const ORIGIN = 'http://127.0.0.1:8233';
const SECRET_TEXT = 'Kari Nordmann';
const DECODER = {
  client_id: 'decoder',
  client_secret: 'decoder-secret',
  name: 'Operations',
  organisationId: 1000,
  codespaces: [],
  scopes: ['payloads:decode'],
};
const ENCODER = { ...DECODER, client_id: 'encoder', client_secret: 'encoder-secret', scopes: ['payloads:encode'] };

interface Ask {
  readonly origin?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

describe('payload codec server', () => {
  const children = new Children();
  const logs = temporaryDirectory('codec');
  const certificate = makeCertificate();
  const { certFile } = writeFiles(temporaryDirectory('codec'), certificate);
  let auth: AuthServer;
  /** A proxy in front of `auth`, as in production. */
  let proxy: Server;
  let issuer: string;
  let [development, production] = ['', ''];

  before(async () => {
    proxy = createServer(certificate, async ({ url }, response) => {
      response.end(await (await fetch(`${auth.url}${url}`)).text());
    });
    proxy.listen(0, 'localhost');
    await once(proxy, 'listening');
    issuer = `https://localhost:${(proxy.address() as AddressInfo).port}`;
    auth = await startAuth({ issuer });
    await auth.clients.ensureClient(DECODER);
    await auth.clients.ensureClient(ENCODER);
    const PAYLOAD_KEYS = `test:${randomBytes(32).toString('base64')}`;
    [development, production] = await Promise.all([
      start('development', { PAYLOAD_KEYS }),
      start('production', { PAYLOAD_KEYS, TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: 'https://codec.example' }),
    ]);
  });
  after(async () => {
    await children.stopAll(2_000);
    proxy.close();
    await auth.close();
  });

  async function start(environment: string, env: Record<string, string>): Promise<string> {
    const MONGODB_URI = (await useMongo()).uri(auth.connection.name);
    const child = children.start({
      name: environment,
      command: process.execPath,
      args: [join(projectRoot, 'api/codec/server.ts')],
      env: {
        ENVIRONMENT: environment,
        PORT: '0',
        MONGODB_URI,
        AUTH_ISSUER: issuer,
        AUDIENCE,
        ...env,
        NODE_EXTRA_CA_CERTS: certFile,
        CODEC_ORIGINS: `${ORIGIN},http://localhost:8233`,
        LOG_LEVEL: 'debug',
      },
      logFile: join(logs, environment),
    });
    await waitUntilReady(child, async () => assert.ok(findUrl(child)), 20_000);
    return findUrl(child) ?? '';
  }

  /** The process prints its URL when it is ready, since the system chooses the port. */
  const findUrl = (child: Child) => /"url":"([^"]+)".*"msg":"ready"/.exec(child.lastLines())?.[1];

  async function post(url: string, path: string, body: unknown, { origin, token, headers = {} }: Ask) {
    return await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        // The header of the proxy in front of it.
        'x-forwarded-proto': 'https',
        'x-namespace': 'default',
        ...(path === '/encode' && { 'x-workflow-id': 'import/1' }),
        ...(origin !== undefined && { origin }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  async function tokenOf({ client_id, client_secret }: { client_id: string; client_secret: string }): Promise<string> {
    const answer = await fetch(`${auth.url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'client_credentials', client_id, client_secret, audience: AUDIENCE }),
    });
    return ((await answer.json()) as { access_token: string }).access_token;
  }

  const plain = { metadata: { encoding: base64('json/plain') }, data: base64(JSON.stringify({ name: SECRET_TEXT })) };
  const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code;

  it("decodes payloads for a developer's UI", async () => {
    const encrypted = await (await post(development, '/encode', { payloads: [plain] }, { origin: ORIGIN })).json();
    assert.ok(!JSON.stringify(encrypted).includes(plain.data));
    const answer = await post(development, '/decode', encrypted, { origin: ORIGIN });
    assert.equal(answer.headers.get('access-control-allow-origin'), ORIGIN);
    assert.deepEqual(await answer.json(), { payloads: [plain] });
  });

  it('opens payloads for their own namespace alone, and seals them only for a workflow', async () => {
    const origin = ORIGIN;
    const sealed = await (await post(development, '/encode', { payloads: [plain] }, { origin })).json();
    const refusals: [string, unknown, Record<string, string>][] = [
      ['/decode', sealed, { 'x-namespace': 'other' }],
      ['/decode', sealed, { 'x-namespace': '' }],
      ['/encode', { payloads: [plain] }, { 'x-workflow-id': '' }],
    ];
    for (const [path, body, headers] of refusals) {
      const answer = await post(development, path, body, { origin, headers });
      assert.deepEqual([answer.status, await codeOf(answer)], [400, 'VALIDATION_FAILED']);
    }
  });

  it('answers what is not sealed as it is', async () => {
    const answer = await post(development, '/decode', { payloads: [plain] }, { origin: ORIGIN });
    assert.deepEqual(await answer.json(), { payloads: [plain] });
  });

  it('requires a token with its own scope in production, from the UI and from the command', async () => {
    const token = await tokenOf(DECODER);
    const sealing = { token: await tokenOf(ENCODER) };
    const encrypted = await (await post(production, '/encode', { payloads: [plain] }, sealing)).json();
    for (const origin of [{}, { origin: ORIGIN }]) {
      const answer = await post(production, '/decode', encrypted, { token, ...origin });
      assert.deepEqual(await answer.json(), { payloads: [plain] });
      const refused = await post(production, '/decode', encrypted, origin);
      assert.deepEqual([refused.status, await codeOf(refused)], [401, 'MISSING_TOKEN']);
    }
    const forged = await post(production, '/decode', encrypted, { token: `${token.slice(0, -8)}AAAAAAAA` });
    assert.deepEqual([forged.status, await codeOf(forged)], [401, 'INVALID_TOKEN']);
    const other = await post(production, '/decode', encrypted, { token: await auth.operatorToken() });
    assert.deepEqual([other.status, await codeOf(other)], [403, 'INSUFFICIENT_SCOPE']);
  });

  it('gives who may decode no right to encode, nor the reverse', async () => {
    for (const [path, client] of [
      ['/encode', DECODER],
      ['/decode', ENCODER],
    ] as const) {
      for (const url of [development, production]) {
        const refused = await post(url, path, { payloads: [plain] }, { token: await tokenOf(client) });
        assert.deepEqual([refused.status, await codeOf(refused)], [403, 'INSUFFICIENT_SCOPE']);
      }
    }
  });

  it('requires a token in development from callers other than the UI', async () => {
    assert.equal((await post(development, '/decode', { payloads: [] }, {})).status, 401);
    assert.equal((await post(development, '/decode', { payloads: [] }, { token: await tokenOf(DECODER) })).status, 200);
  });

  it('answers preflights of the UI', async () => {
    const answer = await fetch(`${development}/decode`, {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-namespace',
      },
    });
    assert.equal(answer.status, 204);
    assert.equal(answer.headers.get('access-control-allow-origin'), ORIGIN);
    assert.match(answer.headers.get('access-control-allow-headers') ?? '', /authorization,content-type,x-namespace/);
  });

  it('refuses other pages, with or without a token', async () => {
    const token = await tokenOf(DECODER);
    for (const origin of ['http://elsewhere.example', 'null', `${ORIGIN}.elsewhere.example`]) {
      for (const url of [development, production]) {
        const answer = await post(url, '/decode', { payloads: [] }, { origin, token });
        assert.equal(answer.status, 403);
        assert.equal(answer.headers.get('access-control-allow-origin'), null);
      }
    }
  });

  it('refuses bodies that are too large or malformed, and payloads that it cannot open', async () => {
    const origin = ORIGIN;
    const large = `{"payloads":[{"data":"${'A'.repeat(CODEC_BODY_LIMIT_BYTES)}"}]}`;
    assert.equal((await post(development, '/decode', large, { origin })).status, 413);
    assert.equal((await post(development, '/decode', '{', { origin })).status, 400);
    assert.equal(
      (await post(development, '/decode', '[]', { origin, headers: { 'content-type': 'text/plain' } })).status,
      415,
    );
    const foreign = { metadata: { encoding: base64('binary/sealed'), 'encryption-key-id': base64(SECRET_TEXT) } };
    for (const body of [{ payloads: [foreign] }, { payloads: SECRET_TEXT }, { payloads: [7] }, 'null']) {
      const answer = await post(development, '/decode', body, { origin });
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.ok(!(await answer.text()).includes(SECRET_TEXT));
    }
    assert.equal((await post(development, '/else', {}, { origin })).status, 404);
    assert.equal((await fetch(`${development}/decode`, { headers: { origin } })).status, 405);
  });

  it('logs the caller, never the payload', async () => {
    const log = `${readFileSync(join(logs, 'development'), 'utf8')}${readFileSync(join(logs, 'production'), 'utf8')}`;
    assert.match(log, /"clientId":"decoder".*"operation":"decodePayloads"/);
    for (const text of [SECRET_TEXT, base64(SECRET_TEXT), plain.data]) assert.ok(!log.includes(text));
  });
});

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
