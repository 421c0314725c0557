/** Repeats every operation of /admin/clients, also at once: one must succeed, and the client must stay consistent. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { AUDIENCE, type AuthServer, startAuth } from './support/auth.ts';

const AT_ONCE = 8;
const NEW = { name: 'Twice', organisationId: 12, codespaces: ['fjb'], scopes: ['timetable:read'] };

interface Answer {
  readonly status: number;
  readonly json: Record<string, unknown>;
}
interface Made {
  readonly path: string;
  readonly id: string;
  readonly secret: string;
}

describe('operations on clients, repeated', () => {
  let auth: AuthServer;
  let token: string;
  before(async () => {
    auth = await startAuth();
    token = await auth.operatorToken();
  });
  after(async () => {
    await auth.close();
  });

  async function call(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(`${auth.adminUrl}/admin/clients${path}`, init);
    const text = await response.text();
    return { status: response.status, json: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
  }
  async function create(): Promise<Made> {
    const { json } = await call('POST', '', NEW);
    return { path: `/${json.client_id}`, id: String(json.client_id), secret: String(json.client_secret) };
  }
  async function atOnce(...request: Parameters<typeof call>): Promise<readonly Answer[]> {
    return await Promise.all(Array.from({ length: AT_ONCE }, () => call(...request)));
  }
  const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted();
  const oneOf = (status: number, others: number) => [status, ...Array(AT_ONCE - 1).fill(others)].toSorted();
  const secretsOf = async ({ path }: Made) => (await call('GET', path)).json.secrets as { id: string }[];
  async function requestToken({ id: client_id }: Made, client_secret: string): Promise<number> {
    const body = JSON.stringify({ grant_type: 'client_credentials', client_id, client_secret, audience: AUDIENCE });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${auth.url}/oauth/token`, { method: 'POST', headers, body })).status;
  }

  it('make another client at each creation', async () => {
    const made = await atOnce('POST', '', NEW);
    assert.deepEqual(new Set(statusesOf(made)), new Set([201]));
    assert.equal(new Set(made.map(({ json }) => json.client_id)).size, AT_ONCE);
    assert.equal(new Set(made.map(({ json }) => json.client_secret)).size, AT_ONCE);
  });

  it('make one second secret, and both are valid', async () => {
    const client = await create();
    const answers = await atOnce('POST', `${client.path}/secrets`);
    assert.deepEqual(statusesOf(answers), oneOf(201, 409));
    const added = answers.find(({ status }) => status === 201)?.json.client_secret;
    assert.deepEqual(
      [await requestToken(client, client.secret), await requestToken(client, String(added))],
      [200, 200],
    );
    assert.equal((await secretsOf(client)).length, 2);
  });

  it('delete a secret once', async () => {
    const client = await create();
    const [secret] = await secretsOf(client);
    assert.deepEqual(statusesOf(await atOnce('DELETE', `${client.path}/secrets/${secret?.id}`)), oneOf(204, 404));
    assert.deepEqual([await secretsOf(client), await requestToken(client, client.secret)], [[], 401]);
  });

  it('replace all keys with those of one request', async () => {
    const client = await create();
    const sets = Array.from({ length: AT_ONCE }, () => {
      const keys = [1, 2].map((at) => {
        const { publicKey } = generateKeyPairSync('ed25519');
        return { ...publicKey.export({ format: 'jwk' }), kid: `k${at}` };
      });
      return { keys };
    });
    const answers = await Promise.all(sets.map((set) => call('PUT', `${client.path}/jwks`, set)));
    assert.deepEqual(new Set(statusesOf(answers)), new Set([200]));
    const kept = JSON.stringify((await call('GET', client.path)).json.jwks);
    assert.ok(answers.some(({ json }) => JSON.stringify(json) === kept));
    const [again] = sets;
    assert.deepEqual((await call('PUT', `${client.path}/jwks`, again)).status, 200);
  });

  it('disable and enable repeatedly', async () => {
    const client = await create();
    const disabled = await atOnce('POST', `${client.path}/disable`);
    assert.deepEqual(new Set(statusesOf(disabled)), new Set([200]));
    assert.equal(new Set(disabled.map(({ json }) => json.disabledAt)).size, 1);
    assert.equal(await requestToken(client, client.secret), 401);
    assert.deepEqual(new Set(statusesOf(await atOnce('POST', `${client.path}/enable`))), new Set([200]));
    assert.equal(await requestToken(client, client.secret), 200);
  });

  it('delete a client, also under concurrent changes', async () => {
    const client = await create();
    const others = [call('POST', `${client.path}/disable`), call('POST', `${client.path}/secrets`)];
    const deleted = new Set(statusesOf(await atOnce('DELETE', client.path)));
    // A repeat is answered as the first until the client is in the list of disabled clients.
    assert.ok(deleted.delete(204));
    assert.deepEqual(
      [...deleted].filter((status) => status !== 404),
      [],
    );
    assert.equal((await call('DELETE', client.path)).status, 404);
    for (const { status } of await Promise.all(others)) assert.ok([200, 201, 404].includes(status), String(status));
    assert.equal((await call('POST', `${client.path}/enable`)).status, 404);
    assert.equal(await requestToken(client, client.secret), 401);
  });
});
