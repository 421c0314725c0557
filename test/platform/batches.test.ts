import assert from 'node:assert/strict';
import { type BatchLimits, batchesOf } from '../../platform/batches.ts';

async function batches(all: readonly number[], limits: BatchLimits<number>): Promise<number[][]> {
  return await Array.fromAsync(batchesOf(all, limits));
}

describe('batches of a stream', () => {
  it('have the given size, and the last one the rest', async () => {
    assert.deepEqual(await batches([1, 2, 3, 4, 5], { count: 2 }), [[1, 2], [3, 4], [5]]);
    assert.deepEqual(await batches([1, 2], { count: 2 }), [[1, 2]]);
    assert.deepEqual(await batches([], { count: 2 }), []);
  });

  it('end sooner when they reach the given weight', async () => {
    const weight = { of: (each: number) => each, limit: 10 };
    assert.deepEqual(await batches([4, 6, 1, 30, 2, 3, 4], { count: 3, weight }), [
      [4, 6],
      [1, 30],
      [2, 3, 4],
    ]);
  });
});
