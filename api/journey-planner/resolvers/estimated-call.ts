/**
 * Resolves EstimatedCall and the types below it. All values are planned ones: expected equals aimed, and actual is
 * null.
 */
import type { BookingArrangement, Notice, PatternStop } from '../../../planner/model/entities.ts';
import {
  type Call,
  callAt,
  callCount,
  callsOf,
  findDatedJourney,
  isCancelled,
  journeyOfTrip,
  zoneOfTrip,
} from './calls.ts';
import { type Fields, no, none, nothing, type TypeResolvers } from './fields.ts';
import type { RequestContext } from './request-context.ts';
import { dayOffsetOf } from './time-and-day-offset.ts';
import { amount } from './user-input.ts';
import { formatDay, formatInstant } from './zone-time.ts';

function patternStop(call: Call, { timetable }: RequestContext): PatternStop {
  const journey = journeyOfTrip(timetable, call.trip);
  const stop = timetable.catalogue.journeyPatterns.at(journey.pattern).stops[call.position];
  if (!stop) throw new Error(`Trip ${call.trip} has no position ${call.position} in its pattern`);
  return stop;
}

function arrivalText(call: Call, _: unknown, { timetable }: RequestContext): string {
  return formatInstant(call.arrival, zoneOfTrip(timetable, call.trip));
}

function departureText(call: Call, _: unknown, { timetable }: RequestContext): string {
  return formatInstant(call.departure, zoneOfTrip(timetable, call.trip));
}

/** Notices of the passing time and of the stop in the pattern. */
function noticesOf(call: Call, _: unknown, context: RequestContext): readonly Notice[] {
  const { notices } = context.timetable.catalogue;
  const indexes = new Set(journeyOfTrip(context.timetable, call.trip).callNotices(call.position));
  for (const index of patternStop(call, context).notices) indexes.add(index);
  return indexes.size === 0 ? [] : [...indexes].map((index) => notices.at(index));
}

function bookingOf(call: Call, _: unknown, context: RequestContext): BookingArrangement | undefined {
  const journey = journeyOfTrip(context.timetable, call.trip);
  return (
    patternStop(call, context).booking ?? journey.booking ?? context.timetable.catalogue.lines.at(journey.line).booking
  );
}

const fields = {
  actualArrivalTime: nothing,
  actualDepartureTime: nothing,
  aimedArrivalTime: arrivalText,
  aimedDepartureTime: departureText,
  bookingArrangements: bookingOf,
  cancellation: (call: Call, _, { timetable }) => isCancelled(timetable, call),
  date: (call: Call) => formatDay(call.day),
  datedServiceJourney: (call: Call, _, { timetable }) =>
    findDatedJourney(timetable, journeyOfTrip(timetable, call.trip).index, call.day),
  destinationDisplay: (call: Call, _, context) => patternStop(call, context).destination,
  empiricalDelay: nothing,
  expectedArrivalTime: arrivalText,
  expectedDepartureTime: departureText,
  extraCall: no,
  forAlighting: (call: Call, _, context) => patternStop(call, context).forAlighting,
  forBoarding: (call: Call, _, context) => patternStop(call, context).forBoarding,
  notices: noticesOf,
  occupancyStatus: () => 'noData',
  predictionInaccurate: no,
  quay: (call: Call, _, { timetable }) => timetable.catalogue.quays.at(call.stop),
  realtime: no,
  realtimeState: (call: Call, _, { timetable }) => (isCancelled(timetable, call) ? 'canceled' : 'scheduled'),
  requestStop: (call: Call, _, context) => patternStop(call, context).requestStop,
  serviceJourney: (call: Call, _, { timetable }) => journeyOfTrip(timetable, call.trip),
  serviceJourneyEstimatedCalls: (call: Call) => call,
  situations: none,
  stopPositionInPattern: (call: Call) => call.position,
  timingPoint: no,
} satisfies Fields<Call>;

const dayOffsets: Fields<Call> = {
  aimedArrival: (call, _, { timetable }) => dayOffsetOf(timetable.transit.arrivalAt(call.trip, call.position)),
  expectedArrival: (call, _, { timetable }) => dayOffsetOf(timetable.transit.arrivalAt(call.trip, call.position)),
  aimedDeparture: (call, _, { timetable }) => dayOffsetOf(timetable.transit.departureAt(call.trip, call.position)),
  expectedDeparture: (call, _, { timetable }) => dayOffsetOf(timetable.transit.departureAt(call.trip, call.position)),
};

export const estimatedCall: TypeResolvers = {
  fields,
  v2: {
    ...dayOffsets,
    occupancyStatus: () => 'unknown',
    flexible: (call: Call, _, { timetable }) =>
      timetable.catalogue.lines.at(journeyOfTrip(timetable, call.trip).line).flexibleLineType !== undefined,
    hostname: nothing,
  },
};

interface CountArgs {
  readonly count?: number | null;
}

/** The other calls of the journey as seen from one call. */
const journeyCalls: Fields<Call> = {
  first: (call, _, { timetable }) => callAt(timetable, call.trip, call.day, 0),
  last: (call, _, { timetable }) => callAt(timetable, call.trip, call.day, callCount(timetable, call.trip) - 1),
  next: (call, { count }: CountArgs, { timetable }) => {
    const end = callCount(timetable, call.trip);
    const from = call.position + 1;
    return callsOf(timetable, call.trip, call.day, from, Math.min(end, from + amount('count', count, end)));
  },
  previous: (call, { count }: CountArgs, { timetable }) =>
    callsOf(
      timetable,
      call.trip,
      call.day,
      Math.max(0, call.position - amount('count', count, call.position)),
      call.position,
    ),
};

export const serviceJourneyEstimatedCalls: TypeResolvers = { fields: journeyCalls };
