/** Direct journeys on streets, and transit that is worse than they are. */
import assert from 'node:assert/strict';
import type { TripRequest } from '../../../planner/trip/trip-types.ts';
import { createNetwork } from '../support/network.ts';
import { codes, plan, routes } from './plan.ts';

/** A and Z are 1,446 m of walking apart: 1,113 s. */
function neighbours(journey: string) {
  const network = createNetwork();
  network.stops('A 59.90 10.7', 'Z 59.91 10.7', 'Far 61 10.7');
  return network.line('1', [journey]);
}

describe('direct journeys', () => {
  it('walk, cycle and drive along the beeline × 1.3', () => {
    const network = neighbours('A 20:00 - Z 20:05');
    const time = network.at('2026-11-23 08:00');
    const direct = (directMode: 'foot' | 'bicycle' | 'car', arriveBy = false) => {
      const [pattern] = plan(network, 'A', 'Z', '2026-11-23 08:00', { directMode, arriveBy, transit: false }).patterns;
      return [pattern?.departure, pattern?.arrival, pattern?.cost, pattern?.walkSeconds];
    };
    assert.deepEqual(direct('foot'), [time, time + 1_113, 2 * 111_300, 1_113]);
    assert.deepEqual(direct('foot', true), [time - 1_113, time, 2 * 111_300, 1_113]);
    assert.deepEqual(direct('bicycle'), [time, time + 290, 29_000, 0]);
    assert.deepEqual(direct('car'), [time, time + 131, 13_100, 0]);
  });

  it('are left out beyond the limit, when not requested, and on further pages', () => {
    const network = neighbours('A 08:10 - Z 08:15');
    assert.deepEqual(routes(network, plan(network, 'A', 'Z', '2026-11-23 08:00')), ['1-1']);
    const foot = { directMode: 'foot', windowSeconds: 3_600 } as const;
    assert.deepEqual(routes(network, plan(network, 'A', 'Far', '2026-11-23 08:00', foot)), []);
    const first = plan(network, 'A', 'Z', '2026-11-23 08:00', foot);
    assert.deepEqual(routes(network, first), ['walk', '1-1']);
    const next = plan(network, 'A', 'Z', '2026-11-23 08:00', { ...foot, cursor: first.nextCursor });
    assert.deepEqual(routes(network, next), []);
  });

  it('are missing with an error when nothing else was requested', () => {
    const network = neighbours('A 08:10 - Z 08:15');
    const errors = (to: string, directMode: 'foot' | undefined): string[] => {
      const answer = plan(network, 'A', to, '2026-11-23 08:00', { directMode, transit: false });
      return [...routes(network, answer), ...codes(answer)];
    };
    assert.deepEqual(errors('Z', undefined), ['noTransitConnection']);
    assert.deepEqual(errors('Far', 'foot'), ['noTransitConnection']);
    assert.deepEqual(errors('Z', 'foot'), ['walk']);
  });

  it('count as one of the requested patterns', () => {
    const network = createNetwork().stops('A 59.90 10.7', 'Z 59.91 10.7');
    network.line('1', ['A 08:10 - Z 08:12', 'A 08:20 - Z 08:22', 'A 08:30 - Z 08:32']);
    const shown = (count: number) =>
      routes(network, plan(network, 'A', 'Z', '2026-11-23 08:00', { count, directMode: 'foot' }));
    assert.deepEqual(shown(3), ['walk', '1-1', '1-2']);
    assert.deepEqual(shown(1), ['1-1']);
  });

  it('are not shown on foot with rides when they are long, and displace none', () => {
    const network = createNetwork().stops('A 59.90 10.7', 'Z 59.91 10.7');
    network.line('1', ['A 08:10 - Z 08:12', 'A 08:20 - Z 08:22', 'A 08:30 - Z 09:00']);
    const foot = { directMode: 'foot', windowSeconds: 3_600, longestWalkBesideRidesSeconds: 1_112 } as const;
    const shown = (more: Partial<TripRequest>, time = '08:00') =>
      routes(network, plan(network, 'A', 'Z', `2026-11-23 ${time}`, { ...foot, ...more }));
    assert.deepEqual(shown({ count: 2 }), ['1-1', '1-2']);
    // The third ride takes longer than the walk and is still dropped.
    assert.deepEqual(shown({ count: 5 }), ['1-1', '1-2']);
    assert.deepEqual(shown({ longestWalkBesideRidesSeconds: 1_113, count: 2 }), ['walk', '1-1']);
    assert.deepEqual(shown({}, '08:25'), ['walk']);
    assert.deepEqual(shown({ transit: false }), ['walk']);
    assert.deepEqual(shown({ directMode: 'bicycle', longestWalkBesideRidesSeconds: 0 }), [
      'bicycle',
      '1-1',
      '1-2',
      '1-3',
    ]);
  });

  it('displace transit that takes as long and costs as much when they are on foot', () => {
    const network = neighbours('A 08:10 - Z 08:40');
    const answer = plan(network, 'A', 'Z', '2026-11-23 08:00', { directMode: 'foot', windowSeconds: 3_600 });
    assert.deepEqual(routes(network, answer), ['walk']);
    assert.deepEqual(codes(answer), ['walkingBetterThanTransit']);
    const cycling = plan(network, 'A', 'Z', '2026-11-23 08:00', { directMode: 'bicycle', windowSeconds: 3_600 });
    assert.deepEqual(routes(network, cycling), ['bicycle', '1-1']);
    assert.deepEqual(codes(cycling), []);
  });
});
