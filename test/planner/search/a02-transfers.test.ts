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

  it('take as long as wheelchair users need where that is published, at a stop and between two, forth and back', () => {
    const accessible = { journey: { accessibility: 'possible' } } as const;
    const network = createNetwork().stops('A 59.0 10.0', 'B 59.3 10.0', 'C 59.302 10.0', 'D 59.9 10.0');
    network.line('1', ['A 08:00 - B 08:10'], accessible);
    network.line('2', ['B 08:15 - D 08:30', 'B 08:30 - D 08:45'], accessible);
    network.line('3', ['C 08:20 - D 08:25', 'C 08:36 - D 08:40'], accessible);
    const [fromId, toId] = ['TST:Quay:B', 'TST:Quay:C'];
    network.builder.addTransfer({ fromId, toId: fromId, minimumSeconds: 60, wheelchairSeconds: 900 });
    network.builder.addTransfer({ fromId, toId, minimumSeconds: 600, metres: 300, wheelchairSeconds: 1500 });
    const found = (wheelchair: boolean, arriveBy: boolean): string[] =>
      search(network, 'A', 'D', arriveBy ? '2026-11-23 08:50' : '2026-11-23 08:00', { wheelchair, arriveBy });
    for (const arriveBy of [false, true]) {
      assert.deepEqual(found(false, arriveBy), ['1-1 A 08:00 B 08:10, 3-1 C 08:20 D 08:25']);
      assert.deepEqual(found(true, arriveBy), ['1-1 A 08:00 B 08:10, 3-2 C 08:36 D 08:40']);
    }
  });

  it('keep their time where only the one of wheelchair users cannot be', () => {
    const network = createNetwork().stops('A 59.0 10.0', 'B 59.3 10.0').line('1', ['A 08:00 - B 08:10']);
    const stop = { fromId: 'TST:Quay:B', toId: 'TST:Quay:B' };
    network.builder.addTransfer({ ...stop, minimumSeconds: 600, wheelchairSeconds: -1 });
    const { transit } = network.open();
    assert.deepEqual([Math.max(...transit.stopMinimumSeconds), Math.max(...transit.stopWheelchairSeconds)], [600, 600]);
  });

  it('take as long for wheelchair users as for others where nothing else is published', () => {
    const { transit } = createNetwork().stops('A 59.0 10.0', 'B 59.001 10.0').line('1', ['A 08:00 - B 08:10']).open();
    assert.equal(transit.transferWheelchairSeconds, transit.transferMinimumSeconds);
    assert.equal(transit.backTransferWheelchairSeconds, transit.backTransferMinimumSeconds);
    assert.equal(transit.stopWheelchairSeconds, transit.stopMinimumSeconds);
  });
});
