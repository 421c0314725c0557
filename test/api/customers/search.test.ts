/** Tests the search of profiles: all criteria must match, without regard to case, within the caller's organisation. */
import assert from 'node:assert/strict';
import { problemOf } from '../support/call.ts';
import { type CustomersServer, newProfile, newTemporary, OPERATOR, OTHER, startCustomers } from './support.ts';

describe('search of profiles', () => {
  let server: CustomersServer;
  let kari: string;
  let ola: string;
  let temporary: string;
  let foreign: string;
  const address = {
    type: 'HOME',
    addressLines: ['Storgata 1'],
    postCode: 'SW1A 1AA',
    postTown: 'London',
    countryCode: 'GB',
  };

  before(async () => {
    server = await startCustomers();
    const phone = { countryCode: '+47', telephoneNumberNoCountryCode: '90000000' };
    kari = await server.createProfile({
      email: 'Kari@Example.no',
      customerRef: 'Ref-1',
      dateOfBirth: '1990-04-30',
      ...phone,
    });
    ola = await server.createProfile({ firstName: 'Ola', email: 'ola@example.no', customerRef: 'Ref-2' });
    temporary = await server.createTemporary({ firstName: 'Ola', surname: 'Nordmann', email: 'ola@example.no' });
    foreign = await server.createProfile({ email: 'kari@example.no', organisationId: 2 }, OTHER);
    await server.call(`/profiles/${kari}/postal-addresses`, { body: address });
  });
  after(async () => {
    await server.close();
  });

  const search = (query: Record<string, string>, token?: string) =>
    server.call(`/profiles-search?${new URLSearchParams(query)}`, token === undefined ? {} : { token });
  const numbers = async (query: Record<string, string>, token?: string) =>
    (await search(query, token)).json.items.map((item: { customerNumber: string }) => item.customerNumber).sort();

  it('finds by each criterion, in any case', async () => {
    const known: Record<string, string>[] = [
      { email: 'KARI@example.NO' },
      { firstName: 'kari' },
      { customerRef: 'REF-1' },
      { dateOfBirth: '1990-04-30' },
      { countryCode: '47', telephoneNumberNoCountryCode: '90000000' },
      { countryCode: '+47', telephoneNumberNoCountryCode: '90000000' },
      { postCode: 'sw1a 1aa' },
    ];
    for (const query of known) assert.deepEqual(await numbers(query), [kari], JSON.stringify(query));
    assert.deepEqual(await numbers({ surname: 'NORDMANN' }), [kari, ola].sort());
  });

  it('returns complete profiles in pages', async () => {
    const { status, json } = await search({ surname: 'Nordmann', perPage: '1', page: '2' });
    assert.equal(status, 200);
    const { items, ...page } = json;
    assert.deepEqual(page, { page: 2, perPage: 1, totalItems: 2, totalPages: 2 });
    assert.deepEqual(items, [(await server.call(`/profiles/${items[0].customerNumber}`)).json]);
    assert.deepEqual((await search({ surname: 'Nordmann', page: '9' })).json.items, []);
    const narrowed = (await search({ surname: 'Nordmann', maxResultSet: '1' })).json;
    assert.deepEqual([narrowed.items.length, narrowed.totalItems, narrowed.totalPages], [1, 1, 1]);
  });

  it('requires all criteria to match', async () => {
    assert.deepEqual(await numbers({ surname: 'Nordmann', firstName: 'Ola' }), [ola]);
    assert.deepEqual(await numbers({ email: 'kari@example.no', firstName: 'Ola' }), []);
    assert.deepEqual(await numbers({ surname: 'Nord' }), []);
  });

  it('includes temporary profiles on request', async () => {
    assert.deepEqual(await numbers({ email: 'ola@example.no' }), [ola]);
    assert.deepEqual(await numbers({ email: 'ola@example.no', includeTemporary: 'false' }), [ola]);
    assert.deepEqual(await numbers({ email: 'ola@example.no', includeTemporary: 'true' }), [ola, temporary].sort());
  });

  it('never shows deleted or expired profiles', async () => {
    const gone = await server.createProfile({ surname: 'Borte' });
    const { json } = await server.call('/profiles/temporary', { body: newTemporary({ surname: 'Borte' }) });
    assert.deepEqual(await numbers({ surname: 'borte', includeTemporary: 'true' }), [gone, json.customerNumber].sort());
    await server.call(`/profiles/${gone}`, { method: 'DELETE' });
    server.now = new Date(json.expirationDate);
    assert.deepEqual(await numbers({ surname: 'borte', includeTemporary: 'true' }), []);
    server.now = undefined;
  });

  it('stays within the organisation, unless the token has the right to all', async () => {
    const email = 'kari@example.no';
    assert.deepEqual(await numbers({ email }, OTHER), [foreign]);
    assert.deepEqual(await numbers({ email, organisationId: '1' }), [kari]);
    const { status, json } = await search({ email, organisationId: '2' });
    assert.deepEqual([status, json], [200, { items: [], page: 1, perPage: 25, totalItems: 0, totalPages: 0 }]);
    assert.deepEqual(await numbers({ email }, OPERATOR), [kari, foreign].sort());
    assert.deepEqual(await numbers({ email, organisationId: '2' }, OPERATOR), [foreign]);
  });

  it('treats text like an operator as a plain value', async () => {
    assert.deepEqual(await numbers({ firstName: 'eq:Kari' }), []);
  });

  for (const query of [
    '',
    'includeTemporary=true&maxResultSet=10&organisationId=1',
    'countryCode=47',
    'telephoneNumberNoCountryCode=90000000',
    'countryCode=47&telephoneNumberNoCountryCode=1',
    'email=',
    'email=a%40b.no&email=a%40b.no',
    'firstName=Kari&maxResultSet=201',
    'firstName=Kari&maxResultSet=0',
    'firstName=Kari&includeTemporary=yes',
    'firstName=Kari&organisationId=one',
    'dateOfBirth=1990-02-30',
    'name=Kari',
    'firstName=Kari&perPage=101',
    'firstName=Kari&page=0',
    'firstName=Kari&sortBy=up',
  ]) {
    it(`refuses ?${query}`, async () => {
      const answer = await server.call(`/profiles-search?${query}`);
      assert.equal(problemOf(answer).slice(0, 18), '400 INVALID_SEARCH');
      assert.ok(answer.json.errors.length > 0);
    });
  }

  it('does not repeat the searched values in its errors', async () => {
    const answer = await server.call('/profiles-search?email=hemmelig@example.no&email=x');
    assert.doesNotMatch(answer.text, /hemmelig/);
    assert.equal((await server.call('/profiles/', { body: newProfile() })).status, 201);
  });
});
