/** Tests the conversion of a temporary profile by its workflow, on a real Temporal. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import '../../support/quiet-temporal.ts';
import { until } from '../../support/until.ts';
import { problemOf } from '../support/call.ts';
import { startCustomersWorker, useTemporalClient } from './customers-worker.ts';
import { CHANGED_BY, type CustomersServer, inDays, OPERATOR, OTHER, startCustomers, WEB } from './support.ts';

describe('conversion of a temporary profile', () => {
  let server: CustomersServer;
  let stopWorker: () => Promise<void>;
  before(async () => {
    server = await startCustomers({ temporal: await useTemporalClient() });
    stopWorker = await startCustomersWorker(server);
  });
  after(async () => {
    await stopWorker();
    await server.close();
  });
  const someone = () => ({ firstName: 'Ola', surname: 'Nordmann', email: `ola-${randomUUID()}@example.no` });
  const convert = (customerNumber: string, body: object = {}, headers: Record<string, string> = {}, token?: string) =>
    server.call(`/profiles/temporary/${customerNumber}/convert`, {
      body: { ...CHANGED_BY, ...body },
      headers,
      ...(token !== undefined && { token }),
    });

  it('keeps number and content of the profile, and removes the date', async () => {
    const { email, ...named } = someone();
    const customerNumber = await server.createTemporary({ ...named, dateOfBirth: '1990-04-30' });
    const address = {
      type: 'HOME',
      addressLines: ['Storgata 1'],
      postCode: '0155',
      postTown: 'Oslo',
      countryCode: 'NO',
    };
    await server.call(`/profiles/${customerNumber}/postal-addresses`, { body: address });
    const { json: before } = await server.call(`/profiles/${customerNumber}`);

    const { status, json } = await convert(customerNumber, { email, surname: 'Hansen', password: 'a long password' });
    assert.equal(status, 200);
    const { expirationDate: _, ...kept } = before;
    assert.deepEqual(json, {
      ...kept,
      email,
      surname: 'Hansen',
      profileType: 'PERMANENT',
      changedAt: json.changedAt,
      changedBy: CHANGED_BY.changedBy,
      changedByChannel: WEB,
    });
    assert.deepEqual((await server.call(`/profiles/${customerNumber}`)).json, json);
    assert.equal((await server.call(`/profiles/temporary/${customerNumber}`)).status, 404);
    assert.equal((await server.call(`/profiles/${customerNumber}/postal-addresses`)).json.length, 1);
    const login = { username: email, password: 'a long password', organisationId: 1 };
    assert.deepEqual((await server.call('/profiles/authenticate', { body: login })).json, { customerNumber });
  });

  it('names the missing members of the profile', async () => {
    const customerNumber = await server.createTemporary({ surname: 'Nordmann' });
    assert.equal(problemOf(await convert(customerNumber)), '400 VALIDATION_FAILED /firstName /email');
    assert.equal(problemOf(await convert(customerNumber, { email: null })), '400 VALIDATION_FAILED /firstName /email');
    assert.equal((await convert(customerNumber, someone())).status, 200);
  });

  const unfit: Record<string, readonly [object, string]> = {
    'no author': [{ changedByChannel: undefined }, '/changedByChannel'],
    'a short password': [{ password: 'short' }, '/password'],
    'an invalid e-mail': [{ email: 'ola' }, '/email'],
    'an unexpected member': [{ dateOfBirth: '1990-04-30' }, '/dateOfBirth'],
  };
  for (const [name, [body, pointer]] of Object.entries(unfit)) {
    it(`is refused with ${name}`, async () => {
      const customerNumber = await server.createTemporary(someone());
      assert.equal(problemOf(await convert(customerNumber, body)), `400 VALIDATION_FAILED ${pointer}`);
    });
  }

  it('happens once; a repetition under the same key gets the same answer', async () => {
    const customerNumber = await server.createTemporary(someone());
    const headers = { 'idempotency-key': randomUUID() };
    const first = await convert(customerNumber, {}, headers);
    assert.equal(first.status, 200);
    assert.equal(problemOf(await convert(customerNumber)), '409 INVALID_STATE');
    const again = await convert(customerNumber, {}, headers);
    assert.deepEqual([again.status, again.json], [200, first.json]);
  });

  it('succeeds for one of many simultaneous requests', async () => {
    const customerNumber = await server.createTemporary(someone());
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, at) => convert(customerNumber, { surname: `Nummer${at}` })),
    );
    const problems = answers.map((answer) => (answer.status === 200 ? 'converted' : problemOf(answer)));
    assert.deepEqual(problems.sort(), [...Array<string>(4).fill('409 INVALID_STATE'), 'converted']);
    const winner = answers.find(({ status }) => status === 200);
    assert.deepEqual((await server.call(`/profiles/${customerNumber}`)).json, winner?.json);
  });

  it('is refused with the e-mail address of another profile, which stays temporary', async () => {
    const { email } = someone();
    await server.createProfile({ email });
    const customerNumber = await server.createTemporary(someone());
    assert.equal(problemOf(await convert(customerNumber, { email })), '409 DUPLICATE_EMAIL');
    assert.equal((await server.call(`/profiles/temporary/${customerNumber}`)).status, 200);
    assert.equal((await convert(customerNumber)).status, 200);
  });

  it('is refused after a deletion, and once the date has passed', async () => {
    const deleted = await server.createTemporary(someone());
    await server.call(`/profiles/temporary/${deleted}`, { method: 'DELETE' });
    assert.equal(problemOf(await convert(deleted)), '409 INVALID_STATE');
    const expired = await server.createTemporary({
      ...someone(),
      expirationDate: new Date(Date.now() + 1_000).toISOString(),
    });
    await until(async () => (await server.call(`/profiles/temporary/${expired}`)).status === 404);
    assert.equal(problemOf(await convert(expired)), '409 INVALID_STATE');
  });

  it('answers 409 to a permanent profile, 404 to an absent or foreign one', async () => {
    assert.equal(problemOf(await convert(await server.createProfile())), '409 INVALID_STATE');
    assert.equal(problemOf(await convert('4837201956', someone())), '404 NOT_FOUND');
    const customerNumber = await server.createTemporary(someone());
    assert.equal(problemOf(await convert(customerNumber, someone(), {}, OTHER)), '404 NOT_FOUND');
    assert.equal((await convert(customerNumber, {}, {}, OPERATOR)).status, 200);
  });

  it('answers 503 while the workflow service is unavailable; the next attempt joins it', async () => {
    const customerNumber = await server.createTemporary({ ...someone(), expirationDate: inDays(5) });
    const headers = { 'idempotency-key': randomUUID() };
    await stopWorker();
    const away = await convert(customerNumber, {}, headers);
    stopWorker = await startCustomersWorker(server);
    assert.equal(problemOf(away), '503 UNAVAILABLE');
    assert.ok(away.headers.has('retry-after'));
    const joined = await convert(customerNumber, {}, headers);
    assert.deepEqual([joined.status, joined.json.profileType], [200, 'PERMANENT']);
  });
});
