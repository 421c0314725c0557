/** When a failing key is tried again, and when it or the whole webhook is given up. */
import assert from 'node:assert/strict';
import {
  afterFailure,
  DELIVERED_LATELY_MS,
  type FailedKey,
  MAX_FAILING,
  MAX_KEPT,
  mayReadOn,
  pauseAfter,
  TRIED_FOR_MS,
} from '../../../../activities/events/webhooks/failing-keys.ts';

const KEY: FailedKey = { topic: 'order-events-dev', key: 'A', offset: 7 };
const START = new Date('2026-05-04T12:00:00Z');
const later = (ms: number) => new Date(START.getTime() + ms);

describe('a failing key', () => {
  it('is tried again after 1, 2, 4 s and so on, up to an hour', () => {
    const pauses = Array.from({ length: 15 }, (_, index) => pauseAfter(index + 1, 0) / 1_000);
    assert.deepEqual(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 3_600, 3_600, 3_600]);
    assert.equal(pauseAfter(13, 1), 3_600_000 * 0.8);
  });

  it('keeps its place and the time of its first failure', () => {
    const first = afterFailure(KEY, {}, START, 0).key;
    assert.deepEqual(first, { ...KEY, since: START, attempts: 1, nextAttemptAt: later(1_000) });
    const second = afterFailure(first, {}, later(1_000), 0);
    assert.deepEqual(second.key, { ...KEY, since: START, attempts: 2, nextAttemptAt: later(3_000) });
    assert.equal(second.disables, false);
  });

  it('is tried for 72 hours; then it stops alone when others were delivered, or the webhook is disabled', () => {
    const failing = { ...KEY, since: START, attempts: 80 };
    const before = afterFailure(failing, {}, later(TRIED_FOR_MS - 1), 0);
    assert.deepEqual([before.disables, before.key.stopped], [false, undefined]);
    const never = afterFailure(failing, {}, later(TRIED_FOR_MS), 0);
    assert.deepEqual([never.disables, never.key.stopped], [true, undefined]);
    const earlier = afterFailure(failing, { lastDeliveredAt: later(-1) }, later(TRIED_FOR_MS), 0);
    assert.equal(earlier.disables, true);
    const alone = afterFailure(failing, { lastDeliveredAt: later(1) }, later(TRIED_FOR_MS), 0);
    assert.deepEqual([alone.disables, alone.key.stopped], [false, true]);
  });

  describe('and many others hold up new events', () => {
    const many = (length: number, attempts = 1, more: object = {}) =>
      Array.from({ length }, (_, index) => {
        return { ...KEY, key: `K${index}`, since: START, attempts, nextAttemptAt: START, ...more };
      });

    it('when nothing was delivered within a day', () => {
      assert.equal(mayReadOn(many(MAX_FAILING - 1), {}, START), true);
      assert.equal(mayReadOn(many(MAX_FAILING), {}, START), false);
      const progress = { lastDeliveredAt: START };
      assert.equal(mayReadOn(many(MAX_FAILING), progress, later(DELIVERED_LATELY_MS - 1)), true);
      assert.equal(mayReadOn(many(MAX_FAILING), progress, later(DELIVERED_LATELY_MS)), false);
    });

    it('but not when they wait for other keys or have stopped', () => {
      assert.equal(mayReadOn(many(MAX_FAILING, 0), {}, START), true);
      assert.equal(mayReadOn(many(MAX_KEPT, 90, { stopped: true }), {}, START), true);
    });

    it('and always when they are too many to keep', () => {
      assert.equal(mayReadOn(many(MAX_KEPT - 1, 0), {}, START), true);
      assert.equal(mayReadOn(many(MAX_KEPT, 0), { lastDeliveredAt: START }, START), false);
    });
  });
});
