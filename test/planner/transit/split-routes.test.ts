/** Splits the trips of a pattern into routes without overtaking, also where far more overtake than in any timetable. */
import assert from 'node:assert/strict';
import { splitRoutes } from '../../../planner/transit/split-routes.ts';

const STOPS = 2;

/** Trip `i` departs at `times[i][0]` and arrives at `times[i][1]`. */
function split(times: readonly (readonly [number, number])[]): number[][] {
  const timesStart = Int32Array.from(times, (_, trip) => trip * STOPS);
  const all = Int32Array.from(times.flat());
  return splitRoutes([...times.keys()], {
    stops: STOPS,
    timesStart,
    offset: new Int32Array(times.length),
    arrivals: all,
    departures: all,
  });
}

describe('routes of a pattern', () => {
  it('hold trips that follow each other, in order of time', () => {
    assert.deepEqual(
      split([
        [20, 30],
        [0, 10],
        [10, 20],
      ]),
      [[1, 2, 0]],
    );
  });

  it('are split where a trip overtakes', () => {
    assert.deepEqual(
      split([
        [0, 100],
        [10, 50],
        [20, 110],
      ]),
      [[0, 2], [1]],
    );
  });

  it('are split in linear time where each trip overtakes all before it', () => {
    const count = 100_000;
    const routes = split(Array.from({ length: count }, (_, trip) => [trip, 1_000_000 - trip] as const));
    assert.equal(routes.length, count);
  });
});
