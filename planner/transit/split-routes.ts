/**
 * Splits the trips of one pattern into routes: lists in which no trip overtakes another at any position, on any day.
 * `buildTransit` calls it per group of trips that may share a route. The same input gives the same routes.
 */

/** Times of the trips to be split: trip `i` has `stops` entries from `timesStart[i]`, each `offset[i]` later than written. */
export interface SplitTimes {
  readonly stops: number;
  readonly timesStart: Int32Array;
  readonly offset: Int32Array;
  readonly arrivals: Int32Array;
  readonly departures: Int32Array;
}

const at = (array: Int32Array, index: number): number => array[index] as number;

/** Orders by time. Trips at the same time keep their order, so the result is stable. */
function compareTrips(times: SplitTimes, one: number, other: number): number {
  const oneStart = at(times.timesStart, one);
  const otherStart = at(times.timesStart, other);
  const shift = at(times.offset, one) - at(times.offset, other);
  for (let position = 0; position < times.stops; position++) {
    const byDeparture = at(times.departures, oneStart + position) - at(times.departures, otherStart + position) + shift;
    if (byDeparture !== 0) return byDeparture;
    const byArrival = at(times.arrivals, oneStart + position) - at(times.arrivals, otherStart + position) + shift;
    if (byArrival !== 0) return byArrival;
  }
  return one - other;
}

function neverBefore(times: SplitTimes, later: number, earlier: number): boolean {
  const laterStart = at(times.timesStart, later);
  const earlierStart = at(times.timesStart, earlier);
  const shift = at(times.offset, later) - at(times.offset, earlier);
  for (let position = 0; position < times.stops; position++) {
    if (at(times.departures, laterStart + position) + shift < at(times.departures, earlierStart + position))
      return false;
    if (at(times.arrivals, laterStart + position) + shift < at(times.arrivals, earlierStart + position)) return false;
  }
  return true;
}

/**
 * Real trips overtake a handful of others. In hostile data each overtakes all before it, and comparing with every list
 * would not end.
 */
const LISTS_LOOKED_AT = 200;

/**
 * Returns lists of trips, each in order of time. A trip joins the first of the latest lists whose last trip it does not
 * overtake.
 */
export function splitRoutes(trips: readonly number[], times: SplitTimes): number[][] {
  const sorted = [...trips].sort((one, other) => compareTrips(times, one, other));
  const routes: number[][] = [];
  for (const trip of sorted) {
    const fitting = findFitting(routes, trip, times);
    if (fitting === undefined) routes.push([trip]);
    else fitting.push(trip);
  }
  return routes;
}

function findFitting(routes: readonly number[][], trip: number, times: SplitTimes): number[] | undefined {
  for (let list = Math.max(0, routes.length - LISTS_LOOKED_AT); list < routes.length; list++) {
    const route = routes[list] as number[];
    if (neverBefore(times, trip, route[route.length - 1] as number)) return route;
  }
  return undefined;
}
