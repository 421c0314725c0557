/** Invalid numbers must be refused with the name of their argument, never answered with an empty result. */
import assert from 'node:assert/strict';
import { openTown } from './network.ts';
import { type PlannerProcess, startPlanner } from './planner-process.ts';

const calls = (args: string) => `{ quay(id: "NSR:Quay:20") { estimatedCalls(${args}) { date } } }`;
const near = (args: string) => `{ nearest(latitude: 59.9, longitude: 10.7, ${args}) { edges { cursor } } }`;
const box = (south: number, west: number, north: number, east: number) =>
  `{ quaysByBbox(minimumLatitude: ${south}, minimumLongitude: ${west}, maximumLatitude: ${north}, maximumLongitude: ${east}) { id } }`;

const REFUSED: readonly (readonly [query: string, message: string])[] = [
  [calls('numberOfDepartures: -1'), 'numberOfDepartures must not be negative.'],
  [calls('timeRange: -1'), 'timeRange must not be negative.'],
  [
    calls('numberOfDeparturesPerLineAndDestinationDisplay: -1'),
    'numberOfDeparturesPerLineAndDestinationDisplay must not be negative.',
  ],
  [near('maximumDistance: -0.5'), 'maximumDistance must not be negative.'],
  [near('maximumResults: -1'), 'maximumResults must not be negative.'],
  [near('first: -1'), 'first must not be negative.'],
  [near('before: "x"'), 'before takes a cursor of an earlier answer to the same question.'],
  [
    '{ quaysByRadius(latitude: 59.9, longitude: 10.7, radius: -1) { edges { cursor } } }',
    'radius must not be negative.',
  ],
  [box(60, 10, 59, 11), 'minimumLatitude must not be more than maximumLatitude.'],
  [box(59, 11, 60, 10), 'minimumLongitude must not be more than maximumLongitude.'],
  ['{ serviceJourney(id: "TST:ServiceJourney:2") { quays(last: -1) { id } } }', 'last must not be negative.'],
  [
    '{ quay(id: "NSR:Quay:20") { estimatedCalls { serviceJourneyEstimatedCalls { next(count: -1) { date } } } } }',
    'count must not be negative.',
  ],
];

describe('GraphQL: invalid numbers', () => {
  let town: PlannerProcess;
  before(async () => {
    town = await startPlanner(openTown());
  });
  after(() => town.close());

  for (const [query, message] of REFUSED) {
    it(`are refused: ${message}`, async () => {
      const [error] = (await town.sendQuery('v3', query)).body.errors ?? [];
      assert.equal(error?.message, message);
      assert.equal(error?.extensions?.code, 'BAD_USER_INPUT');
    });
  }

  it('do not include null, which means the default', async () => {
    for (const query of [
      calls('numberOfDepartures: null, timeRange: null, numberOfDeparturesPerLineAndDestinationDisplay: null'),
      near('maximumResults: null, first: null, last: null, after: null, before: null'),
    ]) {
      const plain = query
        .replace(/\((?:numberOfDepartures: null.*?)\)/, '')
        .replace(/, maximumResults: null.*?\)/, ')');
      assert.deepEqual(await town.data('v3', query), await town.data('v3', plain));
    }
  });
});
