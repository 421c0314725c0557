/**
 * Lists within lists over the demo region: what would grow far beyond the limit ends at its first list, also the first
 * time it comes.
 */
import assert from 'node:assert/strict';
import { useDemoPlanner } from './demo-planner.ts';

/** Queries, each with the list at which it is refused before any item below is made. */
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

describe('Nested lists', () => {
  const demo = useDemoPlanner();

  for (const [query, field] of HOSTILE) {
    it(`are refused at ${field}: ${query.slice(0, 70)}…`, async () => {
      const { status, body } = await demo.planner.sendQuery('v3', query);
      const extensions = body.errors?.[0]?.extensions;
      assert.deepEqual([status, extensions?.limit, extensions?.field], [400, 'items', field]);
    });
  }

  it('are refused by their requested size, not by the possible one', async () => {
    const query = (lists: string) =>
      `query ($all: Boolean!) { lines { id ${lists.replace('{', '@include(if: $all) {')} } }`;
    const deep = query('quays { lines { quays { lines { quays { id } } } } }');
    assert.equal((await demo.planner.sendQuery('v3', deep, { all: true })).status, 400);
    assert.equal((await demo.planner.sendQuery('v3', deep, { all: false })).status, 200);
    assert.equal((await demo.planner.sendQuery('v3', deep, { all: true })).status, 400);
  });

  it('are answered within the limit, and repeated fields count once', async () => {
    const calls = 'serviceJourneys { estimatedCalls { quay { id } } }';
    const query = `{ lines { ...A ...B journeyPatterns { ${calls} } } } ${['A', 'B']
      .map((name) => `fragment ${name} on Line { journeyPatterns { ${calls} } }`)
      .join(' ')}`;
    const { lines } = await demo.planner.data('v3', query);
    assert.ok(lines.length > 50);
  });
});

describe('Wide answers', () => {
  const demo = useDemoPlanner();
  const aliases = (count: number, field: string) =>
    Array.from({ length: count }, (_, at) => `a${at}: ${field}`).join(' ');

  it('are refused before they are made when they have too many fields or bytes', async () => {
    const line = 'line { id name publicCode authority { id name url } operator { id name url } }';
    for (const query of [
      `{ serviceJourneys { ${aliases(48, 'pointsOnLink { points length }')} } }`,
      `{ serviceJourneys { ...F } } fragment F on ServiceJourney { ${aliases(48, `${line.slice(0, -1)} ${line.slice(7)}`)} }`,
    ]) {
      const { status, body } = await demo.planner.sendQuery('v3', query);
      const extensions = body.errors?.[0]?.extensions;
      assert.deepEqual([status, extensions?.limit, extensions?.field], [400, 'answerFields', 'serviceJourneys']);
    }
  });

  it('are the same whether they are written in turns or at once', async () => {
    const query = '{ serviceJourneys { id activeDates line { id name } } }';
    const first = await demo.planner.sendQuery('v3', query);
    assert.equal(first.status, 200);
    for (let again = 0; again < 3; again += 1) {
      assert.deepEqual((await demo.planner.sendQuery('v3', query)).body, first.body);
    }
  });
});
