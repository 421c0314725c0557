/** Offers with compulsory seats on the demo's coaches and night trains, of many days. Caller: the benchmark of orders. */
import { addDays, todayInOslo } from '../demo/service-days.ts';

interface Call {
  readonly stopPlaceId: string;
  readonly arrival?: string;
  readonly departure?: string;
}

interface Journey {
  readonly datedServiceJourneyId: string;
  readonly serviceJourneyId: string;
  readonly lineId: string;
  readonly mode: string;
  readonly seatReservation?: string;
  readonly calls: readonly Call[];
}

interface Offer {
  readonly id: string;
  readonly available: boolean;
  readonly seating: { readonly required: boolean };
}

/** Asks the API for JSON; throws unless it answers 200. */
export type Ask = <T>(path: string, body?: object) => Promise<T>;

const PAGE = 100;
const TRAVELLERS = [
  [{ id: 't1', age: 34 }],
  [
    { id: 't1', age: 36 },
    { id: 't2', age: 8 },
  ],
];

/** One for each journey of so many days from tomorrow, in turn for one and for two travellers. */
export async function findSeatedOffers(ask: Ask, days: number): Promise<readonly string[]> {
  const journeys: Journey[] = [];
  for (let day = 1; day <= days; day++)
    journeys.push(...(await seatedJourneys(ask, addDays(todayInOslo(new Date()), day))));
  const offers: string[] = [];
  for (const [at, journey] of journeys.entries()) {
    const id = await offerOn(ask, journey, TRAVELLERS[at % TRAVELLERS.length] ?? []);
    if (id !== undefined) offers.push(id);
  }
  return offers;
}

/** They come before the journeys without seats. */
async function seatedJourneys(ask: Ask, date: string): Promise<readonly Journey[]> {
  const path = `/v1/catalogue?travelDate=${date}&perPage=${PAGE}`;
  const { datedServiceJourneys } = await ask<{ readonly datedServiceJourneys: readonly Journey[] }>(path);
  return datedServiceJourneys.filter(({ seatReservation }) => seatReservation === 'COMPULSORY');
}

async function offerOn(ask: Ask, journey: Journey, travellers: readonly object[]): Promise<string | undefined> {
  const { calls, mode, lineId, serviceJourneyId, datedServiceJourneyId } = journey;
  const [first, last] = [calls[0], calls.at(-1)];
  const leg = {
    ...{ mode, lineId, serviceJourneyId, datedServiceJourneyId },
    ...{ fromStopPlaceId: first?.stopPlaceId, toStopPlaceId: last?.stopPlaceId },
    ...{ expectedStartTime: first?.departure, expectedEndTime: last?.arrival },
  };
  const search = { travellers, tripPattern: { legs: [leg] } };
  const { offers } = await ask<{ readonly offers: readonly Offer[] }>('/offers/v2/search/trip-pattern', search);
  return offers.find(({ available, seating }) => available && seating.required)?.id;
}
