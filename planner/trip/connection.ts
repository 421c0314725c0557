/**
 * Tells whether routes and footpaths connect two places at any time. The result decides between two errors for an empty
 * answer, and saves useless widening of the window over a day. It never returns false where a search could find a
 * journey. It may return true where none exists.
 */
import {
  FOR_ALIGHTING,
  FOR_BOARDING,
  ROUTE_INTERCHANGES_FROM,
  ROUTE_NOT_SEARCHABLE,
  type Transit,
} from '../model/transit.ts';
import type { WindowlessRequest } from './search-request.ts';

const NEVER = 0x7fffffff;

export function isConnected(transit: Transit, request: WindowlessRequest): boolean {
  const reached = new Uint8Array(transit.stopCount);
  const goals = new Uint8Array(transit.stopCount);
  for (const { stop } of request.egress) goals[stop] = 1;
  /** The first position each route was ridden from. Later positions need no second scan. */
  const riddenFrom = new Int32Array(transit.routeCount);
  riddenFrom.fill(NEVER);
  let boarding: number[] = request.access.map(({ stop }) => stop);
  for (let ride = 0; ride < request.maximumRides && boarding.length > 0; ride += 1) {
    const alighted = rideFrom(transit, request, boarding, riddenFrom, reached);
    if (alighted.some((stop) => goals[stop] === 1)) return true;
    boarding = walkFrom(transit, request, alighted);
  }
  return false;
}

function rideFrom(
  transit: Transit,
  { routeMask, stopMask }: WindowlessRequest,
  boarding: readonly number[],
  riddenFrom: Int32Array,
  reached: Uint8Array,
): number[] {
  const { stopRoutesStart, stopRoutes, stopRoutePositions, routeStopsStart, routeStops, routeStopFlags } = transit;
  const alighted: number[] = [];
  const reach = (stop: number): void => {
    if (reached[stop] === 1 || stopMask?.[stop] === 0) return;
    reached[stop] = 1;
    alighted.push(stop);
  };
  for (const stop of boarding) {
    for (let entry = stopRoutesStart[stop] as number; entry < (stopRoutesStart[stop + 1] as number); entry += 1) {
      const [route, position] = [stopRoutes[entry] as number, stopRoutePositions[entry] as number];
      const first = routeStopsStart[route] as number;
      if (routeMask?.[route] === 0 || ((transit.routeFlags[route] as number) & ROUTE_NOT_SEARCHABLE) !== 0) continue;
      if (((routeStopFlags[first + position] as number) & FOR_BOARDING) === 0) continue;
      const end = Math.min((routeStopsStart[route + 1] as number) - first, (riddenFrom[route] as number) + 1);
      if (position >= end) continue;
      riddenFrom[route] = position;
      for (let at = first + position + 1; at < first + end; at += 1) {
        if (((routeStopFlags[at] as number) & FOR_ALIGHTING) !== 0) reach(routeStops[at] as number);
      }
      if (((transit.routeFlags[route] as number) & ROUTE_INTERCHANGES_FROM) !== 0)
        reachByInterchange(transit, route, reach);
    }
  }
  return alighted;
}

/** The stop where the other trip is boarded counts as alighted. */
function reachByInterchange(transit: Transit, route: number, reach: (stop: number) => void): void {
  const { routeTripsStart, tripInterchangesStart, tripRoute, routeStopsStart, routeStops } = transit;
  const first = tripInterchangesStart[routeTripsStart[route] as number] as number;
  const end = tripInterchangesStart[routeTripsStart[route + 1] as number] as number;
  for (let index = first; index < end; index += 1) {
    const next = tripRoute[transit.interchangeToTrip[index] as number] as number;
    const position = transit.interchangeToPosition[index] as number;
    reach(routeStops[(routeStopsStart[next] as number) + position] as number);
  }
}

function walkFrom(transit: Transit, request: WindowlessRequest, alighted: readonly number[]): number[] {
  const { transfersStart, transferTo, transferMetres } = transit;
  const reached = new Set(alighted);
  const longest = request.maximumTransferSeconds * request.walkSpeed;
  for (const stop of alighted) {
    for (let entry = transfersStart[stop] as number; entry < (transfersStart[stop + 1] as number); entry += 1) {
      if ((transferMetres[entry] as number) <= longest) reached.add(transferTo[entry] as number);
    }
  }
  return [...reached];
}
