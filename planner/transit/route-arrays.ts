/** Second step of `buildTransit`: stops, times and bounds of the placed routes, and which routes call at a stop. */
import type { PlacedRoutes } from './routes-of-patterns.ts';
import type { TransitInput } from './transit-input.ts';

const at = (array: Int32Array | Uint8Array | Uint16Array, index: number): number => array[index] as number;

export interface RouteStops {
  readonly routeStopsStart: Int32Array;
  readonly routeStops: Int32Array;
  readonly routeStopFlags: Uint8Array;
  readonly routeTimesStart: Int32Array;
}

export function layRouteStops(input: TransitInput, routes: PlacedRoutes): RouteStops {
  const count = routes.routePattern.length;
  const routeStopsStart = new Int32Array(count + 1);
  const routeTimesStart = new Int32Array(count + 1);
  for (let route = 0; route < count; route++) {
    const pattern = at(routes.routePattern, route);
    const stops = at(input.patternStopsStart, pattern + 1) - at(input.patternStopsStart, pattern);
    const trips = at(routes.routeTripsStart, route + 1) - at(routes.routeTripsStart, route);
    routeStopsStart[route + 1] = at(routeStopsStart, route) + stops;
    routeTimesStart[route + 1] = at(routeTimesStart, route) + stops * trips;
  }
  const routeStops = new Int32Array(at(routeStopsStart, count));
  const routeStopFlags = new Uint8Array(routeStops.length);
  for (let route = 0; route < count; route++) {
    const pattern = at(routes.routePattern, route);
    const [from, to] = [at(input.patternStopsStart, pattern), at(input.patternStopsStart, pattern + 1)];
    routeStops.set(input.patternStops.subarray(from, to), at(routeStopsStart, route));
    routeStopFlags.set(input.patternStopFlags.subarray(from, to), at(routeStopsStart, route));
  }
  return { routeStopsStart, routeStops, routeStopFlags, routeTimesStart };
}

export interface RouteTimes {
  readonly arrivals: Int32Array;
  readonly departures: Int32Array;
  readonly tripRoute: Int32Array;
  readonly tripTimeDemandType: Int32Array;
  readonly routeEarliest: Int32Array;
  readonly routeLatest: Int32Array;
  readonly routeHopSeconds: Int32Array;
  readonly routeDwellSeconds: Int32Array;
}

export function layRouteTimes(input: TransitInput, routes: PlacedRoutes, stops: RouteStops): RouteTimes {
  const count = routes.routePattern.length;
  const times: RouteTimes = {
    arrivals: new Int32Array(at(stops.routeTimesStart, count)),
    departures: new Int32Array(at(stops.routeTimesStart, count)),
    tripRoute: new Int32Array(routes.tripJourney.length),
    tripTimeDemandType: new Int32Array(routes.tripJourney.length),
    routeEarliest: new Int32Array(count),
    routeLatest: new Int32Array(count),
    routeHopSeconds: new Int32Array(stops.routeStops.length).fill(0x7fffffff),
    routeDwellSeconds: new Int32Array(stops.routeStops.length).fill(0x7fffffff),
  };
  for (let route = 0; route < count; route++) layTimesOfRoute(input, routes, stops, times, route);
  return times;
}

function layTimesOfRoute(
  input: TransitInput,
  routes: PlacedRoutes,
  stops: RouteStops,
  times: RouteTimes,
  route: number,
): void {
  const stopsStart = at(stops.routeStopsStart, route);
  const stopCount = at(stops.routeStopsStart, route + 1) - stopsStart;
  const firstTrip = at(routes.routeTripsStart, route);
  const lastTrip = at(routes.routeTripsStart, route + 1) - 1;
  const timeDemandTypes = new Map<string, number>();
  let row = at(stops.routeTimesStart, route);
  for (let trip = firstTrip; trip <= lastTrip; trip++, row += stopCount) {
    times.tripRoute[trip] = route;
    const from = at(input.journeyTimesStart, at(routes.tripJourney, trip));
    const offset = at(routes.tripOffset, trip);
    for (let position = 0; position < stopCount; position++) {
      times.arrivals[row + position] = at(input.arrivals, from + position) + offset;
      times.departures[row + position] = at(input.departures, from + position) + offset;
    }
    lowerHops(times, row, stopsStart, stopCount);
    const relativeTimes = relativeTimesOf(times, row, stopCount);
    if (!timeDemandTypes.has(relativeTimes)) timeDemandTypes.set(relativeTimes, timeDemandTypes.size);
    times.tripTimeDemandType[trip] = timeDemandTypes.get(relativeTimes) as number;
  }
  times.routeEarliest[route] = at(times.arrivals, at(stops.routeTimesStart, route));
  times.routeLatest[route] = at(times.departures, row - 1);
}

function lowerHops(times: RouteTimes, row: number, stopsStart: number, stopCount: number): void {
  for (let position = 0; position < stopCount; position++) {
    const [arrival, departure] = [at(times.arrivals, row + position), at(times.departures, row + position)];
    const hop = position + 1 < stopCount ? at(times.arrivals, row + position + 1) - departure : 0;
    const entry = stopsStart + position;
    times.routeHopSeconds[entry] = Math.min(at(times.routeHopSeconds, entry), hop);
    times.routeDwellSeconds[entry] = Math.min(at(times.routeDwellSeconds, entry), departure - arrival);
  }
}

/** Times relative to the first one. Trips that differ by a constant have equal relative times. */
function relativeTimesOf(times: RouteTimes, row: number, stopCount: number): string {
  const start = at(times.arrivals, row);
  let relativeTimes = '';
  for (let position = 0; position < stopCount; position++) {
    relativeTimes += `${at(times.arrivals, row + position) - start},${at(times.departures, row + position) - start};`;
  }
  return relativeTimes;
}

export interface StopRoutes {
  readonly stopRoutesStart: Int32Array;
  readonly stopRoutes: Int32Array;
  readonly stopRoutePositions: Int32Array;
}

/** Lists routes by stop, ordered by route and position, since routes are visited in order. */
export function layStopRoutes(stopCount: number, stops: RouteStops): StopRoutes {
  const stopRoutesStart = new Int32Array(stopCount + 1);
  for (const stop of stops.routeStops) stopRoutesStart[stop + 1] = at(stopRoutesStart, stop + 1) + 1;
  for (let stop = 0; stop < stopCount; stop++)
    stopRoutesStart[stop + 1] = at(stopRoutesStart, stop + 1) + at(stopRoutesStart, stop);
  const next = stopRoutesStart.slice();
  const stopRoutes = new Int32Array(stops.routeStops.length);
  const stopRoutePositions = new Int32Array(stops.routeStops.length);
  for (let route = 0; route + 1 < stops.routeStopsStart.length; route++) {
    const from = at(stops.routeStopsStart, route);
    for (let entry = from; entry < at(stops.routeStopsStart, route + 1); entry++) {
      const stop = at(stops.routeStops, entry);
      const place = at(next, stop);
      next[stop] = place + 1;
      stopRoutes[place] = route;
      stopRoutePositions[place] = entry - from;
    }
  }
  return { stopRoutesStart, stopRoutes, stopRoutePositions };
}
