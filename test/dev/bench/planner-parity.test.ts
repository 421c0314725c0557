/** The parity check of the planner's benchmark finds what either answer lacks. */
import assert from 'node:assert/strict';
import { type ComparedPattern, compareAnswers } from '../../../dev/bench/planner/parity.ts';

const MINUTE = 60;

function pattern(departure: number, arrival: number, rides = 1, more: Partial<ComparedPattern> = {}): ComparedPattern {
  const times = { departure: departure * MINUTE, arrival: arrival * MINUTE };
  return { ...times, rides, cost: 0, walks: false, longestWalkSeconds: 0, ...more };
}

describe('parity with the rival', () => {
  const kinds = (ours: ComparedPattern[], rival: ComparedPattern[], asked = 5): string[] =>
    compareAnswers('A → B', { ours, rival, windowEnd: 60 * MINUTE, asked }).map(
      ({ kind, rival: { departure } }) => `${kind} ${departure / MINUTE}`,
    );

  it('misses each pattern of the rival without one of ours that is as good, also in an empty answer', () => {
    assert.deepEqual(kinds([], [pattern(10, 40)]), ['missing 10']);
    assert.deepEqual(kinds([pattern(10, 40, 2)], [pattern(10, 40, 1)]), ['missing 10', 'dominated 10']);
    assert.deepEqual(kinds([pattern(20, 50)], [pattern(5, 30)]), ['missing 5']);
  });

  it('is content with one that is as good or better, give or take a minute of walking', () => {
    assert.deepEqual(kinds([pattern(10, 40)], [pattern(9, 40, 2)]), []);
    const walks = { walks: true };
    assert.deepEqual(kinds([pattern(9, 41, 1, walks)], [pattern(10, 40, 1, walks)]), []);
    assert.deepEqual(kinds([pattern(9, 42, 1, walks)], [pattern(10, 40, 1, walks)]), ['missing 10', 'dominated 10']);
  });

  it('does not judge what our next page has: after the window, or after the last of a full answer', () => {
    assert.deepEqual(kinds([], [pattern(60, 90)]), []);
    assert.deepEqual(kinds([pattern(10, 40)], [pattern(30, 70)], 1), []);
    assert.deepEqual(kinds([pattern(10, 40)], [pattern(30, 70)], 2), ['missing 30']);
  });

  it('does not judge long walks, nor walks alone', () => {
    assert.deepEqual(kinds([], [pattern(10, 40, 1, { longestWalkSeconds: 1801 }), pattern(10, 40, 0)]), []);
  });

  it('finds patterns of ours that are worse than one of the rival, and tells those shown for their cost', () => {
    assert.deepEqual(kinds([pattern(10, 40), pattern(10, 45)], [pattern(10, 40)]), ['dominated 10']);
    const cheap = [pattern(10, 40, 1, { cost: 9 }), pattern(10, 45, 1, { cost: 8 })];
    assert.deepEqual(kinds(cheap, [pattern(10, 40)]), ['cheaper 10']);
  });
});
