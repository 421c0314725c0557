/** Tests what offers say of seats, with a real train: free, sold, of another kind, and for part of the way. */
import assert from 'node:assert/strict';
import { SeatCounts } from '../../../activities/offers/seat-counts.ts';
import { seatDrafts } from '../../../activities/offers/seated-drafts.ts';
import { draftOffers } from '../../../workflows/offers/rules/draft-offers.ts';
import { recommendDrafts } from '../../../workflows/offers/rules/recommend-drafts.ts';
import type { Ride } from '../../../workflows/offers/rules/wanted-travel.ts';
import type { Carriage } from '../../../workflows/shared/seats.ts';
import { call, openTrain, request, seat, stretch, type Train } from '../seating/support.ts';
import { searchOf } from './support.ts';

const LINE = 'TST:Line:1';
const window = { facilities: ['WINDOW'] };
const CARRIAGES: readonly Carriage[] = [
  { carriageNumber: '1', seats: [seat('1', window), seat('2', {}, 'A'), seat('3', {}, 'A'), seat('4', window, 'A')] },
];

describe('seats of offers', () => {
  let train: Train;
  beforeEach(async () => {
    train = await openTrain(CARRIAGES);
  });
  afterEach(async () => {
    await train.connection.dropDatabase();
    await train.connection.close();
  });

  async function search(product: string, reservation: 'COMPULSORY' | 'OPTIONAL', travellers = ['ADULT', 'ADULT']) {
    const facts = { line: LINE, authority: 'RAIL', mode: 'rail', km: 80, train: reservation };
    const rides = [{ ...facts, calls: ['A 10:00 z1', 'B 10:30 z1', 'C 11:00 z1'] }];
    const wanted = searchOf({ products: [product], travellers, rides });
    const { drafts } = draftOffers(wanted);
    const found = wanted.travel.kind === 'RIDES' ? wanted.travel.rides : [];
    const { seated, unavailable } = await seatDrafts(drafts, new SeatCounts(train.keeper, found));
    return {
      ...{ seated, ride: found[0] as Ride },
      recommended: recommendDrafts(
        seated.map((each, at) => ({ ...each, offerId: `offer-${at}`, isRefundable: false, worseTerms: 0 })),
        wanted.travellers,
        wanted.travel,
      ).recommendations.flatMap(({ offers }) =>
        offers.map(({ offerId, travellerIds }) => [offerId, travellerIds.length]),
      ),
      told: seated.map(({ isAvailable, availableSeats }) => [isAvailable, availableSeats]),
      unavailable: unavailable.map(({ productId, reason }) => `${productId} ${reason}`),
    };
  }

  async function take(
    { datedServiceJourneyId, serviceJourneyId }: Ride,
    count: number,
    from = 0,
    to = 2,
  ): Promise<void> {
    const more = { datedServiceJourneyId, serviceJourneyId, lineId: LINE };
    await train.keeper.hold(call([request(stretch(from, to, more), { places: count })]));
  }

  it('are counted while some are free', async () => {
    const { told, unavailable, ride } = await search('TRAIN', 'COMPULSORY');
    assert.deepEqual([told, unavailable], [[[true, 4]], []]);
    await take(ride, 2);
    assert.deepEqual((await search('TRAIN', 'COMPULSORY')).told, [[true, 2]]);
  });

  it('may be enough for some travellers of the offer', async () => {
    const { ride } = await search('TRAIN', 'COMPULSORY');
    await take(ride, 3);
    const two = await search('TRAIN', 'COMPULSORY');
    assert.deepEqual([two.told, two.unavailable, two.recommended], [[[true, 1]], [], []]);
    const one = await search('TRAIN', 'COMPULSORY', ['ADULT']);
    assert.deepEqual([one.told, one.recommended], [[[true, 1]], [['offer-0', 1]]]);
  });

  it('of a compartment may be enough for fewer than may share it', async () => {
    const five = ['ADULT', 'ADULT', 'ADULT', 'ADULT', 'ADULT'];
    const shared = await search('COUPE', 'COMPULSORY', five);
    assert.deepEqual([shared.told, shared.unavailable], [[[true, 3]], []]);
    train.setPlan([{ carriageNumber: '1', seats: [seat('2', {}, 'A')] }]);
    const single = await search('COUPE', 'COMPULSORY', five);
    assert.deepEqual([single.told, single.unavailable], [[[false, 1]], ['COUPE SOLD_OUT']]);
    const larger = [seat('2', {}, 'A'), seat('3', {}, 'A'), seat('4', {}, 'A'), seat('5', {}, 'A')];
    train.setPlan([{ carriageNumber: '1', seats: larger }]);
    assert.deepEqual((await search('COUPE', 'COMPULSORY', five)).told, [[true, 4]]);
  });

  it('leave the offer in the list, as not available, when all are sold', async () => {
    const { ride } = await search('TRAIN', 'COMPULSORY');
    await take(ride, 4, 1, 2);
    const { told, unavailable } = await search('TRAIN', 'COMPULSORY');
    assert.deepEqual([told, unavailable], [[[false, 0]], ['TRAIN SOLD_OUT']]);
  });

  it('of another stretch do not matter', async () => {
    const { ride } = await search('TRAIN', 'COMPULSORY');
    await take(ride, 4, 2, 3);
    assert.deepEqual((await search('TRAIN', 'COMPULSORY')).told, [[true, 4]]);
  });

  it('need not be free where reserving is optional', async () => {
    const { ride } = await search('TRAIN', 'OPTIONAL');
    await take(ride, 4);
    const { told, unavailable } = await search('TRAIN', 'OPTIONAL');
    assert.deepEqual([told, unavailable], [[[true, 0]], []]);
  });

  it('of a compartment are those of one that is free whole', async () => {
    const { ride, told } = await search('COUPE', 'COMPULSORY');
    assert.deepEqual(told, [[true, 3]]);
    await take(ride, 1);
    const after = await search('COUPE', 'COMPULSORY');
    // The single traveller sits where no compartment is broken into.
    assert.deepEqual(after.told, [[true, 3]]);
    await take(ride, 3);
    const last = await search('COUPE', 'COMPULSORY');
    assert.deepEqual([last.told, last.unavailable], [[[false, 0]], ['COUPE SOLD_OUT']]);
  });

  it('of a kind that the train lacks leave the offer out', async () => {
    const { told, unavailable } = await search('SLEEPER', 'COMPULSORY', ['ADULT']);
    assert.deepEqual([told, unavailable], [[], ['SLEEPER NO_SUCH_SEATS']]);
  });

  it('that were bought as such must be free where reserving is optional for others', async () => {
    const { told, unavailable } = await search('SLEEPER', 'OPTIONAL', ['ADULT']);
    assert.deepEqual([told, unavailable], [[], ['SLEEPER NO_SUCH_SEATS']]);
    const { ride } = await search('COUPE', 'OPTIONAL');
    await take(ride, 4);
    const coupe = await search('COUPE', 'OPTIONAL');
    assert.deepEqual([coupe.told, coupe.unavailable], [[[false, 0]], ['COUPE SOLD_OUT']]);
  });

  it('that nobody needs limit no recommendation', async () => {
    const { ride } = await search('TRAIN', 'OPTIONAL');
    await take(ride, 4);
    const optional = await search('TRAIN', 'OPTIONAL');
    assert.deepEqual(optional.recommended, [['offer-0', 2]]);
    const compulsory = await search('TRAIN', 'COMPULSORY');
    assert.deepEqual(compulsory.recommended, []);
  });

  it('of a kind are a supplement while one is free, also for a part of the travellers', async () => {
    const idsOf = ({ seated }: Awaited<ReturnType<typeof search>>) => seated[0]?.draft.supplements.map(({ id }) => id);
    const before = await search('THROUGH', 'COMPULSORY');
    assert.deepEqual(idsOf(before), ['BICYCLE', 'WINDOW_SEAT']);
    const more = {
      datedServiceJourneyId: before.ride.datedServiceJourneyId,
      serviceJourneyId: before.ride.serviceJourneyId,
    };
    const wish = { accommodation: 'SEATING', facilities: ['WINDOW'] } as const;
    const takeOne = async () =>
      await train.keeper.hold(call([request(stretch(0, 2, { ...more, lineId: LINE }), { wish })]));
    await takeOne();
    assert.deepEqual(idsOf(await search('THROUGH', 'COMPULSORY')), ['BICYCLE', 'WINDOW_SEAT']);
    await takeOne();
    const after = await search('THROUGH', 'COMPULSORY');
    assert.deepEqual([idsOf(after), after.unavailable], [['BICYCLE'], ['WINDOW_SEAT SOLD_OUT']]);
    train.setPlan([{ carriageNumber: '1', seats: [seat('2'), seat('3')] }]);
    assert.deepEqual((await search('THROUGH', 'OPTIONAL')).unavailable, ['WINDOW_SEAT NO_SUCH_SEATS']);
  });
});
