/** Long operations are not compiled: compiling one would hold the event loop. */
import assert from 'node:assert/strict';
import { type OperationDefinitionNode, parse } from 'graphql';
import { isTooLongToCompile, MOST_COMPILED_FIELDS } from '../../../../api/journey-planner/executor/long-operation.ts';
import { createSearchEngine } from '../../../../planner/search/search-engine.ts';
import { planTrip } from '../../../../planner/trip/plan-trip.ts';
import type { TripRequest } from '../../../../planner/trip/trip-types.ts';
import { openTown } from './network.ts';
import { startPlanner } from './planner-process.ts';

const isTooLong = (text: string): boolean => {
  const document = parse(text);
  return isTooLongToCompile(document, document.definitions[0] as OperationDefinitionNode);
};
const fields = (count: number) => Array.from({ length: count }, (_, at) => `f${at}: id`).join(' ');

describe('GraphQL: long operations', () => {
  it('are those of many fields, fragments written out', () => {
    assert.equal(isTooLong(`{ ${fields(MOST_COMPILED_FIELDS)} }`), false);
    assert.equal(isTooLong(`{ ${fields(MOST_COMPILED_FIELDS + 1)} }`), true);
    assert.equal(
      isTooLong(`{ a { ...F } b { ...F } } fragment F on Quay { ${fields(MOST_COMPILED_FIELDS / 2)} }`),
      true,
    );
    assert.equal(isTooLong(`{ ... on QueryType { ${fields(10)} } }`), false);
  });

  it('are answered as often as they are sent, errors too', async () => {
    const timetable = openTown();
    const engine = createSearchEngine(timetable);
    const town = await startPlanner(timetable, {}, { trip: async (request) => planTrip(timetable, engine, request) });
    const deep =
      'id name description publicCode latitude longitude stopPlace { id name parent { id name } } lines { id name authority { id name } }';
    const quays = Array.from({ length: 45 }, (_, at) => `q${at}: quay(id: "NSR:Quay:20") { ${deep} }`).join(' ');
    // A search ends the synchronous attempt: the query is executed by other means.
    const query = `{ ${quays} trip(from: { place: "NSR:Quay:20" }, to: { place: "NSR:Quay:11" }) { tripPatterns { duration } } }`;
    const first = await town.sendQuery('v3', query);
    assert.equal(first.body.data.q44.id, 'NSR:Quay:20');
    for (let again = 0; again < 3; again += 1) {
      const { status, body } = await town.sendQuery('v3', query);
      assert.deepEqual([status, body.data], [first.status, first.body.data]);
    }
    await town.close();
  });

  it('are answered the same when every step of a request waits for its turn', async () => {
    const timetable = openTown();
    const engine = createSearchEngine(timetable);
    const searches = { trip: async (request: TripRequest) => planTrip(timetable, engine, request) };
    const [usual, slow] = await Promise.all(
      ['10', '0'].map((ms) => startPlanner(timetable, { GRAPHQL_SLICE_MS: ms }, searches)),
    );
    const queries = [
      '{ lines { id name quays { id } } }',
      '{ trip(from: { place: "NSR:Quay:20" }, to: { place: "NSR:Quay:11" }) { tripPatterns { duration legs { mode } } } }',
      '{ __type(name: "Quay") { name fields { name } } }',
      '{ quay(id: 1) { id } }',
      '{ quay(id: "1") { no } }',
      '{ quay(',
      `{ ${fields(2_000)} }`,
    ];
    for (const query of queries) {
      // Interpreted, compiled, and as compiled before.
      for (let times = 0; times < 3; times += 1) {
        const [expected, found] = await Promise.all([usual?.sendQuery('v3', query), slow?.sendQuery('v3', query)]);
        assert.deepEqual([found?.status, found?.body], [expected?.status, expected?.body], query);
      }
    }
    await Promise.all([usual?.close(), slow?.close()]);
  });
});
