/** Resolves ServiceJourney. Its days and times are those of its trips. */
import type { Quay, ServiceJourney } from '../../../planner/model/entities.ts';
import type { ServiceDay, TripIndex } from '../../../planner/model/indices.ts';
import { type Call, callsOf, dayAt, findTripOn, zoneOfTrip } from './calls.ts';
import { type Fields, none, nothing, type TypeResolvers } from './fields.ts';
import { cut, pick } from './lists.ts';
import { passingTimesOf } from './passing-time.ts';
import { pathOf } from './points-on-link.ts';
import type { RequestContext } from './request-context.ts';
import { amount } from './user-input.ts';
import { formatDay } from './zone-time.ts';

interface DateArgs {
  readonly date?: ServiceDay | null;
}

export interface QuaysArgs {
  readonly first?: number | null;
  readonly last?: number | null;
}

function tripsOf({ index }: ServiceJourney, { timetable }: RequestContext): readonly TripIndex[] {
  return timetable.transit.tripsOfJourney(index);
}

function activeDates(journey: ServiceJourney, context: RequestContext): readonly string[] {
  const days = new Set<ServiceDay>();
  for (const trip of tripsOf(journey, context)) {
    for (const day of context.timetable.transit.activeDays(trip)) days.add(day);
  }
  return [...days].sort((a, b) => a - b).map(formatDay);
}

/**
 * Without a day, it takes today. It returns no calls on a day without the journey, and marked calls on a day of
 * cancellation.
 */
export function callsOn(
  journey: ServiceJourney,
  day: ServiceDay | null | undefined,
  context: RequestContext,
): readonly Call[] {
  const { timetable } = context;
  const [first] = tripsOf(journey, context);
  if (first === undefined) return [];
  const wanted = day ?? dayAt(context.now, zoneOfTrip(timetable, first));
  const trip = findTripOn(timetable, journey.index, wanted);
  return trip === undefined ? [] : cut(callsOf(timetable, trip, wanted), 'estimatedCalls', context);
}

export function quaysOf(
  journey: ServiceJourney,
  { first, last }: QuaysArgs,
  { timetable }: RequestContext,
): readonly Quay[] {
  const { stops } = timetable.catalogue.journeyPatterns.at(journey.pattern);
  const kept = stops.slice(0, amount('first', first, stops.length));
  const shown = kept.slice(Math.max(0, kept.length - amount('last', last, kept.length)));
  return shown.map(({ stop }) => timetable.catalogue.quays.at(stop));
}

function hasReplacements({ index }: ServiceJourney, { timetable }: RequestContext): boolean {
  const { catalogue } = timetable;
  return catalogue
    .datedJourneysOf(index)
    .some((dated) => catalogue.datedServiceJourneys.at(dated).replacedBy.length > 0);
}

function isReplacement({ index }: ServiceJourney, { timetable }: RequestContext): boolean {
  const { catalogue } = timetable;
  return catalogue.datedJourneysOf(index).some((dated) => catalogue.datedServiceJourneys.at(dated).replaces.length > 0);
}

const fields = {
  activeDates: (journey: ServiceJourney, _, context) => activeDates(journey, context),
  bikesAllowed: () => 'noInformation',
  bookingArrangements: ({ booking, line }: ServiceJourney, _, { timetable }) =>
    booking ?? timetable.catalogue.lines.at(line).booking,
  directionType: ({ pattern }: ServiceJourney, _, { timetable }) =>
    timetable.catalogue.journeyPatterns.at(pattern).direction,
  estimatedCalls: (journey: ServiceJourney, { date }: DateArgs, context) => callsOn(journey, date, context),
  id: ({ id }: ServiceJourney) => id,
  isReplacement: (journey: ServiceJourney, _, context) => isReplacement(journey, context),
  journeyPattern: ({ pattern }: ServiceJourney, _, { timetable }) => timetable.catalogue.journeyPatterns.at(pattern),
  line: ({ line }: ServiceJourney, _, { timetable }) => timetable.catalogue.lines.at(line),
  notices: ({ notices }: ServiceJourney, _, context) =>
    pick(context.timetable.catalogue.notices, notices, 'ServiceJourney.notices', context),
  operator: ({ operator, line }: ServiceJourney, _, { timetable }) => {
    const { lines, operators } = timetable.catalogue;
    const index = operator ?? lines.at(line).operator;
    return index === undefined ? undefined : operators.at(index);
  },
  passingTimes: (journey: ServiceJourney, _, { timetable }) => passingTimesOf(timetable, journey.index),
  pointsOnLink: ({ pattern }: ServiceJourney, _, { timetable }) =>
    pathOf(timetable.catalogue.journeyPatterns.at(pattern)),
  privateCode: ({ privateCode }: ServiceJourney) => privateCode,
  publicCode: ({ publicCode }: ServiceJourney) => publicCode,
  quays: (journey: ServiceJourney, args: QuaysArgs, context) => quaysOf(journey, args, context),
  replacementsExist: (journey: ServiceJourney, _, context) => hasReplacements(journey, context),
  serviceAlteration: nothing,
  situations: none,
  transportMode: ({ mode }: ServiceJourney) => mode,
  transportSubmode: ({ submode }: ServiceJourney) => submode,
  wheelchairAccessible: ({ accessibility }: ServiceJourney) => accessibility,
} satisfies Fields<ServiceJourney>;

export const serviceJourney: TypeResolvers = {
  fields,
  v2: {
    flexibleServiceType: nothing,
    keyValues: nothing,
    linePublicCode: ({ line }: ServiceJourney, _, { timetable }) => timetable.catalogue.lines.at(line).publicCode,
    replacementForServiceJourneyId: nothing,
  },
};
