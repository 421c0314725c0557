/** Origin and destination of a trip: quays, stop places, positions, and stops within walking distance. */
import assert from 'node:assert/strict';
import { createNetwork } from '../support/network.ts';
import { codes, location, plan, routes, WALKING } from './plan.ts';

function town() {
  const network = createNetwork();
  network.stopPlace('Centre', ['A 59.9000 10.7000', 'B 59.9010 10.7000'], { latitude: 59.9005, longitude: 10.7 });
  network.stops('C 59.9030 10.7000', 'Z 59.9500 10.7000', 'Far 60.5 10.7');
  network.line('1', ['A 08:00 - Z 08:30']).line('2', ['B 08:05 - Z 08:31']).line('3', ['C 08:10 - Z 08:20']);
  return network;
}

describe('trip locations', () => {
  it('start at the quay without a walk, and at other quays if walking is allowed', () => {
    const network = town();
    assert.deepEqual(routes(network, plan(network, 'A', 'Z', '2026-11-23 07:50')), ['1-1']);
    // C is 434 m of walking away; that journey leaves later and arrives earlier.
    assert.deepEqual(routes(network, plan(network, 'A', 'Z', '2026-11-23 07:50', WALKING)), ['walk 3-1']);
  });

  it('start at any quay of a stop place', () => {
    const network = town();
    const answer = plan(network, 'Place:Centre', 'Z', '2026-11-23 07:50');
    assert.deepEqual(routes(network, answer), ['1-1', '2-1']);
    assert.equal(answer.from.name, 'Centre');
    assert.equal(answer.patterns[0]?.walkSeconds, 0);
  });

  it('measure walks from the nearest quay of a stop place', () => {
    const network = town();
    const answer = plan(network, 'Place:Centre', 'Z', '2026-11-23 07:50', WALKING);
    const [pattern] = answer.patterns;
    const walk = pattern?.legs[0];
    assert.ok(walk?.kind === 'street');
    // 0.002 degrees from B, × 1.3.
    assert.equal(walk.distanceMetres, 289);
    assert.equal(walk.arrival - walk.departure, Math.ceil(289 / 1.3));
    assert.equal(walk.arrival, network.at('2026-11-23 08:10'));
  });

  it('use the position of an unknown id, and report the field of one without a position', () => {
    const network = town();
    const from = { ...location('59.9 10.7'), place: 'TST:Quay:gone', name: 'Home' };
    const answer = plan(network, 'A', 'Z', '2026-11-23 07:50', { ...WALKING, from });
    assert.equal(answer.from.name, 'Home');
    assert.ok(answer.patterns.length > 0);
    assert.deepEqual(codes(plan(network, 'gone', 'nowhere', '2026-11-23 07:50')), [
      'locationNotFound from',
      'locationNotFound to',
    ]);
    const via = [{ kind: 'visit', label: undefined, places: ['TST:Quay:gone'], minimumWaitSeconds: 0 }] as const;
    assert.deepEqual(codes(plan(network, 'A', 'Z', '2026-11-23 07:50', { via })), [
      'locationNotFound intermediatePlace',
    ]);
    assert.deepEqual(codes(plan(network, '95 200', 'Z', '2026-11-23 07:50')), ['locationNotFound from']);
  });

  it('report the end that has no stop within reach', () => {
    const network = town();
    assert.deepEqual(codes(plan(network, '61.5 10.7', 'Z', '2026-11-23 07:50', WALKING)), ['noStopsInRange from']);
    assert.deepEqual(codes(plan(network, '61.5 10.7', '58 10', '2026-11-23 07:50', WALKING)), [
      'noStopsInRange from',
      'noStopsInRange to',
    ]);
  });

  it('exclude banned quays, and those of banned stop places', () => {
    const network = town();
    const bans = (...bannedQuays: string[]) =>
      routes(network, plan(network, 'Place:Centre', 'Z', '2026-11-23 07:50', { bannedQuays }));
    assert.deepEqual(bans('TST:Quay:A', 'TST:Quay:gone'), ['2-1']);
    assert.deepEqual(bans('TST:StopPlace:Centre'), []);
  });

  it('report equal origin and destination', () => {
    const network = town();
    assert.deepEqual(codes(plan(network, 'Place:Centre', 'A', '2026-11-23 07:50')), ['walkingBetterThanTransit']);
    assert.deepEqual(codes(plan(network, '59.9 10.7', '59.9 10.7', '2026-11-23 07:50')), ['walkingBetterThanTransit']);
  });

  it('pass via stops', () => {
    const network = createNetwork();
    network.stops('A 59.9 10.7', 'B 59.95 10.7', 'Z 60 10.7');
    network.line('1', ['A 08:00 - Z 08:20']).line('2', ['A 08:00 - B 08:20 - Z 08:40']);
    const via = [{ kind: 'passThrough', label: undefined, places: ['TST:Quay:B'], minimumWaitSeconds: 0 }] as const;
    assert.deepEqual(routes(network, plan(network, 'A', 'Z', '2026-11-23 07:50')), ['1-1']);
    assert.deepEqual(routes(network, plan(network, 'A', 'Z', '2026-11-23 07:50', { via })), ['2-1']);
  });
});
