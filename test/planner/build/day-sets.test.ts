import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DaySets } from '../../../planner/build/day-sets.ts';
import { serviceDays } from '../support/network.ts';

describe('sets of service days', () => {
  it('are stored once each, up to the limit', () => {
    const sets = new DaySets(20);
    const [week, other] = [serviceDays('2026-11-23', '2026-11-29'), serviceDays('2026-11-24', '2026-11-30')];
    assert.deepEqual([sets.numberOf(week), sets.numberOf(other), sets.numberOf([...week])], [0, 1, 0]);
    const third = serviceDays('2026-12-01', '2026-12-07');
    assert.equal(sets.numberOf(third), undefined);
    assert.equal(sets.numberOf(third), undefined, 'a repeated request');
    assert.equal(sets.numberOf(third.slice(0, 6)), 2, 'a smaller one fits');
    assert.equal(sets.numberOf(week), 0, 'what is known stays known');
    assert.equal(sets.count, 3);
  });
});
