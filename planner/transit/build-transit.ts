/**
 * Makes the arrays that search and boards read, and writes them as sections of the snapshot. Called by the builder's
 * `finish`. The same input gives the same arrays.
 */
import type { ServiceDay } from '../model/indices.ts';
import {
  GUARANTEED,
  NOT_ALLOWED,
  ROUTE_INTERCHANGES_FROM,
  ROUTE_INTERCHANGES_TO,
  STAY_SEATED,
} from '../model/transit.ts';
import type { SectionWriter } from '../snapshot/section-writer.ts';
import { layTripsOfJourneys, linkTrips, type TripLinks } from './link-trips.ts';
import { layRouteStops, layRouteTimes, layStopRoutes, type RouteStops, type RouteTimes } from './route-arrays.ts';
import { type PlacedRoutes, placeRoutes } from './routes-of-patterns.ts';
import { createDayStart } from './service-days.ts';
import { type TransitArrays, writeTransitArrays } from './transit-arrays.ts';
import {
  type TransitCounts,
  type TransitInput,
  WHEELCHAIR_ACCESSIBLE,
  WHEELCHAIR_INACCESSIBLE,
} from './transit-input.ts';

const at = (array: Int32Array | Uint8Array | Uint16Array, index: number): number => array[index] as number;

export function buildTransit(input: TransitInput, sections: SectionWriter): TransitCounts {
  const arrays = layTransit(input);
  writeTransitArrays(arrays, sections);
  sections.add('transit.days', Int32Array.of(input.firstDay, input.dayCount));
  sections.addTexts('transit.zones', input.zones);
  sections.addTexts('transit.submodes', input.submodeNames);
  return {
    routes: arrays.routePattern.length,
    trips: arrays.tripRoute.length,
    calls: arrays.arrivals.length,
    footpaths: arrays.transferTo.length,
    interchanges: arrays.interchangeToTrip.length,
  };
}

/** The arrays alone, for boards, which need them before the snapshot is written. */
export function layTransit(input: TransitInput): TransitArrays {
  const routes = placeRoutes(input);
  const stops = layRouteStops(input, routes);
  const times = layRouteTimes(input, routes, stops);
  const journeyTrips = layTripsOfJourneys(input.journeyCount, routes.tripJourney, routes.tripOffset);
  const links = linkTrips(input, journeyTrips, tripTimes(routes, stops, times), routes.tripJourney.length);
  flagInterchanges(routes, times, links);
  return {
    stopLatitude: input.stopLatitude,
    stopLongitude: input.stopLongitude,
    ...stops,
    ...times,
    ...layStopRoutes(input.stopCount, stops),
    ...perRoute(input, routes),
    ...perTrip(input, routes),
    ...journeyTrips,
    ...links,
    ...footpaths(input),
    daySetBits: daySetBits(input),
    dayStarts: dayStarts(input),
  };
}

function tripTimes(routes: PlacedRoutes, stops: RouteStops, times: RouteTimes) {
  const entry = (trip: number, position: number): number => {
    const route = at(times.tripRoute, trip);
    const stopCount = at(stops.routeStopsStart, route + 1) - at(stops.routeStopsStart, route);
    return at(stops.routeTimesStart, route) + (trip - at(routes.routeTripsStart, route)) * stopCount + position;
  };
  return {
    arrivalAt: (trip: number, position: number): number => at(times.arrivals, entry(trip, position)),
    departureAt: (trip: number, position: number): number => at(times.departures, entry(trip, position)),
  };
}

function flagInterchanges(routes: PlacedRoutes, times: RouteTimes, links: TripLinks): void {
  for (let link = 0; link < links.interchangeToTrip.length; link++) {
    const flags = at(links.interchangeFlags, link);
    if ((flags & (STAY_SEATED | GUARANTEED)) === 0 || (flags & NOT_ALLOWED) !== 0) continue;
    const from = at(times.tripRoute, at(links.interchangeFromTrip, link));
    const to = at(times.tripRoute, at(links.interchangeToTrip, link));
    routes.routeFlags[from] = at(routes.routeFlags, from) | ROUTE_INTERCHANGES_FROM;
    routes.routeFlags[to] = at(routes.routeFlags, to) | ROUTE_INTERCHANGES_TO;
  }
}

function perRoute(input: TransitInput, routes: PlacedRoutes) {
  const firstJourney = routes.routePattern.map((_, route) => at(routes.tripJourney, at(routes.routeTripsStart, route)));
  return {
    routePattern: routes.routePattern,
    routeFlags: routes.routeFlags,
    routeTripsStart: routes.routeTripsStart,
    routeLine: routes.routePattern.map((pattern) => at(input.patternLine, pattern)),
    routeMode: Uint8Array.from(firstJourney, (journey) => at(input.journeyMode, journey)),
    routeSubmode: Uint16Array.from(firstJourney, (journey) => at(input.journeySubmode, journey)),
    routeZone: Uint8Array.from(firstJourney, (journey) => at(input.journeyZone, journey)),
  };
}

