/** Tests how missing times of stops follow from the given ones. */
import assert from 'node:assert/strict';
import { fillTimes } from '../../../activities/timetable/planner-import/fill-times.ts';

const NONE = -1;

function fill(
  arrivals: number[],
  departures: number[],
  hopMetres: number[],
  windows: { earliest?: number[]; latest?: number[] } = {},
): ReturnType<typeof fillTimes> {
  const none = arrivals.map(() => NONE);
  return fillTimes(
    {
      arrivals: [...arrivals],
      departures: [...departures],
      earliestDepartures: windows.earliest ?? none,
      latestArrivals: windows.latest ?? none,
    },
    hopMetres,
  );
}

describe('times of a journey', () => {
  it('copy a missing arrival or departure from the other', () => {
    assert.deepEqual(fill([NONE, 60, 120], [0, 90, NONE], [1, 1]), {
      arrivals: [0, 60, 120],
      departures: [0, 90, 120],
    });
    assert.deepEqual(fill([NONE, NONE], [0, 60], [1]), { arrivals: [0, 60], departures: [0, 60] });
  });

  it('interpolate missing times by distance', () => {
    assert.deepEqual(
      fill([NONE, NONE, NONE, 100], [0, NONE, NONE, NONE], [300, 100, 600])?.departures,
      [0, 30, 40, 100],
    );
  });

  it('interpolate missing times by number of stops without distances', () => {
    assert.deepEqual(fill([NONE, NONE, 100], [0, NONE, NONE], [0, 0])?.arrivals, [0, 50, 100]);
  });

  it('never depart before the arrival, even with wrong times at the first and last stop', () => {
    assert.deepEqual(fill([10, 100], [0, 90], [1]), { arrivals: [0, 100], departures: [0, 100] });
  });

  it('cover the windows of flexible stops', () => {
    assert.deepEqual(
      fill([NONE, NONE, NONE], [NONE, NONE, NONE], [1, 1], { earliest: [10, 10, 10], latest: [90, 90, 90] }),
      {
        arrivals: [10, 50, 90],
        departures: [10, 50, 90],
      },
    );
  });

  it('are not computed without a time at the first or last stop', () => {
    assert.equal(fill([NONE, NONE], [0, NONE], [1]), undefined);
    assert.equal(fill([NONE, 5], [NONE, 5], [1]), undefined);
  });

  it('may be after midnight or before the start of the day', () => {
    assert.deepEqual(fill([-600, 87_000], [-600, 87_000], [1])?.departures, [-600, 87_000]);
  });
});
