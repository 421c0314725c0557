/** Tests the lists of a profile: addresses, preferences, e-cards, memberships. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { problemOf } from '../support/call.ts';
import { type CustomersServer, newProfile, OTHER, startCustomers } from './support.ts';

const ADDRESS = {
  type: 'HOME',
  addressLines: ['Storgata 1', 'c/o Hansen'],
  postCode: '0155',
  postTown: 'Oslo',
  countryCode: 'NO',
};
const CARD = { mediaSerialNumber: '12345678', issuerCode: '960100', name: 'Commuter card' };
const MEMBERSHIP = { programCode: 'BONUS', membershipNumber: '55501', validFrom: '2026-01-01', validTo: '2026-12-31' };
const NOWHERE = '7a0f5b1e-0d39-4a49-9d55-3f2f5f5c1c11';

describe('items of a profile', () => {
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
  const add = (segment: string, body: unknown, of = profile) => server.call(`${of}/${segment}`, { body });
  const put = (segment: string, id: string, body: unknown) =>
    server.call(`${profile}/${segment}/${id}`, { method: 'PUT', body });
  const list = async (segment: string) => (await server.call(`${profile}/${segment}`)).json;

  for (const [segment, content, changed] of [
    ['postal-addresses', ADDRESS, { ...ADDRESS, type: 'DELIVERY', addressLines: ['Lillegata 2'] }],
    ['e-cards', CARD, { mediaSerialNumber: '12345678', issuerCode: '960100' }],
    ['loyalty-programs', MEMBERSHIP, { programCode: 'BONUS', membershipNumber: '55502', validFrom: '2026-02-01' }],
  ] as const) {
    describe(segment, () => {
      it('can be added, listed, read, replaced and removed', async () => {
        assert.deepEqual(await list(segment), []);
        const created = await add(segment, content);
        assert.equal(created.status, 201);
        const { id } = created.json;
        assert.match(id, /^[0-9a-f-]{36}$/);
        assert.equal(created.headers.get('location'), `/customers/v2${profile}/${segment}/${id}`);
        for (const [name, value] of Object.entries(content)) assert.deepEqual(created.json[name], value);
        assert.deepEqual((await server.call(`${profile}/${segment}/${id}`)).json, created.json);
        assert.deepEqual(await list(segment), [created.json]);

        const replaced = await put(segment, id.toUpperCase(), changed);
        assert.equal(replaced.status, 200);
        for (const name of new Set([...Object.keys(content), ...Object.keys(changed)])) {
          assert.deepEqual(replaced.json[name], (changed as Record<string, unknown>)[name], name);
        }
        assert.deepEqual(await list(segment), [replaced.json]);

        const removed = await server.call(`${profile}/${segment}/${id}`, { method: 'DELETE' });
        assert.deepEqual([removed.status, removed.text], [204, '']);
        assert.deepEqual(await list(segment), []);
        for (const method of ['GET', 'DELETE']) {
          assert.equal(problemOf(await server.call(`${profile}/${segment}/${id}`, { method })), '404 NOT_FOUND');
        }
        assert.equal(problemOf(await put(segment, id, changed)), '404 NOT_FOUND');
      });

      it('are added once under an idempotency key, and removed once', async () => {
        const headers = { 'idempotency-key': randomUUID() };
        const first = await server.call(`${profile}/${segment}`, { body: content, headers });
        const again = await server.call(`${profile}/${segment}`, { body: content, headers });
        assert.deepEqual(again.json, first.json);
        assert.equal((await list(segment)).length, 1);
        const path = `${profile}/${segment}/${first.json.id}`;
        for (let time = 0; time < 2; time += 1) {
          assert.equal((await server.call(path, { method: 'DELETE', headers })).status, 204);
        }
      });

      it('answer 404 before 400', async () => {
        assert.equal(problemOf(await put(segment, NOWHERE, { nonsense: true })), '404 NOT_FOUND');
        assert.equal(problemOf(await add(segment, { nonsense: true }, '/profiles/4837201956')), '404 NOT_FOUND');
        const foreign = { body: { nonsense: true }, token: OTHER };
        assert.equal(problemOf(await server.call(`${profile}/${segment}`, foreign)), '404 NOT_FOUND');
      });
    });
  }

  describe('postal addresses', () => {
    const unfit: Record<string, readonly [object, string]> = {
      'another type': [{ type: 'WORK' }, '/type'],
      'no line': [{ addressLines: [] }, '/addressLines'],
      'five lines': [{ addressLines: ['1', '2', '3', '4', '5'] }, '/addressLines'],
      'an empty line': [{ addressLines: ['1', ''] }, '/addressLines/1'],
      'a post code in lower case': [{ postCode: 'sw1a 1aa' }, '/postCode'],
      'a post code of one character': [{ postCode: '1' }, '/postCode'],
      'no post town': [{ postTown: undefined }, '/postTown'],
      'a country of three letters': [{ countryCode: 'NOR' }, '/countryCode'],
      'an unknown country': [{ countryCode: 'XX' }, '/countryCode'],
      'an id': [{ id: NOWHERE }, '/id'],
    };
    for (const [name, [content, pointer]] of Object.entries(unfit)) {
      it(`are refused with ${name}`, async () => {
        const body = { ...ADDRESS, ...content };
        assert.equal(problemOf(await add('postal-addresses', body)), `400 VALIDATION_FAILED ${pointer}`);
      });
    }

    it('are at most 20', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => add('postal-addresses', ADDRESS)));
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
      assert.equal(problemOf(await add('postal-addresses', ADDRESS)), '409 INVALID_STATE');
    });

    it('are allowed for temporary profiles', async () => {
      const temporary = `/profiles/${await server.createTemporary()}`;
      assert.equal((await add('postal-addresses', ADDRESS, temporary)).status, 201);
    });
  });

  describe('preferences', () => {
    const value = { window: true, near: ['door', null, { deep: null }], note: 'æøå' };

    it('are stored unchanged under a key', async () => {
      const created = await add('preferences', { key: 'seat.v1', value });
      assert.deepEqual([created.status, created.json], [201, { key: 'seat.v1', value }]);
      assert.equal(created.headers.get('location'), `/customers/v2${profile}/preferences/seat.v1`);
      assert.deepEqual((await server.call(`${profile}/preferences/seat.v1`)).json, { key: 'seat.v1', value });
      assert.equal(problemOf(await add('preferences', { key: 'seat.v1', value: 1 })), '409 INVALID_STATE');
    });

    it('can be put, whether present or not, and removed', async () => {
      for (const next of [value, [1, 2], 'text', 0, false]) {
        const { status, json } = await put('preferences', 'Seat', { value: next });
        assert.deepEqual([status, json], [200, { key: 'Seat', value: next }]);
      }
      assert.equal((await put('preferences', 'Seat', { key: 'Seat', value })).status, 200);
      assert.deepEqual(await list('preferences'), [{ key: 'Seat', value }]);
      assert.equal((await server.call(`${profile}/preferences/seat`)).status, 404);
      assert.equal((await server.call(`${profile}/preferences/Seat`, { method: 'DELETE' })).status, 204);
      assert.equal((await server.call(`${profile}/preferences/Seat`, { method: 'DELETE' })).status, 404);
    });

    it('are refused with a key other than the path’s, a long key, or none', async () => {
      const refused = async (body: object) => problemOf(await put('preferences', 'seat', body));
      assert.equal(await refused({ key: 'other', value }), '400 VALIDATION_FAILED /key');
      assert.equal(await refused({}), '400 VALIDATION_FAILED /value');
      assert.equal(await refused({ value: null }), '400 VALIDATION_FAILED /value');
      assert.equal(await refused({ value: 'å'.repeat(2_048) }), '400 VALIDATION_FAILED /value');
      assert.equal((await put('preferences', 'seat', { value: 'å'.repeat(2_047) })).status, 200);
      for (const key of ['', 'a b', 'x'.repeat(65), undefined]) {
        assert.equal(problemOf(await add('preferences', { key, value })), '400 VALIDATION_FAILED /key');
      }
    });

    it('are allowed for temporary profiles, and answer 404 before 400', async () => {
      const temporary = `/profiles/${await server.createTemporary()}`;
      assert.equal((await add('preferences', { key: 'seat', value }, temporary)).status, 201);
      const body = { nonsense: true };
      assert.equal((await server.call('/profiles/4837201956/preferences/seat', { method: 'PUT', body })).status, 404);
    });
  });

  describe('e-cards', () => {
    it('have a number of sixteen digits and a start date', async () => {
      const { json } = await add('e-cards', { ...CARD, mediaSerialNumber: '42' });
      assert.equal(json.cardNumber, '9601000000000042');
      assert.ok(Math.abs(Date.parse(json.startOfOwnership) - Date.now()) < 60_000);
    });

    it('have a serial number that only one live profile of an organisation may have', async () => {
      const mediaSerialNumber = '777';
      const { json } = await add('e-cards', { ...CARD, mediaSerialNumber });
      const second = `/profiles/${await server.createProfile()}`;
      assert.equal(problemOf(await add('e-cards', { ...CARD, mediaSerialNumber }, second)), '409 INVALID_STATE');
      const padded = { ...CARD, mediaSerialNumber: '0000000777' };
      assert.equal(problemOf(await add('e-cards', padded, second)), '409 INVALID_STATE');
      const { json: foreign } = await server.call('/profiles/', {
        body: newProfile({ organisationId: 2 }),
        token: OTHER,
      });
      const elsewhere = `/profiles/${foreign.customerNumber}/e-cards`;
      assert.equal((await server.call(elsewhere, { body: { ...CARD, mediaSerialNumber }, token: OTHER })).status, 201);
      await server.call(`${profile}/e-cards/${json.id}`, { method: 'DELETE' });
      assert.equal((await add('e-cards', { ...CARD, mediaSerialNumber }, second)).status, 201);
    });

    const unfit: Record<string, readonly [object, string]> = {
      'a serial number of 11 digits': [{ mediaSerialNumber: '12345678901' }, '/mediaSerialNumber'],
      'a serial number in letters': [{ mediaSerialNumber: 'abc' }, '/mediaSerialNumber'],
      'an issuer of 5 digits': [{ issuerCode: '96010' }, '/issuerCode'],
      'no issuer': [{ issuerCode: undefined }, '/issuerCode'],
      'a card number': [{ cardNumber: '9601000000000042' }, '/cardNumber'],
    };
    for (const [name, [content, pointer]] of Object.entries(unfit)) {
      it(`are refused with ${name}`, async () => {
        assert.equal(problemOf(await add('e-cards', { ...CARD, ...content })), `400 VALIDATION_FAILED ${pointer}`);
      });
    }
  });

  describe('memberships', () => {
    const unfit: Record<string, readonly [object, string]> = {
      'a code in lower case': [{ programCode: 'bonus' }, '/programCode'],
      'a code of 21 characters': [{ programCode: 'X'.repeat(21) }, '/programCode'],
      'an empty number': [{ membershipNumber: '' }, '/membershipNumber'],
      'a number of 41 characters': [{ membershipNumber: '5'.repeat(41) }, '/membershipNumber'],
      'no start': [{ validFrom: undefined }, '/validFrom'],
      'an invalid day': [{ validFrom: '2026-02-30' }, '/validFrom'],
      'an end before the start': [{ validTo: '2025-12-31' }, '/validTo'],
    };
    for (const [name, [content, pointer]] of Object.entries(unfit)) {
      it(`are refused with ${name}`, async () => {
        const body = { ...MEMBERSHIP, ...content };
        assert.equal(problemOf(await add('loyalty-programs', body)), `400 VALIDATION_FAILED ${pointer}`);
      });
    }
  });

  for (const [segment, content] of [
    ['e-cards', CARD],
    ['loyalty-programs', MEMBERSHIP],
  ] as const) {
    it(`refuse ${segment} for temporary profiles`, async () => {
      const path = `/profiles/${await server.createTemporary()}/${segment}`;
      const refusal = '422 NOT_ALLOWED_FOR_TEMPORARY_PROFILE';
      assert.equal(problemOf(await server.call(path)), refusal);
      assert.equal(problemOf(await server.call(path, { body: content })), refusal);
      assert.equal(problemOf(await server.call(`${path}/${NOWHERE}`)), refusal);
      assert.equal(problemOf(await server.call(`${path}/${NOWHERE}`, { method: 'PUT', body: content })), refusal);
      assert.equal(problemOf(await server.call(`${path}/${NOWHERE}`, { method: 'DELETE' })), refusal);
    });
  }
});
