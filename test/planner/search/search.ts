/**
 * Runs the engine alone, in one line, over networks of test/planner/support. Answers read like a timetable:
 *
 *   search(network, 'A', 'C', '2026-11-23 08:00')  →  ['1-1 A 08:00 B 08:10, 2-1 B 08:15 C 08:30']
 *
 * Times are those of the first ride's service day and may be past 24:00.
 */
import type { StopIndex } from '../../../planner/model/indices.ts';
import { TRANSPORT_MODES } from '../../../planner/model/transport-mode.ts';
import { createSearchEngine } from '../../../planner/search/search-engine.ts';
import type { FoundJourney, Ride, SearchRequest, StopAccess } from '../../../planner/search/search-types.ts';
import type { Network } from '../support/network.ts';

/** `A` or `A+120`: the stop, with the seconds of walking. */
function ends(network: Network, names: string): StopAccess[] {
  return names.split(' ').map((text) => {
    const [name = '', walk = '0'] = text.split('+');
    return { stop: network.stop(name), walkSeconds: Number(walk) };
  });
}

export function request(
  network: Network,
  from: string,
  to: string,
  at: string,
  changes: Partial<SearchRequest> = {},
): SearchRequest {
  return {
    access: ends(network, from),
    egress: ends(network, to),
    via: [],
    time: network.at(at),
    windowSeconds: 3600,
    arriveBy: false,
    maximumRides: 6,
    maximumAdditionalRides: 5,
    walkSpeed: 1,
    transferSlackSeconds: 120,
    boardSlackSeconds: new Int32Array(TRANSPORT_MODES.length),
    alightSlackSeconds: new Int32Array(TRANSPORT_MODES.length),
    waitReluctance: 100,
    walkReluctance: 200,
    boardCost: 60_000,
    transferCost: 0,
    maximumTransferSeconds: 1800,
    relaxSeconds: 0,
    routeMask: undefined,
    tripMask: undefined,
    stopMask: undefined,
    wheelchair: false,
    useInterchanges: true,
    ...changes,
  };
}

export function journeys(network: Network, searchRequest: SearchRequest): readonly FoundJourney[] {
  return createSearchEngine(network.open()).search(searchRequest).journeys;
}

export function search(
  network: Network,
  from: string,
  to: string,
  at: string,
  changes: Partial<SearchRequest> = {},
): string[] {
  return journeys(network, request(network, from, to, at, changes)).map((journey) => written(network, journey));
}

/** A mask that bans these indexes. */
export function mask(length: number, banned: readonly number[]): Uint8Array {
  const allowed = new Uint8Array(length).fill(1);
  for (const index of banned) allowed[index] = 0;
  return allowed;
}

function written(network: Network, journey: FoundJourney): string {
  return journey.rides.map((ride) => writtenRide(network, ride, journey.rides[0] ?? ride)).join(', ');
}

function writtenRide(network: Network, ride: Ride, first: Ride): string {
  const { catalogue, transit } = network.open();
  const journeyIndex = transit.tripJourney[ride.trip] as Parameters<typeof catalogue.serviceJourneys.at>[0];
  const name = catalogue.serviceJourneys.at(journeyIndex).id.split(':')[2];
  const start = transit.dayStart(transit.routeZone[first.route] ?? 0, first.day);
  const stop = (position: number): string => network.stopName(transit.stopAt(ride.route, position) as StopIndex);
  const by = ride.by === 'interchange' ? '=' : '';
  const board = `${stop(ride.boardPosition)} ${clock(ride.departure - start)}`;
  return `${by}${name} ${board} ${stop(ride.alightPosition)} ${clock(ride.arrival - start)}`;
}

function clock(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor((seconds % 3600) / 60))}`;
}
