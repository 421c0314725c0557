/** Errors of a trip answer, with their reasons. The codes are those of the GraphQL schema. */
import type { RoutingError, RoutingErrorCode } from './trip-types.ts';

const DESCRIPTIONS: Readonly<Record<RoutingErrorCode, string>> = {
  locationNotFound: 'The location is not known: its id is none of a quay or stop place, and it has no coordinates.',
  noStopsInRange: 'No stop that may be used is within walking distance of the location.',
  noTransitConnection: 'No public transport connects the locations with what the request allows.',
  noTransitConnectionInSearchWindow: 'The locations are connected, but not in the time that was searched.',
  outsideServicePeriod: 'The date and time are outside of the days the timetable holds.',
  walkingBetterThanTransit: 'Walking all the way is better than any public transport found.',
};

export function routingError(code: RoutingErrorCode, field?: RoutingError['field']): RoutingError {
  return { code, field, description: DESCRIPTIONS[code] };
}
