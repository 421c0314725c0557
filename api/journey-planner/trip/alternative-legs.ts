/**
 * Finds other departures between the stop places of a ride: `nextLegs` and `previousLegs`. It returns direct rides
 * alone, within a day of the ride. Caller: `leg.ts`.
 */
import type { RouteIndex, ServiceDay, StopIndex, TripIndex } from '../../../planner/model/indices.ts';
import { FOR_ALIGHTING, FOR_BOARDING, type Transit } from '../../../planner/model/transit.ts';
import type { Ride } from '../../../planner/search/search-types.ts';
import type { RideLeg } from '../../../planner/trip/trip-types.ts';
import type { RequestContext } from '../resolvers/request-context.ts';

export type AlternativeFilter = 'noFilter' | 'sameAuthority' | 'sameLine' | 'sameMode' | 'sameSubmode';

export interface AlternativeQuestion {
  readonly direction: 'next' | 'previous';
  readonly count: number;
  readonly filter: AlternativeFilter;
}

const WITHIN_SECONDS = 86_400;
export const MAXIMUM_ALTERNATIVES = 100;

/** Nearest in time first. */
export function alternativeRides(ride: RideLeg, question: AlternativeQuestion, context: RequestContext): Ride[] {
  const count = Math.min(question.count, MAXIMUM_ALTERNATIVES);
  if (count <= 0) return [];
  const { transit } = context.timetable;
  const targets = new Set(stopsBeside(transit.stopAt(ride.route, ride.alightPosition), context));
  const accepts = routeTest(ride, question.filter, context);
  const found: Ride[] = [];
  for (const stop of stopsBeside(transit.stopAt(ride.route, ride.boardPosition), context)) {
    const end = transit.stopRoutesStart[stop + 1] ?? 0;
    for (let at = transit.stopRoutesStart[stop] ?? 0; at < end; at += 1) {
      const route = transit.stopRoutes[at] as RouteIndex;
      const boardPosition = transit.stopRoutePositions[at] ?? 0;
      if (!accepts(route)) continue;
      const alightPosition = positionOf(targets, route, boardPosition, context);
      if (alightPosition === undefined) continue;
      addRides({ route, boardPosition, alightPosition }, ride, { ...question, count }, context, found);
    }
  }
  const isNext = question.direction === 'next';
  found.sort((a, b) => (isNext ? a.departure - b.departure : b.departure - a.departure) || a.arrival - b.arrival);
  return distinctTrips(found).slice(0, count);
}

/** Returns all quays of the quay's stop place. */
function stopsBeside(stop: StopIndex, { timetable: { catalogue } }: RequestContext): readonly StopIndex[] {
  const place = catalogue.quays.at(stop).stopPlace;
  return place === undefined ? [stop] : catalogue.quaysOf(place, true);
}

function routeTest(
  ride: RideLeg,
  filter: AlternativeFilter,
  { timetable: { catalogue, transit } }: RequestContext,
): (route: RouteIndex) => boolean {
  const authorityOf = (route: RouteIndex) => catalogue.lines.at((transit.routeLine[route] ?? 0) as never).authority;
  switch (filter) {
    case 'sameLine':
      return (route) => transit.routeLine[route] === transit.routeLine[ride.route];
    case 'sameMode':
      return (route) => transit.routeMode[route] === transit.routeMode[ride.route];
    case 'sameSubmode':
      return (route) =>
        transit.routeMode[route] === transit.routeMode[ride.route] &&
        transit.routeSubmode[route] === transit.routeSubmode[ride.route];
    case 'sameAuthority':
      return (route) => authorityOf(route) === authorityOf(ride.route);
    case 'noFilter':
      return () => true;
  }
}

/** Returns the position of the first call after boarding at one of the stops, if boarding and alighting are allowed. */
function positionOf(
  targets: ReadonlySet<StopIndex>,
  route: RouteIndex,
  boardPosition: number,
  { timetable: { transit } }: RequestContext,
): number | undefined {
  const start = transit.routeStopsStart[route] ?? 0;
  const count = (transit.routeStopsStart[route + 1] ?? 0) - start;
  if (((transit.routeStopFlags[start + boardPosition] ?? 0) & FOR_BOARDING) === 0) return undefined;
  for (let position = boardPosition + 1; position < count; position += 1) {
    const mayAlight = ((transit.routeStopFlags[start + position] ?? 0) & FOR_ALIGHTING) !== 0;
    if (mayAlight && targets.has(transit.routeStops[start + position] as StopIndex)) return position;
  }
  return undefined;
}

interface RideOnRoute {
  readonly route: RouteIndex;
  readonly boardPosition: number;
  readonly alightPosition: number;
}

/** Adds at most `count` rides of each day, from the ride's time on. Trips of a route are in order of time. */
function addRides(
  { route, boardPosition, alightPosition }: RideOnRoute,
  ride: RideLeg,
  { direction, count }: AlternativeQuestion,
  { timetable: { transit } }: RequestContext,
  found: Ride[],
): void {
  const step = direction === 'next' ? 1 : -1;
  const [first, end] = [transit.routeTripsStart[route] ?? 0, transit.routeTripsStart[route + 1] ?? 0];
  const zone = transit.routeZone[route] ?? 0;
  for (let day = ride.day - transit.daySpan - 1; day <= ride.day + transit.daySpan + 1; day += 1) {
    for (const shift of transit.shiftsOn(day as ServiceDay)) {
      const start = transit.dayStart(zone, day as ServiceDay) + shift;
      const after = firstTripAfter(transit, route, boardPosition, ride.departure - start - (step > 0 ? 0 : 1));
      let added = 0;
      for (let trip = step > 0 ? after : after - 1; trip >= first && trip < end && added < count; trip += step) {
        const departure = start + transit.departureAt(trip as TripIndex, boardPosition);
        if (Math.abs(departure - ride.departure) > WITHIN_SECONDS) break;
        if (!runsFrom(transit, trip as TripIndex, day as ServiceDay, shift)) continue;
        const arrival = start + transit.arrivalAt(trip as TripIndex, alightPosition);
        const which = { trip: trip as TripIndex, route, day: day as ServiceDay, boardPosition, alightPosition };
        found.push({ ...which, departure, arrival, by: 'access', interchange: undefined });
        added += 1;
      }
    }
  }
}

/** Whether the trip runs on the day, and counts from this much later than the day starts. */
function runsFrom(transit: Transit, trip: TripIndex, day: ServiceDay, shift: number): boolean {
  return transit.runsOn(trip, day) && transit.shiftOf(trip, day) === shift;
}

/** Returns the first trip that leaves later than this number of seconds into the service day. */
function firstTripAfter(transit: Transit, route: RouteIndex, position: number, seconds: number): number {
  let [low, high] = [transit.routeTripsStart[route] ?? 0, transit.routeTripsStart[route + 1] ?? 0];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (transit.departureAt(middle as TripIndex, position) > seconds) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Keeps one ride of each trip, since a trip may call at several of the quays. */
function distinctTrips(rides: readonly Ride[]): Ride[] {
  const seen = new Set<string>();
  return rides.filter(({ trip, day }) => {
    const key = `${trip} ${day}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
