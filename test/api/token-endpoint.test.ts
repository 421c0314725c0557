/** Tests every row of the token table of POST /oauth/token, on a real server and database. */
import assert from 'node:assert/strict';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as oauth from 'oauth4webapi';
import { AUDIENCE, type AuthServer, CLIENT, LIFETIME_SECONDS, startAuth } from './support/auth.ts';

const { client_id, client_secret } = CLIENT;
const GOOD = { grant_type: 'client_credentials', client_id, client_secret, audience: AUDIENCE };

describe('token endpoint', () => {
  let auth: AuthServer;

  before(async () => {
    auth = await startAuth();
  });
  after(async () => {
    await auth.close();
  });

  async function post(body: unknown, headers: Record<string, string> = {}) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${auth.url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: text,
    });
    return { response, json: (await response.json()) as Record<string, unknown> };
  }

  async function expectError(status: number, error: string, ...request: Parameters<typeof post>) {
    const { response, json } = await post(...request);
    assert.deepEqual([response.status, json.error], [status, error]);
    assert.equal(typeof json.error_description, 'string');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('content-type'), 'application/json');
    return { response, json };
  }

  const without = (name: keyof typeof GOOD) => ({ ...GOOD, [name]: undefined });
  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
  });

  it('issues a token with the claims of the client', async () => {
    const { response, json } = await post(GOOD);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const { access_token, ...rest } = json;
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: LIFETIME_SECONDS, scope: CLIENT.scopes.join(' ') });
    const token = String(access_token);
    assert.deepEqual(decodeProtectedHeader(token), { alg: 'RS256', typ: 'at+jwt', kid: auth.signingKey.kid });
    const { iat, nbf, exp, jti, ...claims } = decodeJwt(token);
    assert.deepEqual(claims, {
      iss: auth.url,
      sub: client_id,
      aud: AUDIENCE,
      client_id,
      scope: CLIENT.scopes.join(' '),
      organisationId: 7,
      codespaces: ['dem'],
    });
    assert.equal(nbf, iat);
    assert.equal(Number(exp) - Number(iat), LIFETIME_SECONDS);
    assert.match(String(jti), /^[0-9a-f-]{36}$/);
  });

  it('accepts a form, HTTP Basic and a narrower scope, and ignores unknown members', async () => {
    const form = await post(new URLSearchParams({ ...GOOD, resource: 'x' }).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    });
    assert.equal(form.response.status, 200);
    const { grant_type, audience } = GOOD;
    const byBasic = await post(
      { grant_type, audience, scope: 'parcels:read', unknown: 1 },
      basic(client_id, client_secret),
    );
    assert.equal(byBasic.response.status, 200);
    assert.equal(byBasic.json.scope, 'parcels:read');
    assert.equal((await post({ ...GOOD, scope: '' })).json.scope, CLIENT.scopes.join(' '));
  });

  it('serves a strict OAuth client library', async () => {
    const issuer = new URL(auth.url);
    const insecure = { [oauth.allowInsecureRequests]: true };
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const server = await oauth.processDiscoveryResponse(issuer, found);
    for (const method of [oauth.ClientSecretBasic(client_secret), oauth.ClientSecretPost(client_secret)]) {
      const parameters = new URLSearchParams({ audience: AUDIENCE, scope: 'parcels:read' });
      const client = { client_id };
      const answer = await oauth.clientCredentialsGrantRequest(server, client, method, parameters, insecure);
      const token = await oauth.processClientCredentialsResponse(server, client, answer);
      assert.equal(token.token_type, 'bearer');
      assert.equal(token.scope, 'parcels:read');
    }
  });

  it('reports errors to a strict OAuth client library', async () => {
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(auth.url);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
    );
    const right = { audience: AUDIENCE };
    const cases: [string, Record<string, string>, number, string][] = [
      ['wrong', right, 401, 'unauthorized_client'],
      [client_secret, { audience: 'https://api.production' }, 400, 'invalid_grant'],
      [client_secret, { ...right, scope: 'clients:write' }, 400, 'invalid_scope'],
      [client_secret, {}, 400, 'invalid_request'],
    ];
    for (const method of [oauth.ClientSecretBasic, oauth.ClientSecretPost]) {
      for (const [secret, parameters, status, error] of cases) {
        const body = new URLSearchParams(parameters);
        const client = { client_id };
        const answer = await oauth.clientCredentialsGrantRequest(server, client, method(secret), body, insecure);
        await assert.rejects(oauth.processClientCredentialsResponse(server, client, answer), (thrown: unknown) => {
          if (thrown instanceof oauth.ResponseBodyError) {
            assert.deepEqual([thrown.status, thrown.error], [status, error]);
            assert.ok(thrown.error_description);
          } else {
            // The library reads the challenge before the body, and requires one, since it has sent Basic.
            assert.ok(thrown instanceof oauth.WWWAuthenticateChallengeError && status === 401);
            assert.equal(thrown.cause[0]?.scheme, 'basic');
          }
          return true;
        });
      }
    }
  });

  it('answers invalid_request when a parameter is missing or malformed', async () => {
    for (const name of ['grant_type', 'client_id', 'client_secret', 'audience'] as const) {
      await expectError(400, 'invalid_request', without(name));
      await expectError(400, 'invalid_request', { ...GOOD, [name]: null });
      await expectError(400, 'invalid_request', { ...GOOD, [name]: '' });
      await expectError(400, 'invalid_request', { ...GOOD, [name]: 5 });
      await expectError(400, 'invalid_request', { ...GOOD, [name]: ['x'] });
      await expectError(400, 'invalid_request', { ...GOOD, [name]: 'x'.repeat(2_000) });
    }
    await expectError(400, 'invalid_request', { ...GOOD, client_id: 'a\0b' });
    for (const body of ['', '{', '[]', '"x"', 'null', '7', '{"grant_type":"client_credentials"', '\u00ff']) {
      await expectError(400, 'invalid_request', body);
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const good = new URLSearchParams(GOOD).toString();
    await expectError(400, 'invalid_request', `${good}&audience=${AUDIENCE}`, form);
    await expectError(400, 'invalid_request', `${good}&x=%ff`, form);
    await expectError(400, 'invalid_request', good.replace('grant_type=client_credentials', 'grant_type='), form);
  });

  it('answers invalid_request when credentials come twice or Basic cannot be read', async () => {
    const { grant_type, audience } = GOOD;
    await expectError(400, 'invalid_request', GOOD, basic(client_id, client_secret));
    await expectError(
      400,
      'invalid_request',
      { grant_type, audience, client_id: 'other' },
      basic(client_id, client_secret),
    );
    for (const authorization of [
      'Basic',
      'Basic !',
      'Basic eA==',
      `Basic ${btoa(':x')}`,
      `Basic ${btoa('a:%')}`,
      'Bearer x',
    ]) {
      await expectError(400, 'invalid_request', { grant_type, audience }, { authorization });
    }
  });

  it('answers invalid_grant to the password grant and to another audience', async () => {
    const { json } = await expectError(400, 'invalid_grant', {
      ...GOOD,
      grant_type: 'password',
      username: 'a',
      password: 'b',
    });
    assert.equal(json.error_description, 'Invalid grant');
    for (const audience of ['https://api.production', `${AUDIENCE}/`, AUDIENCE.toUpperCase()]) {
      const other = await expectError(400, 'invalid_grant', { ...GOOD, audience });
      assert.equal(other.json.error_description, 'Invalid grant');
    }
  });

  it('answers unsupported_grant_type to every other grant', async () => {
    for (const grant_type of ['authorization_code', 'refresh_token', 'Client_Credentials', 'x']) {
      await expectError(400, 'unsupported_grant_type', { ...GOOD, grant_type });
    }
  });

  it('answers an unknown client, a disabled one and a wrong secret alike', async () => {
    await auth.clients.ensureClient({ ...CLIENT, client_id: 'disabled' });
    await auth.clients.disable('disabled');
    const answers = [];
    for (const body of [
      { ...GOOD, client_id: 'nobody' },
      { ...GOOD, client_id: 'disabled' },
      { ...GOOD, client_secret: `${client_secret}x` },
    ]) {
      const { response, json } = await expectError(401, 'unauthorized_client', body);
      const { 'x-correlation-id': _, date: __, ...headers } = Object.fromEntries(response.headers);
      answers.push({ headers, json });
    }
    assert.deepEqual(answers[1], answers[0]);
    assert.deepEqual(answers[2], answers[0]);
    assert.equal(answers[0]?.json.error_description, 'Unauthorized client');
    assert.equal(answers[0]?.headers['www-authenticate'], undefined);
    const { grant_type, audience } = GOOD;
    const { response } = await expectError(
      401,
      'unauthorized_client',
      { grant_type, audience },
      basic(client_id, 'no'),
    );
    assert.match(response.headers.get('www-authenticate') ?? '', /^Basic /);
  });

  it('answers a replaced secret like a wrong one', async () => {
    const changing = { ...CLIENT, client_id: 'changing' };
    await auth.clients.ensureClient(changing);
    const body = { ...GOOD, client_id: 'changing' };
    assert.equal((await post(body)).response.status, 200);
    await auth.clients.ensureClient({ ...changing, client_secret: 'another' });
    await expectError(401, 'unauthorized_client', body);
    assert.equal((await post({ ...body, client_secret: 'another' })).response.status, 200);
  });

  it('answers invalid_scope to a scope the client does not have', async () => {
    for (const scope of [
      'clients:write',
      'parcels:read clients:write',
      'parcels:read  parcels:write',
      ' ',
      'PARCELS:READ',
    ]) {
      await expectError(400, 'invalid_scope', { ...GOOD, scope });
    }
    await expectError(400, 'invalid_request', { ...GOOD, scope: 5 });
  });

  it('checks body, grant type, secret, audience and scope in this order', async () => {
    const wrong = { ...GOOD, grant_type: 'x', client_secret: 'no', audience: 'other', scope: 'other' };
    await expectError(400, 'invalid_request', { ...wrong, client_id: 5 });
    await expectError(400, 'unsupported_grant_type', wrong);
    await expectError(401, 'unauthorized_client', { ...wrong, grant_type: 'client_credentials' });
    await expectError(400, 'invalid_grant', { ...GOOD, audience: 'other', scope: 'other' });
  });

  it('keeps the OAuth error format for requests refused before the handler', async () => {
    await expectError(415, 'invalid_request', 'x', { 'content-type': 'text/plain' });
    await expectError(415, 'invalid_request', 'x', { 'content-type': 'application/json; charset=latin1' });
    await expectError(413, 'invalid_request', JSON.stringify({ ...GOOD, x: 'x'.repeat(300_000) }));
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const response = await fetch(`${auth.url}/oauth/token`, { method });
      assert.equal(response.status, 405);
      assert.equal(response.headers.get('allow'), 'POST, OPTIONS');
      assert.equal(((await response.json()) as { error: string }).error, 'invalid_request');
    }
    const elsewhere = await fetch(`${auth.url}/oauth/other`, { method: 'POST' });
    assert.equal(elsewhere.headers.get('content-type'), 'application/problem+json');
  });

  it('publishes its public keys and nothing of the private ones', async () => {
    const response = await fetch(`${auth.url}/.well-known/jwks.json`);
    assert.match(response.headers.get('cache-control') ?? '', /max-age=\d+/);
    const { keys } = (await response.json()) as { keys: Record<string, unknown>[] };
    assert.deepEqual(
      keys.map((key) => Object.keys(key).sort()),
      [
        ['alg', 'e', 'kid', 'kty', 'n', 'use'],
        ['alg', 'crv', 'kid', 'kty', 'use', 'x'],
      ],
    );
    assert.equal(keys[0]?.kid, auth.signingKey.kid);
  });

  it('logs client, outcome and address, never a secret or a token', async () => {
    auth.logged.length = 0;
    const { json } = await post(GOOD);
    await post({ ...GOOD, client_secret: 'not-the-secret' });
    await post(`{"client_secret":"${client_secret}",`);
    await post({ ...GOOD, client_secret: undefined });
    const text = auth.logged.join('\n');
    assert.match(text, /"outcome":"malformed request",.*"address":"127\.0\.0\.1"/);
    assert.match(text, /"outcome":"issued"/);
    assert.match(text, /"outcome":"wrong secret","address":"127\.0\.0\.1"/);
    for (const secret of [client_secret, 'not-the-secret', String(json.access_token).split('.')[2] ?? '?']) {
      assert.ok(!text.includes(secret));
    }
  });
});
