/** Tests clients that authenticate with their own key (`private_key_jwt`, RFC 7523) instead of a secret. */
import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { exportJWK, SignJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import { CLOCK_TOLERANCE_SECONDS } from '../../activities/auth/client-assertion.ts';
import { AUDIENCE, type AuthServer, CLIENT, OPERATOR, startAuth } from './support/auth.ts';

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const ID = 'signs-itself';
const PAIRS = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: generateKeyPairSync('ed25519'),
};
const ALGORITHMS: Record<string, KeyObject> = {
  RS256: PAIRS.RS256.privateKey,
  PS256: PAIRS.RS256.privateKey,
  ES256: PAIRS.ES256.privateKey,
  EdDSA: PAIRS.EdDSA.privateKey,
};
type Members = Record<string, unknown>;

describe('client assertions', () => {
  let auth: AuthServer;
  before(async () => {
    auth = await startAuth({ limits: { perClient: 1_000, perAddress: 1_000 } });
    await auth.clients.ensureClient({ ...CLIENT, client_id: ID });
    await auth.clients.setJwks(
      ID,
      await Promise.all(Object.values(PAIRS).map(({ publicKey }) => exportJWK(publicKey))),
    );
  });
  after(async () => {
    await auth.close();
  });

  const now = () => Math.floor((auth.clock.now?.getTime() ?? Date.now()) / 1_000);
  const claims = (): Members => ({ iss: ID, sub: ID, aud: auth.url, exp: now() + 60, jti: randomUUID() });
  const sign = async (changed: Members = {}, alg = 'ES256', key = ALGORITHMS[alg], header: Members = {}) =>
    await new SignJWT({ ...claims(), ...changed }).setProtectedHeader({ alg, ...header }).sign(key as KeyObject);
  async function post(client_assertion: string, more: Members = {}) {
    const body = {
      grant_type: 'client_credentials',
      audience: AUDIENCE,
      client_assertion_type: TYPE,
      client_assertion,
      ...more,
    };
    const response = await fetch(`${auth.url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, json: (await response.json()) as Members };
  }
  async function expectRefused(assertion: string, why?: string) {
    auth.logged.length = 0;
    const { status, json } = await post(assertion);
    assert.deepEqual([status, json], [401, { error: 'unauthorized_client', error_description: 'Unauthorized client' }]);
    if (why !== undefined) assert.match(auth.logged.join(''), new RegExp(`"outcome":"${why}`));
    assert.ok(!auth.logged.join('').includes(assertion.split('.')[2] || 'no signature'));
  }

  for (const alg of Object.keys(ALGORITHMS)) {
    it(`are accepted when signed with ${alg}`, async () => {
      const { status, json } = await post(await sign({}, alg));
      assert.deepEqual([status, json.scope], [200, CLIENT.scopes.join(' ')]);
    });
  }

  it('may name the issuer or the token endpoint, alone or in a list, with or without client_id', async () => {
    for (const aud of [auth.url, `${auth.url}/oauth/token`, [auth.url], [auth.url, `${auth.url}/oauth/token`]]) {
      assert.equal((await post(await sign({ aud }), { client_id: ID })).status, 200);
    }
  });

  it('work with a strict OAuth client library that reads the metadata', async () => {
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(auth.url);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
    );
    assert.ok(server.token_endpoint_auth_methods_supported?.includes('private_key_jwt'));
    const algorithms = server.token_endpoint_auth_signing_alg_values_supported;
    assert.deepEqual(algorithms, ['RS256', 'PS256', 'ES256', 'EdDSA']);
    const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
    await auth.clients.ensureClient({ ...CLIENT, client_id: 'strict' });
    await auth.clients.setJwks('strict', [await exportJWK(pair.publicKey)]);
    const client = { client_id: 'strict' };
    const answer = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      oauth.PrivateKeyJwt(pair.privateKey),
      new URLSearchParams({ audience: AUDIENCE }),
      insecure,
    );
    assert.equal((await oauth.processClientCredentialsResponse(server, client, answer)).token_type, 'bearer');
  });

  it('are accepted once, also under concurrent requests', async () => {
    const assertion = await sign();
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await post(assertion)).status));
    assert.deepEqual(statuses.toSorted(), [200, ...Array(19).fill(401)]);
    await expectRefused(assertion, 'assertion used before');
  });

  it('may have the same jti as an assertion of another client', async () => {
    const jti = randomUUID();
    await auth.clients.ensureClient({ ...CLIENT, client_id: 'other' });
    await auth.clients.setJwks('other', [await exportJWK(PAIRS.ES256.publicKey)]);
    assert.equal((await post(await sign({ jti }))).status, 200);
    assert.equal((await post(await sign({ jti, iss: 'other', sub: 'other' }))).status, 200);
  });

  it('cannot be used again before or after they expire', async () => {
    const assertion = await sign({ exp: now() + 300 });
    assert.equal((await post(assertion)).status, 200);
    const [used] = await auth.connection
      .collection<{ expiresAt: Date }>('client_assertions')
      .find()
      .sort({ expiresAt: -1 })
      .toArray();
    const last = (now() + 300 + CLOCK_TOLERANCE_SECONDS) * 1_000;
    assert.ok(Math.abs((used?.expiresAt.getTime() ?? 0) - last) < 5_000);
    auth.clock.now = new Date(last);
    try {
      await expectRefused(assertion, 'unfit assertion');
    } finally {
      delete auth.clock.now;
    }
  });

  const UNFIT: Record<string, () => Members> = {
    'another audience': () => ({ aud: 'https://auth.production' }),
    'a second audience': () => ({ aud: [auth.url, 'https://auth.production'] }),
    'no audience': () => ({ aud: undefined }),
    'the audience of the API': () => ({ aud: AUDIENCE }),
    'another issuer than subject': () => ({ iss: OPERATOR.client_id }),
    'no issuer': () => ({ iss: undefined }),
    'no expiry': () => ({ exp: undefined }),
    'a late expiry': () => ({ exp: now() + 310 }),
    'a past expiry': () => ({ exp: now() - CLOCK_TOLERANCE_SECONDS - 1 }),
    'a future start': () => ({ nbf: now() + CLOCK_TOLERANCE_SECONDS + 5 }),
    'a future time of issue': () => ({ iat: now() + CLOCK_TOLERANCE_SECONDS + 5 }),
    'no jti': () => ({ jti: undefined }),
    'an empty jti': () => ({ jti: '' }),
    'a numeric jti': () => ({ jti: 5 }),
    'a giant jti': () => ({ jti: 'x'.repeat(256) }),
  };
  for (const [name, change] of Object.entries(UNFIT)) {
    it(`are refused with ${name}`, async () => await expectRefused(await sign(change()), 'unfit assertion'));
  }

  it('are refused when another party signed them, with any claims', async () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const foreign = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const jwk = await exportJWK(foreign.publicKey);
    const hmac = (secret: string | Buffer) => {
      const text = `${encode({ alg: 'HS256' })}.${encode(claims())}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };
    const [head, body] = (await sign()).split('.');
    await expectRefused(await sign({}, 'RS256', foreign.privateKey), 'wrong assertion');
    await expectRefused(await sign({}, 'RS256', foreign.privateKey, { jwk }), 'wrong assertion');
    await expectRefused(await sign({}, 'RS256', PAIRS.RS256.privateKey, { kid: 'unknown' }), 'wrong assertion');
    await expectRefused(await sign({}, 'RS512', PAIRS.RS256.privateKey), 'wrong assertion');
    await expectRefused(`${encode({ alg: 'none' })}.${encode(claims())}.`, 'wrong assertion');
    await expectRefused(`${head}.${body}.`, 'wrong assertion');
    await expectRefused(hmac(CLIENT.client_secret), 'wrong assertion');
    await expectRefused(hmac(PAIRS.RS256.publicKey.export({ type: 'spki', format: 'pem' })), 'wrong assertion');
    await expectRefused(await sign({ iss: 'nobody', sub: 'nobody' }), 'unknown client');
    await expectRefused(await sign({ iss: CLIENT.client_id, sub: CLIENT.client_id }), 'wrong assertion');
  });

  it('are refused for a disabled client, and accepted when it is enabled again', async () => {
    const assertion = await sign();
    await auth.clients.disable(ID);
    await expectRefused(assertion, 'disabled client');
    await auth.clients.enable(ID);
    assert.equal((await post(assertion)).status, 200);
  });

  it('need a kid when several keys of a type are registered, and follow their rotation', async () => {
    const [old, young] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
    const jwkOf = async (pair: typeof old, kid: string) => ({ ...(await exportJWK(pair.publicKey)), kid });
    const keys = [await jwkOf(old, 'old'), await jwkOf(young, 'young')];
    await auth.clients.ensureClient({ ...CLIENT, client_id: 'rotates' });
    await auth.clients.setJwks('rotates', keys);
    const by = (pair: typeof old, kid?: string) =>
      sign({ iss: 'rotates', sub: 'rotates' }, 'EdDSA', pair.privateKey, kid === undefined ? {} : { kid });
    assert.equal((await post(await by(old, 'old'))).status, 200);
    assert.equal((await post(await by(young, 'young'))).status, 200);
    await expectRefused(await by(young, 'old'), 'wrong assertion');
    await expectRefused(await by(young), 'wrong assertion');
    await auth.clients.setJwks('rotates', keys.slice(1));
    await expectRefused(await by(old, 'old'), 'wrong assertion');
  });

  it('make a request malformed when they are no JWT or come with other credentials', async () => {
    const assertion = await sign();
    const malformed: [string, Members][] = [
      ['x', {}],
      ['a.b.c', {}],
      [await sign({ sub: undefined }), {}],
      [await sign({ sub: '' }), {}],
      [assertion, { client_assertion_type: 'urn:other' }],
      [assertion, { client_assertion_type: undefined }],
      [assertion, { client_assertion: undefined }],
      [assertion, { client_secret: 'x' }],
      [assertion, { client_id: 'another' }],
      ['x'.repeat(8_193), {}],
    ];
    for (const [text, more] of malformed) {
      const { status, json } = await post(text, more);
      assert.deepEqual([status, json.error], [400, 'invalid_request'], `${text.slice(0, 40)} ${JSON.stringify(more)}`);
    }
    const headers = { 'content-type': 'application/json', authorization: `Basic ${btoa('a:b')}` };
    const body = { grant_type: 'client_credentials', audience: AUDIENCE, client_assertion_type: TYPE };
    const text = JSON.stringify({ ...body, client_assertion: assertion });
    assert.equal((await fetch(`${auth.url}/oauth/token`, { method: 'POST', headers, body: text })).status, 400);
    assert.equal((await post(assertion)).status, 200);
  });
});
