/**
 * Describes a ride by names that do not depend on a snapshot, and finds the ride again. Positions and times identify
 * the call and the departure. If the journey has changed since, the quays decide. Callers: the ids in this folder, and
 * code that checks the ride of an id.
 */
import type { ServiceDay, ServiceJourneyIndex, StopIndex, TripIndex } from '../model/indices.ts';
import type { Timetable } from '../model/timetable.ts';
import type { Ride } from '../search/search-types.ts';

export interface NamedRide {
  readonly serviceJourneyId: string;
  /** Days since 1970-01-01. */
  readonly day: ServiceDay;
  /**
   * Seconds of the boarding since the start of the service day: distinguishes the departures of a frequency journey.
   */
  readonly departureSeconds: number;
  readonly boardPosition: number;
  readonly alightPosition: number;
  readonly boardQuayId: string;
  readonly alightQuayId: string;
}

export function nameRide(
  { catalogue, transit }: Timetable,
  { trip, route, day, boardPosition, alightPosition }: Ride,
): NamedRide {
  const journey = (transit.tripJourney[trip] ?? 0) as ServiceJourneyIndex;
  return {
    serviceJourneyId: catalogue.serviceJourneys.at(journey).id,
    day,
    departureSeconds: transit.departureAt(trip, boardPosition),
    boardPosition,
    alightPosition,
    boardQuayId: catalogue.quays.at(transit.stopAt(route, boardPosition)).id,
    alightQuayId: catalogue.quays.at(transit.stopAt(route, alightPosition)).id,
  };
}

/**
 * Returns the ride, as the first of a trip pattern. Undefined when the journey, its day or its calls no longer exist.
 */
export function findRide(timetable: Timetable, named: NamedRide): Ride | undefined {
  const { transit } = timetable;
  const trip = findTrip(timetable, named);
  if (trip === undefined) return undefined;
  const route = transit.routeOf(trip);
  const calls = findCalls(timetable, trip, named);
  if (calls === undefined) return undefined;
  const start = transit.runStart(trip, named.day);
  return {
    trip,
    route,
    day: named.day,
    ...calls,
    departure: start + transit.departureAt(trip, calls.boardPosition),
    arrival: start + transit.arrivalAt(trip, calls.alightPosition),
    by: 'access',
    interchange: undefined,
  };
}

/**
 * Returns the trip with the nearest departure among those that run on the day. For a cancelled dated journey it returns
 * the first trip.
 */
function findTrip({ catalogue, transit }: Timetable, named: NamedRide): TripIndex | undefined {
  const journey = catalogue.serviceJourneys.find(named.serviceJourneyId);
  if (journey === undefined) return undefined;
  const trips = transit.tripsOfJourney(journey.index);
  let nearest: TripIndex | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const trip of trips) {
    if (!transit.runsOn(trip, named.day)) continue;
    const away = Math.abs(departureOf(transit, trip, named.boardPosition) - named.departureSeconds);
    if (away < least) [nearest, least] = [trip, away];
  }
  if (nearest !== undefined) return nearest;
  const dated = catalogue.datedJourneysOf(journey.index).map((index) => catalogue.datedServiceJourneys.at(index));
  return dated.some(({ day }) => day === named.day) ? trips[0] : undefined;
}

function departureOf(transit: Timetable['transit'], trip: TripIndex, position: number): number {
  return position < stopCount(transit, trip) ? transit.departureAt(trip, position) : 0;
}

function stopCount(transit: Timetable['transit'], trip: TripIndex): number {
  const route = transit.routeOf(trip);
  return (transit.routeStopsStart[route + 1] ?? 0) - (transit.routeStopsStart[route] ?? 0);
}

/** Returns the named positions if their quays are unchanged, else the nearest positions of the same quays, in order. */
function findCalls({ catalogue, transit }: Timetable, trip: TripIndex, named: NamedRide) {
  const board = catalogue.quays.find(named.boardQuayId)?.index;
  const alight = catalogue.quays.find(named.alightQuayId)?.index;
  if (board === undefined || alight === undefined) return undefined;
  const boardPosition = nearestPosition(transit, trip, board, named.boardPosition);
  const alightPosition = nearestPosition(transit, trip, alight, named.alightPosition);
  if (boardPosition === undefined || alightPosition === undefined || boardPosition >= alightPosition) return undefined;
  return { boardPosition, alightPosition };
}

function nearestPosition(
  transit: Timetable['transit'],
  trip: TripIndex,
  stop: StopIndex,
  wanted: number,
): number | undefined {
  const route = transit.routeOf(trip);
  let nearest: number | undefined;
  for (let position = 0; position < stopCount(transit, trip); position += 1) {
    if (transit.stopAt(route, position) !== stop) continue;
    if (nearest === undefined || Math.abs(position - wanted) < Math.abs(nearest - wanted)) nearest = position;
  }
  return nearest;
}