function perTrip(input: TransitInput, routes: PlacedRoutes) {
  const wheelchair = WHEELCHAIR_ACCESSIBLE | WHEELCHAIR_INACCESSIBLE;
  return {
    tripJourney: routes.tripJourney,
    tripDays: routes.tripJourney.map((journey) => at(input.journeyDays, journey)),
    tripFlags: Uint8Array.from(routes.tripJourney, (journey) => at(input.journeyFlags, journey) & wheelchair),
  };
}

/** Arrays that are equal become one, which the snapshot stores once. */
function footpaths(input: TransitInput) {
  const { transfersStart, transferTo, transferMetres, transferMinimumSeconds, stopMinimumSeconds } = input;
  const transferWheelchairSeconds = sameIfEqual(transferMinimumSeconds, input.transferWheelchairSeconds);
  const stopWheelchairSeconds = sameIfEqual(stopMinimumSeconds, input.stopWheelchairSeconds);
  const stops = { stopMinimumSeconds, stopWheelchairSeconds };
  const forward = { transfersStart, transferTo, transferMetres, transferMinimumSeconds, transferWheelchairSeconds };
  const from = new Int32Array(transferTo.length);
  for (let stop = 0; stop < input.stopCount; stop++) from.fill(stop, transfersStart[stop], transfersStart[stop + 1]);
  const order = Int32Array.from(transferTo.keys()).sort(
    (one, other) =>
      at(transferTo, one) - at(transferTo, other) ||
      at(transferMetres, one) - at(transferMetres, other) ||
      at(from, one) - at(from, other),
  );
  const backTransfersStart = new Int32Array(input.stopCount + 1);
  for (const to of transferTo) backTransfersStart[to + 1] = at(backTransfersStart, to + 1) + 1;
  for (let stop = 0; stop < input.stopCount; stop++) {
    backTransfersStart[stop + 1] = at(backTransfersStart, stop + 1) + at(backTransfersStart, stop);
  }
  const backTransferMinimumSeconds = order.map((entry) => at(transferMinimumSeconds, entry));
  const backTransferWheelchairSeconds =
    transferWheelchairSeconds === transferMinimumSeconds
      ? backTransferMinimumSeconds
      : order.map((entry) => at(transferWheelchairSeconds, entry));
  const back = {
    backTransfersStart,
    backTransferFrom: order.map((entry) => at(from, entry)),
    backTransferMetres: order.map((entry) => at(transferMetres, entry)),
    backTransferMinimumSeconds,
    backTransferWheelchairSeconds,
  };
  const same =
    equal(back.backTransfersStart, transfersStart) &&
    equal(back.backTransferFrom, transferTo) &&
    equal(back.backTransferMetres, transferMetres) &&
    equal(back.backTransferMinimumSeconds, transferMinimumSeconds) &&
    equal(back.backTransferWheelchairSeconds, transferWheelchairSeconds);
  if (!same) return { ...stops, ...forward, ...back };
  return {
    ...stops,
    ...forward,
    backTransfersStart: transfersStart,
    backTransferFrom: transferTo,
    backTransferMetres: transferMetres,
    backTransferMinimumSeconds: transferMinimumSeconds,
    backTransferWheelchairSeconds: transferWheelchairSeconds,
  };
}

function sameIfEqual(one: Int32Array, other: Int32Array): Int32Array {
  return equal(one, other) ? one : other;
}

function equal(one: Int32Array, other: Int32Array): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

export function wordsPerDaySet(dayCount: number): number {
  return Math.max(1, Math.ceil(dayCount / 32));
}

function daySetBits(input: TransitInput): Uint32Array {
  const words = wordsPerDaySet(input.dayCount);
  const bits = new Uint32Array(input.daySetCount * words);
  for (let set = 0; set < input.daySetCount; set++) {
    for (let entry = at(input.daySetDaysStart, set); entry < at(input.daySetDaysStart, set + 1); entry++) {
      const offset = at(input.daySetDays, entry) - input.firstDay;
      const word = set * words + (offset >> 5);
      bits[word] = (bits[word] as number) | (1 << (offset & 31));
    }
  }
  return bits;
}

function dayStarts(input: TransitInput): Float64Array {
  const starts = new Float64Array(input.zones.length * input.dayCount);
  for (const [zone, name] of input.zones.entries()) {
    const dayStart = createDayStart(name);
    for (let offset = 0; offset < input.dayCount; offset++) {
      starts[zone * input.dayCount + offset] = dayStart((input.firstDay + offset) as ServiceDay);
    }
  }
  return starts;
}
