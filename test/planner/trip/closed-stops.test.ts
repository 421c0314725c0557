/**
 * Stops that a request closes: banned stops, impassable stops, and with a wheelchair the stops known not to be
 * accessible.
 */
import assert from 'node:assert/strict';
import { createNetwork, type Network } from '../support/network.ts';
import { codes, plan, routes, WALKING } from './plan.ts';

/** Line 1 calls at M, line 2 passes M without boarding and alighting, and line 3 takes another path. */
function past() {
  const network = createNetwork();
  network.stops('A 59.9 10.7', 'M 60.0 10.7', 'Z 60.2 10.7', 'N 60.1 10.9');
  network.line('1', ['A 08:00 - M 08:10 - Z 08:20']);
  network.line('2', ['A 08:05 - M! 08:15 - Z 08:25']);
  network.line('3', ['A 08:06 - N 08:20 - Z 08:40']);
  return network;
}

describe('impassable stops', () => {
  const planned = (network: Network, from: string, to: string, more: Parameters<typeof plan>[4] = {}) =>
    plan(network, from, to, '2026-11-23 07:55', more);

  it('exclude all journeys that call there, while banned stops only exclude boarding and alighting', () => {
    const network = past();
    const all = ['1-1', '2-1', '3-1'];
    assert.deepEqual(routes(network, planned(network, 'A', 'Z')), all);
    assert.deepEqual(routes(network, planned(network, 'A', 'Z', { bannedQuays: ['TST:Quay:M'] })), all);
    assert.deepEqual(routes(network, planned(network, 'A', 'Z', { impassableQuays: ['TST:Quay:M'] })), ['3-1']);
    assert.deepEqual(routes(network, planned(network, 'A', 'Z', { impassableQuays: ['TST:Quay:gone'] })), all);
  });

  it('apply together with filters, and do not affect the next request', () => {
    const network = past();
    const not = [{ lines: ['TST:Line:3'], authorities: undefined, groupsOfLines: undefined }];
    const filters = [{ select: [], not: not.map((one) => ({ ...one, serviceJourneys: undefined, modes: undefined })) }];
    const impassable = { filters, impassableQuays: ['TST:Quay:M'] };
    assert.deepEqual(codes(planned(network, 'A', 'Z', impassable)), ['noTransitConnection']);
    assert.deepEqual(routes(network, planned(network, 'A', 'Z', { filters })), ['1-1', '2-1']);
  });

  it('are neither origin nor destination, nor are the quays of such stop places', () => {
    const network = past();
    assert.deepEqual(codes(planned(network, 'A', 'M', { impassableQuays: ['TST:Quay:M'] })), ['noStopsInRange to']);
    const town = createNetwork();
    town.stopPlace('Centre', ['A 59.9 10.7', 'B 59.901 10.7']).stops('Z 60 10.7');
    town.line('1', ['A 08:00 - Z 08:30']);
    const impassableQuays = ['TST:StopPlace:Centre'];
    assert.deepEqual(codes(planned(town, 'Place:Centre', 'Z', { impassableQuays })), ['noStopsInRange from']);
  });
});

describe('stops with a wheelchair', () => {
  const accessible = { journey: { accessibility: 'possible' } } as const;
  const planned = (network: Network, from: string, to: string, more: Parameters<typeof plan>[4] = {}) =>
    plan(network, from, to, '2026-11-23 07:55', { wheelchair: true, ...more });

  it('are not used when known not to be accessible, and are used when unknown', () => {
    const network = createNetwork();
    network.quay('A 59.9000 10.7000', { accessibility: 'notPossible' }).quay('B 59.9010 10.7000');
    network.quay('Z 60.0 10.7', { accessibility: 'possible' });
    network.line('1', ['A 08:00 - B 08:05 - Z 08:30', 'A 08:10 - Z 08:35'], accessible);
    assert.deepEqual(codes(planned(network, 'A', 'Z')), ['noStopsInRange from']);
    assert.deepEqual(codes(planned(network, 'Z', 'A')), ['noStopsInRange to']);
    assert.deepEqual(routes(network, planned(network, 'A', 'Z', WALKING)), ['walk 1-1']);
    assert.deepEqual(routes(network, planned(network, 'A', 'Z', { wheelchair: false })), ['1-1', '1-2']);
  });

  it('have the accessibility of their stop place when they have none of their own', () => {
    const network = createNetwork();
    network.stopPlace('Steps', [], { accessibility: 'notPossible' });
    const stopPlaceId = 'TST:StopPlace:Steps';
    network.quay('A 59.9 10.7', { stopPlaceId }).quay('B 59.901 10.7', { stopPlaceId, accessibility: 'possible' });
    network.stops('Z 60 10.7');
    network.line('1', ['A 08:00 - Z 08:30'], accessible).line('2', ['B 08:05 - Z 08:35'], accessible);
    assert.deepEqual(routes(network, planned(network, 'Place:Steps', 'Z')), ['2-1']);
  });

  it('cannot be used for a transfer, but may be passed', () => {
    const network = createNetwork();
    network.stops('A 59.9 10.7', 'Z 60.2 10.7', 'N 60.1 10.9').quay('M 60 10.7', { accessibility: 'notPossible' });
    network.line('1', ['A 08:00 - M 08:10 - N 08:20'], accessible);
    network.line('2', ['M 08:15 - Z 08:30'], accessible).line('3', ['N 08:30 - Z 08:50'], accessible);
    assert.deepEqual(routes(network, planned(network, 'A', 'Z', { wheelchair: false })), ['1-1 2-1']);
    assert.deepEqual(routes(network, planned(network, 'A', 'Z')), ['1-1 3-1']);
  });
});
