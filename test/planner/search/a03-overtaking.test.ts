/** A03: trips that overtake others of their pattern, on one day or over two. */
import assert from 'node:assert/strict';
import { createNetwork } from '../support/network.ts';
import { search } from './search.ts';

describe('A03 overtaking', () => {
  it('finds the express that leaves later and arrives first', () => {
    const network = createNetwork();
    network.stops('A 59.0 10.0', 'B 59.3 10.0', 'C 59.6 10.0', 'D 59.9 10.0');
    network.line('1', ['A 08:00 - B 08:30 - C 09:00', 'A 08:10 - B 08:20 - C 08:30']);
    assert.deepEqual(search(network, 'A', 'C', '2026-11-23 08:00'), ['1-2 A 08:10 C 08:30']);
    assert.equal(network.open().transit.routeCount, 2);
  });

  it('finds the trip of the next day that overtakes a slow one', () => {
    const network = createNetwork({ from: '2026-11-23', to: '2026-11-24' });
    network.stops('A 59.0 10.0', 'B 59.3 10.0', 'C 59.6 10.0', 'D 59.9 10.0');
    network.line('1', ['A 00:30 - B 00:50'], { days: ['2026-11-24'] });
    network.line('2', ['A 24:10 - B 25:40'], { days: ['2026-11-23'] });
    assert.deepEqual(search(network, 'A', 'B', '2026-11-23 24:00'), ['1-1 A 00:30 B 00:50']);
  });
});
