/**
 * Numbers that identify entities of one snapshot. Each kind is its own type, so the compiler rejects a quay where a
 * trip is expected. They mean nothing outside their snapshot.
 */
declare const kind: unique symbol;
type Index<Kind extends string> = number & { readonly [kind]: Kind };

/** A stop of the search, which is also the index of its quay. */
export type StopIndex = Index<'stop'>;
export type StopPlaceIndex = Index<'stopPlace'>;
/** Stops in order, with trips that never overtake one another. One journey pattern may have several routes. */
export type RouteIndex = Index<'route'>;
/** A service journey with one set of times; frequency journeys have a trip per departure. Trips of a route are consecutive. */
export type TripIndex = Index<'trip'>;
export type LineIndex = Index<'line'>;
export type JourneyPatternIndex = Index<'journeyPattern'>;
export type ServiceJourneyIndex = Index<'serviceJourney'>;
export type DatedServiceJourneyIndex = Index<'datedServiceJourney'>;
export type AuthorityIndex = Index<'authority'>;
export type OperatorIndex = Index<'operator'>;
export type GroupOfLinesIndex = Index<'groupOfLines'>;
export type TariffZoneIndex = Index<'tariffZone'>;
export type NoticeIndex = Index<'notice'>;
export type InterchangeIndex = Index<'interchange'>;

/** Calendar day that a service day is named for, in days since 1970-01-01. It is never an instant. */
export type ServiceDay = Index<'serviceDay'>;
