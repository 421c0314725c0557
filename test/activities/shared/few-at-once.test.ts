/** Costly work takes turns. */
import assert from 'node:assert/strict';
import { FewAtOnce } from '../../../activities/shared/few-at-once.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';

describe('work of which few runs at once', () => {
  it('waits for its turn, and is refused when too much waits', async () => {
    const few = new FewAtOnce({ atOnce: 2, waiting: 3 });
    const started: number[] = [];
    const ends: (() => void)[] = [];
    const work = async (number: number) =>
      await few.run(async () => {
        started.push(number);
        await new Promise<void>((resolve) => ends.push(resolve));
        if (number === 1) throw new Error('fails');
        return number;
      });
    const all = Promise.allSettled([0, 1, 2, 3, 4, 5].map(work));
    const turn = async () => await new Promise(setImmediate);
    await turn();
    assert.deepEqual(started, [0, 1]);
    for (const waiting of [
      [0, 1, 2],
      [0, 1, 2, 3],
      [0, 1, 2, 3, 4],
    ]) {
      ends.shift()?.();
      await turn();
      assert.deepEqual(started, waiting);
    }
    for (const end of ends) end();
    const outcomes = await all;
    assert.deepEqual(
      outcomes.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message)),
      [0, 'fails', 2, 3, 4, 'Too many ask for this at the same time. Try again.'],
    );
    const { reason } = outcomes[5] as PromiseRejectedResult;
    assert.ok(reason instanceof ServiceError && reason.code === 'UNAVAILABLE');
    assert.deepEqual(await few.run(async () => 'free again'), 'free again');
  });
});
