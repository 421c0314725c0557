/**
 * Makes the calls of a trip on a service day, the source of every EstimatedCall. Boards, journeys, dated journeys and
 * legs all make them here, so that they never disagree.
 */
import type { Call } from '../../../planner/boards/board-types.ts';
import type { DatedServiceJourney, ServiceJourney } from '../../../planner/model/entities.ts';
import type { ServiceDay, ServiceJourneyIndex, TripIndex } from '../../../planner/model/indices.ts';
import type { Timetable } from '../../../planner/model/timetable.ts';
import { offsetAt } from './zone-time.ts';

export type { Call };

export function callAt({ transit }: Timetable, trip: TripIndex, day: ServiceDay, position: number): Call {
  const route = transit.routeOf(trip);
  const start = transit.runStart(trip, day);
  return {
    trip,
    day,
    position,
    stop: transit.stopAt(route, position),
    arrival: start + transit.arrivalAt(trip, position),
    departure: start + transit.departureAt(trip, position),
  };
}

/** Calls from position `from` to before `to`; without them, all calls. */
export function callsOf(
  timetable: Timetable,
  trip: TripIndex,
  day: ServiceDay,
  from = 0,
  to = callCount(timetable, trip),
): Call[] {
  const calls: Call[] = [];
  for (let position = from; position < to; position += 1) calls.push(callAt(timetable, trip, day, position));
  return calls;
}

export function callCount({ transit }: Timetable, trip: TripIndex): number {
  const route = transit.routeOf(trip);
  return (transit.routeStopsStart[route + 1] ?? 0) - (transit.routeStopsStart[route] ?? 0);
}

/** IANA name of the zone in which a trip's times are shown. */
export function zoneOfTrip({ transit }: Timetable, trip: TripIndex): string {
  return transit.zones[transit.routeZone[transit.routeOf(trip)] ?? 0] ?? 'UTC';
}

/** The calendar day of an instant. */
export function dayAt(seconds: number, zone: string): ServiceDay {
  return Math.floor((seconds + offsetAt(seconds, zone)) / 86_400) as ServiceDay;
}

export function journeyOfTrip({ catalogue, transit }: Timetable, trip: TripIndex): ServiceJourney {
  return catalogue.serviceJourneys.at((transit.tripJourney[trip] ?? 0) as ServiceJourneyIndex);
}

/** Finds the published dated journey of a service journey on a day. */
export function findDatedJourney(
  { catalogue }: Timetable,
  journey: ServiceJourneyIndex,
  day: ServiceDay,
): DatedServiceJourney | undefined {
  for (const index of catalogue.datedJourneysOf(journey)) {
    const dated = catalogue.datedServiceJourneys.at(index);
    if (dated.day === day) return dated;
  }
  return undefined;
}

/**
 * Returns the trip of a journey on a day. For a cancelled or replaced journey, it returns the trip that would have run.
 */
export function findTripOn(timetable: Timetable, journey: ServiceJourneyIndex, day: ServiceDay): TripIndex | undefined {
  const trips = timetable.transit.tripsOfJourney(journey);
  const running = trips.find((trip) => timetable.transit.runsOn(trip, day));
  if (running !== undefined) return running;
  return findDatedJourney(timetable, journey, day) ? trips[0] : undefined;
}

/** True when the call belongs to a journey that does not run that day. */
export function isCancelled({ transit }: Timetable, call: Call): boolean {
  return !transit.runsOn(call.trip, call.day);
}
