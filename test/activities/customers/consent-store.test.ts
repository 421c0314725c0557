/** Tests consents: one live row for each code, and the history of changes. */
import assert from 'node:assert/strict';
import type { ConsentContent } from '../../../activities/customers/customer-types.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { CustomerFixture, guest, OURS, outcomeOf, request, THEIRS } from './customer-fixture.ts';

const PAGE = { page: 1, perPage: 25 };
const MAIL: ConsentContent = {
  consentCode: 'MAIL',
  consentChoice: true,
  consentVersion: 3,
  distributionChannel: 'SVC:DistributionChannel:Web',
};

describe('consent store', () => {
  const fixture = new CustomerFixture('consents');
  let customerNumber: CustomerNumber;
  before(async () => await fixture.open());
  beforeEach(async () => {
    await fixture.clear();
    const made = await fixture.here.profiles.create(guest(fixture.inDays(1)), request());
    customerNumber = made.customerNumber;
  });
  after(async () => await fixture.close());

  const add = async (more: Partial<ConsentContent> = {}, write = request()) =>
    await fixture.here.consents.add(OURS, customerNumber, { ...MAIL, ...more }, write);

  it('keeps giver, code, time and version', async () => {
    const givenAt = fixture.inDays(-3);
    const consent = await add({ givenAt }, request('w1', { organisationId: THEIRS }));
    const at = fixture.now;
    const rest = { givenAt, createdAt: at, changedAt: at, createdByOrganisationId: THEIRS };
    assert.deepEqual(consent, { id: consent.id, ...MAIL, ...rest });
    assert.deepEqual((await add({ consentCode: 'SMS' })).givenAt, at);
    assert.deepEqual(await fixture.there.consents.get(OURS, customerNumber, consent.id), consent);
    assert.equal((await fixture.there.consents.list(OURS, customerNumber)).length, 2);
  });

  it('refuses a second live one of the same code, naming the first', async () => {
    const { id } = await add();
    await assert.rejects(add(), new RegExp(id));
    assert.equal(await outcomeOf(add()), 'INVALID_STATE');
  });

  it('keeps earlier rows, newest first, also after removal', async () => {
    const { consents } = fixture.here;
    const first = await add();
    fixture.passes(1_000);
    const second = await consents.replace(OURS, customerNumber, first.id, { ...MAIL, consentChoice: false }, request());
    assert.deepEqual([second.id, second.createdAt, second.changedAt], [first.id, first.createdAt, fixture.now]);
    assert.deepEqual(await consents.history(OURS, customerNumber, first.id, PAGE), { items: [first], totalItems: 1 });
    await consents.remove(OURS, customerNumber, first.id, request());
    assert.deepEqual(await consents.list(OURS, customerNumber), []);
    assert.equal(await outcomeOf(consents.get(OURS, customerNumber, first.id)), 'NOT_FOUND');
    const history = await consents.history(OURS, customerNumber, first.id, PAGE);
    assert.deepEqual(history, { items: [second, first], totalItems: 2 });
    const lastPage = await consents.history(OURS, customerNumber, first.id, { page: 2, perPage: 1 });
    assert.deepEqual(lastPage, { items: [first], totalItems: 2 });
    assert.notEqual((await add()).id, first.id);
  });

  it('has an empty history without changes, and none for an unknown consent', async () => {
    const { consents } = fixture.here;
    const { id } = await add();
    assert.deepEqual(await consents.history(OURS, customerNumber, id, PAGE), { items: [], totalItems: 0 });
    assert.equal(await outcomeOf(consents.history(OURS, customerNumber, 'none', PAGE)), 'NOT_FOUND');
    assert.equal(await outcomeOf(consents.history(THEIRS, customerNumber, id, PAGE)), 'NOT_FOUND');
  });

  it('refuses to change a code', async () => {
    const { id } = await add();
    const other = fixture.here.consents.replace(OURS, customerNumber, id, { ...MAIL, consentCode: 'SMS' }, request());
    assert.equal(await outcomeOf(other), 'INVALID_STATE');
  });

  it('acts once for each request', async () => {
    const { consents } = fixture.here;
    const given = await add({}, request('w1'));
    assert.deepEqual(await add({}, request('w1')), given);
    const no = { ...MAIL, consentChoice: false };
    for (const _ of [1, 2]) await consents.replace(OURS, customerNumber, given.id, no, request('w2'));
    assert.equal((await consents.history(OURS, customerNumber, given.id, PAGE)).totalItems, 1);
    for (const _ of [1, 2]) await consents.remove(OURS, customerNumber, given.id, request('w3'));
  });

  it('reports the choice, and null when it was removed', async () => {
    const { consents, collection } = fixture.here;
    const { id } = await add();
    await consents.replace(OURS, customerNumber, id, { ...MAIL, consentChoice: false, consentVersion: 4 }, request());
    await consents.remove(OURS, customerNumber, id, request());
    const { outbox = [] } = (await collection.findOne({ _id: customerNumber })) ?? {};
    const events = outbox.slice(1).map(({ type, data: { meta: _, ...data } }) => ({ type, ...data }));
    const common = { type: 'service.customer.ConsentChanged.v1', consentId: id, consentCode: 'MAIL' };
    const { distributionChannel } = MAIL;
    assert.deepEqual(events, [
      { ...common, consentChoice: true, consentVersion: 3, distributionChannel },
      { ...common, consentChoice: false, consentVersion: 4, distributionChannel },
      { ...common, consentChoice: null, consentVersion: 4, distributionChannel },
    ]);
  });

  it('keeps at most a thousand rows of a profile, and always allows removal', async () => {
    const { consents, collection } = fixture.here;
    const consent = await add();
    const consentHistory = Array.from({ length: 998 }, () => consent);
    await collection.updateOne({ _id: customerNumber }, { $set: { consentHistory } });
    const change = () => consents.replace(OURS, customerNumber, consent.id, MAIL, request());
    await change();
    assert.equal(await outcomeOf(change()), 'INVALID_STATE');
    assert.equal(await outcomeOf(add({ consentCode: 'SMS' })), 'INVALID_STATE');
    await consents.remove(OURS, customerNumber, consent.id, request());
    assert.equal((await consents.history(OURS, customerNumber, consent.id, PAGE)).totalItems, 1_000);
  });
});
