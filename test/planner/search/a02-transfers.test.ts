/** A02: duration of a transfer: slack, minimum times of stops and footpaths, slacks by mode. */
import assert from 'node:assert/strict';
import { TRANSPORT_MODES } from '../../../planner/model/transport-mode.ts';
import { createNetwork, type Network } from '../support/network.ts';
import { search } from './search.ts';

describe('A02 transfers', () => {
  function twoLines(): Network {
    const network = createNetwork();
    network.stops('A 59.0 10.0', 'B 59.3 10.0', 'C 59.6 10.0', 'D 59.9 10.0');
    network.line('1', ['A 08:00 - B 08:10']);
    network.line('2', ['B 08:12 - C 08:30', 'B 08:15 - C 08:35', 'B 08:20 - C 08:40']);
    return network;
  }

  it('take the slack at a stop', () => {
    assert.deepEqual(search(twoLines(), 'A', 'C', '2026-11-23 08:00'), ['1-1 A 08:00 B 08:10, 2-1 B 08:12 C 08:30']);
    const changes = { transferSlackSeconds: 121 };
    assert.deepEqual(search(twoLines(), 'A', 'C', '2026-11-23 08:00', changes), [
      '1-1 A 08:00 B 08:10, 2-2 B 08:15 C 08:35',
    ]);
  });

  it('take the minimum time of the stop, if longer', () => {
    const network = twoLines().transfer('B', 'B', 301);
    assert.deepEqual(search(network, 'A', 'C', '2026-11-23 08:00'), ['1-1 A 08:00 B 08:10, 2-3 B 08:20 C 08:40']);
  });

  it('take the slacks of both modes', () => {
    const slack = new Int32Array(TRANSPORT_MODES.length).fill(60);
    const changes = { boardSlackSeconds: slack, alightSlackSeconds: slack, time: twoLines().at('2026-11-23 07:59') };
    assert.deepEqual(search(twoLines(), 'A', 'C', '2026-11-23 08:00', changes), [
      '1-1 A 08:00 B 08:10, 2-2 B 08:15 C 08:35',
    ]);
  });

  it('take the walk and the slack on a footpath, or the published minimum', () => {
    const network = createNetwork();
    network.stops('A 59.0 10.0', 'B 59.3 10.0', 'C 59.6 10.0', 'D 59.9 10.0');
    network.line('1', ['A 08:00 - B 08:10']).line('2', ['C 08:17 - D 08:30', 'C 08:20 - D 08:40']);
    network.transfer('B', 'C', 0, 300);
    assert.deepEqual(search(network, 'A', 'D', '2026-11-23 08:00'), ['1-1 A 08:00 B 08:10, 2-1 C 08:17 D 08:30']);
    assert.deepEqual(search(network, 'A', 'D', '2026-11-23 08:00', { maximumTransferSeconds: 299 }), []);
    assert.deepEqual(search(network, 'A', 'D', '2026-11-23 08:35', { arriveBy: true }), [
      '1-1 A 08:00 B 08:10, 2-1 C 08:17 D 08:30',
    ]);
  });
});
