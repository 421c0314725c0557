/** Reads that callers share, none of which began before the call that it answers. */
import assert from 'node:assert/strict';
import { FreshRead } from '../../platform/fresh-read.ts';

describe('a fresh read', () => {
  const open = () => {
    const reads: PromiseWithResolvers<number>[] = [];
    const fresh = new FreshRead(() => {
      const read = Promise.withResolvers<number>();
      reads.push(read);
      return read.promise;
    });
    const settle = async (at: number) => {
      reads[at]?.resolve(at);
      await new Promise(setImmediate);
    };
    return { reads, fresh, settle };
  };

  it('answers all who ask while one runs with the next one', async () => {
    const { reads, fresh, settle } = open();
    const first = fresh.get();
    const others = Array.from({ length: 100 }, () => fresh.get());
    assert.equal(reads.length, 1);
    await settle(0);
    assert.equal(reads.length, 2);
    const later = fresh.get();
    await settle(1);
    await settle(2);
    assert.deepEqual([await first, new Set(await Promise.all(others)), await later], [0, new Set([1]), 2]);
    assert.equal(reads.length, 3);
  });

  it('begins anew for each call that finds none running', async () => {
    const { reads, fresh, settle } = open();
    for (const at of [0, 1, 2]) {
      const answer = fresh.get();
      await settle(at);
      assert.equal(await answer, at);
    }
    assert.equal(reads.length, 3);
  });

  it('fails for its own callers alone', async () => {
    const { reads, fresh, settle } = open();
    const first = assert.rejects(fresh.get(), /away/);
    const second = fresh.get();
    reads[0]?.reject(new Error('away'));
    await first;
    await settle(1);
    assert.equal(await second, 1);
    const third = fresh.get();
    await settle(2);
    assert.equal(await third, 2);
  });
});
