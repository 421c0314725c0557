/**
 * Trips of the journey planner as bodies of a search for offers: ids and times go in as they come out, null where the
 * planner answers null. Callers: benchmarks and tests of sales.
 */

export const TRIP_PATTERNS = `query ($from: String!, $to: String!, $at: DateTime, $count: Int) {
  trip(from: {place: $from}, to: {place: $to}, dateTime: $at, numTripPatterns: $count) {
    tripPatterns { legs {
      mode expectedStartTime expectedEndTime
      line { id } serviceJourney { id } datedServiceJourney { id }
      fromPlace { quay { stopPlace { id } } }
      toPlace { quay { stopPlace { id } } }
    } }
  }
}`;

type Reference = { readonly id: string } | null;
interface PlaceOfLeg {
  readonly quay: { readonly stopPlace: Reference } | null;
}
interface PlannedLeg {
  readonly mode: string;
  readonly expectedStartTime: string;
  readonly expectedEndTime: string;
  readonly line: Reference;
  readonly serviceJourney: Reference;
  readonly datedServiceJourney: Reference;
  readonly fromPlace: PlaceOfLeg;
  readonly toPlace: PlaceOfLeg;
}

/** What the query answers. */
export interface PlannedTrips {
  readonly trip: { readonly tripPatterns: readonly { readonly legs: readonly PlannedLeg[] }[] };
}

export interface SearchedLeg {
  readonly mode: string;
  readonly expectedStartTime: string;
  readonly expectedEndTime: string;
  readonly fromStopPlaceId: string | null;
  readonly toStopPlaceId: string | null;
  readonly lineId: string | null;
  readonly serviceJourneyId: string | null;
  readonly datedServiceJourneyId: string | null;
}

export interface SearchedPattern {
  readonly legs: readonly SearchedLeg[];
}

export function searchedPatterns({ trip }: PlannedTrips): readonly SearchedPattern[] {
  return trip.tripPatterns.map(({ legs }) => ({ legs: legs.map(searchedLeg) }));
}

/** Without legs on foot. */
export function ridesOf({ legs }: SearchedPattern): readonly SearchedLeg[] {
  return legs.filter(({ mode }) => mode !== 'foot');
}

function searchedLeg(leg: PlannedLeg): SearchedLeg {
  return {
    ...{ mode: leg.mode, expectedStartTime: leg.expectedStartTime, expectedEndTime: leg.expectedEndTime },
    fromStopPlaceId: leg.fromPlace.quay?.stopPlace?.id ?? null,
    toStopPlaceId: leg.toPlace.quay?.stopPlace?.id ?? null,
    lineId: leg.line?.id ?? null,
    serviceJourneyId: leg.serviceJourney?.id ?? null,
    datedServiceJourneyId: leg.datedServiceJourney?.id ?? null,
  };
}
