/** The buffer sweep must release dead buffers early and return the result of its task. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { sweepingBuffers } from '../../api/shared/buffer-sweep.ts';
import { collectGarbage } from '../../planner/threads/collect-garbage.ts';

/** Makes 400 MB of short-lived buffers. Returns their largest total at any time. */
async function churn(): Promise<number> {
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let round = 0; round < 50; round += 1) {
    for (let count = 0; count < 128; count += 1) Buffer.allocUnsafeSlow(65_536).fill(round);
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    await delay(21);
  }
  return most;
}

describe('buffer sweep', () => {
  it('keeps 400 MB of short-lived buffers below 40 MB', async () => {
    // Garbage of earlier files would hide the growth, or be collected in its place.
    collectGarbage();
    assert.ok((await sweepingBuffers(churn)) < 40_000_000);
  });

  it('returns the result of its task, or its error', async () => {
    assert.equal(await sweepingBuffers(async () => 7), 7);
    await assert.rejects(
      sweepingBuffers(async () => Promise.reject(new Error('cut'))),
      /cut/,
    );
  });
});
