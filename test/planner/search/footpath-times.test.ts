import assert from 'node:assert/strict';
import { FootpathTimes, type Walking } from '../../../planner/search/footpath-times.ts';

/**
 * Distances from stop 0: 60 m to stop 1, 600 m to stop 2, and 120 m to stop 3. There a transfer takes five minutes or
 * more.
 */
const FOOTPATHS = {
  start: Int32Array.of(0, 3, 3, 3, 3),
  to: Int32Array.of(1, 3, 2),
  metres: Int32Array.of(60, 120, 600),
  minimumSeconds: Int32Array.of(0, 300, 0),
  wheelchairSeconds: Int32Array.of(90, 240, 0),
};
const WALKING: Walking = { speed: 2, transferSlack: 10, maximumSeconds: 1000, wheelchair: false };

function listOf(times: FootpathTimes, stop: number): { to: number; seconds: number; walked: number }[] {
  times.make(stop);
  const list: { to: number; seconds: number; walked: number }[] = [];
  for (let step = times.start[stop] as number; step < (times.end[stop] as number); step += 2) {
    const [to, seconds, walked] = [times.steps[step], times.steps[step + 1], times.walked[step / 2]] as number[];
    list.push({ to: to as number, seconds: seconds as number, walked: walked as number });
  }
  return list;
}

describe('footpaths of a search', () => {
  it('are sorted by the time of the transfer, slack and minimum time included', () => {
    const times = new FootpathTimes(FOOTPATHS);
    times.use({ ...WALKING, speed: 4 });
    assert.deepEqual(listOf(times, 0), [
      { to: 1, seconds: 25, walked: 15 },
      { to: 2, seconds: 160, walked: 150 },
      { to: 3, seconds: 300, walked: 30 },
    ]);
    assert.deepEqual(listOf(times, 1), []);
  });

  it('are not longer than the maximum walk', () => {
    const times = new FootpathTimes(FOOTPATHS);
    times.use({ ...WALKING, maximumSeconds: 299 });
    assert.deepEqual(
      listOf(times, 0).map(({ to }) => to),
      [1, 3],
    );
  });

  it('are sorted again for another walking speed, slack, maximum or for a wheelchair', () => {
    const times = new FootpathTimes(FOOTPATHS);
    for (const [walking, seconds] of [
      [WALKING, 40],
      [{ ...WALKING, speed: 1 }, 70],
      [{ ...WALKING, transferSlack: 0 }, 30],
      [{ ...WALKING, maximumSeconds: 20 }, undefined],
      [{ ...WALKING, wheelchair: true }, 90],
      [{ ...WALKING }, 40],
    ] as const) {
      times.use(walking);
      assert.equal(listOf(times, 0)[0]?.seconds, seconds);
    }
  });
});
