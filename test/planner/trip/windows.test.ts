/** The extent of a search, and its errors when it finds no journey. */
import assert from 'node:assert/strict';
import { SearchTooLarge } from '../../../planner/search/labels.ts';
import { createSearchEngine } from '../../../planner/search/search-engine.ts';
import type { SearchEngine } from '../../../planner/search/search-types.ts';
import { planTrip } from '../../../planner/trip/plan-trip.ts';
import { createNetwork } from '../support/network.ts';
import { codes, plan, requestOf, routes } from './plan.ts';

const HOUR = 3_600;

/** One journey at 08:00 and one at 20:00, on a Monday and a Tuesday. */
function sparse() {
  const network = createNetwork({ from: '2026-11-23', to: '2026-11-24' });
  network.stops('A 59.9 10.7', 'B 60.1 10.7', 'Z 60.3 10.7', 'Lost 61 10.7');
  return network.line('1', ['A 08:00 - Z 08:30', 'A 20:00 - Z 20:30']).line('2', ['B 03:00 - Lost 03:30']);
}

describe('windows of a trip search', () => {
  it('are doubled until there are enough journeys, at most to a day', () => {
    const network = sparse();
    const answer = plan(network, 'A', 'Z', '2026-11-23 07:30', { count: 1 });
    assert.deepEqual([routes(network, answer), answer.windowUsedSeconds], [['1-1'], HOUR]);
    const two = plan(network, 'A', 'Z', '2026-11-23 07:30', { count: 2 });
    assert.deepEqual([routes(network, two), two.windowUsedSeconds], [['1-1', '1-2'], 16 * HOUR]);
    const five = plan(network, 'A', 'Z', '2026-11-23 07:30');
    assert.deepEqual([routes(network, five), five.windowUsedSeconds], [['1-1', '1-2'], 24 * HOUR]);
    assert.equal(five.windowStart, network.at('2026-11-23 07:30'));
    assert.equal(five.windowEnd, network.at('2026-11-24 07:30'));
  });

  it('hold as many journeys as requested, up to twenty', () => {
    const network = createNetwork().stops('A 59.9 10.7', 'Z 60.3 10.7');
    const clock = (half: number): string => `${String(half >> 1).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`;
    network.line(
      '1',
      Array.from({ length: 36 }, (_, at) => `A ${clock(10 + at)} - Z ${clock(11 + at)}`),
    );
    for (const count of [5, 10, 12, 20]) {
      for (const arriveBy of [false, true]) {
        const answer = plan(network, 'A', 'Z', `2026-11-23 ${arriveBy ? '22:10' : '05:00'}`, { count, arriveBy });
        assert.equal(answer.patterns.length, count, `${count}, ${arriveBy ? 'arrive by' : 'depart after'}`);
      }
    }
  });

  it('are just long enough for the journeys that no later one beats', () => {
    const network = createNetwork().stops('A 59.9 10.7', 'B 60.1 10.7', 'Z 60.3 10.7');
    network.line('1', ['A 08:00 - Z 08:30', 'A 09:05 - Z 09:35', 'A 09:50 - Z 10:20']);
    network.line('2', ['A 08:55 - B 09:00', 'B 17:00 - Z 17:30']);
    const answer = plan(network, 'A', 'Z', '2026-11-23 07:56', { count: 2 });
    assert.deepEqual([routes(network, answer), answer.windowUsedSeconds], [['1-1', '1-2'], 2 * HOUR]);
    const next = plan(network, 'A', 'Z', '2026-11-23 07:56', { count: 2, cursor: answer.nextCursor });
    // The rest of the window, and the first of the next.
    assert.deepEqual(routes(network, next), ['1-3', '1-1']);
  });

  it('are not doubled when that would be too large; a first window that is too large is refused', () => {
    const network = sparse();
    const engine = createSearchEngine(network.open());
    const within = (mostSeconds: number): SearchEngine => ({
      search(request, isCancelled) {
        if (request.windowSeconds > mostSeconds) throw new SearchTooLarge();
        return engine.search(request, isCancelled);
      },
    });
    const request = requestOf('A', 'Z', network.at('2026-11-23 07:30'));
    const answer = planTrip(network.open(), within(2 * HOUR), request);
    assert.deepEqual([routes(network, answer), answer.windowUsedSeconds], [['1-1'], 4 * HOUR]);
    assert.throws(() => planTrip(network.open(), within(HOUR - 1), request), { code: 'tooLarge' });
  });

  it('go back in time for arrive by, the latest departure first', () => {
    const network = sparse();
    const answer = plan(network, 'A', 'Z', '2026-11-23 21:00', { arriveBy: true, count: 2 });
    assert.deepEqual(routes(network, answer), ['1-2', '1-1']);
    assert.equal(answer.windowEnd, network.at('2026-11-23 21:00'));
  });

  it('show no journey that is beaten by one right after the window', () => {
    const network = createNetwork().stops('A 59.9 10.7', 'B 60.1 10.7', 'Z 60.3 10.7');
    network.line('1', ['A 08:00 - Z 08:30', 'A 09:05 - Z 09:35']);
    network.line('2', ['A 08:55 - B 09:00', 'B 17:00 - Z 17:30']);
    const shown = plan(network, 'A', 'Z', '2026-11-23 07:56', { windowSeconds: HOUR });
    assert.deepEqual(routes(network, shown), ['1-1']);
    const alone = createNetwork().stops('A 59.9 10.7', 'B 60.1 10.7', 'Z 60.3 10.7');
    alone.line('1', ['A 08:00 - Z 08:30']).line('2', ['A 08:55 - B 09:00', 'B 17:00 - Z 17:30']);
    const both = plan(alone, 'A', 'Z', '2026-11-23 07:56', { windowSeconds: HOUR });
    assert.deepEqual(routes(alone, both), ['1-1', '2-1 2-2']);
  });

  it('keep the requested length', () => {
    const network = sparse();
    const answer = plan(network, 'A', 'Z', '2026-11-23 07:30', { windowSeconds: 2 * HOUR });
    assert.deepEqual([routes(network, answer), answer.windowUsedSeconds], [['1-1'], 2 * HOUR]);
    const whole = plan(network, 'A', 'Z', '2026-11-23 07:30', { windowSeconds: 100 * HOUR });
    assert.equal(whole.windowUsedSeconds, 24 * HOUR);
  });

  it('distinguish a wrong time from a missing connection', () => {
    const network = sparse();
    const noon = plan(network, 'A', 'Z', '2026-11-23 12:00', { windowSeconds: HOUR });
    assert.deepEqual(codes(noon), ['noTransitConnectionInSearchWindow dateTime']);
    assert.deepEqual(codes(plan(network, 'A', 'Lost', '2026-11-23 12:00')), ['noTransitConnection']);
    assert.deepEqual(
      codes(plan(network, 'A', 'Z', '2026-11-23 12:00', { maximumTransfers: 0, bannedQuays: ['TST:Quay:Z'] })),
      ['noStopsInRange to'],
    );
  });

  it('report a time outside the timetable', () => {
    const network = sparse();
    for (const time of ['2026-11-20 12:00', '2026-11-26 12:00', '2036-11-26 12:00']) {
      const answer = plan(network, 'A', 'Z', time);
      assert.deepEqual(codes(answer), ['outsideServicePeriod dateTime'], time);
      assert.ok(answer.nextCursor !== undefined && answer.previousCursor !== undefined);
    }
    const back = plan(network, 'A', 'Z', '2026-11-26 12:00', { arriveBy: true });
    assert.deepEqual(codes(back), ['outsideServicePeriod dateTime']);
    assert.deepEqual(routes(network, plan(network, 'A', 'Z', '2026-11-22 12:00', { count: 1 })), ['1-1']);
  });

  it('stay within years of four digits, page after page', () => {
    const network = sparse();
    const engine = createSearchEngine(network.open());
    const windowSeconds = 24 * HOUR;
    const yearAt = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 5);
    for (const [time, cursorName, year] of [
      ['9999-12-31T23:59:59Z', 'nextCursor', '9999-'],
      ['0000-01-01T00:00:00Z', 'previousCursor', '0000-'],
    ] as const) {
      let cursor: string | undefined;
      for (let page = 0; page < 12; page += 1) {
        const request = requestOf('A', 'Z', Date.parse(time) / 1_000, { cursor, windowSeconds });
        const answer = planTrip(network.open(), engine, request);
        assert.deepEqual(codes(answer), ['outsideServicePeriod dateTime']);
        const before = answer.windowStart - answer.windowUsedSeconds;
        assert.deepEqual([yearAt(before), yearAt(answer.windowEnd)], [year, year], `page ${page} from ${time}`);
        cursor = answer[cursorName];
      }
    }
  });

  it('replace numbers out of range by the nearest in range', () => {
    const network = sparse();
    const odd = {
      count: -1,
      walkSpeed: 0,
      maximumTransfers: -3,
      maximumAccessSeconds: 1e9,
      walkReluctance: Number.NaN,
    };
    assert.equal(plan(network, 'A', 'Z', '2026-11-23 07:30', odd).patterns.length, 1);
  });
});
