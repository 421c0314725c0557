/** Trips of the real planner as bodies of a search: ids and times go in as they come out. */
import type { Schemas } from '../../../api/offers/contract.gen.ts';
import { type DemoPlanner, SEVEN_TEXT } from '../journey-planner/demo-planner.ts';

const QUERY = `query ($from: String!, $to: String!, $at: DateTime) {
  trip(from: {place: $from}, to: {place: $to}, dateTime: $at, numTripPatterns: 4) {
    tripPatterns { legs {
      mode expectedStartTime expectedEndTime distance
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

/** Members that the planner answers as null are sent as null. */
export type TripPattern = Schemas['TripPatternSearch']['tripPattern'];

export async function tripPatterns(planner: DemoPlanner, from: string, to: string): Promise<readonly TripPattern[]> {
  const { trip } = (await planner.data('v3', QUERY, { from, to, at: SEVEN_TEXT })) as {
    readonly trip: { readonly tripPatterns: readonly { readonly legs: readonly PlannedLeg[] }[] };
  };
  return trip.tripPatterns.map(({ legs }) => ({ legs: legs.map(legOf) }) as TripPattern);
}

/** Without legs on foot. */
export function ridesOf({ legs }: TripPattern): TripPattern['legs'] {
  return legs.filter(({ mode }) => mode !== 'foot');
}

function legOf(leg: PlannedLeg) {
  return {
    ...{ mode: leg.mode, expectedStartTime: leg.expectedStartTime, expectedEndTime: leg.expectedEndTime },
    fromStopPlaceId: leg.fromPlace.quay?.stopPlace?.id ?? null,
    toStopPlaceId: leg.toPlace.quay?.stopPlace?.id ?? null,
    lineId: leg.line?.id ?? null,
    serviceJourneyId: leg.serviceJourney?.id ?? null,
    datedServiceJourneyId: leg.datedServiceJourney?.id ?? null,
  };
}
