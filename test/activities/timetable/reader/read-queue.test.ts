/** Tests that large reads run one at a time, in order, and that those beyond the queue are refused. */
import assert from 'node:assert/strict';
import { ReadQueue } from '../../../../activities/timetable/reader/read-queue.ts';

describe('The queue of large reads', () => {
  it('runs one at a time, in order, also after a failure', async () => {
    const queue = new ReadQueue(5);
    const begun: number[] = [];
    let running = 0;
    const read = (at: number) => async () => {
      running += 1;
      assert.equal(running, 1);
      begun.push(at);
      await new Promise(setImmediate);
      running -= 1;
      if (at === 1) throw new Error('the database is away');
      return at;
    };
    const answers = await Promise.allSettled([0, 1, 2, 3].map((at) => queue.run(read(at))));
    assert.deepEqual(begun, [0, 1, 2, 3]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    );
  });

  it('refuses those beyond its length, and takes more when it has emptied', async () => {
    const queue = new ReadQueue(1);
    const read = async () => await new Promise<void>((resolve) => setImmediate(resolve));
    const round = async () =>
      (await Promise.allSettled([1, 2, 3].map(() => queue.run(read)))).map(({ status }) => status);
    assert.deepEqual(await round(), ['fulfilled', 'fulfilled', 'rejected']);
    await new Promise(setImmediate);
    assert.deepEqual(await round(), ['fulfilled', 'fulfilled', 'rejected']);
  });
});
