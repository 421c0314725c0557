/** Resolves Trip: an answer to `trip`, with the searched window and the reasons for missing journeys. */
import type { RoutingError, TripAnswer, TripRequest } from '../../../planner/trip/trip-types.ts';
import type { Fields, TypeResolvers } from '../resolvers/fields.ts';
import type { RequestContext } from '../resolvers/request-context.ts';
import { zoneAt } from '../resolvers/zone-at.ts';
import { formatInstant } from '../resolvers/zone-time.ts';
import { placeOf } from './place.ts';
import { runTrip } from './run-trip.ts';
import { type OlderTripArgs, tripRequestV2 } from './trip-arguments-v2.ts';
import { type TripArgs, tripRequestV3 } from './trip-arguments-v3.ts';

interface TripSource {
  readonly answer: TripAnswer;
  readonly time: number;
  readonly zone: string;
}

async function trip(request: TripRequest, context: RequestContext): Promise<TripSource> {
  const answer = await runTrip(request, context);
  context.budget.take(answer.patterns.length);
  const { timetable, config } = context;
  const { stopPlace, latitude, longitude } = answer.from;
  const position = latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
  const zone =
    stopPlace === undefined
      ? (zoneAt(position, timetable) ?? config.TIME_ZONE)
      : timetable.catalogue.stopPlaces.at(stopPlace).timeZone;
  return { answer, time: request.time, zone };
}

export const tripFields: Pick<TypeResolvers, 'v2' | 'v3'> = {
  v2: {
    trip: (_: undefined, args: OlderTripArgs, context: RequestContext) => trip(tripRequestV2(args, context), context),
  },
  v3: { trip: (_: undefined, args: TripArgs, context: RequestContext) => trip(tripRequestV3(args, context), context) },
};

const fields: Fields<TripSource> = {
  dateTime: ({ time, zone }) => formatInstant(time, zone),
  debugOutput: () => ({}),
  fromPlace: ({ answer }) => placeOf(answer.from),
  messageEnums: ({ answer }) => answer.errors.map(({ code }) => code),
  messageStrings: ({ answer }) => answer.errors.map(({ description }) => description),
  // A direct journey needs no search, so there is no window.
  metadata: (source) => (source.answer.windowUsedSeconds > 0 ? source : undefined),
  nextPageCursor: ({ answer }) => answer.nextCursor,
  previousPageCursor: ({ answer }) => answer.previousCursor,
  routingErrors: ({ answer }) => answer.errors,
  toPlace: ({ answer }) => placeOf(answer.to),
  tripPatterns: ({ answer }) => answer.patterns,
};

const searchFields: Fields<TripSource> = {
  nextDateTime: ({ answer, zone }) => formatInstant(answer.windowEnd, zone),
  pageDepartureTimeEnd: ({ answer, zone }) => formatInstant(answer.windowEnd, zone),
  pageDepartureTimeStart: ({ answer, zone }) => formatInstant(answer.windowStart, zone),
  prevDateTime: ({ answer, zone }) => formatInstant(answer.windowStart - answer.windowUsedSeconds, zone),
  searchWindowUsed: ({ answer }) => Math.ceil(answer.windowUsedSeconds / 60),
};

const errorFields: Fields<RoutingError> = {
  code: ({ code }) => code,
  description: ({ description }) => description,
  inputField: ({ field }) => field,
};

export const tripType: TypeResolvers = { fields };
export const tripSearchData: TypeResolvers = { fields: searchFields };
export const routingErrorType: TypeResolvers = { fields: errorFields };
