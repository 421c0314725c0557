/** Trips of a pattern in lists without overtaking, also where far more overtake than any timetable has. */
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

  it('are more where one overtakes', () => {
    assert.deepEqual(
      split([
        [0, 100],
        [10, 50],
        [20, 110],
      ]),
      [[0, 2], [1]],
    );
  });

  it('are laid soon where each overtakes all before it', function () {
    this.timeout(20_000);
    const count = 100_000;
    const routes = split(Array.from({ length: count }, (_, trip) => [trip, 1_000_000 - trip] as const));
    assert.equal(routes.length, count);
  });
});
