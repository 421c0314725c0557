/** Limits on wrong credentials, by client and by address, must not lock out a client with the right secret. */
import assert from 'node:assert/strict';
import { AUDIENCE, type AuthServer, CLIENT, startAuth } from './support/auth.ts';

const WRONG = 'not-the-secret';
const WINDOW_MS = 600_000;

describe('limits on wrong credentials', () => {
  let auth: AuthServer;
  beforeEach(async () => {
    auth = await startAuth();
  });
  afterEach(async () => {
    await auth.close();
  });

  async function post(client_secret: string, address: string, more: object = {}) {
    const body = { grant_type: 'client_credentials', client_id: CLIENT.client_id, client_secret, audience: AUDIENCE };
    const response = await fetch(`${auth.url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ ...body, ...more }),
    });
    const json = (await response.json()) as Record<string, unknown>;
    return { status: response.status, json, retryAfter: response.headers.get('retry-after') };
  }
  const status = async (...request: Parameters<typeof post>) => (await post(...request)).status;
  const address = (index: number) => `10.1.${Math.floor(index / 250)}.${index % 250}`;

  it('answer slow_down to the eleventh failure for a client, from any addresses', async () => {
    for (let count = 0; count < 10; count += 1) assert.equal(await status(WRONG, address(count)), 401);
    const { status: refused, json, retryAfter } = await post(WRONG, address(10));
    assert.deepEqual([refused, json.error], [429, 'slow_down']);
    assert.ok(Number(retryAfter) > 590 && Number(retryAfter) <= 600, String(retryAfter));
  });

  it('still accept the right secret from an address without failures', async () => {
    for (let count = 0; count < 12; count += 1) await post(WRONG, '10.0.0.1');
    assert.equal(await status(CLIENT.client_secret, '10.0.0.1'), 429);
    assert.equal(await status(CLIENT.client_secret, '10.0.0.2'), 200);
    assert.equal(await status(WRONG, '10.0.0.2'), 429);
    assert.equal(await status(CLIENT.client_secret, '10.0.0.2'), 429);
    assert.equal(await status(CLIENT.client_secret, '10.0.0.3'), 200);
  });

  it('do not affect other clients', async () => {
    for (let count = 0; count < 11; count += 1) await post(WRONG, '10.0.0.1');
    await auth.clients.ensureClient({ ...CLIENT, client_id: 'other' });
    assert.equal(await status(CLIENT.client_secret, '10.0.0.1', { client_id: 'other' }), 200);
  });

  it('last for the window from the first failure on', async () => {
    const begun = new Date();
    auth.clock.now = begun;
    await post(WRONG, '10.0.0.1');
    auth.clock.now = new Date(begun.getTime() + 60_000);
    for (let count = 0; count < 9; count += 1) await post(WRONG, '10.0.0.1');
    const { retryAfter } = await post(CLIENT.client_secret, '10.0.0.1');
    assert.equal(retryAfter, '540');
    auth.clock.now = new Date(begun.getTime() + WINDOW_MS);
    assert.equal(await status(CLIENT.client_secret, '10.0.0.1'), 200);
    assert.equal(await status(WRONG, '10.0.0.1'), 401);
    assert.equal(await status(WRONG, '10.0.0.1'), 429);
  });

  it('count unknown clients the same way', async () => {
    for (let count = 0; count < 10; count += 1) {
      assert.equal(await status(WRONG, address(count), { client_id: 'nobody' }), 401);
    }
    assert.equal(await status(WRONG, address(10), { client_id: 'nobody' }), 429);
  });

  it('count nothing but wrong credentials', async () => {
    await auth.clients.ensureClient({ ...CLIENT, client_id: 'disabled' });
    await auth.clients.disable('disabled');
    const harmless = [
      { grant_type: 'password' },
      { grant_type: 'other' },
      { audience: 'https://api.production' },
      { scope: 'not:granted' },
      { client_id: 'disabled' },
      { audience: 5 },
    ];
    for (let count = 0; count < 12; count += 1) {
      for (const more of harmless) assert.notEqual(await status(CLIENT.client_secret, '10.0.0.1', more), 429);
    }
    for (let count = 0; count < 10; count += 1) await post(WRONG, '10.0.0.2');
    assert.equal(await status(CLIENT.client_secret, '10.0.0.1'), 200);
  });

  it('count each of many guesses at once', async () => {
    const statuses = await Promise.all(Array.from({ length: 40 }, (_, index) => status(WRONG, address(index))));
    assert.equal(statuses.filter((each) => each === 401).length, 10);
    assert.equal(statuses.filter((each) => each === 429).length, 30);
  });

  it('refuse an address after a hundred failures with any clients', async () => {
    const guess = (index: number) => status(WRONG, '10.0.0.1', { client_id: `nobody-${index}` });
    const statuses = await Promise.all(Array.from({ length: 101 }, (_, index) => guess(index)));
    assert.deepEqual(statuses.filter((each) => each === 429).length, 1);
    assert.equal(await status(CLIENT.client_secret, '10.0.0.1'), 429);
    assert.equal(await status(CLIENT.client_secret, '10.0.0.2'), 200);
  });

  it('trust forwarded addresses of trusted proxies only, and count an IPv6 network as one', async () => {
    for (let count = 0; count < 10; count += 1) {
      assert.equal(await status(WRONG, `203.0.113.${count}, 2001:db8:1:2::${count}`), 401);
    }
    assert.equal(await status(CLIENT.client_secret, '203.0.113.77, 2001:db8:1:2:ffff::1'), 429);
    assert.equal(await status(CLIENT.client_secret, '2001:db8:1:3::1'), 200);
  });

  it('apply to assertions too', async () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { client_id } = CLIENT;
    const forged = {
      client_assertion: `${part({ alg: 'ES256' })}.${part({ sub: client_id })}.${'A'.repeat(86)}`,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_secret: undefined,
    };
    for (let count = 0; count < 10; count += 1) assert.equal(await status('', '10.0.0.1', forged), 401);
    assert.equal(await status('', '10.0.0.1', forged), 429);
    assert.equal(await status(CLIENT.client_secret, '10.0.0.2'), 200);
  });

  it('use bounded memory under a thousand attacking addresses, and always serve valid clients', async () => {
    // Each request is answered only after its failure is stored.
    let next = 0;
    const served: number[] = [];
    let heard = 0;
    const attacker = async (): Promise<void> => {
      while (next < 1_000) {
        const index = next++;
        const refused = await status(WRONG, address(index));
        assert.ok([401, 429].includes(refused));
        if (refused === 401) heard += 1;
        if (index % 100 === 0) served.push(await status(CLIENT.client_secret, '192.0.2.1'));
      }
    };
    await Promise.all(Array.from({ length: 16 }, attacker));
    assert.deepEqual(new Set(served), new Set([200]));
    assert.equal(heard, 10);
    const kept = await auth.connection.collection<{ failures: unknown[] }>('client_failures').find().toArray();
    assert.equal(kept.length, 1_001);
    assert.ok(kept.every(({ failures }) => failures.length <= 10));
    const [index] = (await auth.connection.collection('client_failures').indexes()).filter(
      ({ name }) => name === 'expiry',
    );
    assert.equal(index?.expireAfterSeconds, 0);
  });
});
