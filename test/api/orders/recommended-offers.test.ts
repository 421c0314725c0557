/** What a search recommends can be reserved: the seats of all its offers together are free. */
import assert from 'node:assert/strict';
import { CatalogueStore } from '../../../activities/catalogue/catalogue-store.ts';
import type { PreassignedProduct } from '../../../workflows/shared/fares.ts';
import type { Seat } from '../../../workflows/shared/seats.ts';
import { callReserve, searchTrip } from './journeys.ts';
import { A, B, C, FREE_TRAIN, MARKET } from './small-market.ts';
import { type OrdersServer, startOrders } from './support.ts';

const SIX = Array.from({ length: 6 }, (_, at) => ({ id: `t${at}`, userType: 'ADULT' }));
const KRONER: Readonly<Record<string, number>> = { SINGLE: 90, GROUP: 100, COUPLE: 150, FIRST: 500 };

const seats = (numbers: readonly number[], changed: Partial<Seat['properties']>, compartmentNumber?: string): Seat[] =>
  numbers.map((number) => ({
    seatNumber: String(number),
    properties: { fareClass: 'STANDARD', accommodationFacility: 'SEATING', facilities: [], ...changed },
    ...(compartmentNumber !== undefined && { compartmentNumber }),
  }));

/** 5 seats, 6 of FIRST, and 2 compartments with 2 berths each. */
const CARRIAGES = [
  { carriageNumber: '1', seats: seats([1, 2, 3, 4, 5], {}) },
  { carriageNumber: '2', seats: seats([1, 2, 3, 4, 5, 6], { fareClass: 'FIRST' }) },
  {
    carriageNumber: '3',
    seats: ['1', '2'].flatMap((number) =>
      seats([Number(`${number}1`), Number(`${number}2`)], { accommodationFacility: 'SLEEPER' }, number),
    ),
  },
];

function product(id: string, changed: Partial<PreassignedProduct>): PreassignedProduct {
  const flexible = MARKET.fareProducts.find((each) => each.id === 'FLEX') as PreassignedProduct;
  return { ...flexible, id, optionalSupplements: [], fareClass: 'STANDARD', ...changed };
}

const GROUP = product('GROUP', { group: { minTravellers: 2, maxTravellers: 4 } });
const SINGLE = product('SINGLE', {});
const COUPLE = product('COUPLE', { compartment: { minTravellers: 2, maxTravellers: 2 }, accommodation: 'SLEEPER' });
const FIRST = product('FIRST', { fareClass: 'FIRST' });

describe('recommended offers', () => {
  let server: OrdersServer;
  beforeEach(async () => {
    server = await startOrders();
  });
  afterEach(async () => await server.close());

  async function sell(...fareProducts: readonly PreassignedProduct[]): Promise<void> {
    const prices = fareProducts.map(({ id }) => ({
      productId: id,
      basis: { kind: 'FLAT' as const, amountMinor: (KRONER[id] ?? 0) * 100 },
    }));
    const seatPlans = [{ id: 'PLAN', carriages: CARRIAGES }];
    await new CatalogueStore(server.connection).replace({ ...MARKET, fareProducts, prices, seatPlans });
  }

  /** `GROUP 2, FIRST 1`: each offer with its travellers. All are reserved in one request. */
  async function reserveRecommended(travellers: readonly object[]): Promise<string> {
    const { offers, recommendations } = await searchTrip(server, { travellers });
    const uses: readonly { offerId: string; travellerIds: string[] }[] = recommendations[0].offers;
    const answer = await callReserve(server, {
      offerConfigurations: uses.map(({ offerId, travellerIds }) => ({ offerId, selectedTravellerIds: travellerIds })),
    });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json.reservationIds.length, travellers.length);
    const nameOf = (offerId: string) =>
      offers.find(({ id }: { id: string }) => id === offerId).preassignedProducts[0].id;
    return uses
      .map(({ offerId, travellerIds }) => `${nameOf(offerId)} ${travellerIds.length}`)
      .toSorted()
      .join(', ');
  }

  it('of groups have no more seats than are free', async () => {
    await sell(GROUP, FIRST);
    assert.equal(await reserveRecommended(SIX), 'FIRST 1, GROUP 2, GROUP 3');
  });

  it('of compartments have no more of them than are free', async () => {
    await sell(COUPLE, FIRST);
    assert.equal(await reserveRecommended(SIX), 'COUPLE 2, COUPLE 2, FIRST 2');
  });

  it('of single tickets are for those who have a seat, and are told as available', async () => {
    await sell(SINGLE, FIRST);
    assert.equal(await reserveRecommended(SIX), 'FIRST 1, SINGLE 5');
    const { offers, recommendations } = await searchTrip(server, { travellers: SIX });
    const told = offers.map((offer: { available: boolean; seating: object }) => [offer.available, offer.seating]);
    const seating = (availableSeats: number) => ({ required: true, availableSeats });
    assert.deepEqual(told, [
      [false, seating(0)],
      [true, seating(5)],
    ]);
    assert.deepEqual(recommendations, []);
  });

  it('are told as available, also where a party is for fewer travellers', async () => {
    await sell(GROUP, FIRST);
    const { offers, recommendations } = await searchTrip(server, { travellers: SIX });
    const recommended = recommendations[0].offers.map(({ offerId }: { offerId: string }) => offerId);
    for (const { id, available } of offers) if (recommended.includes(id)) assert.equal(available, true);
  });

  it('are left out where they are more than one reservation takes, and the answer says so', async () => {
    const ride = product('RIDE', { group: { minTravellers: 1, maxTravellers: 1 } });
    const rest = product('REST', {});
    const pairs = (from: string, to: string) => ({
      basis: { kind: 'STOP_PAIRS' as const, pairs: [{ fromStopPlaceId: from, toStopPlaceId: to, amountMinor: 5_000 }] },
    });
    const prices = [
      { productId: 'RIDE', ...pairs(A, B) },
      { productId: 'REST', ...pairs(B, C) },
    ];
    await new CatalogueStore(server.connection).replace({ ...MARKET, fareProducts: [ride, rest], prices });
    const noticesOf = async (count: number) => {
      const travellers = Array.from({ length: count }, (_, at) => ({ id: `t${at}`, userType: 'ADULT' }));
      const { recommendations, notices } = await searchTrip(server, {
        travellers,
        serviceJourneyId: FREE_TRAIN,
        via: B,
      });
      return [recommendations[0]?.offers.length, notices.map(({ code }: { code: string }) => code)];
    };
    assert.deepEqual(await noticesOf(49), [50, []]);
    assert.deepEqual(await noticesOf(50), [undefined, ['RECOMMENDATIONS_LEFT_OUT']]);
  });

  it('are none where too few seats are free for all together, and the answer says so', async () => {
    await sell(GROUP, COUPLE);
    const five = await searchTrip(server, { travellers: SIX.slice(0, 5) });
    assert.deepEqual([five.recommendations.length, five.notices], [1, []]);
    await sell(COUPLE);
    const { recommendations, notices } = await searchTrip(server, { travellers: SIX });
    assert.deepEqual(recommendations, []);
    assert.deepEqual(
      notices.map(({ code }: { code: string }) => code),
      ['TOO_FEW_SEATS'],
    );
  });
});
