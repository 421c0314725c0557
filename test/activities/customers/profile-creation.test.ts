/** Tests the creation of profiles under simultaneous, repeated and interrupted requests. */

import assert from 'node:assert/strict';
import { ownerOf } from '../../../activities/customers/customer-subject.ts';
import { ProfileStore } from '../../../activities/customers/profile-store.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { anna, CustomerFixture, DAY_MS, guest, OURS, outcomeOf, request, THEIRS } from './customer-fixture.ts';

describe('creation of profiles', () => {
  const fixture = new CustomerFixture('profile-creation');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const countKeys = async () => await fixture.here.keysConnection.collection('subject_keys').countDocuments();
  const countProfiles = async () => await fixture.here.collection.countDocuments();

  it('gives an e-mail address to one of several simultaneous requests, in any case', async () => {
    const asked = Array.from({ length: 20 }, (_, index) => {
      const { profiles } = index % 2 === 0 ? fixture.here : fixture.there;
      const email = index % 3 === 0 ? 'ANNA@Example.NO' : 'anna@example.no';
      return outcomeOf(profiles.create(anna({ email }), request()));
    });
    const outcomes = await Promise.all(asked);
    assert.equal(outcomes.filter((outcome) => outcome !== 'DUPLICATE_EMAIL').length, 1);
    assert.deepEqual([await countProfiles(), await countKeys()], [1, 1]);
  });

  it('allows the same address in other organisations and temporary profiles', async () => {
    const { profiles } = fixture.here;
    await profiles.create(anna(), request());
    await profiles.create(anna({ organisationId: THEIRS }), request());
    for (const _ of [1, 2]) {
      await profiles.create(guest(fixture.inDays(1), { email: 'anna@example.no' }), request());
    }
    assert.equal(await countProfiles(), 4);
  });

  it('makes one profile for a repeated request, also at once', async () => {
    // Temporary, since the unique address of permanent profiles alone would refuse the second.
    const input = guest(fixture.inDays(1), { email: 'anna@example.no' });
    const attempts = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? fixture.here : fixture.there).profiles.create(input, request('w1')),
    );
    const made = await Promise.all(attempts);
    assert.equal(new Set(made.map((profile) => profile.customerNumber)).size, 1);
    assert.deepEqual(await fixture.here.profiles.create(input, request('w1')), made[0]);
    assert.deepEqual([await countProfiles(), await countKeys()], [1, 1]);
  });

  it('makes the profile when the first attempt died after the key', async () => {
    const { connection, profiles, options } = fixture.here;
    const dying = new ProfileStore({
      ...options,
      connection: new Proxy(connection, {
        get: (target, member, receiver) =>
          member === 'collection'
            ? () => ({ insertOne: () => Promise.reject(new Error('killed')) })
            : Reflect.get(target, member, receiver),
      }),
    });
    await assert.rejects(dying.create(anna(), request('w1')), /killed/);
    assert.deepEqual([await countProfiles(), await countKeys()], [0, 1]);
    const made = await profiles.create(anna(), request('w1'));
    assert.deepEqual(await profiles.get(OURS, made.customerNumber), made);
  });

  it('does not return a deleted profile to a repeated request', async () => {
    const { profiles } = fixture.here;
    const { customerNumber } = await profiles.create(anna(), request('w1'));
    await profiles.beginErasure(OURS, customerNumber, 'PERMANENT', request());
    assert.equal(await outcomeOf(profiles.create(anna(), request('w1'))), 'NOT_FOUND');
  });

  it('chooses another number when a profile, a key or a reference has it', async () => {
    const numbers = ['1000000001', '1000000001', '1000000002', '1000000003', '1000000004'] as CustomerNumber[];
    const profiles = new ProfileStore({
      ...fixture.here.options,
      newNumber: () => numbers.shift() ?? assert.fail('asked for too many numbers'),
    });
    assert.equal((await profiles.create(anna(), request())).customerNumber, '1000000001');
    await fixture.here.keys.create(ownerOf({ _id: '1000000002' as CustomerNumber, organisationId: OURS }));
    await fixture.here.profiles.create(anna({ email: 'b@example.no', customerRef: '1000000003' }), request());
    const made = await profiles.create(anna({ email: 'c@example.no' }), request());
    assert.equal(made.customerNumber, '1000000004');
    assert.equal(await countKeys(), 4, 'a key was left behind');
  });

  it('refuses a reference that another profile has', async () => {
    const { profiles } = fixture.here;
    await profiles.create(anna({ customerRef: 'A-1' }), request());
    const again = anna({ customerRef: 'A-1', email: 'b@example.no' });
    assert.equal(await outcomeOf(profiles.create(again, request())), 'DUPLICATE_CUSTOMER_REF');
    assert.ok(await profiles.create({ ...again, organisationId: THEIRS }, request()));
  });

  it('frees the reference of a profile whose date has passed, for the first request', async () => {
    const { profiles, lifecycle } = fixture.here;
    const { customerNumber } = await profiles.create(guest(fixture.inDays(1), { customerRef: 'A-1' }), request());
    fixture.passes(DAY_MS);
    const asked = Array.from({ length: 10 }, (_, index) =>
      outcomeOf(profiles.create(anna({ customerRef: 'A-1', email: `a${index}@example.no` }), request())),
    );
    const outcomes = await Promise.all(asked);
    assert.equal(outcomes.filter((outcome) => outcome !== 'DUPLICATE_CUSTOMER_REF').length, 1);
    assert.deepEqual(await lifecycle.expiryOf(OURS, customerNumber), { state: 'EXPIRED' });
    const wanted = await lifecycle.listPendingStarts(fixture.inDays(1), 10);
    assert.ok(wanted.some((each) => each.customerNumber === customerNumber && each.status === 'EXPIRED'));
  });

  it('frees the reference also for a profile that changes to it', async () => {
    const { profiles } = fixture.here;
    const { customerNumber } = await profiles.create(anna(), request());
    await profiles.create(guest(fixture.inDays(1), { customerRef: 'A-1' }), request());
    const take = () =>
      profiles.update(OURS, customerNumber, 'PERMANENT', (one) => ({ ...one, customerRef: 'A-1' }), request());
    assert.equal(await outcomeOf(take()), 'DUPLICATE_CUSTOMER_REF');
    fixture.passes(DAY_MS);
    assert.equal((await take()).customerRef, 'A-1');
  });

  it('refuses to change an address into one that another profile has', async () => {
    const { profiles } = fixture.here;
    const { customerNumber } = await profiles.create(anna({ email: 'b@example.no' }), request());
    await profiles.create(anna(), request());
    const change = profiles.update(
      ...([OURS, customerNumber, 'PERMANENT'] as const),
      (present) => ({ ...present, email: 'Anna@Example.no' }),
      request(),
    );
    assert.equal(await outcomeOf(change), 'DUPLICATE_EMAIL');
  });
});
