/**
 * The network in the direction of a search: forward in time (depart after) or backward (arrive by). Backward is the
 * mirror image. Time is negated, positions count from the end, boarding and alighting are swapped, and footpaths and
 * interchanges start at their other end. Nothing is copied; readers use `sign` and the arrays of the direction:
 *
 *   place of position p of a route with n stops:  sign > 0 ? p : n - 1 - p
 *   time of a call in the search:                 sign × (seconds of the day + start of the day - time of the request)
 */
import { FOR_ALIGHTING, FOR_BOARDING, GUARANTEED, NOT_ALLOWED, STAY_SEATED, type Transit } from '../model/transit.ts';
import { FootpathTimes } from './footpath-times.ts';

export interface Direction {
  readonly sign: 1 | -1;
  readonly boardTimes: Int32Array;
  readonly alightTimes: Int32Array;
  readonly boardFlag: number;
  readonly alightFlag: number;
  readonly footpaths: FootpathTimes;
  /** The same footpaths by the stop they lead to. */
  readonly backFootpaths: FootpathTimes;
  /** Interchanges by the trip they are taken from in this direction: entries of `links`, which are indexes into Transit's. */
  readonly linksStart: Int32Array;
  readonly links: Int32Array;
  readonly linkFromTrip: Int32Array;
  readonly linkFromPosition: Int32Array;
  readonly linkToTrip: Int32Array;
  readonly linkToPosition: Int32Array;
  /** For lower bounds: by call (entry of `routeStops`) the calls from which a usable interchange leads there, each once. */
  readonly callLinksStart: Int32Array;
  readonly callLinkFrom: Int32Array;
  readonly callLinkFromRoute: Int32Array;
}

export interface BothFootpaths {
  readonly forth: FootpathTimes;
  /** By the stop they lead to; the same where the two do not differ. */
  readonly back: FootpathTimes;
}

export function footpathsOf(transit: Transit): BothFootpaths {
  const forth = new FootpathTimes({
    start: transit.transfersStart,
    to: transit.transferTo,
    metres: transit.transferMetres,
    minimumSeconds: transit.transferMinimumSeconds,
    wheelchairSeconds: transit.transferWheelchairSeconds,
  });
  if (transit.backTransferFrom === transit.transferTo) return { forth, back: forth };
  const back = new FootpathTimes({
    start: transit.backTransfersStart,
    to: transit.backTransferFrom,
    metres: transit.backTransferMetres,
    minimumSeconds: transit.backTransferMinimumSeconds,
    wheelchairSeconds: transit.backTransferWheelchairSeconds,
  });
  return { forth, back };
}

export function isUsableLink(flags: number): boolean {
  return (flags & (STAY_SEATED | GUARANTEED)) !== 0 && (flags & NOT_ALLOWED) === 0;
}

export function forwardDirection(transit: Transit, { forth, back }: BothFootpaths): Direction {
  return {
    sign: 1,
    boardTimes: transit.departures,
    alightTimes: transit.arrivals,
    boardFlag: FOR_BOARDING,
    alightFlag: FOR_ALIGHTING,
    footpaths: forth,
    backFootpaths: back,
    linksStart: transit.tripInterchangesStart,
    links: Int32Array.from(transit.interchangeToTrip.keys()),
    linkFromTrip: transit.interchangeFromTrip,
    linkFromPosition: transit.interchangeFromPosition,
    linkToTrip: transit.interchangeToTrip,
    linkToPosition: transit.interchangeToPosition,
    ...linksByCall(transit, 1),
  };
}

export function backwardDirection(transit: Transit, { forth, back }: BothFootpaths): Direction {
  return {
    sign: -1,
    boardTimes: transit.arrivals,
    alightTimes: transit.departures,
    boardFlag: FOR_ALIGHTING,
    alightFlag: FOR_BOARDING,
    footpaths: back,
    backFootpaths: forth,
    linksStart: transit.tripInterchangesByToStart,
    links: transit.interchangesByTo,
    linkFromTrip: transit.interchangeToTrip,
    linkFromPosition: transit.interchangeToPosition,
    linkToTrip: transit.interchangeFromTrip,
    linkToPosition: transit.interchangeFromPosition,
    ...linksByCall(transit, -1),
  };
}

type LinksByCall = Pick<Direction, 'callLinksStart' | 'callLinkFrom' | 'callLinkFromRoute'>;

function linksByCall(transit: Transit, sign: 1 | -1): LinksByCall {
  const { interchangeFromTrip, interchangeFromPosition, interchangeToTrip, interchangeToPosition } = transit;
  const callCount = transit.routeStops.length;
  const callOf = (trip: number, position: number): number =>
    (transit.routeStopsStart[transit.tripRoute[trip] as number] as number) + position;
  const pairs = new Map<number, number>();
  for (let link = 0; link < interchangeToTrip.length; link++) {
    if (!isUsableLink(transit.interchangeFlags[link] as number)) continue;
    const [fromTrip, toTrip] = [interchangeFromTrip[link] as number, interchangeToTrip[link] as number];
    const before = callOf(fromTrip, interchangeFromPosition[link] as number);
    const after = callOf(toTrip, interchangeToPosition[link] as number);
    if (sign > 0) pairs.set(after * callCount + before, transit.tripRoute[fromTrip] as number);
    else pairs.set(before * callCount + after, transit.tripRoute[toTrip] as number);
  }
  const keys = [...pairs.keys()].sort((one, other) => one - other);
  const callLinksStart = new Int32Array(callCount + 1);
  for (const key of keys) {
    const call = Math.floor(key / callCount);
    callLinksStart[call + 1] = (callLinksStart[call + 1] as number) + 1;
  }
  for (let call = 0; call < callCount; call++) {
    callLinksStart[call + 1] = (callLinksStart[call + 1] as number) + (callLinksStart[call] as number);
  }
  return {
    callLinksStart,
    callLinkFrom: Int32Array.from(keys, (key) => key % callCount),
    callLinkFromRoute: Int32Array.from(keys, (key) => pairs.get(key) as number),
  };
}
