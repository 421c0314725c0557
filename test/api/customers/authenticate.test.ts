/** Tests passwords of customers: all wrong credentials get one answer, and attempts are limited. */
import assert from 'node:assert/strict';
import { Passwords } from '../../../activities/customers/passwords.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';
import { problemOf } from '../support/call.ts';
import { type CustomersServer, newProfile, OPERATOR, OTHER, OWN, startCustomers } from './support.ts';

const PASSWORD = 'pässword of Kari';
const LIMITS = { perProfile: 7, perProfileAndAddress: 3, perAddress: 12 };
const [ATTACKER, OWNER] = ['192.0.2.1', '198.51.100.1'];

describe('authenticate', () => {
  let server: CustomersServer;
  let email: string;
  let customerNumber: string;
  beforeEach(async () => {
    server = await startCustomers({ loginLimits: LIMITS });
    email = 'Kari.Nordmann@example.no';
    customerNumber = await server.createProfile({ email, password: PASSWORD });
  });
  afterEach(async () => {
    await server.close();
  });
  const login = (username: string, password: string, more: object = {}, token?: string) =>
    server.call('/profiles/authenticate', {
      body: { username, password, organisationId: 1, ...more },
      ...(token !== undefined && { token }),
    });
  const loginFrom = (address: string, username: string, password: string, token = OWN) =>
    server.call('/profiles/authenticate', {
      body: { username, password, organisationId: 1 },
      headers: { 'service-end-user-address': address },
      token,
    });
  const failFrom = async (address: string, times: number) => {
    for (let at = 0; at < times; at += 1) {
      assert.equal((await loginFrom(address, `nobody-${at}@example.no`, 'wrong one')).status, 401);
    }
  };

  it('returns the number for the right password, by e-mail in any case or by number', async () => {
    for (const username of [email, email.toUpperCase(), customerNumber]) {
      const { status, json } = await login(username, PASSWORD);
      assert.deepEqual([status, json], [200, { customerNumber }]);
    }
    assert.equal((await login(email, PASSWORD.normalize('NFD'))).status, 200);
    assert.equal((await login(email, PASSWORD, {}, OPERATOR)).status, 200);
  });

  it('gives one answer to any wrong credentials', async () => {
    await server.call('/profiles/', { body: newProfile({ email: 'without@example.no' }) });
    const temporary = await server.createTemporary({ email: 'temporary@example.no' });
    const answers = [
      await login(email, 'another password'),
      await login('nobody@example.no', PASSWORD),
      await login('4837201956', PASSWORD),
      await login('without@example.no', PASSWORD),
      await login(temporary, PASSWORD),
      await login(email, PASSWORD, { organisationId: 2 }),
      await login(email, PASSWORD, {}, OTHER),
    ];
    const bodies = answers.map(({ json: { correlationId: _c, timestamp: _t, ...rest } }) => rest);
    assert.deepEqual(new Set(answers.map(problemOf)), new Set(['401 INVALID_CREDENTIALS']));
    for (const body of bodies) assert.deepEqual(body, bodies[0]);
    for (const { headers } of answers) assert.equal(headers.get('www-authenticate'), 'Bearer');
  });

  for (const [name, body, pointer] of [
    ['no user name', { username: undefined }, '/username'],
    ['no password', { password: '' }, '/password'],
    ['no organisation', { organisationId: undefined }, '/organisationId'],
    ['an unknown member', { remember: true }, '/remember'],
  ] as const) {
    it(`refuses ${name}`, async () => {
      assert.equal(problemOf(await login(email, PASSWORD, body)), `400 VALIDATION_FAILED ${pointer}`);
    });
  }

  it('refuses after too many failures, also the right password, under any name of the profile', async () => {
    assert.equal((await login(email, 'wrong one')).status, 401);
    assert.equal((await login(email.toUpperCase(), 'wrong one')).status, 401);
    assert.equal((await login(email, PASSWORD)).status, 200);
    assert.equal((await login(customerNumber, 'wrong one')).status, 401);
    const refused = await login(email, PASSWORD);
    assert.equal(problemOf(refused), '429 RATE_LIMITED');
    const seconds = Number(refused.headers.get('retry-after'));
    assert.ok(seconds > 14 * 60 && seconds <= 15 * 60, String(seconds));
    const other = await server.createProfile({ password: PASSWORD });
    assert.equal((await login(other, PASSWORD)).status, 200);
  });

  it('counts failures of an unknown name in the same way, and stores no name', async () => {
    for (let time = 0; time < LIMITS.perProfileAndAddress; time += 1) {
      assert.equal((await login('Nobody@example.no', 'wrong one')).status, 401);
    }
    assert.equal((await login('nobody@example.no', 'wrong one')).status, 429);
    // Blanks around a name must not make another name, as for existing customers.
    assert.equal((await login(' nobody@example.no ', 'wrong one')).status, 429);
    const kept = JSON.stringify(await server.connection.collection('customer_login_failures').find().toArray());
    assert.doesNotMatch(kept, /nobody|example|wrong/i);
  });

  it('cannot be locked by another organisation', async () => {
    for (let time = 0; time < LIMITS.perProfileAndAddress + 1; time += 1) await login(email, 'wrong one', {}, OTHER);
    assert.equal((await login(email, PASSWORD)).status, 200);
  });

  it('cannot be locked for its owner by failures at another address, or through another client', async () => {
    for (let time = 0; time < LIMITS.perProfileAndAddress; time += 1) {
      assert.equal((await loginFrom(ATTACKER, email, `guess ${time}`)).status, 401);
    }
    assert.equal(problemOf(await loginFrom(ATTACKER, email, PASSWORD)), '429 RATE_LIMITED');
    assert.equal((await loginFrom(OWNER, email, PASSWORD)).status, 200);
    for (let time = 0; time < LIMITS.perProfileAndAddress; time += 1) await login(email, `another guess ${time}`);
    assert.equal(problemOf(await login(email, PASSWORD)), '429 RATE_LIMITED', 'all without an address are one');
    assert.equal((await login(email, PASSWORD, {}, OWN.replace('web/', 'app/'))).status, 200);
    assert.equal((await loginFrom(OWNER, email, PASSWORD)).status, 200);
  });

  for (const [name, username] of [
    ['a profile', () => email],
    ['an unknown name', () => 'nobody@example.no'],
  ] as const) {
    it(`slows log-ins of ${name} after many failures from many addresses, and shuts nobody out`, async () => {
      server.now = new Date();
      const guess = async (address: string) => (await loginFrom(address, username(), 'wrong one')).status;
      for (let at = 0; at < LIMITS.perProfile; at += 1) assert.equal(await guess(`192.0.2.${at % 3}`), 401);
      const slowed = await loginFrom(OWNER, username(), 'wrong one');
      assert.deepEqual([problemOf(slowed), slowed.headers.get('retry-after')], ['429 RATE_LIMITED', '10']);
      for (let step = 0; step < 3; step += 1) {
        server.now = new Date(server.now.getTime() + 10_000);
        const answers = await Promise.all(Array.from({ length: 5 }, (_, at) => guess(`203.0.113.${5 * step + at}`)));
        assert.deepEqual(answers.toSorted(), [401, 429, 429, 429, 429]);
      }
      server.now = new Date(server.now.getTime() + 10_000);
      const right = await loginFrom(OWNER, username(), PASSWORD);
      assert.equal(right.status, username() === email ? 200 : 401);
    });
  }

  it('keeps one document of bounded size for a profile, however many addresses fail', async () => {
    const start = Date.now();
    for (let at = 0; at < 40; at += 1) {
      server.now = new Date(start + at * 10_000);
      assert.equal((await loginFrom(`203.0.113.${at}`, email, 'wrong one')).status, 401);
    }
    const stored = await server.connection.collection('customer_login_failures').find().toArray();
    const [profile, ...others] = stored.filter(({ _id }) => String(_id).startsWith('profile/'));
    assert.deepEqual([profile?.failures.length, others.length], [40, 0]);
    assert.doesNotMatch(JSON.stringify(profile), /203\.0\.113/);
  });

  it('starts a new count when the first failure is 15 minutes old', async () => {
    const start = Date.now();
    server.now = new Date(start);
    await login(email, 'wrong one');
    server.now = new Date(start + 60_000);
    await login(email, 'wrong one');
    await login(email, 'wrong one');
    assert.equal((await login(email, PASSWORD)).headers.get('retry-after'), '840');
    server.now = new Date(start + 15 * 60_000);
    assert.equal((await login(email, PASSWORD)).status, 200);
    await login(email, 'wrong one');
    assert.equal((await login(email, PASSWORD)).status, 429);
  });

  it('allows no more attempts at once than one after the other', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => login(email, `guess number ${at}`)));
    assert.equal(answers.filter(({ status }) => status === 401).length, LIMITS.perProfileAndAddress);
    assert.equal(answers.filter(({ status }) => status === 429).length, 10 - LIMITS.perProfileAndAddress);
  });

  it('accepts every right password, also many at once', async () => {
    const answers = await Promise.all(Array.from({ length: 7 }, () => login(email, PASSWORD)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  });

  it('accepts other customers of a back end that sends many wrong passwords', async () => {
    for (let at = 0; at <= LIMITS.perAddress; at += 1) {
      assert.equal((await login(`nobody-${at}@example.no`, 'wrong one')).status, 401);
    }
    assert.equal((await login(email, PASSWORD)).status, 200);
  });

  it('refuses an end user’s address, and no other, after too many failures with any names', async () => {
    await failFrom('192.0.2.7', LIMITS.perAddress);
    assert.equal((await loginFrom('192.0.2.7', email, PASSWORD)).status, 429);
    assert.equal((await loginFrom('::ffff:192.0.2.7', email, PASSWORD)).status, 429);
    assert.equal((await loginFrom('192.0.2.8', email, PASSWORD)).status, 200);
    assert.equal((await login(email, PASSWORD)).status, 200);
    assert.equal((await loginFrom('192.0.2.7', email, PASSWORD, OWN.replace('web/', 'app/'))).status, 200);
  });

  it('counts an IPv6 address by its network, and stores no address', async () => {
    await failFrom('2001:db8:0:1::1', LIMITS.perAddress);
    assert.equal((await loginFrom('2001:db8:0:1:ffff::2', email, PASSWORD)).status, 429);
    assert.equal((await loginFrom('2001:db8:0:2::1', email, PASSWORD)).status, 200);
    const stored = JSON.stringify(await server.connection.collection('customer_login_failures').find().toArray());
    assert.doesNotMatch(stored, /2001|db8/);
  });

  for (const address of ['', 'localhost', '192.0.2.7, 192.0.2.8', '192.0.2.7:80', '192.0.2', '2001:db8::1%eth0']) {
    it(`refuses ${JSON.stringify(address)} as the end user's address`, async () => {
      const refused = await loginFrom(address, email, PASSWORD);
      assert.equal(problemOf(refused), '400 VALIDATION_FAILED /header/Service-End-User-Address');
    });
  }

  it('renews the hash of an earlier release at a right log-in, and at no wrong one', async () => {
    const older = new Passwords({ cost: { ln: 9, r: 8, p: 1 } });
    const { profiles, passwords } = server.dependencies;
    const organisationId = 1 as OrganisationId;
    const find = async () => {
      const found = await profiles.findLogin(organisationId, email);
      assert.ok(found?.passwordHash);
      return { ...found, passwordHash: found.passwordHash };
    };
    const before = await server.call(`/profiles/${customerNumber}`);
    const olderHash = await older.hash(organisationId, PASSWORD);
    await profiles.renewPasswordHash(organisationId, await find(), olderHash);
    assert.equal((await login(email, 'wrong one')).status, 401);
    assert.equal((await find()).passwordHash, olderHash);
    assert.equal((await login(email, PASSWORD)).status, 200);
    const renewed = (await find()).passwordHash;
    assert.equal(passwords.isCurrent(renewed), true);
    assert.equal((await login(email, PASSWORD)).status, 200);
    assert.equal((await find()).passwordHash, renewed);
    assert.equal((await server.call(`/profiles/${customerNumber}`)).json.changedAt, before.json.changedAt);
  });

  it('accepts no idempotency key, since a stored answer may be wrong now', async () => {
    const headers = { 'idempotency-key': 'one' };
    const body = { username: email, password: PASSWORD, organisationId: 1 };
    const call = () => server.call('/profiles/authenticate', { body, headers });
    assert.equal((await call()).status, 200);
    await server.call(`/profiles/${customerNumber}`, { method: 'DELETE' });
    assert.equal((await call()).status, 401);
  });
});
