/** Of equal journeys on the same trips, the answer shows the one with the best places to change. */
import assert from 'node:assert/strict';
import type { TripPattern, TripRequest } from '../../../planner/trip/trip-types.ts';
import { createNetwork, type Network } from '../support/network.ts';
import { plan } from './plan.ts';

const QUICK = { transferSlackSeconds: 0 };

/** Two lines that run beside one another from B to D; the second is `behind` minutes later at each stop. */
function parallel(behind: readonly [number, number, number]): Network {
  const network = createNetwork();
  network.stops('A 59.0 10.0', 'B 59.3 10.0', 'C 59.6 10.0', 'D 59.9 10.0', 'E 60.2 10.0', 'F 60.5 10.0');
  network.line('1', ['A 08:00 - B 08:10 - C 08:20 - D 08:30 - F 08:40']);
  const [b, c, d] = behind;
  return network.line('2', [`B 08:${10 + b} - C 08:${20 + c} - D 08:${30 + d} - E 08:50`]);
}

function stopsOfChange(network: Network, to = 'E', more: Partial<TripRequest> = {}): string[] {
  return [false, true].map((arriveBy) => {
    const { patterns } = plan(network, 'A', to, arriveBy ? '2026-11-23 09:00' : '2026-11-23 07:55', {
      ...QUICK,
      ...more,
      arriveBy,
    });
    return changesOf(network, patterns[0] as TripPattern);
  });
}

function changesOf(network: Network, { legs }: TripPattern): string {
  const { transit } = network.open();
  const rides = legs.flatMap((leg) => (leg.kind === 'ride' ? [leg] : []));
  return rides
    .slice(1)
    .map((ride, index) => {
      const before = rides[index] as (typeof rides)[number];
      const from = network.stopName(transit.stopAt(before.route, before.alightPosition));
      const to = network.stopName(transit.stopAt(ride.route, ride.boardPosition));
      return `${from}${ride.by === 'interchange' ? '=' : '-'}${to}`;
    })
    .join(' ');
}

function guarantee(network: Network, position: number): Network {
  network.builder.addInterchange({
    id: 'TST:ServiceJourneyInterchange:1',
    fromJourneyId: 'TST:ServiceJourney:1-1',
    fromPosition: position + 1,
    toJourneyId: 'TST:ServiceJourney:2-1',
    toPosition: position,
    guaranteed: true,
    staySeated: false,
  });
  return network;
}

describe('places to change', () => {
  it('have the longest margin', () => {
    assert.deepEqual(stopsOfChange(parallel([2, 5, 3])), ['C-C', 'C-C']);
    assert.deepEqual(stopsOfChange(parallel([5, 2, 3])), ['B-B', 'B-B']);
    assert.deepEqual(stopsOfChange(parallel([2, 3, 5])), ['D-D', 'D-D']);
  });

  it('are those of a guaranteed interchange where margins are equal', () => {
    for (const [position, stop] of ['B', 'C', 'D'].entries()) {
      const network = guarantee(parallel([3, 3, 3]), position);
      assert.deepEqual(stopsOfChange(network), [`${stop}=${stop}`, `${stop}=${stop}`]);
    }
  });

  it('have fewer metres on foot, and are the first of equal ones', () => {
    assert.deepEqual(stopsOfChange(parallel([3, 3, 3])), ['B-B', 'B-B']);
    const network = createNetwork();
    network.stops('A 59.0 10.0', 'B 59.3 10.0', 'C 59.5 10.0', 'D 59.7 10.0', 'E 59.9 10.0', 'F 60.2 10.0');
    network.line('1', ['A 08:00 - B 08:10 - C 08:20']).line('2', ['D 08:15 - E 08:25 - F 08:40']);
    network.transfer('B', 'D', 0, 132).transfer('C', 'E', 0, 131);
    assert.deepEqual(stopsOfChange(network, 'F', { walkSpeed: 2 }), ['C-E', 'C-E']);
  });

  it('leave time, cost and number of rides as they are', () => {
    const { patterns } = plan(parallel([2, 5, 3]), 'A', 'E', '2026-11-23 07:55', QUICK);
    const [pattern] = patterns as [TripPattern];
    assert.equal(pattern.arrival - pattern.departure, 50 * 60);
    const costs = pattern.legs.reduce((sum, { cost }) => sum + cost, 0);
    assert.equal(costs, pattern.cost);
    assert.equal(pattern.cost, 100 * 50 * 60 + 2 * 60_000);
  });
});
