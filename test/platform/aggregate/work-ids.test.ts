/** Tests work ids in one binary member: each must be kept for 73 hours, however many follow. */
import assert from 'node:assert/strict';
import mongoose from 'mongoose';
import { AggregateBusy } from '../../../platform/aggregate/aggregate-busy.ts';
import { addWorkId, hasWorkId, MAX_WORK_IDS } from '../../../platform/aggregate/work-ids.ts';
import { REPEATS_RECOGNISED_MS, WORK_REMEMBERED_MS } from '../../../platform/idempotency/lifetime.ts';

const START = new Date('2026-05-04T12:00:00.700Z');
const LIFETIME_MS = WORK_REMEMBERED_MS;

const later = (ms: number) => new Date(START.getTime() + ms);

function packed(count: number, at: Date, from = 0): Buffer {
  let ids: Buffer = Buffer.alloc(0);
  for (let index = from; index < from + count; index += 1) ids = addWorkId(ids, `w${index}`, at);
  return ids;
}

describe('work ids', () => {
  it('recognises each of many ids, and no other, in 12 bytes each', () => {
    const ids = packed(200, START);
    assert.equal(ids.length, 200 * 12);
    for (let index = 0; index < 200; index += 1) assert.ok(hasWorkId(ids, `w${index}`, START));
    assert.ok(!hasWorkId(ids, 'w200', START));
    assert.ok(!hasWorkId(undefined, 'w0', START));
  });

  it('keeps an id for one hour longer than an idempotency key', () => {
    assert.equal(LIFETIME_MS - REPEATS_RECOGNISED_MS, 3_600_000);
    const ids = addWorkId(packed(1, START), 'w1', later(1_000));
    assert.ok(hasWorkId(ids, 'w0', later(LIFETIME_MS)));
    assert.ok(!hasWorkId(ids, 'w0', later(LIFETIME_MS + 1_000)));
    assert.ok(hasWorkId(ids, 'w1', later(LIFETIME_MS + 1_000)));
    const pruned = addWorkId(ids, 'w2', later(LIFETIME_MS + 1_000));
    assert.equal(pruned.length, 2 * 12);
    assert.ok(hasWorkId(pruned, 'w1', later(LIFETIME_MS + 1_000)));
  });

  it('prunes by time, not by place: the clocks of processes differ', () => {
    const ids = addWorkId(packed(1, later(5_000)), 'slow clock', START);
    const pruned = addWorkId(ids, 'next', later(LIFETIME_MS + 2_000));
    assert.deepEqual(
      ['w0', 'slow clock', 'next'].map((id) => hasWorkId(pruned, id, later(LIFETIME_MS + 2_000))),
      [true, false, true],
    );
  });

  it('reads a Binary of the driver', () => {
    const binary = new mongoose.mongo.Binary(packed(3, START));
    assert.ok(hasWorkId(binary, 'w1', START));
    assert.equal(addWorkId(binary, 'w3', START).length, 4 * 12);
  });

  it('refuses further work at its bound instead of forgetting, until the oldest id expires', () => {
    // Repeats one entry, since repeated ids take as much room as different ones and are faster to make.
    const full = Buffer.concat([packed(1, START), ...Array(MAX_WORK_IDS - 1).fill(packed(1, later(60_000), 1))]);
    const refusal = (at: Date) => {
      try {
        addWorkId(full, 'one more', at);
      } catch (error) {
        return error;
      }
      return undefined;
    };
    const refused = refusal(later(60_000));
    assert.ok(refused instanceof AggregateBusy);
    assert.deepEqual([refused.reason, refused.retryAfterSeconds], ['TOO_MANY_WRITES', LIFETIME_MS / 1_000 + 1 - 60]);
    assert.equal(refusal(later(60_000 + refused.retryAfterSeconds * 1_000)), undefined);
  });
});
