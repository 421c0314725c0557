/** Lists within lists over the demo region: what would grow far beyond the limit ends at its first list, also the first time it comes. */
import assert from 'node:assert/strict';
import { useDemoPlanner } from './demo-planner.ts';

/** Each with the list it is refused at: nothing below that was made. */
const HOSTILE: readonly (readonly [query: string, field: string])[] = [
  ['{ lines { quays { lines { quays { lines { quays { id } } } } } } }', 'lines'],
  ['{ lines { serviceJourneys { passingTimes { quay { journeyPatterns { serviceJourneys { id } } } } } } }', 'lines'],
  ['{ stopPlaces { quays { journeyPatterns { serviceJourneys { activeDates } } } } }', 'stopPlaces'],
  ['{ quays { board: estimatedCalls(numberOfDepartures: 20) { serviceJourney { quays { id } } } } }', 'quays'],
  ['query { quays { ...Q } } fragment Q on Quay { lines { serviceJourneys { quays { id } } } }', 'quays'],
  [
    '{ nearest(latitude: 64.72, longitude: 11.05, maximumDistance: 100000, maximumResults: 2000) { edges { node { place { ... on Quay { lines { quays { lines { quays { lines { id } } } } } } } } } } }',
    'nearest.edges',
  ],
];

describe('Lists within lists', () => {
  const demo = useDemoPlanner();

  for (const [query, field] of HOSTILE) {
    it(`are refused at ${field}: ${query.slice(0, 70)}…`, async () => {
      const { status, body } = await demo.planner.ask('v3', query);
      const extensions = body.errors?.[0]?.extensions;
      assert.deepEqual([status, extensions?.limit, extensions?.field], [400, 'items', field]);
    });
  }

  it('are refused by what is asked for, not by what could be', async () => {
    const query = (lists: string) =>
      `query ($all: Boolean!) { lines { id ${lists.replace('{', '@include(if: $all) {')} } }`;
    const deep = query('quays { lines { quays { lines { quays { id } } } } }');
    assert.equal((await demo.planner.ask('v3', deep, { all: true })).status, 400);
    assert.equal((await demo.planner.ask('v3', deep, { all: false })).status, 200);
    assert.equal((await demo.planner.ask('v3', deep, { all: true })).status, 400);
  });

  it('are answered when they are long but within the limit, and fields asked for twice count once', async () => {
    const calls = 'serviceJourneys { estimatedCalls { quay { id } } }';
    const query = `{ lines { ...A ...B journeyPatterns { ${calls} } } } ${['A', 'B']
      .map((name) => `fragment ${name} on Line { journeyPatterns { ${calls} } }`)
      .join(' ')}`;
    const { lines } = await demo.planner.data('v3', query);
    assert.ok(lines.length > 50);
  });
});
