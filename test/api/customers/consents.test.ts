/** Tests consents: one live row for each code, its history, and the definitions in force. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { problemOf } from '../support/call.ts';
import { type CustomersServer, newProfile, OPERATOR, OTHER, startCustomers, WEB } from './support.ts';

const CONSENT = { consentCode: 'NEWSLETTER', consentChoice: true, distributionChannel: WEB };

describe('consents', () => {
  let server: CustomersServer;
  let profile: string;
  before(async () => {
    server = await startCustomers();
  });
  beforeEach(async () => {
    profile = `/profiles/${await server.createProfile()}`;
  });
  after(async () => {
    await server.close();
  });
  const add = (content: object = {}) => server.call(`${profile}/consents`, { body: { ...CONSENT, ...content } });
  const put = (id: string, content: object = {}) =>
    server.call(`${profile}/consents/${id}`, { method: 'PUT', body: { ...CONSENT, ...content } });

  it('are given to the definition in force', async () => {
    const givenAt = '2026-03-01T12:00:00+01:00';
    const { status, headers, json } = await add({ givenAt });
    assert.equal(status, 201);
    const { id, createdAt, ...rest } = json;
    assert.equal(headers.get('location'), `/customers/v2${profile}/consents/${id}`);
    const given = { ...CONSENT, consentVersion: 2, givenAt: new Date(givenAt).toISOString() };
    assert.deepEqual(rest, { ...given, changedAt: createdAt, createdByOrganisationId: 1 });
    assert.deepEqual((await server.call(`${profile}/consents/${id}`)).json, json);
    const { json: second } = await add({ consentCode: 'TRACKING', consentChoice: false });
    assert.equal(second.givenAt, second.createdAt);
    assert.deepEqual((await server.call(`${profile}/consents`)).json, [json, second]);
  });

  it('have one live row for each code; the error of a second one names the first', async () => {
    const { json } = await add();
    const refused = await add({ consentChoice: false });
    assert.equal(problemOf(refused).slice(0, 17), '409 INVALID_STATE');
    assert.ok(refused.text.includes(json.id));
  });

  it('keep their id and every earlier row when they change', async () => {
    const { json: first } = await add();
    const { status, json: second } = await put(first.id, { consentChoice: false });
    assert.deepEqual([status, second.id, second.consentChoice], [200, first.id, false]);
    const { json: third } = await put(first.id, { consentChoice: true });
    assert.deepEqual((await server.call(`${profile}/consents`)).json, [third]);
    const history = (query = '') => server.call(`${profile}/consents/${first.id}/history${query}`);
    const choices = (json: { items: { consentChoice: boolean }[] }) => json.items.map((row) => row.consentChoice);
    const { json: whole } = await history();
    assert.deepEqual(choices(whole), [false, true]);
    const { items: _, ...page } = whole;
    assert.deepEqual(page, { page: 1, perPage: 25, totalItems: 2, totalPages: 1 });
    const { json: last } = await history('?perPage=1&page=2');
    assert.deepEqual([choices(last), last.totalPages], [[true], 2]);
    assert.equal(problemOf(await history('?perPage=0')).slice(0, 18), '400 INVALID_SEARCH');
  });

  it('leave the list when removed and keep their history; the code is free again', async () => {
    const { json } = await add();
    const path = `${profile}/consents/${json.id}`;
    assert.equal((await server.call(path, { method: 'DELETE' })).status, 204);
    assert.deepEqual((await server.call(`${profile}/consents`)).json, []);
    assert.equal((await server.call(path)).status, 404);
    assert.equal((await put(json.id)).status, 404);
    assert.equal((await server.call(path, { method: 'DELETE' })).status, 404);
    assert.ok((await server.call(`${path}/history`)).json.totalItems >= 1);
    assert.equal((await add()).status, 201);
    assert.equal((await server.call(`${profile}/consents/${randomUUID()}/history`)).status, 404);
  });

  it('cannot change their code', async () => {
    const { json } = await add();
    assert.equal(problemOf(await put(json.id, { consentCode: 'TRACKING' })).slice(0, 17), '409 INVALID_STATE');
  });

  const unfit: Record<string, readonly [object, string]> = {
    'no code': [{ consentCode: undefined }, '400 VALIDATION_FAILED /consentCode'],
    'no choice': [{ consentChoice: null }, '400 VALIDATION_FAILED /consentChoice'],
    'a choice in words': [{ consentChoice: 'yes' }, '400 VALIDATION_FAILED /consentChoice'],
    'no channel': [{ distributionChannel: undefined }, '400 VALIDATION_FAILED /distributionChannel'],
    'an invalid channel': [{ distributionChannel: 'web' }, '400 VALIDATION_FAILED /distributionChannel'],
    'a day': [{ givenAt: '2026-03-01' }, '400 VALIDATION_FAILED /givenAt'],
    'a version': [{ consentVersion: 1 }, '400 VALIDATION_FAILED /consentVersion'],
    'an unknown code': [{ consentCode: 'NOTHING' }, '422 VALIDATION_FAILED /consentCode'],
    'a code of another organisation': [{ consentCode: 'OF_TWO' }, '422 VALIDATION_FAILED /consentCode'],
    'an unknown channel': [
      { distributionChannel: 'ABC:DistributionChannel:Nowhere' },
      '422 VALIDATION_FAILED /distributionChannel',
    ],
    'a channel of another organisation': [
      { distributionChannel: 'ABC:DistributionChannel:Elsewhere' },
      '422 VALIDATION_FAILED /distributionChannel',
    ],
  };
  for (const [name, [content, problem]] of Object.entries(unfit)) {
    it(`are refused with ${name}`, async () => {
      assert.equal(problemOf(await add(content)), problem);
      const { json } = await add();
      assert.equal(problemOf(await put(json.id, content)), problem);
    });
  }

  it('are allowed for temporary profiles', async () => {
    const path = `/profiles/${await server.createTemporary()}/consents`;
    assert.equal((await server.call(path, { body: CONSENT })).status, 201);
  });

  it('are checked against the rights of the profile’s organisation, for every caller', async () => {
    const { json } = await server.call('/profiles/', { body: newProfile({ organisationId: 2 }), token: OTHER });
    const body = { ...CONSENT, consentCode: 'OF_TWO', distributionChannel: 'ABC:DistributionChannel:Elsewhere' };
    const written = await server.call(`/profiles/${json.customerNumber}/consents`, { body, token: OPERATOR });
    assert.deepEqual([written.status, written.json.createdByOrganisationId], [201, 1]);
  });

  it('answer 404 before 400', async () => {
    const body = { nonsense: true };
    const absent = '/profiles/4837201956/consents';
    assert.equal((await server.call(absent, { body })).status, 404);
    assert.equal((await server.call(`${profile}/consents/${randomUUID()}`, { method: 'PUT', body })).status, 404);
    assert.equal((await server.call(`${profile}/consents`, { body, token: OTHER })).status, 404);
    assert.equal((await server.call(absent, { body: { ...CONSENT, consentCode: 'NOTHING' } })).status, 404);
  });

  it('follow definitions without an owner and the organisation’s own', async () => {
    const codes = async (token: string) =>
      (await server.call('/consent-definitions', { token })).json.map(
        (each: { consentCode: string; version: number }) => `${each.consentCode} ${each.version}`,
      );
    const common = ['NEWSLETTER 2', 'TRACKING 1'];
    assert.deepEqual(await codes('web/1/consents:read'), common);
    assert.deepEqual(await codes(OTHER), [...common, 'OF_TWO 1'].sort());
    assert.deepEqual(await codes(OPERATOR), [...common, 'OF_TWO 1'].sort());
    const [first] = (await server.call('/consent-definitions')).json;
    assert.deepEqual(Object.keys(first), ['consentCode', 'version', 'terms']);
  });
});
