/** A06: allowed rides and stops: masks, wheelchair, boarding and alighting only, few rides. */
import assert from 'node:assert/strict';
import { createNetwork } from '../support/network.ts';
import { mask, search } from './search.ts';

describe('A06 filters', () => {
  const network = createNetwork();
  network.stops('A 59.0 10.0', 'B 59.3 10.0', 'C 59.6 10.0', 'D 59.9 10.0');
  network.line('1', ['A 08:00 - B 08:10 - C 08:20']);
  network.line('2', ['A 08:00 - C~ 08:30 - D 08:50'], { journey: { accessibility: 'possible' } });
  network.line('3', ['B 08:15 - C 08:18', 'A+ 08:00 - B! 08:05 - C 08:40']);
  const { transit } = network.open();
  const at = '2026-11-23 08:00';

  it('limit the number of rides', () => {
    assert.deepEqual(search(network, 'A', 'C', at), [
      '1-1 A 08:00 B 08:10, 3-1 B 08:15 C 08:18',
      '1-1 A 08:00 C 08:20',
    ]);
    assert.deepEqual(search(network, 'A', 'C', at, { maximumRides: 1 }), ['1-1 A 08:00 C 08:20']);
    assert.deepEqual(search(network, 'A', 'C', at, { maximumAdditionalRides: 0 }), ['1-1 A 08:00 C 08:20']);
  });

  it('exclude routes, trips and stops', () => {
    const trip = network.trip('1-1');
    const expected = ['2-1 A 08:00 C 08:30'];
    assert.deepEqual(search(network, 'A', 'C', at, { tripMask: mask(transit.tripCount, [trip]) }), expected);
    const route = transit.tripRoute[trip] ?? -1;
    assert.deepEqual(search(network, 'A', 'C', at, { routeMask: mask(transit.routeCount, [route]) }), expected);
    const stopMask = mask(transit.stopCount, [network.stop('B')]);
    assert.deepEqual(search(network, 'A', 'C', at, { stopMask }), ['1-1 A 08:00 C 08:20']);
    assert.deepEqual(search(network, 'A', 'B', at, { stopMask }), []);
  });

  it('allow only trips known to be accessible with a wheelchair', () => {
    assert.deepEqual(search(network, 'A', 'C', at, { wheelchair: true }), ['2-1 A 08:00 C 08:30']);
  });

  it('allow boarding and alighting only where the pattern does', () => {
    assert.deepEqual(search(network, 'C', 'D', '2026-11-23 08:00'), []);
  });
});
