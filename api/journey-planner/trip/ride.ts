/** Resolves the journey data of a ride's leg: line, calls, path, interchanges. Caller: `leg.ts`. */
import type { Interchange, JourneyPattern, Line, ServiceJourney } from '../../../planner/model/entities.ts';
import type { InterchangeIndex } from '../../../planner/model/indices.ts';
import type { RideLeg, TripLeg } from '../../../planner/trip/trip-types.ts';
import { type Call, callAt, callsOf, journeyOfTrip } from '../resolvers/calls.ts';
import type { RequestContext } from '../resolvers/request-context.ts';

export function journeyOf({ trip }: RideLeg, { timetable }: RequestContext): ServiceJourney {
  return journeyOfTrip(timetable, trip);
}

export function lineOf(ride: RideLeg, context: RequestContext): Line {
  return context.timetable.catalogue.lines.at(journeyOf(ride, context).line);
}

export function operatorOf(ride: RideLeg, context: RequestContext) {
  const index = journeyOf(ride, context).operator ?? lineOf(ride, context).operator;
  return index === undefined ? undefined : context.timetable.catalogue.operators.at(index);
}

export function patternOf(ride: RideLeg, context: RequestContext): JourneyPattern {
  return context.timetable.catalogue.journeyPatterns.at(journeyOf(ride, context).pattern);
}

export function legMetres(ride: TripLeg, context: RequestContext): number {
  if (ride.kind === 'street') return ride.distanceMetres;
  const pattern = patternOf(ride, context);
  let metres = 0;
  for (let position = ride.boardPosition; position < ride.alightPosition; position += 1) {
    metres += pattern.hop(position).distanceMetres;
  }
  return metres;
}

export function boardingCall({ trip, day, boardPosition }: RideLeg, { timetable }: RequestContext): Call {
  return callAt(timetable, trip, day, boardPosition);
}

export function alightingCall({ trip, day, alightPosition }: RideLeg, { timetable }: RequestContext): Call {
  return callAt(timetable, trip, day, alightPosition);
}

export function callsBetween(ride: RideLeg, { timetable, budget }: RequestContext): readonly Call[] {
  const calls = callsOf(timetable, ride.trip, ride.day, ride.boardPosition + 1, ride.alightPosition);
  budget.take(calls.length);
  return calls;
}

export function allCalls({ trip, day }: RideLeg, { timetable, budget }: RequestContext): readonly Call[] {
  const calls = callsOf(timetable, trip, day);
  budget.take(calls.length);
  return calls;
}

/** The boarding stop's booking arrangement takes precedence over the journey's, and the journey's over the line's. */
export function bookingOf(ride: RideLeg, context: RequestContext) {
  const ofStop = patternOf(ride, context).stops[ride.boardPosition]?.booking;
  return ofStop ?? journeyOf(ride, context).booking ?? lineOf(ride, context).booking;
}

/** Returns the published connection between two consecutive rides, even if the search did not need it. */
export function interchangeBetween(
  before: RideLeg | undefined,
  after: RideLeg | undefined,
  context: RequestContext,
): Interchange | undefined {
  if (!before || !after) return undefined;
  const { catalogue, transit } = context.timetable;
  if (after.interchange !== undefined) {
    return catalogue.interchanges.at((transit.interchangeIndex[after.interchange] ?? 0) as InterchangeIndex);
  }
  const to = journeyOf(after, context).index;
  return catalogue
    .interchangesFrom(journeyOf(before, context).index)
    .map((index) => catalogue.interchanges.at(index))
    .find(
      ({ toJourney, fromPosition, toPosition, priority }) =>
        toJourney === to &&
        fromPosition === before.alightPosition &&
        toPosition === after.boardPosition &&
        priority !== 'notAllowed',
    );
}
