/** A05: interchanges: stay seated, guaranteed, not allowed, and later trips with an interchange. */
import assert from 'node:assert/strict';
import type { InterchangeInput } from '../../../planner/build/input.ts';
import { CostBoarding } from '../../../planner/search/cost-boarding.ts';
import { createNetwork, type Network } from '../support/network.ts';
import { journeys, request, search } from './search.ts';

/** Route and position of every boarding that the second pass considers. */
function boardings(run: () => void): string[] {
  const { boardHere } = CostBoarding.prototype;
  const boarded: string[] = [];
  CostBoarding.prototype.boardHere = function (...call): void {
    const [state, route, view, position] = call;
    boarded.push(`state ${state}, route ${route}, view ${view}, position ${position}`);
    boardHere.apply(this, call);
  };
  try {
    run();
  } finally {
    CostBoarding.prototype.boardHere = boardHere;
  }
  return boarded;
}

describe('A05 interchanges', () => {
  function linked(from: string, more: Partial<InterchangeInput>): Network {
    const network = createNetwork();
    network.stops('A 59.0 10.0', 'B 59.3 10.0', 'C 59.6 10.0', 'D 59.9 10.0');
    network.line('1', ['A 08:00 - B 08:10', 'A 08:05 - B 08:15']);
    network.line('2', ['B 08:15 - C 08:30']).line('3', ['B 08:40 - C 08:55']);
    network.builder.addInterchange({
      id: 'TST:ServiceJourneyInterchange:1',
      fromJourneyId: `TST:ServiceJourney:${from}`,
      fromPosition: 1,
      toJourneyId: 'TST:ServiceJourney:2-1',
      toPosition: 0,
      guaranteed: false,
      staySeated: false,
      ...more,
    });
    return network;
  }
  const slow = { transferSlackSeconds: 600 };

  it('allow a change without slack', () => {
    const expected = ['1-2 A 08:05 B 08:15, =2-1 B 08:15 C 08:30'];
    const network = linked('1-2', { guaranteed: true });
    assert.deepEqual(search(network, 'A', 'C', '2026-11-23 08:00', slow), expected);
    assert.deepEqual(search(network, 'A', 'C', '2026-11-23 08:35', { ...slow, arriveBy: true }), expected);
  });

  it('have no effect when not requested, not allowed, or neither guaranteed nor stay seated', () => {
    const expected = ['1-2 A 08:05 B 08:15, 3-1 B 08:40 C 08:55'];
    const without = { ...slow, useInterchanges: false };
    assert.deepEqual(search(linked('1-2', { guaranteed: true }), 'A', 'C', '2026-11-23 08:00', without), expected);
    const notAllowed = linked('1-2', { guaranteed: true, priority: 'notAllowed' });
    assert.deepEqual(search(notAllowed, 'A', 'C', '2026-11-23 08:00', slow), expected);
    assert.deepEqual(search(linked('1-2', {}), 'A', 'C', '2026-11-23 08:00', slow), expected);
  });

  it('forbid the change between the two calls when they are not allowed', () => {
    const at = '2026-11-23 08:00';
    const around = '1-2 A 08:05 B 08:15, 3-1 B 08:40 C 08:55';
    for (const enough of [undefined, 1] as const) {
      const more = { transferSlackSeconds: 0, ...(enough !== undefined && { enough }) };
      // Without the ban, the later of two trips reaches the first onward trip.
      assert.deepEqual(search(linked('1-2', {}), 'A', 'C', at, more), ['1-2 A 08:05 B 08:15, 2-1 B 08:15 C 08:30']);
      const fromLater = linked('1-2', { priority: 'notAllowed' });
      const fromEarlier = linked('1-1', { priority: 'notAllowed' });
      assert.deepEqual(search(fromLater, 'A', 'C', at, more)[0], '1-1 A 08:00 B 08:10, 2-1 B 08:15 C 08:30');
      assert.deepEqual(search(fromEarlier, 'A', 'C', at, more), ['1-2 A 08:05 B 08:15, 2-1 B 08:15 C 08:30']);
      assert.deepEqual(search(fromLater, 'A', 'C', '2026-11-23 08:55', { ...more, arriveBy: true }).at(0), around);
    }
  });

  it('need no transfer when the traveller stays seated', () => {
    const expected = ['1-2 A 08:05 B 08:15, =2-1 B 08:15 C 08:30'];
    const direct = { ...slow, maximumRides: 1 };
    for (const enough of [undefined, 1] as const) {
      const more = enough === undefined ? direct : { ...direct, enough };
      const [seated, guaranteed] = [linked('1-2', { staySeated: true }), linked('1-2', { guaranteed: true })];
      assert.deepEqual(search(seated, 'A', 'C', '2026-11-23 08:00', more), expected);
      assert.deepEqual(search(seated, 'A', 'C', '2026-11-23 08:35', { ...more, arriveBy: true }), expected);
      assert.deepEqual(search(guaranteed, 'A', 'C', '2026-11-23 08:00', more), []);
    }
    assert.equal(
      journeys(
        linked('1-2', { staySeated: true }),
        request(linked('1-2', { staySeated: true }), 'A', 'C', '2026-11-23 08:00', slow),
      )[0]?.rideCount,
      1,
    );
  });

  it('board no vehicle again for the trips that one stays seated for', () => {
    const network = createNetwork();
    network.stops('A 59.0 10.0', 'B 59.3 10.0', 'C 59.6 10.0', 'D 59.9 10.0');
    network.line('1', ['A 08:00 - B 08:10']).line('2', ['B 08:15 - C 08:30']);
    network.line('3', ['C 08:30 - B 08:40 - D 08:50']);
    network.builder.addInterchange({
      id: 'TST:ServiceJourneyInterchange:1',
      fromJourneyId: 'TST:ServiceJourney:2-1',
      fromPosition: 1,
      toJourneyId: 'TST:ServiceJourney:3-1',
      toPosition: 0,
      guaranteed: false,
      staySeated: true,
    });
    const boarded = boardings(() =>
      assert.deepEqual(search(network, 'A', 'D', '2026-11-23 08:00'), ['1-1 A 08:00 B 08:10, 3-1 B 08:40 D 08:50']),
    );
    assert.ok(boarded.length > 0);
    assert.deepEqual(boarded, [...new Set(boarded)]);
  });

  it('cost a boarding when guaranteed, and nothing when stay seated', () => {
    const cost = (network: Network): number | undefined =>
      journeys(network, request(network, 'A', 'C', '2026-11-23 08:00', slow))[0]?.cost;
    assert.equal(cost(linked('1-2', { guaranteed: true })), 1500 * 100 + 2 * 60_000);
    assert.equal(cost(linked('1-2', { staySeated: true })), 1500 * 100 + 60_000);
  });
});
