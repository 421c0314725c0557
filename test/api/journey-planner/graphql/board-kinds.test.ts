import assert from 'node:assert/strict';
import { openTown } from './network.ts';
import { type PlannerProcess, startPlanner } from './planner-process.ts';

describe('GraphQL: boards of calls without boarding', () => {
  let town: PlannerProcess;
  before(async () => {
    town = await startPlanner(openTown());
  });
  after(() => town.close());

  const at = async (dialect: 'v2' | 'v3', quay: string, args: string): Promise<number> => {
    const query = `{ quay(id: "NSR:Quay:${quay}") { estimatedCalls(timeRange: 18000, ${args}) { date } } }`;
    return (await town.data(dialect, query)).quay.estimatedCalls.length;
  };

  it('shows terminating journeys in v2 unless they are excluded', async () => {
    assert.equal(await at('v2', '30', 'omitNonBoarding: false'), 2);
    assert.equal(await at('v2', '30', 'omitNonBoarding: true'), 0);
  });

  it('excludes them from any board in v3 on request', async () => {
    assert.equal(await at('v3', '30', 'arrivalDeparture: both'), 2);
    assert.equal(await at('v3', '30', 'arrivalDeparture: both, omitNonBoarding: true'), 0);
    assert.equal(await at('v3', '30', 'arrivalDeparture: arrivals, omitNonBoarding: true'), 0);
  });
});
