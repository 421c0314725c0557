import assert from 'node:assert/strict';
import { openTown } from './network.ts';
import { type PlannerProcess, startPlanner } from './planner-process.ts';

const STOP = 'query W($i: String!) { stopPlace(id: $i) { id } }';
const COUNT = 'query ($n: Int) { quay(id: "NSR:Quay:20") { estimatedCalls(numberOfDepartures: $n) { date } } }';
const MODES = 'query ($m: [TransportMode]) { lines(transportModes: $m) { id } }';
const WANTED = 'query ($w: InputWhiteListed) { quay(id: "NSR:Quay:20") { estimatedCalls(whiteListed: $w) { date } } }';

const WRONG: readonly (readonly [query: string, variables: Record<string, unknown>])[] = [
  [STOP, {}],
  [STOP, { i: null }],
  [STOP, { i: 5 }],
  [STOP, { i: ['x'] }],
  ['query ($a: [String]) { stopPlaces(ids: $a) { id } }', { a: 5 }],
  [COUNT, { n: 'x' }],
  [COUNT, { n: 1.5 }],
  [MODES, { m: ['rocket'] }],
  [MODES, { m: 'rocket' }],
  [WANTED, { w: { wheels: 4 } }],
  [WANTED, { w: 'x' }],
  ['query ($l: Location!) { trip(from: $l, to: $l) { tripPatterns { duration } } }', { l: 'x' }],
  ['query ($l: Location!) { trip(from: $l, to: $l) { tripPatterns { duration } } }', { l: { coordinates: {} } }],
  ['query ($d: Date) { serviceJourney(id: "x") { estimatedCalls(date: $d) { date } } }', { d: 'tomorrow' }],
];

describe('GraphQL: invalid variables', () => {
  let town: PlannerProcess;
  before(async () => {
    town = await startPlanner(openTown());
  });
  after(() => town.close());

  for (const dialect of ['v2', 'v3'] as const) {
    for (const [query, variables] of WRONG) {
      it(`are always refused alike in ${dialect}: ${JSON.stringify(variables)} for ${query.slice(0, 30)}`, async () => {
        const first = await town.sendQuery(dialect, query, variables);
        assert.equal(first.status, 400, JSON.stringify(first.body));
        assert.match(first.body.errors?.[0]?.message ?? '', /^Variable "\$/);
        for (let again = 0; again < 2; again += 1) {
          const { status, body } = await town.sendQuery(dialect, query, variables);
          assert.equal(status, 400);
          assert.deepEqual(body, first.body);
        }
      });
    }
  }

  it('are reported at the field when null is given for a variable with a default', async () => {
    const query = 'query ($n: Float = 1) { nearest(latitude: $n, longitude: 1) { edges { cursor } } }';
    for (let again = 0; again < 3; again += 1) {
      const { body } = await town.sendQuery('v3', query, { n: null });
      assert.match(body.errors?.[0]?.message ?? '', /must not be null/);
      assert.equal(body.errors?.[0]?.extensions?.code, 'BAD_USER_INPUT');
    }
  });

  it('do not change the answers to valid ones', async () => {
    for (let again = 0; again < 3; again += 1) {
      const { stopPlace } = await town.data('v3', STOP, { i: 'NSR:StopPlace:20' });
      assert.equal(stopPlace.id, 'NSR:StopPlace:20');
    }
  });
});
