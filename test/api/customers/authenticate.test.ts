/** Passwords of customers: one answer to whatever is wrong, and an end to guessing. */
import assert from 'node:assert/strict';
import { type CustomersServer, newProfile, OPERATOR, OTHER, problemOf, startCustomers } from './support.ts';

const PASSWORD = 'pässword of Kari';
const LIMITS = { perProfile: 3, perAddress: 12 };

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

  it('answers the number for the right password, by e-mail in any case or by number', async () => {
    for (const username of [email, email.toUpperCase(), customerNumber]) {
      const { status, json } = await login(username, PASSWORD);
      assert.deepEqual([status, json], [200, { customerNumber }]);
    }
    assert.equal((await login(email, PASSWORD.normalize('NFD'))).status, 200);
    assert.equal((await login(email, PASSWORD, {}, OPERATOR)).status, 200);
  });

  it('gives one answer to whatever is wrong', async () => {
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

  it('ends after too many failures, also for the right password, however the profile is named', async () => {
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

  it('counts an unknown name in the same way, and stores no name', async () => {
    for (let time = 0; time < LIMITS.perProfile; time += 1) {
      assert.equal((await login('Nobody@example.no', 'wrong one')).status, 401);
    }
    assert.equal((await login('nobody@example.no', 'wrong one')).status, 429);
    // As for a name that somebody has: blanks around it make no other name.
    assert.equal((await login(' nobody@example.no ', 'wrong one')).status, 429);
    const kept = JSON.stringify(await server.connection.collection('customer_login_failures').find().toArray());
    assert.doesNotMatch(kept, /nobody|example|wrong/i);
  });

  it('is not another organisation’s to lock', async () => {
    for (let time = 0; time < LIMITS.perProfile + 1; time += 1) await login(email, 'wrong one', {}, OTHER);
    assert.equal((await login(email, PASSWORD)).status, 200);
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

  it('checks no more guesses at once than one after the other', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => login(email, `guess number ${at}`)));
    assert.equal(answers.filter(({ status }) => status === 401).length, LIMITS.perProfile);
    assert.equal(answers.filter(({ status }) => status === 429).length, 10 - LIMITS.perProfile);
  });

  it('lets every right password through, however many come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 7 }, () => login(email, PASSWORD)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  });

  it('ends for an address that has failed too often with too many names', async () => {
    for (let at = 0; at < LIMITS.perAddress; at += 1) {
      assert.equal((await login(`nobody-${at}@example.no`, 'wrong one')).status, 401);
    }
    assert.equal((await login(email, PASSWORD)).status, 429);
  });

  it('takes no idempotency key: what was right once may be wrong now', async () => {
    const headers = { 'idempotency-key': 'one' };
    const body = { username: email, password: PASSWORD, organisationId: 1 };
    const call = () => server.call('/profiles/authenticate', { body, headers });
    assert.equal((await call()).status, 200);
    await server.call(`/profiles/${customerNumber}`, { method: 'DELETE' });
    assert.equal((await call()).status, 401);
  });
});
