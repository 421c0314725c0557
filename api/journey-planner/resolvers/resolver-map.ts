/**
 * Joins all types of both dialects with their resolvers. Add each new type here, with its own file. `load-schema.ts`
 * gets the map from the router. A test checks that every field has a resolver.
 */
import { tripMap } from '../trip/trip-map.ts';
import { authority, organisation } from './authority.ts';
import { connection, edge, pageInfo } from './connection.ts';
import { datedServiceJourney, journeyRelation } from './dated-service-journey.ts';
import { estimatedCall, serviceJourneyEstimatedCalls } from './estimated-call.ts';
import type { ResolverMap } from './fields.ts';
import { interchange } from './interchange.ts';
import { journeyPattern, stopToStopGeometry } from './journey-pattern.ts';
import { groupOfLines, line, presentation } from './line.ts';
import { atDistance } from './nearest.ts';
import { bookingArrangement, contact, destinationDisplay, notice, tariffZone } from './notice.ts';
import { branding, operator } from './operator.ts';
import { timetabledPassingTime } from './passing-time.ts';
import { pointsOnLink } from './points-on-link.ts';
import { quay } from './quay.ts';
import { queryType } from './query.ts';
import { serverInfo, transitInfo } from './server-info.ts';
import { serviceJourney } from './service-journey.ts';
import { stopPlace } from './stop-place.ts';
import { timeAndDayOffset } from './time-and-day-offset.ts';

const entityTypes: ResolverMap = {
  Authority: authority,
  BookingArrangement: bookingArrangement,
  Branding: branding,
  Contact: contact,
  DatedServiceJourney: datedServiceJourney,
  DestinationDisplay: destinationDisplay,
  EstimatedCall: estimatedCall,
  GroupOfLines: groupOfLines,
  Interchange: interchange,
  JourneyPattern: journeyPattern,
  Line: line,
  Notice: notice,
  Operator: operator,
  Organisation: organisation,
  PageInfo: pageInfo,
  PlaceAtDistance: atDistance,
  PointsOnLink: pointsOnLink,
  Presentation: presentation,
  Quay: quay,
  QuayAtDistance: atDistance,
  QueryType: queryType,
  ReplacedByRelation: journeyRelation,
  ReplacementForRelation: journeyRelation,
  SJEstimatedCalls: serviceJourneyEstimatedCalls,
  ServerInfo: serverInfo,
  ServiceJourney: serviceJourney,
  StopPlace: stopPlace,
  StopToStopGeometry: stopToStopGeometry,
  TariffZone: tariffZone,
  TimeAndDayOffset: timeAndDayOffset,
  TimetabledPassingTime: timetabledPassingTime,
  TransitInfo: transitInfo,
  placeAtDistanceConnection: connection,
  placeAtDistanceEdge: edge,
  quayAtDistanceConnection: connection,
  quayAtDistanceEdge: edge,
};

/** Joins the parts of types. QueryType has one part for stops and journeys here, and one for trips in `../trip`. */
export function joinMaps(...maps: readonly ResolverMap[]): ResolverMap {
  const joined: Record<string, ResolverMap[string]> = {};
  for (const [name, type] of maps.flatMap((map) => Object.entries(map))) {
    const before = joined[name];
    joined[name] = before
      ? {
          fields: { ...before.fields, ...type.fields },
          v2: { ...before.v2, ...type.v2 },
          v3: { ...before.v3, ...type.v3 },
          v2Renames: { ...before.v2Renames, ...type.v2Renames },
        }
      : type;
  }
  return joined;
}

export const resolverMap: ResolverMap = joinMaps(entityTypes, tripMap);

/** Returns the type of a value of an interface (PlaceInterface). Only stop places can be parents. */
export function typeOf(source: object): string {
  return 'isParent' in source ? 'StopPlace' : 'Quay';
}
