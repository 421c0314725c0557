/**
 * The network as a search sees it that goes forward in time (depart after) or backward (arrive by). Backward is the mirror
 * image: time is negated, positions count from the end, boarding and alighting change places, footpaths and interchanges are
 * taken from their other end. Nothing is copied; whoever reads uses `sign` and the arrays of the direction:
 *
 *   place of position p of a route with n stops:  sign > 0 ? p : n - 1 - p
 *   time of a call in the search:                 sign × (seconds of the day + start of the day - time of the request)
 */
import { FOR_ALIGHTING, FOR_BOARDING, GUARANTEED, NOT_ALLOWED, STAY_SEATED, type Transit } from '../model/transit.ts';

export interface Direction {
  readonly sign: 1 | -1;
  readonly boardTimes: Int32Array;
  readonly alightTimes: Int32Array;
  readonly boardFlag: number;
  readonly alightFlag: number;
  readonly walksStart: Int32Array;
  readonly walkTo: Int32Array;
  readonly walkMetres: Int32Array;
  readonly walkMinimumSeconds: Int32Array;
  /** The same footpaths by the stop they lead to. */
  readonly backWalksStart: Int32Array;
  readonly backWalkFrom: Int32Array;
  readonly backWalkMetres: Int32Array;
  readonly backWalkMinimumSeconds: Int32Array;
  /** Interchanges by the trip they are taken from in this direction: entries of `links`, which are indexes into Transit's. */
  readonly linksStart: Int32Array;
  readonly links: Int32Array;
  readonly linkFromTrip: Int32Array;
  readonly linkFromPosition: Int32Array;
  readonly linkToTrip: Int32Array;
  readonly linkToPosition: Int32Array;
  /** Usable interchanges by the route they lead to, for lower bounds. */
  readonly routeLinksStart: Int32Array;
  readonly routeLinks: Int32Array;
}

export function isUsableLink(flags: number): boolean {
  return (flags & (STAY_SEATED | GUARANTEED)) !== 0 && (flags & NOT_ALLOWED) === 0;
}

export function forwardDirection(transit: Transit): Direction {
  return {
    sign: 1,
    boardTimes: transit.departures,
    alightTimes: transit.arrivals,
    boardFlag: FOR_BOARDING,
    alightFlag: FOR_ALIGHTING,
    walksStart: transit.transfersStart,
    walkTo: transit.transferTo,
    walkMetres: transit.transferMetres,
    walkMinimumSeconds: transit.transferMinimumSeconds,
    backWalksStart: transit.backTransfersStart,
    backWalkFrom: transit.backTransferFrom,
    backWalkMetres: transit.backTransferMetres,
    backWalkMinimumSeconds: transit.backTransferMinimumSeconds,
    linksStart: transit.tripInterchangesStart,
    links: Int32Array.from(transit.interchangeToTrip.keys()),
    linkFromTrip: transit.interchangeFromTrip,
    linkFromPosition: transit.interchangeFromPosition,
    linkToTrip: transit.interchangeToTrip,
    linkToPosition: transit.interchangeToPosition,
    ...linksByRoute(transit, transit.interchangeToTrip),
  };
}

export function backwardDirection(transit: Transit): Direction {
  return {
    sign: -1,
    boardTimes: transit.arrivals,
    alightTimes: transit.departures,
    boardFlag: FOR_ALIGHTING,
    alightFlag: FOR_BOARDING,
    walksStart: transit.backTransfersStart,
    walkTo: transit.backTransferFrom,
    walkMetres: transit.backTransferMetres,
    walkMinimumSeconds: transit.backTransferMinimumSeconds,
    backWalksStart: transit.transfersStart,
    backWalkFrom: transit.transferTo,
    backWalkMetres: transit.transferMetres,
    backWalkMinimumSeconds: transit.transferMinimumSeconds,
    linksStart: transit.tripInterchangesByToStart,
    links: transit.interchangesByTo,
    linkFromTrip: transit.interchangeToTrip,
    linkFromPosition: transit.interchangeToPosition,
    linkToTrip: transit.interchangeFromTrip,
    linkToPosition: transit.interchangeFromPosition,
    ...linksByRoute(transit, transit.interchangeFromTrip),
  };
}

function linksByRoute(transit: Transit, toTrip: Int32Array): { routeLinksStart: Int32Array; routeLinks: Int32Array } {
  const routeLinksStart = new Int32Array(transit.routeCount + 1);
  const routeOf = (link: number): number => transit.tripRoute[toTrip[link] as number] as number;
  const usable = [...toTrip.keys()].filter((link) => isUsableLink(transit.interchangeFlags[link] as number));
  usable.sort((one, other) => routeOf(one) - routeOf(other) || one - other);
  for (const link of usable) routeLinksStart[routeOf(link) + 1] = (routeLinksStart[routeOf(link) + 1] as number) + 1;
  for (let route = 0; route < transit.routeCount; route++) {
    routeLinksStart[route + 1] = (routeLinksStart[route + 1] as number) + (routeLinksStart[route] as number);
  }
  return { routeLinksStart, routeLinks: Int32Array.from(usable) };
}
