import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { walkMetres } from '../../../planner/geo/great-circle.ts';
import { createNetwork, type Network } from '../support/network.ts';

/**
 * A and B are 334 m apart, C is 1,780 m north of A, and D is far away. Each of A, B and C has a line to D. E has no
 * journey.
 */
function town(): Network {
  return createNetwork()
    .stops('A 59.900 10.700', 'B 59.903 10.700', 'C 59.916 10.700', 'D 59.990 10.700', 'E 59.901 10.700')
    .line('1', ['A 08:00 - D 08:20', 'B 08:00 - D 08:20', 'C 08:00 - D 08:20', 'D 08:00 - A 08:20']);
}

/** `B 434 m 0 s`, nearest first. */
function footpaths(network: Network, from: string): string[] {
  const { transit } = network.open();
  const stop = network.stop(from);
  const paths: string[] = [];
  for (let path = transit.transfersStart[stop] ?? 0; path < (transit.transfersStart[stop + 1] ?? 0); path++) {
    const name = network.stopName(transit.transferTo[path] as never);
    paths.push(`${name} ${transit.transferMetres[path]} m ${transit.transferMinimumSeconds[path]} s`);
  }
  return paths;
}

describe('footpaths', () => {
  it('lead to every stop with journeys within reach, nearest first', () => {
    const metres = walkMetres(59.9, 10.7, 59.903, 10.7);
    assert.equal(metres, 434);
    assert.deepEqual(footpaths(town(), 'A'), ['B 434 m 0 s', 'C 2313 m 0 s']);
    assert.deepEqual(footpaths(town(), 'B'), ['A 434 m 0 s', 'C 1879 m 0 s']);
    assert.deepEqual(footpaths(town(), 'D'), []);
    assert.deepEqual(footpaths(town(), 'E'), []);
  });

  it('lead only to the nearest stop where a pattern can be boarded, unless it can be boarded here', () => {
    const network = createNetwork()
      .stops('A 59.900 10.700', 'B 59.901 10.700', 'C 59.902 10.700', 'D 59.903 10.700', 'X 59.990 10.700')
      .line('1', ['A 08:00 - B 08:05 - X 08:10'])
      .line('2', ['B 08:00 - C 08:05 - D 08:10', 'X 08:00 - C~ 08:05 - D 08:10 - X 08:30']);
    assert.deepEqual(footpaths(network, 'A'), ['B 145 m 0 s', 'D 434 m 0 s']);
    assert.deepEqual(footpaths(network, 'B'), ['D 289 m 0 s']);
    assert.deepEqual(footpaths(network, 'C'), ['B 145 m 0 s', 'D 145 m 0 s']);
    assert.deepEqual(footpaths(network, 'D'), ['C 145 m 0 s', 'B 289 m 0 s']);
  });

  it('are kept when published, useful or not', () => {
    const network = createNetwork()
      .stops('A 59.900 10.700', 'B 59.901 10.700', 'C 59.902 10.700')
      .line('1', ['A 08:00 - B 08:05 - C 08:10'])
      .transfer('A', 'B', 60)
      .transfer('A', 'C', 0, 500);
    assert.deepEqual(footpaths(network, 'A'), ['B 145 m 60 s', 'C 500 m 0 s']);
  });

  it('reach as far as configured', () => {
    const network = createNetwork({ snapshot: { footpathMetres: 400 } })
      .stops('A 59.900 10.700', 'B 59.903 10.700', 'C 59.916 10.700')
      .line('1', ['A 08:00 - C 08:05', 'B 08:00 - C 08:10']);
    assert.deepEqual(footpaths(network, 'A'), ['B 434 m 0 s']);
  });

  it('keep published times and lengths, in one direction', () => {
    const network = town().transfer('A', 'B', 300).transfer('A', 'C', 120, 100).transfer('A', 'A', 90);
    assert.deepEqual(footpaths(network, 'A'), ['C 100 m 120 s', 'B 434 m 300 s']);
    assert.deepEqual(footpaths(network, 'B'), ['A 434 m 0 s', 'C 1879 m 0 s']);
    const { transit } = network.open();
    assert.equal(transit.stopMinimumSeconds[network.stop('A')], 90);
    assert.equal(transit.stopMinimumSeconds[network.stop('B')], 0);
  });

  it('may be longer than the limit only with a published length', () => {
    assert.deepEqual(footpaths(town().transfer('C', 'D', 60), 'C'), ['B 1879 m 0 s', 'A 2313 m 0 s']);
    const network = town().transfer('C', 'D', 60, 9000);
    assert.deepEqual(footpaths(network, 'C'), ['B 1879 m 0 s', 'A 2313 m 0 s', 'D 9000 m 60 s']);
    assert.deepEqual(footpaths(network, 'D'), []);
  });

  it('connect all quays of two stop places, and the more precise transfer has precedence', () => {
    const network = createNetwork()
      .stopPlace('P', ['A 59.900 10.700', 'B 59.9001 10.700'], { parentId: 'TST:StopPlace:M' })
      .stopPlace('M', ['D 59.902 10.700'])
      .stopPlace('Q', ['C 59.901 10.700'])
      .stops('X 59.990 10.700')
      .line('1', ['A 08:00 - X 08:20', 'B 08:00 - X 08:20', 'C 08:00 - X 08:20', 'D 08:00 - X 08:20']);
    const between = (fromId: string, toId: string, minimumSeconds: number): void =>
      network.builder.addTransfer({ fromId: `TST:${fromId}`, toId: `TST:${toId}`, minimumSeconds });
    between('StopPlace:M', 'StopPlace:M', 40);
    between('StopPlace:M', 'StopPlace:Q', 50);
    between('Quay:A', 'StopPlace:Q', 30);
    between('Quay:A', 'Quay:B', 20);
    between('Quay:A', 'Quay:B', 25);
    assert.deepEqual(footpaths(network, 'A'), ['B 14 m 25 s', 'C 145 m 30 s', 'D 289 m 40 s']);
    assert.deepEqual(footpaths(network, 'B'), ['A 14 m 40 s', 'C 130 m 50 s', 'D 275 m 40 s']);
    assert.deepEqual(footpaths(network, 'C'), ['B 130 m 0 s', 'A 145 m 0 s', 'D 145 m 0 s']);
    assert.equal(network.open().transit.stopMinimumSeconds[network.stop('A')], 40);
  });

  it('do not lead to flexible areas or to stops that no search can reach', () => {
    const area = [
      [10.699, 59.9],
      [10.701, 59.9],
      [10.701, 59.902],
      [10.699, 59.9],
    ] as const;
    const network = createNetwork()
      .stops('A 59.900 10.700', 'B 59.903 10.700', 'D 59.901 10.700')
      .quay('F', { area })
      .line('1', ['A 08:00 - F 08:10', 'B 08:00 - F 08:10', 'F 08:00 - A 08:10'])
      .line('2', ['D 08:00 - A 08:05'], { journey: { searchable: false } });
    assert.deepEqual(footpaths(network, 'A'), ['B 434 m 0 s']);
    assert.deepEqual(footpaths(network, 'F'), []);
  });
});
