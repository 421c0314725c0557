/** A01: departures in a window, and journeys that others make useless. */
import assert from 'node:assert/strict';
import { createNetwork } from '../support/network.ts';
import { search } from './search.ts';

describe('A01 window', () => {
  const network = createNetwork();
  network.stops('A 59.0 10.0', 'B 59.3 10.0', 'C 59.6 10.0', 'D 59.9 10.0');
  network.line('1', ['A 08:00 - B 08:20', 'A 08:30 - B 08:50', 'A 09:00 - B 09:20']);
  network.line('2', ['A 08:10 - C 08:20 - B 08:55']);

  it('contains its first second and not its last', () => {
    assert.deepEqual(search(network, 'A', 'B', '2026-11-23 08:00'), ['1-1 A 08:00 B 08:20', '1-2 A 08:30 B 08:50']);
  });

  it('contains its last second and not its first for arrive by, latest departure first', () => {
    const changes = { arriveBy: true };
    assert.deepEqual(search(network, 'A', 'B', '2026-11-23 09:20', changes), [
      '1-3 A 09:00 B 09:20',
      '1-2 A 08:30 B 08:50',
    ]);
  });

  it('excludes a ride of no duration at its end, when few journeys are enough', () => {
    const still = createNetwork();
    still.stops('A 59.0 10.0', 'B 59.3 10.0');
    still.line('1', ['A 08:10 - B 08:20', 'A 19:50 - B 20:00', 'A 20:00 - B 20:00']);
    for (const enough of [undefined, 1, 2, 3]) {
      const changes = { windowSeconds: 12 * 3600, ...(enough !== undefined && { enough }) };
      const right = ['1-1 A 08:10 B 08:20', '1-2 A 19:50 B 20:00'];
      assert.deepEqual(search(still, 'A', 'B', '2026-11-23 08:00', changes), enough === 1 ? right.slice(0, 1) : right);
    }
  });

  it('includes the walk to the stop', () => {
    assert.deepEqual(search(network, 'A+60', 'B', '2026-11-23 08:00'), ['1-2 A 08:30 B 08:50', '1-3 A 09:00 B 09:20']);
  });
});
