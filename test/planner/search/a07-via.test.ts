/** A07: via stops: passing through, visiting, waiting there, several in order. */
import assert from 'node:assert/strict';
import type { ViaStops } from '../../../planner/search/search-types.ts';
import { createNetwork } from '../support/network.ts';
import { search } from './search.ts';

describe('A07 via', () => {
  const network = createNetwork();
  network.stops('A 59.0 10.0', 'B 59.3 10.0', 'C 59.6 10.0', 'D 59.9 10.0');
  network.line('1', ['A 08:00 - D 08:10']).line('2', ['A 08:00 - B 08:20 - C 08:30 - D 08:40']);
  network.line('3', ['B 08:25 - D 08:45', 'B 08:50 - D 09:10']);
  const via = (kind: ViaStops['kind'], stop: string, minimumWaitSeconds = 0): ViaStops => ({
    kind,
    stops: [network.stop(stop)],
    minimumWaitSeconds,
  });
  const at = '2026-11-23 08:00';

  it('passes through on board', () => {
    assert.deepEqual(search(network, 'A', 'D', at), ['1-1 A 08:00 D 08:10']);
    assert.deepEqual(search(network, 'A', 'D', at, { via: [via('passThrough', 'B')] }), ['2-1 A 08:00 D 08:40']);
  });

  it('visits by alighting', () => {
    const expected = ['2-1 A 08:00 B 08:20, 3-1 B 08:25 D 08:45'];
    assert.deepEqual(search(network, 'A', 'D', at, { via: [via('visit', 'B')] }), expected);
    const arriveBy = { via: [via('visit', 'B')], arriveBy: true };
    assert.deepEqual(search(network, 'A', 'D', '2026-11-23 08:45', arriveBy), expected);
  });

  it('waits at the stop for the requested time', () => {
    const changes = { via: [via('visit', 'B', 600)] };
    assert.deepEqual(search(network, 'A', 'D', at, changes), ['2-1 A 08:00 B 08:20, 3-2 B 08:50 D 09:10']);
  });

  it('passes several in their order only', () => {
    const inOrder = { via: [via('passThrough', 'B'), via('passThrough', 'C')] };
    assert.deepEqual(search(network, 'A', 'D', at, inOrder), ['2-1 A 08:00 D 08:40']);
    assert.deepEqual(search(network, 'A', 'D', at, { via: [...inOrder.via].reverse() }), []);
  });
});
