/**
 * Searches must match every criterion exactly, without regard to case. Their cost may not depend on frequent values.
 */

import assert from 'node:assert/strict';
import type { ProfileCriteria } from '../../../activities/customers/customer-types.ts';
import { CUSTOMER } from '../../../activities/shared/customer-kind.ts';
import { anna, CustomerFixture, DAY_MS, guest, OURS, request, THEIRS } from './customer-fixture.ts';

const PAGE = { page: 1, perPage: 25, maxResultSet: 50 };

describe('search for profiles', () => {
  const fixture = new CustomerFixture('profile-search');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const create = async (more = {}) => await fixture.here.profiles.create(anna(more), request());
  const count = async (criteria: Partial<ProfileCriteria>, tenancy: typeof OURS | 'ANY' = OURS) => {
    const whole = { includeTemporary: false, ...criteria };
    const { items, totalItems } = await fixture.here.profiles.search(tenancy, whole, PAGE);
    assert.equal(items.length, totalItems);
    return totalItems;
  };

  it('finds by the whole value of each criterion, in any case', async () => {
    await create({ customerRef: 'Ref-1' });
    const matching: Partial<ProfileCriteria>[] = [
      { firstName: 'aNNA' },
      { surname: 'ØDEGÅRD' },
      { surname: ' ødega\u030ard ' },
      { email: 'Anna@EXAMPLE.no' },
      { customerRef: 'REF-1' },
      { phone: { countryCode: '47', number: '91234567' } },
      { phone: { countryCode: '+47', number: '91234567' } },
      { dateOfBirth: '1990-02-03' },
      { firstName: 'anna', surname: 'ødegård', email: 'anna@example.no', dateOfBirth: '1990-02-03' },
    ];
    for (const criteria of matching) assert.equal(await count(criteria), 1, JSON.stringify(criteria));
    const others: Partial<ProfileCriteria>[] = [
      { firstName: 'Ann' },
      { surname: 'Odegard' },
      { phone: { countryCode: '46', number: '91234567' } },
      { firstName: 'Anna', surname: 'Lie' },
      { surname: 'Anna' },
      {},
    ];
    for (const criteria of others) assert.equal(await count(criteria), 0, JSON.stringify(criteria));
  });

  it('follows changes of a profile', async () => {
    const { customerNumber } = await create();
    const { profiles } = fixture.here;
    await profiles.update(OURS, customerNumber, 'PERMANENT', (one) => ({ ...one, surname: 'Lie' }), request());
    assert.deepEqual([await count({ surname: 'Ødegård' }), await count({ surname: 'Lie' })], [0, 1]);
    await profiles.beginErasure(OURS, customerNumber, 'PERMANENT', request());
    assert.equal(await count({ surname: 'Lie' }), 0);
  });

  it('finds temporary profiles when they are asked for, until their date', async () => {
    await create();
    await fixture.here.profiles.create(guest(fixture.inDays(1), { surname: 'Ødegård' }), request());
    assert.equal(await count({ surname: 'Ødegård' }), 1);
    assert.equal(await count({ surname: 'Ødegård', includeTemporary: true }), 2);
    fixture.passes(DAY_MS);
    assert.equal(await count({ surname: 'Ødegård', includeTemporary: true }), 1);
  });

  it('finds the profiles of one organisation, or of all', async () => {
    await create();
    await create({ organisationId: THEIRS });
    assert.equal(await count({ surname: 'Ødegård' }), 1);
    assert.equal(await count({ surname: 'Ødegård', firstName: 'Anna' }, 'ANY'), 2);
  });

  it('returns pages with each profile once, up to the maximum of results', async () => {
    const made = await Promise.all(Array.from({ length: 7 }, (_, index) => create({ email: `a${index}@example.no` })));
    const numbers = made.map((profile) => profile.customerNumber).sort();
    const { profiles } = fixture.here;
    const pageOf = async (page: number, maxResultSet: number) => {
      const paging = { page, perPage: 3, maxResultSet };
      const found = await profiles.search(OURS, { surname: 'Ødegård', includeTemporary: false }, paging);
      return [found.items.map((profile) => profile.customerNumber), found.totalItems];
    };
    assert.deepEqual(await pageOf(1, 50), [numbers.slice(0, 3), 7]);
    assert.deepEqual(await pageOf(3, 50), [numbers.slice(6), 7]);
    assert.deepEqual(await pageOf(4, 50), [[], 7]);
    assert.deepEqual(await pageOf(2, 5), [numbers.slice(3, 5), 5]);
    assert.deepEqual(await pageOf(3, 5), [[], 5]);
  });

  it('leaves out a profile without its key, instead of failing', async () => {
    const { customerNumber } = await create();
    await create({ email: 'b@example.no' });
    await fixture.here.keys.destroyOf(CUSTOMER.subjectOf(customerNumber));
    const criteria = { surname: 'Ødegård', includeTemporary: false };
    const { items } = await fixture.here.profiles.search(OURS, criteria, PAGE);
    assert.equal(items.length, 1);
  });

  it('reads only as many profiles as the rarest criterion finds', async () => {
    const { collection, profiles, options } = fixture.here;
    const common = Array.from({ length: 200 }, (_, index) => create({ email: `a${index}@example.no` }));
    await Promise.all(common);
    const term = (field: 'email' | 'surname', text: string) => options.searchKeys.term(OURS, field, text);
    const plan = await collection
      .find(
        {
          organisationId: OURS,
          $and: [{ searchKeys: term('email', 'a7@example.no') }, { searchKeys: term('surname', 'Ødegård') }],
          status: 'ACTIVE',
        },
        { hint: 'search' },
      )
      .sort({ _id: 1 })
      .explain('executionStats');
    assert.equal(plan.executionStats.totalDocsExamined, 1);
    assert.ok(!JSON.stringify(plan.queryPlanner.winningPlan).includes('"SORT"'), 'sorted in memory');
    const criteria = { surname: 'Ødegård', email: 'a7@example.no', includeTemporary: false };
    assert.equal((await profiles.search(OURS, criteria, PAGE)).totalItems, 1);
  });
});
