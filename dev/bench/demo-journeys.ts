/** Journeys of the demo region as the catalogue of a day lists them, and offers on them. Callers: benchmarks. */

export interface DemoCall {
  readonly stopPlaceId: string;
  readonly arrival?: string;
  readonly departure?: string;
}

export interface DemoJourney {
  readonly datedServiceJourneyId: string;
  readonly serviceJourneyId: string;
  readonly lineId: string;
  readonly mode: string;
  readonly seatReservation?: string;
  readonly calls: readonly DemoCall[];
}

export interface DemoOffer {
  readonly id: string;
  readonly seating: { readonly required: boolean; readonly availableSeats?: number };
}

/** Asks the API for JSON; throws unless it answers 200. */
export type Ask = <T>(path: string, body?: object) => Promise<T>;

const PAGE = 100;

/** A page of the journeys of a day. Those with seats come before those without. */
export async function listJourneys(ask: Ask, date: string, page = 1): Promise<readonly DemoJourney[]> {
  const path = `/v1/catalogue?travelDate=${date}&page=${page}&perPage=${PAGE}`;
  const { datedServiceJourneys } = await ask<{ readonly datedServiceJourneys: readonly DemoJourney[] }>(path);
  return datedServiceJourneys;
}

/** `from` and `to` are positions among the calls of the journey. */
export async function findOffersOn(
  ask: Ask,
  { calls, mode, lineId, serviceJourneyId, datedServiceJourneyId }: DemoJourney,
  { from, to }: { readonly from: number; readonly to: number },
  travellers: readonly object[],
): Promise<readonly DemoOffer[]> {
  const [first, last] = [calls[from], calls[to]];
  const leg = {
    ...{ mode, lineId, serviceJourneyId, datedServiceJourneyId },
    ...{ fromStopPlaceId: first?.stopPlaceId, toStopPlaceId: last?.stopPlaceId },
    ...{ expectedStartTime: first?.departure, expectedEndTime: last?.arrival },
  };
  const search = { travellers, tripPattern: { legs: [leg] } };
  return (await ask<{ readonly offers: readonly DemoOffer[] }>('/offers/v2/search/trip-pattern', search)).offers;
}
