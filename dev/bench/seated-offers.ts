/** Offers with compulsory seats on the demo's coaches and night trains, of many days. Caller: the benchmark of orders. */
import { addDays, todayInOslo } from '../demo/service-days.ts';
import { type Ask, type DemoJourney, findOffersOn, listJourneys } from './demo-journeys.ts';

const TRAVELLERS = [
  [{ id: 't1', age: 34 }],
  [
    { id: 't1', age: 36 },
    { id: 't2', age: 8 },
  ],
];

/** One for each journey of so many days from tomorrow, in turn for one and for two travellers. */
export async function findSeatedOffers(ask: Ask, days: number): Promise<readonly string[]> {
  const journeys: DemoJourney[] = [];
  for (let day = 1; day <= days; day++)
    journeys.push(...(await seatedJourneys(ask, addDays(todayInOslo(new Date()), day))));
  const offers: string[] = [];
  for (const [at, journey] of journeys.entries()) {
    const whole = { from: 0, to: journey.calls.length - 1 };
    const travellers = TRAVELLERS[at % TRAVELLERS.length] ?? [];
    const found = await findOffersOn(ask, journey, whole, travellers);
    const offer = found.find(({ seating }) => seating.required && (seating.availableSeats ?? 0) >= travellers.length);
    if (offer) offers.push(offer.id);
  }
  return offers;
}

async function seatedJourneys(ask: Ask, date: string): Promise<readonly DemoJourney[]> {
  return (await listJourneys(ask, date)).filter(({ seatReservation }) => seatReservation === 'COMPULSORY');
}
