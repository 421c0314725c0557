/**
 * Numbers that name things in one snapshot. Each kind is a type of its own, so a quay cannot be asked for a trip's times.
 * They mean nothing outside the snapshot they come from.
 */
declare const kind: unique symbol;
type Index<Kind extends string> = number & { readonly [kind]: Kind };

/** A stop of the search; it is the index of its quay as well. */
export type StopIndex = Index<'stop'>;
export type StopPlaceIndex = Index<'stopPlace'>;
/** Stops in order, with trips that never overtake one another; several may belong to one journey pattern. */
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

/** Days since 1970-01-01 of the calendar day a service day is named for. Never an instant. */
export type ServiceDay = Index<'serviceDay'>;
