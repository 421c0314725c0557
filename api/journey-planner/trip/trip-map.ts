/**
 * The types of trips with their resolvers, and the query fields that return them. `../resolvers/resolver-map.ts` joins
 * them to the others.
 */
import type { ResolverMap } from '../resolvers/fields.ts';
import type { RequestContext } from '../resolvers/request-context.ts';
import { leg } from './leg.ts';
import { place } from './place.ts';
import { findLeg } from './query-leg.ts';
import { routingErrorType, tripFields, tripSearchData, tripType } from './trip.ts';
import { tripPattern } from './trip-pattern.ts';
import { type ViaTripArgs, viaConnection, viaTrip, viaTripPatternSegment, viaTripType } from './via-trip.ts';

export const tripMap: ResolverMap = {
  Leg: leg,
  Place: place,
  QueryType: {
    fields: {},
    v2: { ...tripFields.v2 },
    v3: {
      ...tripFields.v3,
      leg: (_: undefined, args: { readonly id: string }, context: RequestContext) => findLeg(args, context),
      viaTrip: (_: undefined, args: ViaTripArgs, context: RequestContext) => viaTrip(args, context),
    },
  },
  RoutingError: routingErrorType,
  Trip: tripType,
  TripPattern: tripPattern,
  TripSearchData: tripSearchData,
  ViaConnection: viaConnection,
  ViaTrip: viaTripType,
  ViaTripPatternSegment: viaTripPatternSegment,
};
