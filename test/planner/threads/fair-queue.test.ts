import assert from 'node:assert/strict';
import { FairQueue } from '../../../planner/threads/fair-queue.ts';

describe('fair queue', () => {
  const queueOf = (...items: readonly string[]): FairQueue<string> => {
    const queue = new FairQueue<string>();
    for (const item of items) queue.add(item.charAt(0), item);
    return queue;
  };
  const takeAll = (queue: FairQueue<string>): string => {
    const taken: string[] = [];
    for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
    return taken.join(' ');
  };

  it('takes callers in rotation, the items of one in their order', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2');
    assert.equal(queue.size, 7);
    assert.equal(takeAll(queue), 'a1 b1 c1 a2 c2 a3 a4');
    assert.equal(queue.size, 0);
  });

  it('forgets what is deleted', () => {
    const queue = queueOf('a1', 'b1', 'b2');
    queue.delete('a', 'a1');
    queue.delete('b', 'b2');
    queue.delete('b', 'b2');
    queue.delete('c', 'c1');
    assert.deepEqual([queue.size, queue.items(), takeAll(queue)], [1, ['b1'], 'b1']);
  });

  it('drops the newest item of the caller with the most, for one that has less', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'b1');
    assert.equal(queue.findToDrop('c'), 'a3');
    assert.equal(queue.findToDrop('b'), 'a3');
    assert.equal(queue.findToDrop('a'), undefined);
    assert.equal(queueOf('a1', 'b1').findToDrop('c'), undefined, 'nobody has more');
  });
});
