/** A04: midnight, days without service, nights of clock changes. */
import assert from 'node:assert/strict';
import { createNetwork } from '../support/network.ts';
import { journeys, request, search } from './search.ts';

describe('A04 service days', () => {
  it('allow a change from a trip of the day before to one of today', () => {
    const network = createNetwork();
    network.stops('A 59.0 10.0', 'B 59.3 10.0', 'C 59.6 10.0', 'D 59.9 10.0');
    network.line('1', ['A 23:50 - B 24:10']).line('2', ['B 00:15 - C 00:30']);
    assert.deepEqual(search(network, 'A', 'C', '2026-11-23 23:30'), ['1-1 A 23:50 B 24:10, 2-1 B 24:15 C 24:30']);
    const changes = { arriveBy: true };
    assert.deepEqual(search(network, 'A', 'C', '2026-11-24 00:40', changes), [
      '1-1 A 23:50 B 24:10, 2-1 B 24:15 C 24:30',
    ]);
  });

  it('allow waiting for the day after tomorrow, up to three days', () => {
    const network = createNetwork();
    network.stops('A 59.0 10.0', 'B 59.3 10.0', 'C 59.6 10.0', 'D 59.9 10.0');
    network.line('1', ['A 08:00 - B 08:10'], { days: ['2026-11-23'] });
    network.line('2', ['B 08:15 - C 08:30'], { days: ['2026-11-25', '2026-11-29'] });
    network.line('3', ['B 08:15 - D 08:30'], { days: ['2026-11-27'] });
    assert.deepEqual(search(network, 'A', 'C', '2026-11-23 08:00'), ['1-1 A 08:00 B 08:10, 2-1 B 56:15 C 56:30']);
    assert.deepEqual(search(network, 'A', 'D', '2026-11-23 08:00'), []);
  });

  it('follow the clock when it changes', () => {
    const network = createNetwork({ from: '2026-10-24', to: '2026-10-25' });
    network.stops('A 59.0 10.0', 'B 59.3 10.0', 'C 59.6 10.0', 'D 59.9 10.0');
    network.line('1', ['A 23:00 - B 27:30'], { days: ['2026-10-24'] });
    network.line('2', ['B 03:30 - C 04:00'], { days: ['2026-10-25'] });
    // 27:30 of the 24th is the second 02:30 of the 25th; 03:30 of the 25th is an hour later.
    assert.deepEqual(search(network, 'A', 'C', '2026-10-24 22:30'), ['1-1 A 23:00 B 27:30, 2-1 B 28:30 C 29:00']);
  });

  // In autumn the clock shows 02:30 twice, and the first of them counts. In spring it never shows 02:30.
  for (const [date, hours, expected] of [
    ['2026-10-25', ['00:30', '01:30', '02:30', '03:30', '04:30'], ['22:30', '23:30', '00:30', '02:30', '03:30']],
    ['2026-10-24', ['24:30', '25:30', '26:30', '27:30', '28:30'], ['22:30', '23:30', '00:30', '02:30', '03:30']],
    ['2026-03-29', ['00:30', '01:30', '02:30', '03:20', '04:30'], ['23:30', '00:30', '01:20', '01:30', '02:30']],
    ['2026-03-28', ['24:30', '25:30', '26:30', '27:20', '28:30'], ['23:30', '00:30', '01:20', '01:30', '02:30']],
  ] as const) {
    it(`leave when the clock shows their first departure: ${hours.join(' ')} of ${date}`, () => {
      const network = createNetwork({ from: date, to: date });
      network.stops('A 59.0 10.0', 'B 59.3 10.0');
      const journeysOfDay = hours.map((time) => `A ${time} - B ${time}:30`);
      network.line('1', journeysOfDay);
      const window = { time: network.at(`${date} ${hours[0]}`) - 3600, windowSeconds: 8 * 3600 };
      const found = journeys(network, { ...request(network, 'A', 'B', `${date} 12:00`), ...window });
      assert.deepEqual(
        found.map(({ departure }) => utc(departure)),
        expected,
      );
      const calls = network.open().boards.calls({
        stops: [network.stop('A')],
        from: window.time,
        rangeSeconds: window.windowSeconds,
        maximumCalls: 9,
        kind: 'departures',
        maximumPerLineAndDestination: undefined,
        accepts: undefined,
      });
      assert.deepEqual(
        calls.map(({ departure }) => utc(departure)),
        expected,
      );
    });
  }

  it('take as long as ever when the clock changes under way', () => {
    const network = createNetwork({ from: '2026-03-28', to: '2026-03-29' });
    network.stops('A 59.0 10.0', 'B 59.3 10.0');
    network.line('1', ['A 01:30 - B 04:00'], { days: ['2026-03-29'] });
    const [found] = journeys(network, request(network, 'A', 'B', '2026-03-29 01:30'));
    assert.deepEqual([utc(found?.departure), utc(found?.arrival)], ['00:30', '03:00']);
  });
});

/** Clock time in UTC. */
function utc(instant = Number.NaN): string {
  return new Date(instant * 1000).toISOString().slice(11, 16);
}
