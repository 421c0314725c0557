/** Tests the end of profiles: expiry, conversion, erasure. Each step may be repeated. */

import assert from 'node:assert/strict';
import { ownerOf } from '../../../activities/customers/customer-subject.ts';
import type { Profile, ProfileContent } from '../../../activities/customers/customer-types.ts';
import { CUSTOMER } from '../../../activities/shared/customer-kind.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { anna, CustomerFixture, DAY_MS, guest, HOME, OURS, outcomeOf, request, THEIRS } from './customer-fixture.ts';

const NOBODY = '1234567890' as CustomerNumber;
const named = (present: ProfileContent): ProfileContent => ({
  ...present,
  firstName: 'Anna',
  surname: 'Lie',
  email: 'anna@example.no',
});

describe('profile lifecycle store', () => {
  const fixture = new CustomerFixture('profile-lifecycle');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const newGuest = async (more = {}): Promise<CustomerNumber> =>
    (await fixture.here.profiles.create(guest(fixture.inDays(1), more), request())).customerNumber;
  const newAnna = async (more = {}): Promise<CustomerNumber> =>
    (await fixture.here.profiles.create(anna(more), request())).customerNumber;
  const stored = async (customerNumber: CustomerNumber) =>
    (await fixture.here.collection.findOne({ _id: customerNumber })) ?? assert.fail('no such profile');
  const prepare = async (customerNumber: CustomerNumber, workId: string, change = named) =>
    await fixture.here.profiles.prepareConversion(OURS, customerNumber, change, request(workId));
  const erase = async (customerNumber: CustomerNumber): Promise<void> => {
    const { lifecycle } = fixture.here;
    await lifecycle.destroyKey(OURS, customerNumber);
    await lifecycle.removeContent(OURS, customerNumber);
    await lifecycle.markErased(OURS, customerNumber);
  };

  describe('expiry', () => {
    it('takes effect at the date, not before, and may be repeated', async () => {
      const { lifecycle } = fixture.here;
      const customerNumber = await newGuest();
      const expirationDate = fixture.inDays(1);
      assert.deepEqual(await lifecycle.expiryOf(OURS, customerNumber), { state: 'TEMPORARY', expirationDate });
      assert.equal(await lifecycle.expire(OURS, customerNumber), 'NOT_YET');
      fixture.passes(DAY_MS);
      for (const _ of [1, 2]) assert.equal(await lifecycle.expire(OURS, customerNumber), 'EXPIRED');
      assert.deepEqual(await lifecycle.expiryOf(OURS, customerNumber), { state: 'EXPIRED' });
    });

    it('ignores permanent and absent profiles', async () => {
      const { lifecycle } = fixture.here;
      assert.equal(await lifecycle.expire(OURS, await newAnna()), 'PERMANENT');
      assert.equal(await lifecycle.expire(OURS, NOBODY), 'GONE');
      assert.deepEqual(await lifecycle.expiryOf(OURS, NOBODY), { state: 'ERASED' });
    });

    it('waits when the date is later now', async () => {
      const { lifecycle, profiles } = fixture.here;
      const customerNumber = await newGuest();
      const expirationDate = fixture.inDays(3);
      await profiles.update(OURS, customerNumber, 'TEMPORARY', (one) => ({ ...one, expirationDate }), request());
      fixture.passes(2 * DAY_MS);
      assert.equal(await lifecycle.expire(OURS, customerNumber), 'NOT_YET');
      assert.deepEqual(await lifecycle.listDue(fixture.now, 10), []);
    });

    it('lists those that are due, earliest first', async () => {
      const { lifecycle, profiles } = fixture.here;
      const later = await newGuest();
      const { customerNumber: earlier } = await profiles.create(guest(fixture.inDays(0.5)), request());
      await newAnna();
      fixture.passes(DAY_MS);
      const due = await lifecycle.listDue(fixture.now, 10);
      assert.deepEqual(
        due.map((each) => each.customerNumber),
        [earlier, later],
      );
    });
  });

  describe('conversion', () => {
    it('makes a permanent profile with the prepared content, and writes one event', async () => {
      const { lifecycle, profiles } = fixture.here;
      const customerNumber = await newGuest({ firstName: 'A.' });
      assert.deepEqual(await prepare(customerNumber, 'w1'), { conversionId: 'w1' });
      assert.equal((await profiles.get(OURS, customerNumber)).firstName, 'A.', 'preparing changes nothing');
      for (const _ of [1, 2]) assert.equal(await lifecycle.convert(OURS, customerNumber, 'w1'), 'CONVERTED');
      const converted = await profiles.get(OURS, customerNumber, 'PERMANENT');
      assert.deepEqual([converted.firstName, converted.surname, converted.email], ['Anna', 'Lie', 'anna@example.no']);
      assert.equal(converted.expirationDate, undefined);
      const { outbox, pendingConversions, pendingStart } = await stored(customerNumber);
      assert.deepEqual([outbox.length, outbox[1]?.type], [2, 'service.customer.CustomerConverted.v1']);
      assert.deepEqual([pendingConversions, pendingStart], [undefined, undefined]);
      assert.deepEqual(await prepare(customerNumber, 'w1'), { converted });
      assert.equal(await outcomeOf(prepare(customerNumber, 'w2')), 'INVALID_STATE');
      assert.equal((await profiles.findLogin(OURS, 'ANNA@example.no'))?.customerNumber, customerNumber);
    });

    it('keeps the prepared content sealed until then', async () => {
      const customerNumber = await newGuest();
      await prepare(customerNumber, 'w1');
      const { pendingConversions: [entry] = [] } = await stored(customerNumber);
      assert.ok(entry && !Buffer.from(entry.sealed.buffer).includes('anna'));
    });

    it('keeps changes that were made after its preparation', async () => {
      const { lifecycle, profiles } = fixture.here;
      const customerNumber = await newGuest();
      await prepare(customerNumber, 'w1');
      const change = (present: ProfileContent) => ({ ...present, dateOfBirth: '1990-02-03' });
      await profiles.update(OURS, customerNumber, 'TEMPORARY', change, request());
      assert.equal(await lifecycle.convert(OURS, customerNumber, 'w1'), 'CONVERTED');
      const converted = await profiles.get(OURS, customerNumber);
      assert.deepEqual([converted.dateOfBirth, converted.surname], ['1990-02-03', 'Lie']);
    });

    it('is refused when a permanent profile has the address; the profile stays temporary', async () => {
      const { lifecycle } = fixture.here;
      const customerNumber = await newGuest();
      const other = await newAnna();
      await prepare(customerNumber, 'w1');
      for (const _ of [1, 2]) assert.equal(await lifecycle.convert(OURS, customerNumber, 'w1'), 'DUPLICATE_EMAIL');
      assert.equal((await lifecycle.expiryOf(OURS, customerNumber)).state, 'TEMPORARY');
      await fixture.here.profiles.beginErasure(OURS, other, 'PERMANENT', request());
      assert.equal(await lifecycle.convert(OURS, customerNumber, 'w1'), 'CONVERTED');
    });

    it('is refused after the date, a deletion or another conversion', async () => {
      const { lifecycle, profiles } = fixture.here;
      const [late, deleted, converted] = await Promise.all([newGuest(), newGuest(), newGuest()]);
      for (const each of [late, deleted, converted]) await prepare(each, 'w1');
      await prepare(converted, 'w2');
      await profiles.beginErasure(OURS, deleted, 'TEMPORARY', request());
      assert.equal(await lifecycle.convert(OURS, deleted, 'w1'), 'EXPIRED');
      assert.equal(await lifecycle.convert(OURS, converted, 'w1'), 'CONVERTED');
      assert.equal(await lifecycle.convert(OURS, converted, 'w2'), 'PERMANENT');
      fixture.passes(DAY_MS);
      assert.equal(await lifecycle.convert(OURS, late, 'w1'), 'EXPIRED');
      assert.equal(await lifecycle.convert(OURS, NOBODY, 'w1'), 'EXPIRED');
    });

    it('is refused without preparation', async () => {
      const customerNumber = await newGuest();
      assert.equal(await outcomeOf(fixture.here.lifecycle.convert(OURS, customerNumber, 'w1')), 'INVALID_STATE');
    });

    it('reports for a day that the profile has expired, then that it is absent', async () => {
      const customerNumber = await newGuest();
      fixture.passes(DAY_MS);
      assert.equal(await outcomeOf(prepare(customerNumber, 'w1')), 'INVALID_STATE');
      await fixture.here.lifecycle.expire(OURS, customerNumber);
      assert.equal(await outcomeOf(prepare(customerNumber, 'w1')), 'INVALID_STATE');
      await erase(customerNumber);
      fixture.passes(DAY_MS - 1);
      assert.equal(await outcomeOf(prepare(customerNumber, 'w1')), 'INVALID_STATE');
      fixture.passes(1);
      assert.equal(await outcomeOf(prepare(customerNumber, 'w1')), 'NOT_FOUND');
      assert.equal(await outcomeOf(prepare(NOBODY, 'w1')), 'NOT_FOUND');
    });
  });

  describe('erasure', () => {
    it('leaves a tombstone, destroys the key and writes one event, also when steps repeat', async () => {
      const { lifecycle, addresses, keys, profiles } = fixture.here;
      const customerNumber = await newAnna();
      await addresses.add(OURS, customerNumber, HOME, request());
      await profiles.beginErasure(OURS, customerNumber, 'PERMANENT', request('w1'));
      for (const _ of [1, 2]) assert.equal(await lifecycle.beginErasing(OURS, customerNumber), 'ERASING');
      assert.ok((await lifecycle.verify(OURS, customerNumber)).includes('sealed'));
      for (const _ of [1, 2]) {
        await lifecycle.destroyKey(OURS, customerNumber);
        await lifecycle.removeContent(OURS, customerNumber);
      }
      assert.deepEqual(await lifecycle.verify(OURS, customerNumber), []);
      for (const _ of [1, 2]) await lifecycle.markErased(OURS, customerNumber);
      const { outbox, ...tombstone } = await stored(customerNumber);
      const erasedAt = fixture.now;
      assert.deepEqual(tombstone, {
        _id: customerNumber,
        organisationId: OURS,
        status: 'ERASED',
        erasedAt,
        sequence: 3,
        revision: tombstone.revision,
      });
      assert.deepEqual(
        outbox.map((event) => event.sequence),
        [1, 2, 3],
      );
      assert.equal(outbox[2]?.type, 'service.customer.CustomerErased.v1');
      assert.equal(outbox[2]?.data.meta.correlationId, 'correlation-of-w1');
      assert.equal(await keys.findOf(CUSTOMER.subjectOf(customerNumber)), undefined);
      assert.equal(await lifecycle.beginErasing(OURS, customerNumber), 'ERASED');
    });

    it('makes a copy of the data unreadable with the key', async () => {
      const { lifecycle, profiles, collection } = fixture.here;
      const customerNumber = await newAnna();
      const backup = await stored(customerNumber);
      await profiles.beginErasure(OURS, customerNumber, 'PERMANENT', request());
      await erase(customerNumber);
      await collection.replaceOne({ _id: customerNumber }, backup);
      assert.equal(await outcomeOf(profiles.get(OURS, customerNumber)), 'NOT_FOUND');
      assert.deepEqual(await lifecycle.verify(OURS, customerNumber).then((left) => left.includes('sealed')), true);
    });

    it('finds remains of key and content', async () => {
      const { lifecycle, profiles, keys, collection } = fixture.here;
      const customerNumber = await newAnna();
      await profiles.beginErasure(OURS, customerNumber, 'PERMANENT', request());
      await erase(customerNumber);
      await keys.create(ownerOf({ _id: customerNumber, organisationId: OURS }));
      await collection.updateOne({ _id: customerNumber }, { $set: { nickname: 'Annie' } as object });
      assert.deepEqual(await lifecycle.verify(OURS, customerNumber), ['nickname', 'key']);
    });

    it('does not destroy the key, nor the content, of a profile that lives', async () => {
      const { lifecycle, profiles } = fixture.here;
      const customerNumber = await newAnna();
      await assert.rejects(lifecycle.destroyKey(OURS, customerNumber), /live profile/);
      await lifecycle.removeContent(OURS, customerNumber);
      await lifecycle.markErased(OURS, customerNumber);
      assert.equal((await profiles.get(OURS, customerNumber)).firstName, 'Anna');
    });

    it('does not destroy the key of a profile of another organisation', async () => {
      const { keys, lifecycle, profiles } = fixture.here;
      const customerNumber = await newAnna();
      await assert.rejects(lifecycle.destroyKey(THEIRS, customerNumber), /live profile/);
      assert.equal((await profiles.get(OURS, customerNumber)).firstName, 'Anna');
      await profiles.beginErasure(OURS, customerNumber, 'PERMANENT', request());
      await assert.rejects(lifecycle.destroyKey(THEIRS, customerNumber), /another organisation/);
      assert.ok(await keys.existsFor(CUSTOMER.subjectOf(customerNumber)));
    });

    it('writes its event once nothing is left in any area', async () => {
      const { lifecycle, profiles } = fixture.here;
      const customerNumber = await newAnna();
      await profiles.beginErasure(OURS, customerNumber, 'PERMANENT', request());
      await lifecycle.destroyKey(OURS, customerNumber);
      await lifecycle.removeContent(OURS, customerNumber);
      const eventTypes = async () => (await stored(customerNumber)).outbox.map(({ type }) => type);
      assert.deepEqual(await eventTypes(), ['service.customer.CustomerCreated.v1']);
      await Promise.all([fixture.here, fixture.there].map((each) => each.lifecycle.markErased(OURS, customerNumber)));
      assert.deepEqual(await eventTypes(), [
        'service.customer.CustomerCreated.v1',
        'service.customer.CustomerErased.v1',
      ]);
    });

    it('is not marked before the content is removed', async () => {
      const { lifecycle, profiles } = fixture.here;
      const customerNumber = await newAnna();
      await profiles.beginErasure(OURS, customerNumber, 'PERMANENT', request());
      await lifecycle.markErased(OURS, customerNumber);
      assert.deepEqual(await lifecycle.expiryOf(OURS, customerNumber), { state: 'ERASING' });
    });

    it('is listed until it has ended', async () => {
      const { lifecycle, profiles } = fixture.here;
      const customerNumber = await newAnna();
      await profiles.beginErasure(OURS, customerNumber, 'PERMANENT', request());
      const inAMinute = new Date(fixture.now.getTime() + 60_000);
      const listed = async () =>
        (await lifecycle.listErasing(inAMinute, 10)).map((each) => [each.customerNumber, each.status]);
      assert.deepEqual(await lifecycle.listErasing(fixture.now, 10), []);
      assert.deepEqual(await listed(), [[customerNumber, 'ERASING']]);
      await lifecycle.destroyKey(OURS, customerNumber);
      await lifecycle.removeContent(OURS, customerNumber);
      assert.deepEqual(await listed(), [[customerNumber, 'ERASING']]);
      await lifecycle.markErased(OURS, customerNumber);
      assert.deepEqual(await listed(), []);
    });
  });

  describe('pending starts', () => {
    const pending = async () => {
      const soon = new Date(fixture.now.getTime() + 1);
      return (await fixture.here.lifecycle.listPendingStarts(soon, 10)).map((each) => each.customerNumber);
    };

    it('are those of new temporary profiles, of moved dates and of deletions', async () => {
      const { lifecycle, profiles } = fixture.here;
      const permanent = await newAnna();
      assert.deepEqual(await pending(), []);
      const made: Profile = await profiles.create(guest(fixture.inDays(1)), request());
      assert.deepEqual(await pending(), [made.customerNumber]);
      await lifecycle.clearPendingStart(OURS, made.customerNumber, made.revision);
      assert.deepEqual(await pending(), []);
      const change = (content: Partial<ProfileContent>) =>
        profiles.update(OURS, made.customerNumber, 'TEMPORARY', (one) => ({ ...one, ...content }), request());
      await change({ surname: 'Lie' });
      assert.deepEqual(await pending(), []);
      const moved = await change({ expirationDate: fixture.inDays(2) });
      assert.deepEqual(await pending(), [made.customerNumber]);
      await lifecycle.clearPendingStart(OURS, made.customerNumber, moved.revision);
      await profiles.beginErasure(OURS, permanent, 'PERMANENT', request());
      assert.deepEqual(await pending(), [permanent]);
      await lifecycle.clearPendingStart(OURS, permanent);
      assert.deepEqual(await pending(), []);
    });

    it('outlive the start of an earlier write', async () => {
      const { lifecycle, profiles } = fixture.here;
      const made = await profiles.create(guest(fixture.inDays(1)), request());
      await profiles.beginErasure(OURS, made.customerNumber, 'TEMPORARY', request());
      await lifecycle.clearPendingStart(OURS, made.customerNumber, made.revision);
      assert.deepEqual(await pending(), [made.customerNumber]);
    });
  });
});
