/** Tests profiles as callers see them: stored content, recorded events, and absent profiles. */
import assert from 'node:assert/strict';
import type { Profile } from '../../../activities/customers/customer-types.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { anna, CustomerFixture, DAY_MS, guest, HOME, OURS, outcomeOf, request, THEIRS } from './customer-fixture.ts';

const PAGE = { page: 1, perPage: 25, maxResultSet: 50 };

describe('profile store', () => {
  const fixture = new CustomerFixture('profile-store');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const create = async (more = {}): Promise<Profile> => await fixture.here.profiles.create(anna(more), request());
  const stored = async (customerNumber: CustomerNumber) =>
    await fixture.here.collection.findOne({ _id: customerNumber });

  it('makes a profile that is found again, by number and by reference', async () => {
    const made = await create({ customerRef: 'A-1' });
    assert.match(made.customerNumber, /^[1-9]\d{9}$/);
    assert.equal(made.status, 'ACTIVE');
    assert.equal(made.changedBy, 'desk 4');
    const { profiles } = fixture.there;
    assert.deepEqual(await profiles.get(OURS, made.customerNumber), made);
    assert.deepEqual(await profiles.find(OURS, { customerNumber: made.customerNumber }), made);
    assert.deepEqual(await profiles.find(OURS, { customerRef: 'A-1', organisationId: OURS }), made);
    assert.equal(await profiles.getType(OURS, made.customerNumber), 'PERMANENT');
  });

  it('uses the number as reference by default', async () => {
    const { customerNumber, customerRef } = await create();
    assert.equal(customerRef, customerNumber);
  });

  it('stores personal data only sealed, in either database', async () => {
    const names = { customerRef: 'Anders.Berg', createdBy: 'clerk Nilsen', createdByChannel: 'counter of Nilsen' };
    const { customerNumber } = await create({ passwordHash: '$scrypt$secret', ...names });
    const { collection, keysConnection } = fixture.here;
    const change = request('change', { by: 'clerk Olsen', channel: 'counter of Olsen' });
    const { profiles, addresses } = fixture.here;
    await profiles.update(OURS, customerNumber, 'PERMANENT', (one) => ({ ...one, customerRef: 'Nina.Berg' }), change);
    await addresses.add(OURS, customerNumber, HOME, request('address', { by: 'clerk Olsen' }));
    const shown = await profiles.get(OURS, customerNumber);
    assert.deepEqual(
      [shown.customerRef, shown.createdBy, shown.createdByChannel, shown.changedBy, shown.changedByChannel],
      ['Nina.Berg', 'clerk Nilsen', 'counter of Nilsen', 'clerk Olsen', 'counter of Olsen'],
    );
    const everything = [
      ...(await collection.find().toArray()),
      ...(await keysConnection.collection('subject_keys').find().toArray()),
    ];
    const text = everything.map((document) => JSON.stringify(document) + bytesIn(document)).join();
    for (const word of [
      'Anna',
      'degård',
      'anna@example',
      '91234567',
      '1990-02-03',
      'scrypt',
      'Berg',
      'Nilsen',
      'Olsen',
    ]) {
      assert.ok(!text.includes(word), word);
    }
    assert.ok(text.includes(customerNumber));
  });

  it('returns the password hash to the login only', async () => {
    const made = await create({ passwordHash: 'the hash' });
    assert.ok(!JSON.stringify(made).includes('the hash'));
    const expected = { customerNumber: made.customerNumber, passwordHash: 'the hash' };
    for (const username of ['ANNA@example.no', made.customerNumber]) {
      assert.deepEqual(await fixture.here.profiles.findLogin(OURS, username), expected);
      assert.equal(await fixture.here.profiles.findLogin(THEIRS, username), undefined);
    }
    const { customerNumber } = await create({ email: 'b@example.no' });
    assert.deepEqual(await fixture.here.profiles.findLogin(OURS, 'b@example.no'), {
      customerNumber,
      passwordHash: undefined,
    });
  });

  it('writes an event for each change, in order and without a personal value', async () => {
    const { customerNumber } = await create();
    const { profiles } = fixture.here;
    await profiles.update(
      OURS,
      customerNumber,
      'PERMANENT',
      (present) => ({ ...present, surname: 'Lie' }),
      request('w1'),
    );
    const { outbox, sequence } = (await stored(customerNumber)) ?? assert.fail();
    assert.equal(sequence, 2);
    assert.deepEqual(
      outbox.map((event) => [event.id, event.sequence, event.type, event.topic]),
      [
        [`customer/${customerNumber}/1`, 1, 'service.customer.CustomerCreated.v1', 'customer-changed-dev'],
        [`customer/${customerNumber}/2`, 2, 'service.customer.CustomerUpdated.v1', 'customer-changed-dev'],
      ],
    );
    assert.deepEqual(outbox[1]?.data, {
      changed: ['surname'],
      meta: { customerNumber, organisationId: OURS, correlationId: 'correlation-of-w1', occurredAt: fixture.now },
    });
  });

  it('changes the given members, and records the author', async () => {
    const { customerNumber, createdAt } = await create();
    fixture.passes(1_000);
    const { email: _, ...rest } = anna();
    const write = request('w1', { by: 'web', channel: 'self service' });
    const changed = await fixture.here.profiles.update(
      OURS,
      customerNumber,
      'PERMANENT',
      () => ({ ...rest, customerRef: 'B-2', email: 'new@example.no' }),
      write,
    );
    assert.equal(changed.email, 'new@example.no');
    assert.deepEqual([changed.createdAt, changed.changedAt], [createdAt, fixture.now]);
    assert.deepEqual([changed.changedBy, changed.changedByChannel], ['web', 'self service']);
    assert.deepEqual(await fixture.there.profiles.get(OURS, customerNumber), changed);
    assert.equal(await fixture.here.profiles.findLogin(OURS, 'anna@example.no'), undefined);
    assert.ok(await fixture.here.profiles.findLogin(OURS, 'new@example.no'));
  });

  it('acts once for a repeated request', async () => {
    const { customerNumber } = await create();
    const { profiles } = fixture.here;
    const rename = (surname: string, workId: string) =>
      profiles.update(OURS, customerNumber, 'PERMANENT', (present) => ({ ...present, surname }), request(workId));
    await rename('First', 'w1');
    await rename('Second', 'w2');
    assert.equal((await rename('First', 'w1')).surname, 'Second');
    assert.equal((await stored(customerNumber))?.sequence, 3);
  });

  it('writes nothing when the change is refused', async () => {
    const { customerNumber } = await create();
    const before = await stored(customerNumber);
    const refusal = new Error('refused');
    const refused = fixture.here.profiles.update(
      OURS,
      customerNumber,
      'PERMANENT',
      () => {
        throw refusal;
      },
      request(),
    );
    await assert.rejects(refused, refusal);
    assert.deepEqual(await stored(customerNumber), before);
  });

  it('does not show profiles of other organisations', async () => {
    const { customerNumber } = await create({ customerRef: 'A-1' });
    const { profiles } = fixture.here;
    const change = (present: Parameters<Parameters<typeof profiles.update>[3]>[0]) => present;
    assert.equal(await profiles.find(THEIRS, { customerNumber }), undefined);
    assert.equal(await profiles.find(THEIRS, { customerRef: 'A-1', organisationId: OURS }), undefined);
    assert.equal(await profiles.find(THEIRS, { customerRef: 'A-1', organisationId: THEIRS }), undefined);
    assert.equal((await profiles.search(THEIRS, { surname: 'Ødegård', includeTemporary: true }, PAGE)).totalItems, 0);
    const calls: (() => Promise<unknown>)[] = [
      () => profiles.get(THEIRS, customerNumber),
      () => profiles.getType(THEIRS, customerNumber),
      () => profiles.update(THEIRS, customerNumber, 'PERMANENT', change, request()),
      () => profiles.beginErasure(THEIRS, customerNumber, 'PERMANENT', request()),
      () => profiles.prepareConversion(THEIRS, customerNumber, change, request()),
    ];
    for (const call of calls) assert.equal(await outcomeOf(call()), 'NOT_FOUND');
    assert.equal((await profiles.get('ANY', customerNumber)).customerNumber, customerNumber);
    assert.ok(await profiles.find('ANY', { customerRef: 'A-1', organisationId: OURS }));
  });

  it("does the same work for another organisation's profile as for none", async () => {
    const { customerNumber } = await create();
    const { collection } = fixture.here;
    for (const number of [customerNumber, '1234567890' as CustomerNumber]) {
      const plan = await collection
        .find({ _id: number, organisationId: THEIRS }, { hint: 'organisation_and_number' })
        .explain('executionStats');
      const { totalDocsExamined, totalKeysExamined, nReturned } = plan.executionStats;
      assert.deepEqual([totalDocsExamined, totalKeysExamined, nReturned], [0, 0, 0]);
    }
  });

  it('serves a temporary profile exactly until its date', async () => {
    const { profiles } = fixture.here;
    const { customerNumber } = await profiles.create(guest(fixture.inDays(1), { customerRef: 'T-1' }), request());
    const change = (present: Parameters<Parameters<typeof profiles.update>[3]>[0]) => present;
    fixture.passes(DAY_MS - 1);
    assert.equal((await profiles.get(OURS, customerNumber, 'TEMPORARY')).profileType, 'TEMPORARY');
    assert.equal(await outcomeOf(profiles.get(OURS, customerNumber, 'PERMANENT')), 'NOT_FOUND');
    fixture.passes(1);
    assert.equal(await profiles.find(OURS, { customerRef: 'T-1', organisationId: OURS }), undefined);
    assert.equal(await outcomeOf(profiles.get(OURS, customerNumber)), 'NOT_FOUND');
    assert.equal(await outcomeOf(profiles.update(OURS, customerNumber, 'TEMPORARY', change, request())), 'NOT_FOUND');
    assert.equal(await outcomeOf(profiles.beginErasure(OURS, customerNumber, 'TEMPORARY', request())), 'NOT_FOUND');
    const converted = profiles.prepareConversion(OURS, customerNumber, change, request());
    assert.equal(await outcomeOf<unknown>(converted), 'INVALID_STATE');
  });

  it('refuses a temporary profile without a date: it would live for ever', async () => {
    const { expirationDate: _, ...endless } = guest(fixture.inDays(1));
    await assert.rejects(fixture.here.profiles.create(endless, request()), /expiration date/);
  });

  it('deletes once, and recognises the request that did', async () => {
    const { customerNumber } = await create();
    const { profiles } = fixture.here;
    assert.equal(await profiles.beginErasure(OURS, customerNumber, 'PERMANENT', request('w1')), 'BEGUN');
    assert.equal(await profiles.beginErasure(OURS, customerNumber, 'PERMANENT', request('w1')), 'BEGUN');
    assert.equal(await outcomeOf(profiles.beginErasure(OURS, customerNumber, 'PERMANENT', request('w2'))), 'NOT_FOUND');
    assert.equal(await outcomeOf(profiles.get(OURS, customerNumber)), 'NOT_FOUND');
    assert.equal((await stored(customerNumber))?.status, 'ERASING');
  });

  it('distinguishes capitals in a reference, though a search does not', async () => {
    await create({ customerRef: 'ref-a' });
    await create({ customerRef: 'REF-A', email: 'b@example.no' });
    const { profiles } = fixture.here;
    const found = await profiles.find(OURS, { customerRef: 'REF-A', organisationId: OURS });
    assert.equal(found?.email, 'b@example.no');
    assert.equal(await profiles.find(OURS, { customerRef: 'Ref-A', organisationId: OURS }), undefined);
    const criteria = { customerRef: 'Ref-A', includeTemporary: false };
    assert.equal((await profiles.search(OURS, criteria, PAGE)).totalItems, 2);
  });

  it('frees e-mail and reference at once on deletion', async () => {
    const { customerNumber } = await create({ customerRef: 'A-1' });
    assert.equal(await outcomeOf(create()), 'DUPLICATE_EMAIL');
    await fixture.here.profiles.beginErasure(OURS, customerNumber, 'PERMANENT', request());
    assert.equal((await create({ customerRef: 'A-1' })).email, 'anna@example.no');
  });
});

/** All bytes of sealed members as text, as a search through the files would read them. */
function bytesIn(document: object): string {
  return Object.values(document)
    .map((value) => (value?._bsontype === 'Binary' ? value.buffer.toString('latin1') : ''))
    .join();
}
