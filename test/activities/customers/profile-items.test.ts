/**
 * Tests the lists of a profile: items are sealed, numbered by the request that made them, and deleted with the profile.
 */
import assert from 'node:assert/strict';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { anna, CustomerFixture, guest, HOME, OURS, outcomeOf, request, THEIRS } from './customer-fixture.ts';

const CARD = { mediaSerialNumber: '42', issuerCode: '123456', name: 'Blue' };
const PROGRAM = { programCode: 'GOLD', membershipNumber: '12345', validFrom: '2026-01-01' };

describe('items of profiles', () => {
  const fixture = new CustomerFixture('profile-items');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const newAnna = async (more = {}): Promise<CustomerNumber> =>
    (await fixture.here.profiles.create(anna(more), request())).customerNumber;
  const stored = async (customerNumber: CustomerNumber) =>
    (await fixture.here.collection.findOne({ _id: customerNumber })) ?? assert.fail('no such profile');

  it('adds, shows, replaces and removes an address', async () => {
    const { addresses } = fixture.here;
    const customerNumber = await newAnna();
    const added = await addresses.add(OURS, customerNumber, HOME, request());
    assert.deepEqual(added, { id: added.id, ...HOME });
    assert.match(added.id, /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    assert.deepEqual(await fixture.there.addresses.list(OURS, customerNumber), [added]);
    const moved = { ...HOME, postCode: '5003', postTown: 'Bergen' };
    const replaced = await addresses.replace(OURS, customerNumber, added.id, moved, request());
    assert.deepEqual(replaced, { id: added.id, ...moved });
    assert.deepEqual(await addresses.get(OURS, customerNumber, added.id), replaced);
    await addresses.remove(OURS, customerNumber, added.id, request());
    assert.deepEqual(await addresses.list(OURS, customerNumber), []);
  });

  it('reports absent items', async () => {
    const { addresses, programs } = fixture.here;
    const customerNumber = await newAnna();
    const { id } = await addresses.add(OURS, customerNumber, HOME, request());
    const calls: (() => Promise<unknown>)[] = [
      () => addresses.get(OURS, customerNumber, 'none'),
      () => addresses.replace(OURS, customerNumber, 'none', HOME, request()),
      () => addresses.remove(OURS, customerNumber, 'none', request()),
      () => programs.get(OURS, customerNumber, id),
      () => addresses.get(THEIRS, customerNumber, id),
      () => addresses.list(THEIRS, customerNumber),
      () => addresses.add(THEIRS, customerNumber, HOME, request()),
      () => addresses.remove(THEIRS, customerNumber, id, request()),
    ];
    for (const call of calls) assert.equal(await outcomeOf(call()), 'NOT_FOUND');
  });

  it('acts once for a repeated request', async () => {
    const { addresses } = fixture.here;
    const customerNumber = await newAnna();
    const added = await addresses.add(OURS, customerNumber, HOME, request('w1'));
    assert.deepEqual(await addresses.add(OURS, customerNumber, HOME, request('w1')), added);
    for (const _ of [1, 2]) await addresses.remove(OURS, customerNumber, added.id, request('w2'));
    assert.deepEqual((await stored(customerNumber)).sequence, 3);
  });

  it('reports which kind of item has changed, and nothing else', async () => {
    const customerNumber = await newAnna();
    await fixture.here.preferences.replace(OURS, customerNumber, 'seat', { key: 'seat', value: 'window' }, request());
    const { outbox } = await stored(customerNumber);
    const { meta: _, ...data } = outbox[1]?.data ?? assert.fail('no event');
    assert.deepEqual([outbox[1]?.type, data], ['service.customer.CustomerUpdated.v1', { changed: ['preferences'] }]);
  });

  it('keeps preferences by their key, with any value', async () => {
    const { preferences } = fixture.here;
    const customerNumber = await newAnna();
    const values = [{ deep: [1, null] }, 'text', 0, null, false];
    for (const [index, value] of values.entries()) {
      const preference = { key: `k${index}`, value };
      assert.deepEqual(await preferences.add(OURS, customerNumber, preference, request()), preference);
    }
    const again = preferences.add(OURS, customerNumber, { key: 'k1', value: 1 }, request());
    assert.equal(await outcomeOf(again), 'INVALID_STATE');
    const put = { key: 'k1', value: 'other' };
    assert.deepEqual(await preferences.replace(OURS, customerNumber, 'k1', put, request()), put);
    assert.deepEqual(await preferences.get(OURS, customerNumber, 'k1'), put);
    assert.equal((await preferences.list(OURS, customerNumber)).length, values.length);
  });

  it('stores items only sealed, each bound to its place', async () => {
    const { addresses, preferences, cards, programs, collection } = fixture.here;
    const customerNumber = await newAnna();
    const { id } = await addresses.add(OURS, customerNumber, HOME, request());
    await preferences.add(OURS, customerNumber, { key: 'seat', value: 'window' }, request());
    await cards.add(OURS, customerNumber, CARD, request());
    await programs.add(OURS, customerNumber, PROGRAM, request());
    const text = JSON.stringify(
      await collection.findOne({ _id: customerNumber }, { promoteBuffers: true }),
      (_, value) => (value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value),
    );
    for (const word of ['Storgata', '"0155', 'window', '"42"', '0000000042', '123456', '12345"', 'GOLD']) {
      assert.ok(!text.includes(word), word);
    }
    const moved = await addresses.add(OURS, customerNumber, HOME, request());
    const { postalAddresses = [] } = await stored(customerNumber);
    const swapped = postalAddresses.map((item) => ({ ...item, id: item.id === id ? moved.id : id }));
    await collection.updateOne({ _id: customerNumber }, { $set: { postalAddresses: swapped } });
    await assert.rejects(addresses.list(OURS, customerNumber), /authenticate/);
  });

  it('finds a profile by the post codes of its present addresses only', async () => {
    const { addresses, profiles } = fixture.here;
    const customerNumber = await newAnna();
    const count = async (postCode: string) => {
      const page = { page: 1, perPage: 10, maxResultSet: 50 };
      return (await profiles.search(OURS, { postCode, includeTemporary: false }, page)).totalItems;
    };
    const { id } = await addresses.add(OURS, customerNumber, HOME, request());
    await addresses.add(OURS, customerNumber, { ...HOME, type: 'INVOICE' }, request());
    const renamed = profiles.update(
      OURS,
      customerNumber,
      'PERMANENT',
      (one) => ({ ...one, surname: 'Lie' }),
      request(),
    );
    await renamed;
    assert.equal(await count('0155'), 1);
    await addresses.replace(OURS, customerNumber, id, { ...HOME, postCode: '5003' }, request());
    assert.deepEqual([await count('5003'), await count('0155')], [1, 1]);
    await addresses.remove(OURS, customerNumber, id, request());
    assert.deepEqual([await count('5003'), await count('0155')], [0, 1]);
  });

  it('makes a card number from issuer and serial, and keeps its date', async () => {
    const { cards } = fixture.here;
    const customerNumber = await newAnna();
    const card = await cards.add(OURS, customerNumber, CARD, request());
    const startOfOwnership = fixture.now;
    assert.deepEqual(card, { id: card.id, ...CARD, cardNumber: '1234560000000042', startOfOwnership });
    fixture.passes(1_000);
    const renamed = await cards.replace(OURS, customerNumber, card.id, { ...CARD, name: 'Red' }, request());
    assert.deepEqual([renamed.name, renamed.startOfOwnership], ['Red', startOfOwnership]);
    const other = await cards.replace(OURS, customerNumber, card.id, { ...CARD, mediaSerialNumber: '43' }, request());
    assert.deepEqual([other.cardNumber, other.startOfOwnership], ['1234560000000043', fixture.now]);
  });

  it('gives a serial number to one live profile of an organisation; it is free again afterwards', async () => {
    const { cards, profiles } = fixture.here;
    const [first, second] = [await newAnna(), await newAnna({ email: 'b@example.no' })];
    const theirs = await newAnna({ organisationId: THEIRS });
    const { id } = await cards.add(OURS, first, CARD, request());
    const padded = { ...CARD, mediaSerialNumber: '0000000042' };
    for (const owner of [first, second]) {
      assert.equal(await outcomeOf(cards.add(OURS, owner, padded, request())), 'INVALID_STATE');
    }
    await cards.add(THEIRS, theirs, CARD, request());
    await cards.remove(OURS, first, id, request());
    await cards.add(OURS, second, CARD, request());
    await profiles.beginErasure(OURS, second, 'PERMANENT', request());
    await cards.add(OURS, first, CARD, request());
  });

  it('gives temporary profiles no cards and no programs', async () => {
    const { cards, programs, addresses, profiles } = fixture.here;
    const { customerNumber } = await profiles.create(guest(fixture.inDays(1)), request());
    const refused = 'NOT_ALLOWED_FOR_TEMPORARY_PROFILE';
    assert.equal(await outcomeOf(cards.add(OURS, customerNumber, CARD, request())), refused);
    assert.equal(await outcomeOf(programs.add(OURS, customerNumber, PROGRAM, request())), refused);
    assert.deepEqual(await cards.list(OURS, customerNumber), []);
    assert.ok(await addresses.add(OURS, customerNumber, HOME, request()));
  });

  it('holds items up to the limit, and allows their change then', async () => {
    const { addresses } = fixture.here;
    const customerNumber = await newAnna();
    let last = '';
    for (let count = 0; count < 20; count += 1) {
      last = (await addresses.add(OURS, customerNumber, HOME, request())).id;
    }
    assert.equal(await outcomeOf(addresses.add(OURS, customerNumber, HOME, request())), 'INVALID_STATE');
    await addresses.replace(OURS, customerNumber, last, { ...HOME, postCode: '5003' }, request());
    await addresses.remove(OURS, customerNumber, last, request());
    await addresses.add(OURS, customerNumber, HOME, request());
  });
});
