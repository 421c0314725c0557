/**
 * A dataset that is far larger than a country must be refused as a whole, with an error that names the exceeded limit.
 */
import assert from 'node:assert/strict';
import {
  type DatasetLimits,
  DEFAULT_DATASET_LIMITS,
} from '../../../activities/timetable/planner-import/dataset-limits.ts';
import { DatasetImportError } from '../../../activities/timetable/planner-import/import-datasets.ts';
import { importAll } from './recorded-import.ts';
import { dataset, journey, pattern, REGISTER } from './small-network.ts';

const SMALL = dataset({
  patterns: pattern({ id: 'P1', stops: ['a', 'b', 'c'] }) + pattern({ id: 'P2', stops: ['b', 'c'] }),
  journeys:
    journey({ id: 'J1', pattern: 'P1', times: ['08:00', '08:10', '08:20'] }) +
    journey({ id: 'J2', pattern: 'P2', times: ['08:00', '08:10'] }),
});
const EXACT: DatasetLimits = { journeyPatterns: 2, patternStops: 5, quays: 0, serviceJourneys: 2, calls: 5 };

const importWith = (limits: DatasetLimits, register?: string) =>
  importAll([SMALL], { limits, ...(register !== undefined && { register }) });

describe('Limits of a dataset', () => {
  it('accept a dataset that reaches them exactly', async () => {
    assert.equal((await importWith(EXACT, REGISTER)).journeys.length, 2);
    assert.equal((await importWith(DEFAULT_DATASET_LIMITS, REGISTER)).journeys.length, 2);
  });

  for (const [kind, message] of [
    ['journeyPatterns', 'more than 1 journey patterns'],
    ['patternStops', 'more than 4 stops in journey patterns'],
    ['serviceJourneys', 'more than 1 service journeys'],
    ['calls', 'more than 4 calls of service journeys'],
  ] as const) {
    it(`refuse further ${kind}, and name the codespace`, async () => {
      await assert.rejects(importWith({ ...EXACT, [kind]: EXACT[kind] - 1 }, REGISTER), (error: unknown) => {
        return error instanceof DatasetImportError && error.codespace === 'abc' && error.message.includes(message);
      });
    });
  }

  it('apply to each dataset alone, and only to its own quays', async () => {
    const other = { ...SMALL, codespace: 'xyz' };
    const { journeys } = await importAll([SMALL, other], { limits: EXACT, register: REGISTER });
    assert.equal(journeys.length, 4);
  });
});
