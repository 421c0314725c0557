import assert from 'node:assert/strict';
import fc from 'fast-check';
import { resolverMap, typeOf } from '../../../../api/journey-planner/resolvers/resolver-map.ts';
import { loadSchema } from '../../../../api/journey-planner/schema/load-schema.ts';
import { createSearchEngine } from '../../../../planner/search/search-engine.ts';
import { planTrip } from '../../../../planner/trip/plan-trip.ts';
import { assertSameAnswers } from '../both-executors.ts';
import { openTown } from './network.ts';
import { type PlannerProcess, startPlanner } from './planner-process.ts';
import { randomQueries } from './random-queries.ts';

const RUNS = Number(process.env.RANDOM_QUERIES ?? 150);

describe('GraphQL: random queries', () => {
  let town: PlannerProcess;
  before(async () => {
    const timetable = openTown();
    const engine = createSearchEngine(timetable);
    town = await startPlanner(timetable, {}, { trip: async (request) => planTrip(timetable, engine, request) });
  });
  after(() => town.close());

  for (const dialect of ['v2', 'v3'] as const) {
    it(`get the same answer from both executors in ${dialect}`, async () => {
      let [direct, whole] = [0, 0];
      const property = fc.asyncProperty(randomQueries(loadSchema(dialect, resolverMap, typeOf)), async (asked) => {
        const { answeredBy, status, text } = await assertSameAnswers(town, dialect, asked);
        direct += answeredBy === 'direct' ? 1 : 0;
        whole += status === 200 && !text.startsWith('{"errors"') ? 1 : 0;
      });
      await fc.assert(property, { numRuns: RUNS });
      // With fewer valid queries the test would prove little.
      assert.ok(
        direct > RUNS / 3 && whole > RUNS / 10,
        `${direct} of ${RUNS} answered directly, ${whole} without an error`,
      );
    }).timeout(60_000 + 200 * RUNS);
  }
});
