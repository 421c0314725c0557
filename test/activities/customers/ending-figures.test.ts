/** Tests the figures of overdue profiles. */
import assert from 'node:assert/strict';
import { readEndingFigures } from '../../../activities/customers/ending-figures.ts';
import { CustomerFixture, DAY_MS, guest, OURS, request } from './customer-fixture.ts';

describe('figures of overdue profiles', () => {
  const fixture = new CustomerFixture('ending-figures');
  before(async () => await fixture.open());
  after(async () => await fixture.close());

  it('count overdue profiles until they are ended, and erasures until they have ended', async () => {
    const { connection, lifecycle, profiles } = fixture.here;
    const numbers = [];
    for (const days of [1, 1, 5]) {
      numbers.push((await profiles.create(guest(fixture.inDays(days)), request())).customerNumber);
    }
    const [first = assert.fail(), second = assert.fail()] = numbers;
    const figures = async () => await readEndingFigures(connection, fixture.inDays(0));
    assert.deepEqual(await figures(), { due: 0, erasing: 0, oldestErasure: undefined });
    fixture.passes(2 * DAY_MS);
    assert.deepEqual(await figures(), { due: 2, erasing: 0, oldestErasure: undefined });
    const begunAt = fixture.inDays(0);
    await lifecycle.expire(OURS, first);
    fixture.passes(DAY_MS);
    await lifecycle.expire(OURS, second);
    assert.deepEqual(await figures(), { due: 0, erasing: 2, oldestErasure: begunAt });
    await lifecycle.destroyKey(OURS, first);
    await lifecycle.removeContent(OURS, first);
    await lifecycle.markErased(OURS, first);
    assert.deepEqual(await figures(), { due: 0, erasing: 1, oldestErasure: fixture.inDays(0) });
  });
});
