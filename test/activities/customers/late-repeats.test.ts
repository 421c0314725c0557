/** A request may be repeated late, after many others have changed the same profile. It must still act once only. */
import assert from 'node:assert/strict';
import { CustomerFixture, DAY_MS, guest, OURS, request } from './customer-fixture.ts';

const LATER_WRITES = 60;

describe('late repeats', () => {
  const fixture = new CustomerFixture('late-repeats');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  it('change nothing after sixty later writes, as long as their idempotency key may live', async () => {
    const { profiles } = fixture.here;
    const { customerNumber } = await profiles.create(guest(fixture.inDays(30)), request());
    const rename = async (workId: string, more: string) =>
      await profiles.update(
        OURS,
        customerNumber,
        'TEMPORARY',
        (present) => ({ ...present, firstName: `${present.firstName ?? ''}${more}` }),
        request(workId),
      );
    await rename('first', 'A');
    for (let index = 0; index < LATER_WRITES; index += 1) await rename(`later-${index}`, '.');
    fixture.passes(3 * DAY_MS);
    const { firstName } = await rename('first', 'A');
    assert.equal(firstName, `A${'.'.repeat(LATER_WRITES)}`);
    const stored = await fixture.here.collection.findOne({ _id: customerNumber });
    assert.equal(stored?.sequence, LATER_WRITES + 2);
  });
});
