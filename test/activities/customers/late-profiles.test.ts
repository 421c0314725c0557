/** When many dates pass at once, or no worker runs, few writes must end the late profiles and destroy their keys. */

import assert from 'node:assert/strict';
import { ownerOf } from '../../../activities/customers/customer-subject.ts';
import type { ProfileContent } from '../../../activities/customers/customer-types.ts';
import { CUSTOMER } from '../../../activities/shared/customer-kind.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { anna, CustomerFixture, DAY_MS, guest, OURS, outcomeOf, request } from './customer-fixture.ts';

const MANY = 1_100;

describe('late profiles', () => {
  const fixture = new CustomerFixture('late-profiles');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const newGuest = async (days = 1): Promise<CustomerNumber> =>
    (await fixture.here.profiles.create(guest(fixture.inDays(days)), request())).customerNumber;
  const stored = async (customerNumber: CustomerNumber) =>
    (await fixture.here.collection.findOne({ _id: customerNumber })) ?? assert.fail('no such profile');
  const endLate = () => fixture.here.lifecycle.endLate(fixture.now);

  it('end all at once, with their date, and become unreadable', async () => {
    const one = await newGuest();
    const due = fixture.inDays(1);
    const { _id, keyId, creationId, outbox, ...rest } = await stored(one);
    const others = Array.from({ length: MANY }, (_, index) => {
      const customerNumber = String(3_000_000_000 + index) as CustomerNumber;
      return {
        ...rest,
        _id: customerNumber,
        customerRefKey: customerNumber,
        keyId: customerNumber,
        creationId: customerNumber,
        outbox: [],
      };
    });
    await fixture.here.collection.insertMany(others);
    for (const other of others.slice(0, 20)) await fixture.here.keys.create(ownerOf(other));
    fixture.passes(DAY_MS + 15_000);
    assert.equal(await endLate(), MANY + 1);
    assert.equal(await fixture.here.keysConnection.collection('subject_keys').countDocuments(), 0);
    const { status, erasure, customerRefKey, searchKeys } = await stored(one);
    assert.deepEqual([status, erasure?.begunAt, customerRefKey, searchKeys], ['EXPIRED', due, undefined, undefined]);
    assert.equal(await endLate(), 0);
  });

  it('lose their keys also when only their erasure is late', async () => {
    const { keys, profiles, lifecycle } = fixture.here;
    const permanent = (await profiles.create(anna(), request())).customerNumber;
    const [temporary, alive] = [await newGuest(), await newGuest(2)];
    fixture.passes(DAY_MS);
    await profiles.beginErasure(OURS, permanent, 'PERMANENT', request());
    await lifecycle.expire(OURS, temporary);
    const keysLeft = () =>
      Promise.all([permanent, temporary, alive].map((each) => keys.existsFor(CUSTOMER.subjectOf(each))));
    await lifecycle.endLate(new Date(fixture.now.getTime() - 1));
    assert.deepEqual(await keysLeft(), [true, true, true]);
    assert.equal(await endLate(), 0);
    assert.deepEqual(await keysLeft(), [false, false, true]);
  });

  it('are only the temporary ones whose date has passed', async () => {
    const { keys, profiles, lifecycle } = fixture.here;
    const permanent = (await profiles.create(anna(), request())).customerNumber;
    const [later, moved, converted] = [await newGuest(3), await newGuest(), await newGuest()];
    const toLater = (one: ProfileContent) => ({ ...one, expirationDate: fixture.inDays(3) });
    await profiles.update(OURS, moved, 'TEMPORARY', toLater, request());
    const named = (one: ProfileContent) => ({ ...one, firstName: 'Ola', surname: 'Lie', email: 'ola@example.no' });
    await profiles.prepareConversion(OURS, converted, named, request('conversion'));
    await lifecycle.convert(OURS, converted, 'conversion');
    fixture.passes(DAY_MS);
    assert.equal(await endLate(), 0);
    for (const each of [permanent, later, moved, converted]) assert.ok(await keys.existsFor(CUSTOMER.subjectOf(each)));
  });

  it('are converted or ended, never both, in either order', async () => {
    const { here, there } = fixture;
    const expirationDate = fixture.inDays(1);
    const named = (one: ProfileContent) => ({ ...one, firstName: 'Ola', surname: 'Lie', email: 'ola@example.no' });
    for (let round = 0; round < 20; round += 1) {
      const customerNumber = (await here.profiles.create(guest(expirationDate), request())).customerNumber;
      const conversionId = `conversion-${round}`;
      await here.profiles.prepareConversion(OURS, customerNumber, named, request(conversionId));
      // For one process the date has passed, for the other it has not.
      const [ended, outcome] = await Promise.all([
        here.lifecycle.endLate(expirationDate),
        outcomeOf(there.lifecycle.convert(OURS, customerNumber, conversionId)),
      ]);
      assert.deepEqual([ended, outcome], ended === 1 ? [1, 'EXPIRED'] : [0, 'CONVERTED']);
      assert.equal(await here.keys.existsFor(CUSTOMER.subjectOf(customerNumber)), ended === 0);
      await fixture.clear();
    }
  });

  it('are erased by their workflows like others, with one event', async () => {
    const { lifecycle } = fixture.here;
    const customerNumber = await newGuest();
    fixture.passes(DAY_MS);
    await Promise.all([
      endLate(),
      fixture.there.lifecycle.endLate(fixture.now),
      lifecycle.expire(OURS, customerNumber),
    ]);
    for (const _ of [1, 2]) {
      await lifecycle.destroyKey(OURS, customerNumber);
      await lifecycle.removeContent(OURS, customerNumber);
    }
    const begunAt = fixture.now;
    assert.deepEqual(await lifecycle.markErased(OURS, customerNumber), begunAt);
    assert.equal(await lifecycle.markErased(OURS, customerNumber), undefined);
    const { status, outbox, sequence } = await stored(customerNumber);
    assert.deepEqual([status, outbox.length, sequence], ['ERASED', 2, 2]);
  });
});
