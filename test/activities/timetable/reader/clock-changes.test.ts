/** Runs that sales read from rows, on days on which the clock changes. */
import assert from 'node:assert/strict';
import { patternRows, serviceJourneyRows } from '../../../../activities/timetable/planner-journey-rows.ts';
import { datedJourneyOf } from '../../../../activities/timetable/reader/dated-journey-view.ts';
import { closestRun } from '../../../../activities/timetable/reader/journey-runs.ts';
import { createNetwork } from '../../../planner/support/network.ts';

describe('runs of rows', () => {
  // On the 25th of October 2026 the clock goes from 03:00 back to 02:00.
  for (const [time, departure] of [
    ['01:30', '2026-10-24T23:30:00.000Z'],
    ['03:30', '2026-10-25T02:30:00.000Z'],
  ] as const) {
    it(`leave when the clock shows ${time}`, () => {
      const network = createNetwork({ from: '2026-10-25', to: '2026-10-25' });
      network.stops('A 59.0 10.0', 'B 59.3 10.0').line('1', [`A ${time} - B 04:30`]);
      const timetable = network.open();
      const [[pattern], [journey]] = [[...patternRows(timetable)], [...serviceJourneyRows(timetable)]];
      assert.ok(pattern && journey);
      const run = closestRun(journey, pattern, new Date(departure), [0]);
      assert.ok(run);
      const { calls } = datedJourneyOf(run, { pattern, line: undefined, stopPlaces: new Map() });
      assert.equal(calls[0]?.departure?.toISOString(), departure);
    });
  }
});
