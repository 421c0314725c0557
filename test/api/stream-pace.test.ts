/** Uploads and downloads yield to other requests, and only to them. */
import assert from 'node:assert/strict';
import { StreamPace } from '../../api/shared/stream-pace.ts';

const MB = 1_000_000;

describe('The pace of streams', () => {
  let nowMs: number;
  let pace: StreamPace;

  beforeEach(() => {
    nowMs = 5_000;
    pace = new StreamPace(10 * MB, () => nowMs);
  });

  it('has no limit while nobody else is served', () => {
    for (let count = 0; count < 1_000; count += 1) assert.equal(pace.take(MB), 0);
  });

  it('keeps all streams together to the rate while others are served, and for a second after', () => {
    pace.noteOther();
    assert.equal(pace.take(MB), 100);
    assert.equal(pace.take(MB), 200, 'another stream waits for both');
    nowMs += 150;
    assert.equal(pace.take(MB), 150);
    nowMs += 900;
    assert.equal(pace.take(MB), 0);
  });

  it('saves up nothing', () => {
    pace.noteOther();
    pace.take(MB);
    nowMs += 900;
    assert.equal(pace.take(MB), 100);
  });

  it('gives each stream its turn, one after the other', async () => {
    const real = new StreamPace(10 * MB);
    real.noteOther();
    const order: number[] = [];
    await Promise.all(
      [0, 1, 2].map(async (number) => {
        await real.wait(MB / 10);
        order.push(number);
      }),
    );
    assert.deepEqual(order, [0, 1, 2]);
  });
});
