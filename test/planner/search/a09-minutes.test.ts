/** A09: both ends of a journey count by the minute. Some seconds do not make up for half an hour or twice the cost. */
import assert from 'node:assert/strict';
import { createNetwork, type Network } from '../support/network.ts';
import { search } from './search.ts';

const RELAX = { relaxSeconds: 300 };

function network(...journeys: readonly string[]): Network {
  const made = createNetwork().stops('A 59.0 10.0', 'B 59.3 10.0');
  for (const [index, journey] of journeys.entries()) made.line(String(index + 1), [journey]);
  return made;
}

describe('A09 minutes', () => {
  it('arriving by a time, three seconds of a departure do not outweigh half an hour', () => {
    const quick = network('A 07:30:03 - B 08:40', 'A 07:30 - B 08:10');
    const expected = ['2-1 A 07:30 B 08:10'];
    for (const more of [{}, { enough: 1 }, { windowSeconds: 7 * 3600 }, { windowSeconds: 7 * 3600, enough: 1 }]) {
      const found = search(quick, 'A', 'B', '2026-11-23 09:00', { ...RELAX, arriveBy: true, ...more });
      assert.deepEqual(found, expected, JSON.stringify(more));
    }
  });

  it('departing after a time, three seconds of an arrival do not outweigh half an hour', () => {
    const quick = network('A 08:05 - B 08:50:27', 'A 08:35 - B 08:50:30');
    for (const more of [{}, { enough: 1 }, { windowSeconds: 7 * 3600 }, { windowSeconds: 7 * 3600, enough: 1 }]) {
      const found = search(quick, 'A', 'B', '2026-11-23 08:00', { ...RELAX, ...more });
      assert.deepEqual(found, ['2-1 A 08:35 B 08:50'], JSON.stringify(more));
    }
  });

  it('come in the order of their minutes, then of their cost', () => {
    const slow = network('A 08:05 - B 08:50:57', 'A 08:03 - B 08:50:03', 'A 08:20 - B 08:51:03');
    assert.deepEqual(search(slow, 'A', 'B', '2026-11-23 08:00', RELAX), ['1-1 A 08:05 B 08:50', '3-1 A 08:20 B 08:51']);
  });
});
