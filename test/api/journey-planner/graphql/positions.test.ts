/**
 * Invalid positions must be refused with the name of their argument: an empty answer would look like an empty country.
 */
import assert from 'node:assert/strict';
import { openTown } from './network.ts';
import { type PlannerProcess, startPlanner } from './planner-process.ts';

const HERE = '{ coordinates: { latitude: 59.9, longitude: 10.7 } }';
const NOWHERE = '{ coordinates: { latitude: 10.7, longitude: 180.5 } }';
const trip = (args: string) => `{ trip(${args}) { tripPatterns { duration } } }`;
const box = (south: number, west: number, north: number, east: number) =>
  `(minimumLatitude: ${south}, minimumLongitude: ${west}, maximumLatitude: ${north}, maximumLongitude: ${east}) { id }`;

const QUESTIONS: readonly (readonly [dialect: 'v2' | 'v3', query: string, argument: string])[] = [
  ['v2', '{ nearest(latitude: 164, longitude: 10) { edges { cursor } } }', 'latitude'],
  ['v3', '{ nearest(latitude: 59.9, longitude: -1e9) { edges { cursor } } }', 'longitude'],
  ['v3', '{ quaysByRadius(latitude: -90.01, longitude: 10, radius: 100) { edges { cursor } } }', 'latitude'],
  ['v2', `{ quaysByBbox${box(59, 10, 91, 11)} }`, 'maximumLatitude'],
  ['v3', `{ stopPlacesByBbox${box(59, -200, 60, 200)} }`, 'minimumLongitude'],
  ['v2', trip(`from: ${NOWHERE}, to: ${HERE}`), 'from.coordinates.longitude'],
  ['v3', trip(`from: ${HERE}, to: ${NOWHERE}`), 'to.coordinates.longitude'],
  ['v2', trip(`from: ${HERE}, to: ${HERE}, vias: [${NOWHERE}]`), 'vias.coordinates.longitude'],
  [
    'v3',
    trip(`from: ${HERE}, to: ${HERE}, via: [{ visit: { coordinate: { latitude: 164, longitude: 0 } } }]`),
    'via.visit.coordinate.latitude',
  ],
  [
    'v3',
    `{ viaTrip(from: ${HERE}, to: ${HERE}, via: [${NOWHERE}], searchWindow: "PT1H") { tripPatternCombinations { from } } }`,
    'via.coordinates.longitude',
  ],
];

describe('GraphQL: positions that are not on earth', () => {
  let town: PlannerProcess;
  before(async () => {
    town = await startPlanner(openTown());
  });
  after(() => town.close());

  for (const [dialect, query, argument] of QUESTIONS) {
    it(`are refused as ${argument} in ${dialect}: ${query.slice(2, 20)}…`, async () => {
      const [error] = (await town.sendQuery(dialect, query)).body.errors ?? [];
      const limit = argument.toLowerCase().endsWith('latitude') ? 90 : 180;
      assert.equal(error?.message, `${argument} must be from -${limit} to ${limit}.`);
      assert.equal(error?.extensions?.code, 'BAD_USER_INPUT');
    });
  }

  it('do not include those at its poles and edges', async () => {
    const { nearest } = await town.data('v3', '{ nearest(latitude: 90, longitude: -180) { edges { cursor } } }');
    assert.deepEqual(nearest.edges, []);
  });
});
