/**
 * An attacker who writes to the collection of profiles, but has no key, must not show one organisation's customers to
 * another. Nor may one customer's data appear as another's.
 */
import assert from 'node:assert/strict';
import { renewSearchKeys } from '../../../activities/customers/search-key-renewal.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { anna, CustomerFixture, HOME, OURS, request, THEIRS } from './customer-fixture.ts';

const DOES_NOT_OPEN = /does not open: it belongs to another/;

describe('a stolen profile', () => {
  const fixture = new CustomerFixture('moved-profiles');
  let number: CustomerNumber;
  before(async () => await fixture.open());
  beforeEach(async () => {
    await fixture.clear();
    const { profiles, addresses } = fixture.here;
    ({ customerNumber: number } = await profiles.create(anna({ passwordHash: 'a hash' }), request()));
    await addresses.add(OURS, number, HOME, request());
  });
  after(async () => await fixture.close());
  const refuse = async (call: Promise<unknown>) => await assert.rejects(call, DOES_NOT_OPEN);

  it('opens for no other organisation, in any way of reading it', async () => {
    const { profiles, addresses, consents, collection } = fixture.here;
    const { surname } = anna();
    await profiles.create(anna({ organisationId: THEIRS }), request());
    const theirs = await collection.findOne({ organisationId: THEIRS });
    await collection.deleteOne({ organisationId: THEIRS });
    const { searchKeys, emailKey } = theirs ?? {};
    await collection.updateOne({ _id: number }, { $set: { organisationId: THEIRS, searchKeys, emailKey } as object });
    await refuse(profiles.find(THEIRS, { customerNumber: number }));
    await refuse(profiles.find('ANY', { customerNumber: number }));
    await refuse(profiles.findLogin(THEIRS, 'anna@example.no'));
    const criteria = { surname: 'Ødegård', includeTemporary: false };
    await refuse(profiles.search(THEIRS, criteria, { page: 1, perPage: 25, maxResultSet: 50 }));
    await refuse(addresses.list(THEIRS, number));
    await refuse(consents.list(THEIRS, number));
    await refuse(profiles.update(THEIRS, number, 'PERMANENT', (content) => content, request()));
    assert.equal(await profiles.find(OURS, { customerNumber: number }), undefined);
    await collection.updateOne({ _id: number }, { $set: { organisationId: OURS } });
    assert.equal((await profiles.get(OURS, number)).surname, surname);
  });

  it('is named by a renewal of search keys, which renews the others', async () => {
    const { profiles, collection, options } = fixture.here;
    await profiles.create(anna({ email: 'bo@example.no', customerRef: 'B-1' }), request());
    await collection.updateOne({ _id: number }, { $set: { organisationId: THEIRS } });
    assert.deepEqual(await renewSearchKeys(options), { renewed: 1, unopened: [number] });
    await collection.updateOne({ _id: number }, { $set: { organisationId: OURS, sealed: Buffer.alloc(40) } });
    assert.deepEqual(await renewSearchKeys(options), { renewed: 1, unopened: [number] });
  });

  it('is not the answer to a request of another organisation that claims to have created it', async () => {
    const { profiles, collection } = fixture.here;
    const { creationId: workId } = (await collection.findOne({ _id: number })) ?? assert.fail('no profile');
    const claimed = { ...request(), workId: workId ?? assert.fail('no creation id') };
    await assert.rejects(profiles.create(anna({ organisationId: THEIRS }), claimed), { status: 404 });
  });

  it('opens under no other number', async () => {
    const { profiles, collection } = fixture.here;
    const other = await profiles.create(anna({ organisationId: THEIRS, email: 'bo@example.no' }), request());
    const { keyId, sealed, origin } = (await collection.findOne({ _id: number })) ?? assert.fail('no profile');
    const copied = { keyId, sealed, origin } as object;
    await collection.updateOne({ _id: other.customerNumber }, { $set: copied });
    await refuse(profiles.find(THEIRS, { customerNumber: other.customerNumber }));
    assert.equal((await profiles.get(OURS, number)).surname, anna().surname);
  });

  it('of a temporary customer cannot be converted elsewhere', async () => {
    const { profiles, collection } = fixture.here;
    const expirationDate = fixture.inDays(1);
    const guest = await profiles.create(anna({ profileType: 'TEMPORARY', expirationDate }), request());
    await collection.updateOne({ _id: guest.customerNumber }, { $set: { organisationId: THEIRS } });
    await refuse(profiles.prepareConversion(THEIRS, guest.customerNumber, (content) => content, request()));
  });
});
