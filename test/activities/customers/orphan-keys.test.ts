/** Keys without a profile must be removed, and no others, not even with a wrong database. */

import assert from 'node:assert/strict';
import { ProfileLifecycleStore } from '../../../activities/customers/profile-lifecycle-store.ts';
import { CUSTOMER } from '../../../activities/shared/customer-kind.ts';
import { removeOrphanKeys } from '../../../platform/personal/orphan-keys.ts';
import type { SubjectId } from '../../../platform/personal/subject-id.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { anna, CustomerFixture, OURS, request } from './customer-fixture.ts';

const HOUR_MS = 3_600_000;

describe('orphan keys', () => {
  const fixture = new CustomerFixture('orphan-keys');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const create = async (index = 0): Promise<CustomerNumber> =>
    (await fixture.here.profiles.create(anna({ email: `a${index}@example.no` }), request())).customerNumber;
  const ageNow = () => ({ from: new Date(0), before: new Date(fixture.now.getTime() - HOUR_MS) });
  const sweep = async (profiles = fixture.here.lifecycle) => {
    const listKept = (subjects: readonly SubjectId[]) => profiles.listKept(subjects);
    return await removeOrphanKeys({ kind: CUSTOMER.kind, keys: fixture.here.keys, listKept }, ageNow());
  };

  it('are removed once they are old enough; the keys of profiles stay, of those being erased too', async () => {
    const { keys, profiles } = fixture.here;
    const [live, leaving] = [await create(1), await create(2)];
    await profiles.beginErasure(OURS, leaving, 'PERMANENT', request());
    const orphan = CUSTOMER.subjectOf('1000000001' as CustomerNumber);
    await keys.create({ subject: orphan, organisationId: OURS });
    assert.deepEqual(await sweep(), { removed: 0 });
    fixture.passes(HOUR_MS + 1);
    assert.deepEqual(await sweep(), { removed: 1 });
    for (const number of [live, leaving]) assert.ok(await keys.existsFor(CUSTOMER.subjectOf(number)));
    assert.equal(await keys.existsFor(orphan), false);
  });

  it('are all kept when too many lack a profile for crashes to explain', async () => {
    const { keysConnection, options } = fixture.here;
    for (let index = 0; index < 10; index += 1) await create(index);
    fixture.passes(HOUR_MS + 1);
    const elsewhere = new ProfileLifecycleStore({ ...options, connection: keysConnection });
    assert.deepEqual(await sweep(elsewhere), { kept: 10, looked: 10 });
    assert.equal(await keysConnection.collection('subject_keys').countDocuments(), 10);
    assert.deepEqual(await sweep(), { removed: 0 });
  });
});
