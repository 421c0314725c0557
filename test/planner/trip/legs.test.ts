/** Journeys as legs: the places of walks, waiting times, and the sum of the costs. */
import assert from 'node:assert/strict';
import { createNetwork } from '../support/network.ts';
import { plan, route, WALKING } from './plan.ts';

function twoLines() {
  const network = createNetwork();
  network.stops('A 59.90 10.7', 'B 60.10 10.7', 'C 60.101 10.7', 'Z 60.30 10.7');
  network.line('1', ['A 08:00 - B 08:20']).line('2', ['C 08:30 - Z 08:50']);
  return network;
}

describe('legs of a trip', () => {
  it('have walks next to the rides they serve', () => {
    const network = twoLines();
    const answer = plan(network, '59.901 10.7', '60.302 10.7', '2026-11-23 07:00', {
      ...WALKING,
      boardSlackSeconds: 60,
      alightSlackSeconds: 30,
      walkReluctance: 3,
      waitReluctance: 0.5,
      transferPenaltySeconds: 100,
    });
    const pattern = answer.patterns[0];
    assert.ok(pattern);
    assert.equal(route(network, pattern), 'walk 1-1 walk 2-1 walk');
    const [access, first, transfer, second, egress] = pattern.legs;
    assert.ok(access && first && transfer && second && egress);
    assert.equal(access.departure, pattern.departure);
    assert.equal(access.arrival, network.at('2026-11-23 07:59'));
    assert.equal(transfer.departure, network.at('2026-11-23 08:20') + 30);
    assert.ok(transfer.kind === 'street');
    assert.equal(transfer.distanceMetres, 145);
    assert.equal(transfer.arrival - transfer.departure, Math.ceil(145 / 1.3));
    assert.equal(transfer.from.name, 'B');
    assert.equal(transfer.to.stop, network.stop('C'));
    assert.equal(egress.departure, network.at('2026-11-23 08:50') + 30);
    assert.equal(egress.arrival, pattern.arrival);
    const walked = [access, transfer, egress].reduce((sum, leg) => sum + leg.arrival - leg.departure, 0);
    assert.equal(pattern.walkSeconds, walked);
    assert.equal(pattern.waitSeconds, pattern.arrival - pattern.departure - walked - 2 * 1_200);
    assert.equal(
      pattern.legs.reduce((sum, leg) => sum + leg.cost, 0),
      pattern.cost,
    );
    assert.equal(pattern.cost, 100 * 2_400 + 300 * walked + 50 * pattern.waitSeconds + 2 * 60_000 + 10_000);
  });

  it('include no walks of zero length', () => {
    const network = twoLines();
    const answer = plan(network, 'A', 'B', '2026-11-23 07:30');
    assert.deepEqual(
      answer.patterns.map((pattern) => route(network, pattern)),
      ['1-1'],
    );
  });

  it('count staying seated as riding', () => {
    const network = createNetwork();
    network.stops('A 59.9 10.7', 'B 60 10.7', 'Z 60.1 10.7');
    network.line('1', ['A 08:00 - B 08:20']).line('2', ['B 08:25 - Z 08:40']);
    const ends = { fromJourneyId: 'TST:ServiceJourney:1-1', fromPosition: 1, toJourneyId: 'TST:ServiceJourney:2-1' };
    network.builder.addInterchange({ id: 'TST:I:1', ...ends, toPosition: 0, guaranteed: false, staySeated: true });
    const [pattern] = plan(network, 'A', 'Z', '2026-11-23 07:30', { transferSlackSeconds: 600 }).patterns;
    assert.ok(pattern);
    assert.equal(route(network, pattern), '1-1 2-1');
    assert.equal(pattern.waitSeconds, 0);
    assert.equal(pattern.cost, 100 * 2_400 + 60_000);
    assert.equal(
      pattern.legs.reduce((sum, leg) => sum + leg.cost, 0),
      pattern.cost,
    );
  });

  it('keep the slack of each mode', () => {
    const network = createNetwork();
    network.stops('A 59.9 10.7', 'Z 60.1 10.7');
    network.line('1', ['A 08:00 - Z 08:20'], { line: { mode: 'air' } });
    const [pattern] = plan(network, 'A', 'Z', '2026-11-23 06:30', {
      boardSlackByMode: [['air', 1_800]],
      alightSlackByMode: [['air', 900]],
    }).patterns;
    assert.equal(pattern?.departure, network.at('2026-11-23 07:30'));
    assert.equal(pattern?.arrival, network.at('2026-11-23 08:35'));
  });
});
