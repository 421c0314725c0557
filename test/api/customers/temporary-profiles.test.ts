/** Tests temporary profiles: creation, change, deletion, and absence from their date on. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { problemOf } from '../support/call.ts';
import { CHANGED_BY, type CustomersServer, inDays, newTemporary, OPERATOR, startCustomers, WEB } from './support.ts';

describe('temporary profiles', () => {
  let server: CustomersServer;
  before(async () => {
    server = await startCustomers();
  });
  after(async () => {
    await server.close();
  });
  const create = (content: object = {}, headers: Record<string, string> = {}) =>
    server.call('/profiles/temporary', { body: newTemporary(content), headers });
  const path = (customerNumber: string) => `/profiles/temporary/${customerNumber}`;
  const patch = (customerNumber: string, content: object) =>
    server.call(path(customerNumber), { method: 'PATCH', body: { ...CHANGED_BY, ...content } });
  const pendingOf = async (customerNumber: string) =>
    (await server.connection.collection('customer_profiles').findOne({ _id: customerNumber as never }))?.pendingStart;

  it('need only a date, and their workflow starts', async () => {
    const expirationDate = inDays(10);
    const { status, headers, json } = await create({ expirationDate });
    assert.equal(status, 201);
    const { customerNumber, createdAt, ...rest } = json;
    assert.equal(headers.get('location'), `/customers/v2/profiles/temporary/${customerNumber}`);
    assert.deepEqual(rest, {
      customerRef: customerNumber,
      organisationId: 1,
      profileType: 'TEMPORARY',
      status: 'ACTIVE',
      languagePreference: 'nob',
      createdBy: 'web',
      createdByChannel: WEB,
      changedAt: createdAt,
      changedBy: 'web',
      changedByChannel: WEB,
      expirationDate,
    });
    assert.ok(server.workflowCalls.includes(`startTemporaryProfile ${customerNumber}`));
    assert.equal(await pendingOf(customerNumber), undefined);
    assert.deepEqual((await server.call(path(customerNumber))).json, json);
  });

  it('have the members of permanent ones; several may have one e-mail address', async () => {
    const email = 'ola@example.no';
    const known = { firstName: 'Ola', surname: 'Nordmann', email, dateOfBirth: '1990-04-30' };
    for (let time = 0; time < 2; time += 1) {
      const { json } = await create({ ...known, countryCode: '47', telephoneNumberNoCountryCode: '90000000' });
      assert.equal(json.email, email);
    }
  });

  it('are created when the workflow cannot be started, and the start stays pending', async () => {
    server.workflowsAway = true;
    const { status, json } = await create();
    server.workflowsAway = false;
    assert.equal(status, 201);
    assert.equal(await pendingOf(json.customerNumber), true);
  });

  const unfit: Record<string, readonly [object, string]> = {
    'without a date': [{ expirationDate: undefined }, '/expirationDate'],
    'with a date that has passed': [{ expirationDate: '2020-01-01T00:00:00Z' }, '/expirationDate'],
    'with a date in more than three years': [{ expirationDate: inDays(1_097) }, '/expirationDate'],
    'with a day': [{ expirationDate: '2027-01-01' }, '/expirationDate'],
    'with an invalid day': [{ expirationDate: '2027-02-30T00:00:00Z' }, '/expirationDate'],
    'with a password': [{ password: 'a long password' }, '/password'],
    'without createdBy': [{ createdBy: undefined }, '/createdBy'],
    'without organisation': [{ organisationId: undefined }, '/organisationId'],
    'with half a phone number': [{ countryCode: '47' }, '/telephoneNumberNoCountryCode'],
    'with an unknown member': [{ shoeSize: 42 }, '/shoeSize'],
  };
  for (const [name, [content, pointer]] of Object.entries(unfit)) {
    it(`are not created ${name}`, async () => {
      assert.equal(problemOf(await create(content)), `400 VALIDATION_FAILED ${pointer}`);
    });
  }

  it('accept a date within three years, in any time zone', async () => {
    assert.equal((await create({ expirationDate: inDays(1_094) })).status, 201);
    const expirationDate = `${inDays(3).slice(0, 19)}+02:00`;
    const { json } = await create({ expirationDate });
    assert.equal(json.expirationDate, new Date(expirationDate).toISOString());
  });

  it('are created for the organisation of the token only', async () => {
    assert.equal(problemOf(await create({ organisationId: 2 })), '403 ORGANISATION_FORBIDDEN');
    const body = newTemporary({ organisationId: 2 });
    assert.equal((await server.call('/profiles/temporary', { body, token: OPERATOR })).status, 201);
  });

  it('are changed by a merge patch; a new date is signalled to the workflow', async () => {
    const customerNumber = await server.createTemporary({ firstName: 'Ola', email: 'ola@example.no' });
    const { json: named } = await patch(customerNumber, { surname: 'Hansen', email: null });
    assert.deepEqual([named.firstName, named.surname, named.email], ['Ola', 'Hansen', undefined]);
    assert.deepEqual([named.changedBy, named.changedByChannel], [CHANGED_BY.changedBy, WEB]);
    assert.equal(server.workflowCalls.includes(`signalExpirationChanged ${customerNumber}`), false);

    const expirationDate = inDays(1);
    const { status, json } = await patch(customerNumber, { expirationDate });
    assert.deepEqual([status, json.expirationDate], [200, expirationDate]);
    assert.ok(server.workflowCalls.includes(`signalExpirationChanged ${customerNumber}`));
    assert.equal(await pendingOf(customerNumber), undefined);
  });

  it('keep the signal of a new date pending when it fails', async () => {
    const customerNumber = await server.createTemporary();
    server.workflowsAway = true;
    assert.equal((await patch(customerNumber, { expirationDate: inDays(2) })).status, 200);
    server.workflowsAway = false;
    assert.equal(await pendingOf(customerNumber), true);
  });

  const patches: Record<string, readonly [object, string]> = {
    'no author': [{ changedBy: undefined }, '/changedBy'],
    'a date that has passed': [{ expirationDate: '2020-01-01T00:00:00Z' }, '/expirationDate'],
    'a date in more than three years': [{ expirationDate: inDays(1_097) }, '/expirationDate'],
    'no date': [{ expirationDate: null }, '/expirationDate'],
    'a password': [{ password: 'a long password' }, '/password'],
    'a type': [{ profileType: 'PERMANENT' }, '/profileType'],
    'half a phone number': [{ telephoneNumberNoCountryCode: '90000000' }, '/countryCode'],
  };
  for (const [name, [content, pointer]] of Object.entries(patches)) {
    it(`are not changed with ${name}`, async () => {
      const customerNumber = await server.createTemporary();
      assert.equal(problemOf(await patch(customerNumber, content)), `400 VALIDATION_FAILED ${pointer}`);
    });
  }

  it('are absent from exactly their date on', async () => {
    const { json } = await create();
    const date = new Date(json.expirationDate);
    server.now = new Date(date.getTime() - 1);
    assert.equal((await server.call(path(json.customerNumber))).status, 200);
    server.now = date;
    const number = json.customerNumber;
    assert.equal((await server.call(path(number))).status, 404);
    assert.equal((await server.call(`/profiles/${number}`)).status, 404);
    assert.equal((await server.call(`/profiles/${number}/consents`)).status, 404);
    assert.equal((await patch(number, { expirationDate: new Date(date.getTime() + 1_000).toISOString() })).status, 404);
    assert.equal((await server.call(path(number), { method: 'DELETE' })).status, 404);
    server.now = undefined;
  });

  it('are absent once deleted, and the deletion is signalled to their workflow', async () => {
    const customerNumber = await server.createTemporary();
    const deleted = await server.call(path(customerNumber), { method: 'DELETE' });
    assert.deepEqual([deleted.status, deleted.json], [202, { customerNumber, status: 'EXPIRED' }]);
    assert.ok(server.workflowCalls.includes(`signalEraseNow ${customerNumber}`));
    assert.equal(await pendingOf(customerNumber), undefined);
    assert.equal((await server.call(path(customerNumber))).status, 404);
    assert.equal((await server.call(path(customerNumber), { method: 'DELETE' })).status, 404);
  });

  it('keep the signal of a deletion pending when it fails', async () => {
    const customerNumber = await server.createTemporary();
    server.workflowsAway = true;
    assert.equal((await server.call(path(customerNumber), { method: 'DELETE' })).status, 202);
    server.workflowsAway = false;
    assert.equal(await pendingOf(customerNumber), true);
  });

  it('are created once under an idempotency key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = newTemporary();
    const call = () => server.call('/profiles/temporary', { body, headers });
    const [first, again] = [await call(), await call()];
    assert.deepEqual([again.status, again.json], [201, first.json]);
    assert.equal(server.workflowCalls.filter((each) => each.endsWith(first.json.customerNumber)).length, 1);
  });
});
