/** Names and addresses of customers, as other areas get them to write to people. */
import assert from 'node:assert/strict';
import { ExistingCustomers } from '../../../activities/customers/existing-customers.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { anna, CustomerFixture, guest, OURS, request, THEIRS } from './customer-fixture.ts';

describe('reachable customers', () => {
  const fixture = new CustomerFixture('reachable-customers');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const reader = () =>
    new ExistingCustomers(
      fixture.there.connection,
      () => fixture.now,
      async () => fixture.there.keys,
    );

  it('are opened by their keys, each once, for their own organisation alone', async () => {
    const { profiles } = fixture.here;
    const known = await profiles.create(anna({ email: 'anna@example.org', languagePreference: 'nno' }), request());
    const numbers = [known.customerNumber, known.customerNumber, '9999999999' as CustomerNumber];
    const found = await reader().listReachable(OURS, numbers);
    assert.deepEqual([...found.keys()], [known.customerNumber]);
    const { firstName, surname } = known;
    const expected = { firstName, surname, email: 'anna@example.org', language: 'nno' };
    assert.deepEqual(found.get(known.customerNumber), expected);
    assert.equal((await reader().listReachable(THEIRS, numbers)).size, 0);
    assert.equal((await reader().listReachable(OURS, [])).size, 0);
  });

  it('are absent once they expire, or their key is destroyed', async () => {
    const { profiles, keysConnection } = fixture.here;
    const [visitor, erased] = [
      await profiles.create(guest(fixture.inDays(2)), request()),
      await profiles.create(anna(), request()),
    ];
    await keysConnection.collection('subject_keys').deleteOne({ subject: `customer/${erased.customerNumber}` });
    const numbers = [visitor.customerNumber, erased.customerNumber];
    assert.deepEqual([...(await reader().listReachable(OURS, numbers)).keys()], [visitor.customerNumber]);
    fixture.now = new Date((visitor.expirationDate ?? fixture.now).getTime());
    assert.equal((await reader().listReachable(OURS, numbers)).size, 0);
  });

  it('stay unknown to a process that opens no keys', async () => {
    const { customerNumber } = await fixture.here.profiles.create(anna(), request());
    const without = new ExistingCustomers(fixture.there.connection, () => fixture.now);
    await assert.rejects(without.listReachable(OURS, [customerNumber]), /opens no keys/);
    assert.deepEqual([...(await without.listExisting(OURS, [customerNumber]))], [customerNumber]);
  });
});
