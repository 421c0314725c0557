/** Resolves TimetabledPassingTime: a journey's times of day, independent of a date. */
import type { Notice, PatternStop } from '../../../planner/model/entities.ts';
import type { ServiceJourneyIndex, TripIndex } from '../../../planner/model/indices.ts';
import type { Timetable } from '../../../planner/model/timetable.ts';
import { callCount, journeyOfTrip } from './calls.ts';
import { type Fields, no, nothing, type TypeResolvers } from './fields.ts';
import type { RequestContext } from './request-context.ts';
import { dayOffsetOf } from './time-and-day-offset.ts';

export interface PassingTime {
  readonly trip: TripIndex;
  readonly position: number;
}

/** For a frequency journey, these are the times of its first departure. */
export function passingTimesOf(timetable: Timetable, journey: ServiceJourneyIndex): readonly PassingTime[] {
  const [trip] = timetable.transit.tripsOfJourney(journey);
  if (trip === undefined) return [];
  return Array.from({ length: callCount(timetable, trip) }, (_, position) => ({ trip, position }));
}

function patternStop({ trip, position }: PassingTime, { timetable }: RequestContext): PatternStop | undefined {
  return timetable.catalogue.journeyPatterns.at(journeyOfTrip(timetable, trip).pattern).stops[position];
}

function noticesOf(source: PassingTime, context: RequestContext): readonly Notice[] {
  const indexes = new Set(journeyOfTrip(context.timetable, source.trip).callNotices(source.position));
  for (const index of patternStop(source, context)?.notices ?? []) indexes.add(index);
  return [...indexes].map((index) => context.timetable.catalogue.notices.at(index));
}

const fields: Fields<PassingTime> = {
  arrival: ({ trip, position }, _, { timetable }) => dayOffsetOf(timetable.transit.arrivalAt(trip, position)),
  bookingArrangements: (source, _, context) =>
    patternStop(source, context)?.booking ?? journeyOfTrip(context.timetable, source.trip).booking,
  departure: ({ trip, position }, _, { timetable }) => dayOffsetOf(timetable.transit.departureAt(trip, position)),
  destinationDisplay: (source, _, context) => patternStop(source, context)?.destination,
  earliestDepartureTime: nothing,
  forAlighting: (source, _, context) => patternStop(source, context)?.forAlighting,
  forBoarding: (source, _, context) => patternStop(source, context)?.forBoarding,
  latestArrivalTime: nothing,
  notices: (source, _, context) => noticesOf(source, context),
  quay: (source, _, context) => {
    const stop = patternStop(source, context);
    return stop && context.timetable.catalogue.quays.at(stop.stop);
  },
  requestStop: (source, _, context) => patternStop(source, context)?.requestStop,
  serviceJourney: ({ trip }, _, { timetable }) => journeyOfTrip(timetable, trip),
  timingPoint: no,
};

export const timetabledPassingTime: TypeResolvers = { fields };
