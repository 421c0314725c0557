import assert from 'node:assert/strict';
import type { BoardRequest } from '../../../../planner/boards/board-types.ts';
import { openTown } from './network.ts';
import { type PlannerProcess, startPlanner } from './planner-process.ts';

interface ShownCall {
  readonly aimedDepartureTime: string;
  readonly serviceJourney: { readonly id: string };
}

describe('GraphQL: boards', () => {
  let town: PlannerProcess;
  before(async () => {
    town = await startPlanner(openTown());
  });
  after(() => town.close());

  /** Each call as `hh:mm journey`. */
  async function boardOf(place: string, args: string, dialect: 'v2' | 'v3' = 'v3'): Promise<readonly string[]> {
    const query = `{ place: ${place} { estimatedCalls(${args}) { aimedDepartureTime serviceJourney { id } } } }`;
    const { place: found } = await town.data(dialect, query);
    return found.estimatedCalls.map(
      ({ aimedDepartureTime, serviceJourney }: ShownCall) =>
        `${aimedDepartureTime.slice(11, 16)} ${serviceJourney.id.replace('TST:ServiceJourney:', '')}`,
    );
  }

  const MARKET = 'quay(id: "NSR:Quay:20")';
  const ALL = ['08:05 2', '08:10 1-8', '09:05 2b', '10:10 1-10', '01:10 1-25'];

  it('shows departures in order of time, from now', async () => {
    assert.deepEqual(await boardOf(MARKET, 'numberOfDepartures: 20'), ALL);
    assert.deepEqual(await boardOf(MARKET, 'numberOfDepartures: 20', 'v2'), ALL);
    assert.deepEqual(await boardOf('stopPlace(id: "NSR:StopPlace:20")', 'numberOfDepartures: 20'), ALL);
  });

  it('does not read calls when no result is possible', async () => {
    const timetable = openTown();
    let reads = 0;
    const boards = {
      calls: (request: BoardRequest) => {
        reads += 1;
        return timetable.boards.calls(request);
      },
    };
    const counted = await startPlanner({ ...timetable, boards });
    const sendQuery = async (args: string) =>
      (await counted.data('v3', `{ ${MARKET} { estimatedCalls(${args}) { date } } }`)).quay.estimatedCalls.length;
    assert.equal(await sendQuery('whiteListed: { lines: ["TST:Line:none"] }, timeRange: 31000000'), 0);
    assert.equal(await sendQuery('whiteListedModes: [air], timeRange: 31000000'), 0);
    assert.equal(await sendQuery('numberOfDeparturesPerLineAndDestinationDisplay: 0'), 0);
    assert.equal(reads, 0);
    assert.ok((await sendQuery('numberOfDepartures: 20')) > 0);
    assert.equal(reads, 1);
    await counted.close();
  });

  it('refuses thousands of selections from variables', async () => {
    const query = `query ($f: [EstimatedCallFilterInput!]) { ${MARKET} { estimatedCalls(filters: $f) { date } } }`;
    const filters = (count: number) => ({ f: [{ not: Array.from({ length: count }, () => ({ lines: ['x'] })) }] });
    assert.equal((await town.sendQuery('v3', query, filters(199))).body.errors, undefined);
    const { body } = await town.sendQuery('v3', query, filters(200));
    assert.match(body.errors?.[0]?.message ?? '', /at most 200/);
    assert.equal(body.errors?.[0]?.extensions?.code, 'BAD_USER_INPUT');
  });

  it('shows five calls by default', async () => {
    const { quay } = await town.data(
      'v3',
      '{ quay(id: "NSR:Quay:20") { estimatedCalls(timeRange: 400000) { date } } }',
    );
    assert.equal(quay.estimatedCalls.length, 5);
    assert.deepEqual(await boardOf(MARKET, 'numberOfDepartures: 0'), []);
  });

  it('begins at startTime, with an offset or in local time, and covers timeRange', async () => {
    assert.deepEqual(await boardOf(MARKET, 'startTime: "2026-11-23T08:10:00", timeRange: 3601'), [
      '08:10 1-8',
      '09:05 2b',
    ]);
    assert.deepEqual(await boardOf(MARKET, 'startTime: "2026-11-23T07:10:00Z", timeRange: 60'), ['08:10 1-8']);
    assert.deepEqual(await boardOf(MARKET, 'startTime: "2026-11-23T08:10:00.123+0100", timeRange: 60'), ['08:10 1-8']);
  });

  it('merges the boards of a stop place and its parts', async () => {
    assert.deepEqual(await boardOf('stopPlace(id: "NSR:StopPlace:10")', 'timeRange: 7200'), ['08:00 1-8', '08:40 3']);
  });

  it('shows arrivals, and arrivals with departures', async () => {
    assert.deepEqual(await boardOf('quay(id: "NSR:Quay:11")', 'arrivalDeparture: arrivals, timeRange: 18000'), [
      '08:30 2',
      '09:35 2b',
    ]);
    assert.deepEqual(await boardOf('quay(id: "NSR:Quay:11")', 'arrivalDeparture: both, timeRange: 7200'), [
      '08:00 1-8',
      '08:30 2',
    ]);
    assert.deepEqual(
      await boardOf('quay(id: "NSR:Quay:30")', 'timeRange: 18000'),
      [],
      'nobody may board at the last stop',
    );
  });

  it('shows only the given lines, authorities and modes', async () => {
    const of = (args: string, dialect: 'v2' | 'v3' = 'v3') =>
      boardOf(MARKET, `numberOfDepartures: 2, ${args}`, dialect);
    assert.deepEqual(await of('whiteListed: {lines: ["TST:Line:1"]}'), ['08:10 1-8', '10:10 1-10']);
    assert.deepEqual(await of('whiteListed: {lines: [], authorities: []}'), ALL.slice(0, 2));
    assert.deepEqual(await of('whiteListed: {authorities: ["TST:Authority:2"]}'), []);
    assert.deepEqual(await of('whiteListedModes: [trolleybus]'), ['08:05 2', '09:05 2b']);
    assert.deepEqual(await of('whiteListedModes: [bus]'), ['08:10 1-8', '10:10 1-10']);
    assert.deepEqual(await of('whiteListedModes: [bus]', 'v2'), ALL.slice(0, 2));
    assert.deepEqual(await of('whiteListedModes: [foot]', 'v2'), []);
  });

  it('applies filters', async () => {
    const of = (filters: string) => boardOf(MARKET, `numberOfDepartures: 2, filters: ${filters}`);
    assert.deepEqual(await of('[{select: [{lines: ["TST:Line:2"]}]}]'), ['08:05 2', '09:05 2b']);
    assert.deepEqual(await of('[{not: [{lines: ["TST:Line:2"]}]}]'), ['08:10 1-8', '10:10 1-10']);
    assert.deepEqual(
      await of('[{select: [{transportModes: [{transportMode: bus, transportSubModes: [localBus]}]}]}]'),
      ['08:10 1-8', '10:10 1-10'],
    );
    assert.deepEqual(
      await of('[{select: [{transportModes: [{transportMode: bus, transportSubModes: [nightBus]}]}]}]'),
      [],
    );
    assert.deepEqual(
      await of('[{select: [{lines: ["x"]}]}, {select: [{authorities: ["TST:Authority:1"]}]}]'),
      ALL.slice(0, 2),
    );
  });

  it('limits calls per line and destination', async () => {
    assert.deepEqual(
      await boardOf(MARKET, 'numberOfDepartures: 9, numberOfDeparturesPerLineAndDestinationDisplay: 1'),
      ['08:05 2', '08:10 1-8'],
    );
  });

  for (const dialect of ['v2', 'v3'] as const) {
    it(`shows planned cancellations on request, on ${dialect}`, async () => {
      const shown = async (words: string) => {
        const { quay } = await town.data(
          dialect,
          `{ quay(id: "NSR:Quay:20") { estimatedCalls(numberOfDepartures: 4${words}) { aimedDepartureTime cancellation serviceJourney { id } } } }`,
        );
        return quay.estimatedCalls;
      };
      const cancelled = {
        aimedDepartureTime: '2026-11-23T09:10:00+01:00',
        cancellation: true,
        serviceJourney: { id: 'TST:ServiceJourney:1-9' },
      };
      assert.deepEqual((await shown(', includeCancelledTrips: true'))[3], cancelled);
      for (const words of ['', ', includeCancelledTrips: false']) {
        const calls = await shown(words);
        assert.equal(calls.length, 4);
        assert.ok(calls.every((call: { cancellation: boolean }) => !call.cancellation));
      }
    });
  }

  it('refuses invalid arguments', async () => {
    const { status, body } = await town.sendQuery(
      'v3',
      '{ quay(id: "NSR:Quay:20") { estimatedCalls(timeRange: -1) { date } } }',
    );
    assert.equal(status, 200);
    assert.match(body.errors?.[0]?.message ?? '', /must not be negative/);
    const wrong = await town.sendQuery(
      'v3',
      '{ quay(id: "NSR:Quay:20") { estimatedCalls(startTime: "2026-02-30T10:00:00") { date } } }',
    );
    assert.equal(wrong.status, 400);
  });
});
