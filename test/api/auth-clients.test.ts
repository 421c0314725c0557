/** Tests every operation and every refusal of /admin/clients, on a real server and database. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { SCOPES } from '../../activities/auth/client-scopes.ts';
import { type Json, toJson } from '../../api/shared/openapi-reference.ts';
import { AUDIENCE, type AuthServer, CLIENT, OPERATOR, startAuth } from './support/auth.ts';

const NEW = {
  name: 'Fjordbuss',
  organisationId: 12,
  codespaces: ['fjb'],
  scopes: ['timetable:read', 'timetable:write'],
};
const ABSENT = randomUUID();

describe('administration of clients', () => {
  let auth: AuthServer;
  let token: string;

  before(async () => {
    auth = await startAuth();
    token = await auth.operatorToken();
  });
  after(async () => {
    await auth.close();
  });

  async function call(method: string, path = '', body?: unknown, authorization = `Bearer ${token}`) {
    const response = await fetch(`${auth.adminUrl}/admin/clients${path}`, {
      method,
      headers: {
        ...(authorization === '' ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, json: (text === '' ? {} : JSON.parse(text)) as Json };
  }
  async function create(changed: object = {}) {
    const { status, json } = await call('POST', '', { ...NEW, ...changed });
    assert.equal(status, 201);
    return { path: `/${json.client_id}`, client_id: String(json.client_id), client_secret: String(json.client_secret) };
  }
  /** The status of a token request. */
  async function requestToken(client_id: string, client_secret: string): Promise<number> {
    const body = { grant_type: 'client_credentials', client_id, client_secret, audience: AUDIENCE };
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${auth.url}/oauth/token`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
  }
  async function expectProblem(status: number, code: string, ...request: Parameters<typeof call>) {
    const answer = await call(...request);
    assert.deepEqual([answer.status, answer.json.code], [status, code], JSON.stringify(answer.json));
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
    return answer;
  }
  const pointersOf = ({ json }: { json: Json }) => (json.errors as { pointer: string }[]).map(({ pointer }) => pointer);

  it('is not on the public listener, whatever the token', async () => {
    for (const [method, path] of [
      ['GET', '/admin/clients'],
      ['POST', '/admin/clients'],
      ['GET', `/admin/clients/${OPERATOR.client_id}`],
      ['GET', '/api-docs/auth-admin'],
    ] as const) {
      for (const authorization of ['', `Bearer ${token}`]) {
        const response = await fetch(`${auth.url}${path}`, { method, headers: authorization ? { authorization } : {} });
        assert.equal(response.status, 404, `${method} ${path}`);
        await response.arrayBuffer();
      }
    }
    const issued = await fetch(`${auth.adminUrl}/oauth/token`, { method: 'POST' });
    assert.equal(issued.status, 404);
  });

  it('creates a client and shows its secret once', async () => {
    const { status, json, headers } = await call('POST', '', NEW);
    assert.equal(status, 201);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('location'), `/admin/clients/${json.client_id}`);
    assert.match(String(json.client_secret), /^[\w-]{43}$/);
    assert.equal(await requestToken(String(json.client_id), String(json.client_secret)), 200);

    const shown = await call('GET', `/${json.client_id}`);
    const { client_secret: _, ...created } = json;
    assert.deepEqual(shown.json, created);
    const { client_id: __, createdAt, secrets, ...rest } = created;
    assert.deepEqual(rest, { ...NEW, disabled: false, jwks: { keys: [] }, trusted: true });
    assert.match(String(createdAt), /Z$/);
    assert.deepEqual(Object.keys((secrets as Json[])[0] ?? {}), ['id', 'createdAt']);
  });

  it('lists clients in pages, without their secrets', async () => {
    const made = await create();
    const { json } = await call('GET', '?perPage=2&page=1');
    assert.deepEqual([json.page, json.perPage, (json.items as Json[]).length], [1, 2, 2]);
    const all = await call('GET', '?perPage=100');
    assert.ok((all.json.items as Json[]).some(({ client_id }) => client_id === made.client_id));
    assert.ok(!/hash|"client_secret"/.test(JSON.stringify(all.json)));
    for (const query of ['?page=0', '?perPage=101', '?perPage=x', '?q=1']) {
      await expectProblem(400, 'VALIDATION_FAILED', 'GET', query);
    }
  });

  it('replaces a secret without an interruption', async () => {
    const { path, client_id, client_secret } = await create();
    const { status, json, headers } = await call('POST', `${path}/secrets`);
    assert.equal(status, 201);
    assert.equal(headers.get('location'), `/admin/clients${path}/secrets/${json.secretId}`);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.deepEqual(
      [await requestToken(client_id, client_secret), await requestToken(client_id, String(json.client_secret))],
      [200, 200],
    );
    const secrets = (await call('GET', path)).json.secrets as { id: string; expiresAt?: string }[];
    assert.deepEqual(
      secrets.map(({ expiresAt }) => expiresAt !== undefined),
      [true, false],
    );
    await expectProblem(409, 'INVALID_STATE', 'POST', `${path}/secrets`);
    assert.equal((await call('DELETE', `${path}/secrets/${secrets[0]?.id}`)).status, 204);
    assert.deepEqual(
      [await requestToken(client_id, client_secret), await requestToken(client_id, String(json.client_secret))],
      [401, 200],
    );
    assert.equal((await call('POST', `${path}/secrets`)).status, 201);
  });

  it('disables and enables a client', async () => {
    const { path, client_id, client_secret } = await create();
    for (let time = 0; time < 2; time += 1) {
      const { status, json } = await call('POST', `${path}/disable`);
      assert.deepEqual([status, json.disabled], [200, true]);
    }
    assert.equal(await requestToken(client_id, client_secret), 401);
    const { status, json } = await call('POST', `${path}/enable`);
    assert.deepEqual([status, json.disabled, json.disabledAt], [200, false, undefined]);
    assert.equal(await requestToken(client_id, client_secret), 200);
  });

  it('deletes a client', async () => {
    const { path, client_id, client_secret } = await create();
    assert.equal((await call('DELETE', path)).status, 204);
    assert.equal(await requestToken(client_id, client_secret), 401);
    await expectProblem(404, 'NOT_FOUND', 'DELETE', path);
  });

  it('answers 404 for missing clients and secrets', async () => {
    const { path } = await create();
    const key = { keys: [] };
    const requests: [string, string, unknown?][] = [
      ['GET', `/${ABSENT}`],
      ['DELETE', `/${ABSENT}`],
      ['POST', `/${ABSENT}/secrets`],
      ['DELETE', `/${ABSENT}/secrets/${randomUUID()}`],
      ['DELETE', `${path}/secrets/${randomUUID()}`],
      ['PUT', `/${ABSENT}/jwks`, key],
      ['PUT', `/${ABSENT}/jwks`, { keys: 5 }],
      ['POST', `/${ABSENT}/disable`],
      ['POST', `/${ABSENT}/enable`],
      ['GET', `${path}/nothing`],
    ];
    for (const [method, to, body] of requests) await expectProblem(404, 'NOT_FOUND', method, to, body);
    await expectProblem(400, 'INVALID_IDENTIFIER', 'DELETE', `${path}/secrets/1`);
    const { headers } = await expectProblem(405, 'METHOD_NOT_ALLOWED', 'PATCH', path, {});
    assert.equal(headers.get('allow'), 'GET, DELETE, HEAD, OPTIONS');
  });

  it('refuses incomplete and malformed bodies', async () => {
    for (const name of ['name', 'organisationId', 'scopes']) {
      const answer = await expectProblem(400, 'VALIDATION_FAILED', 'POST', '', { ...NEW, [name]: undefined });
      assert.deepEqual(pointersOf(answer), [`/${name}`]);
    }
    const wrong: Record<string, unknown[]> = {
      name: ['', 'x'.repeat(201), 5],
      organisationId: [0, 1.5, '1', 2 ** 53],
      codespaces: ['dem', ['DEM'], ['dem', 'dem'], ['demo'], Array(201).fill('dem')],
      scopes: [[], 'orders:read', ['orders:all'], ['orders:read', 'orders:read']],
      client_id: ['mine'],
    };
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        const [pointer = ''] = pointersOf(
          await expectProblem(400, 'VALIDATION_FAILED', 'POST', '', { ...NEW, [name]: value }),
        );
        assert.ok(pointer.startsWith(`/${name}`), pointer);
      }
    }
    await expectProblem(400, 'MALFORMED_JSON', 'POST', '', '{');
  });

  it('gives no partner the scopes of the operator', async () => {
    const mixed = {
      ...NEW,
      scopes: ['orders:read', 'timetable:read', 'clients:write', 'realtime:write', 'events:read'],
    };
    const answer = await expectProblem(422, 'VALIDATION_FAILED', 'POST', '', mixed);
    assert.deepEqual(pointersOf(answer), ['/scopes/1', '/scopes/2', '/scopes/3']);
    // A client with this scope could grant itself the others.
    const administers = { ...NEW, scopes: ['clients:write', 'events:read', 'organisation:any'] };
    const refused = await expectProblem(422, 'VALIDATION_FAILED', 'POST', '', administers);
    assert.deepEqual(pointersOf(refused), ['/scopes/0', '/scopes/2']);
    await create({ scopes: ['orders:read', 'events:read'] });
    await create({ scopes: ['timetable:write', 'events:read', 'realtime:write'] });
    await create({ scopes: [...SCOPES], organisationId: OPERATOR.organisationId, codespaces: ['*'] });
  });

  it('has all scopes in its document', async () => {
    const document = (await (await fetch(`${auth.adminUrl}/api-docs/auth-admin`)).json()) as Json;
    const schemas = toJson(toJson(document.components, 'components').schemas, 'schemas');
    assert.deepEqual(toJson(schemas.Scope, 'Scope').enum, SCOPES);
  });

  it('registers public keys, shows their used members, and removes them', async () => {
    const { path } = await create();
    const jwk = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
    const { status, json } = await call('PUT', `${path}/jwks`, { keys: [{ ...jwk, kid: 'a', x5t: 'unknown' }] });
    assert.deepEqual([status, json], [200, { keys: [{ kty: 'OKP', kid: 'a', crv: 'Ed25519', x: jwk.x }] }]);
    assert.deepEqual((await call('GET', path)).json.jwks, json);
    assert.deepEqual((await call('PUT', `${path}/jwks`, { keys: [] })).json, { keys: [] });
  });

  it('refuses unsafe keys', async () => {
    const { path } = await create();
    const rsa = (modulusLength: number, publicExponent = 65_537) =>
      generateKeyPairSync('rsa', { modulusLength, publicExponent });
    const publicOf = (pair: { publicKey: { export(options: { format: 'jwk' }): object } }) =>
      pair.publicKey.export({ format: 'jwk' });
    const ed25519 = generateKeyPairSync('ed25519');
    const faults: Record<string, object[]> = {
      'a private key': [ed25519.privateKey.export({ format: 'jwk' })],
      'a short modulus': [publicOf(rsa(1_024))],
      'an even exponent': [{ ...publicOf(rsa(2_048)), e: 'AQAA' }],
      'another curve': [publicOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }))],
      'a key for encryption': [{ ...publicOf(ed25519), use: 'enc' }],
      'an algorithm of another key type': [{ ...publicOf(ed25519), alg: 'RS256' }],
      'an unsupported algorithm': [{ ...publicOf(rsa(2_048)), alg: 'RS512' }],
      'no coordinates': [{ kty: 'OKP', crv: 'Ed25519' }],
      'a point off the curve': [{ ...publicOf(generateKeyPairSync('ec', { namedCurve: 'P-256' })), x: 'AA' }],
      'two keys of a type without ids': [publicOf(ed25519), publicOf(generateKeyPairSync('ed25519'))],
      'a repeated id': [
        { ...publicOf(ed25519), kid: 'a' },
        { ...publicOf(rsa(2_048)), kid: 'a' },
      ],
    };
    for (const [name, keys] of Object.entries(faults)) {
      const { status } = await expectProblem(422, 'VALIDATION_FAILED', 'PUT', `${path}/jwks`, { keys });
      assert.equal(status, 422, name);
    }
    for (const keys of [[{ kty: 'oct', k: 'AA' }], [{}], Array(11).fill(publicOf(ed25519)), 'x']) {
      await expectProblem(400, 'VALIDATION_FAILED', 'PUT', `${path}/jwks`, { keys });
    }
  });

  it('requires a token of this environment with the scope', async () => {
    const missing = await expectProblem(401, 'MISSING_TOKEN', 'GET', '', undefined, '');
    assert.equal(missing.headers.get('www-authenticate'), 'Bearer');
    await expectProblem(401, 'MISSING_TOKEN', 'GET', '/a/path/that/is/not', undefined, '');
    const bad = await expectProblem(401, 'INVALID_TOKEN', 'GET', '', undefined, 'Bearer a.b.c');
    assert.equal(bad.headers.get('www-authenticate'), 'Bearer error="invalid_token"');
    const { client_id, client_secret } = CLIENT;
    const body = { grant_type: 'client_credentials', client_id, client_secret, audience: AUDIENCE };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${auth.url}/oauth/token`, { method: 'POST', headers, body: JSON.stringify(body) });
    const { access_token } = (await answer.json()) as { access_token: string };
    await expectProblem(403, 'INSUFFICIENT_SCOPE', 'GET', '', undefined, `Bearer ${access_token}`);
    const other = await startAuth({ audience: 'https://api.production' });
    try {
      await expectProblem(401, 'INVALID_TOKEN', 'GET', '', undefined, `Bearer ${await other.operatorToken()}`);
      const elsewhere = { ...body, client_id: OPERATOR.client_id, client_secret: OPERATOR.client_secret };
      const text = JSON.stringify(elsewhere);
      const refused = await fetch(`${other.url}/oauth/token`, { method: 'POST', headers, body: text });
      assert.deepEqual([refused.status, ((await refused.json()) as Json).error], [400, 'invalid_grant']);
    } finally {
      await other.close();
    }
  });

  it('logs change, client and caller, never a secret', async () => {
    auth.logged.length = 0;
    const { path, client_id, client_secret } = await create();
    const { json } = await call('POST', `${path}/secrets`);
    await call('POST', `${path}/disable`);
    await call('DELETE', path);
    const lines = auth.logged.map((line) => JSON.parse(line) as Json).filter(({ clientId }) => clientId === client_id);
    assert.deepEqual(
      lines.map(({ msg, client, address }) => [msg, client, address]),
      ['client created', 'secret added', 'client disabled', 'client deleted'].map((what) => [
        what,
        OPERATOR.client_id,
        '127.0.0.1',
      ]),
    );
    for (const secret of [client_secret, String(json.client_secret)]) assert.ok(!auth.logged.join('').includes(secret));
  });
});
