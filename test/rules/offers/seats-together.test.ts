/** What is recommended together has seats together: it is seated as reserving would seat it. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { partiesOf } from '../../../activities/seating/parties.ts';
import { recommend } from '../../../workflows/offers/rules/recommend.ts';
import type { OfferUse, RecommendableOffer } from '../../../workflows/offers/rules/recommended-plans.ts';
import type { SeatNeed } from '../../../workflows/offers/rules/seat-demand.ts';
import { chooseSeats } from '../../../workflows/seating/rules/choose-seats.ts';
import { freeCompartments } from '../../../workflows/seating/rules/compartments.ts';
import type { SeatKind } from '../../../workflows/seating/rules/holding-order.ts';
import { freeSeats, type SeatStretch } from '../../../workflows/seating/rules/seat-fit.ts';
import type { Carriage, Seat } from '../../../workflows/shared/seats.ts';
import { request, stretch } from '../../activities/seating/support.ts';

const SIX = ['a', 'b', 'c', 'd', 'e', 'f'];
const SEATING: SeatKind = { wish: { accommodation: 'SEATING', facilities: [] }, wholeCompartment: false };
const CABIN: SeatKind = { wish: { accommodation: 'SLEEPER', facilities: [] }, wholeCompartment: true };

const seats = (free: number, kind = SEATING, legId = 'leg-1'): SeatNeed => ({ legId, kind, free });
const cabins = (...compartments: number[]): SeatNeed => ({ ...seats(compartments[0] ?? 0, CABIN), compartments });
const offer = (offerId: string, amountMinor: number, more: Partial<RecommendableOffer> = {}): RecommendableOffer => ({
  ...{
    offerId,
    price: { amountMinor, taxMinor: 0 },
    legIndexes: [0],
    travellerIds: SIX,
    ...{ isRefundable: false, worseTerms: 0 },
    needs: [],
  },
  ...more,
});
const party = (offerId: string, amountMinor: number, sizes: readonly [number, number], ...needs: SeatNeed[]) =>
  offer(offerId, amountMinor, { needs, party: { minTravellers: sizes[0], maxTravellers: sizes[1] } });

/** `group 4, own 2 = 14`: each offer with its travellers, and what all cost. */
function told(offers: readonly RecommendableOffer[], rides = 1): string | undefined {
  const [found] = recommend(offers, SIX, rides).recommendations;
  const uses = found?.offers.map(({ offerId, travellerIds }) => `${offerId} ${travellerIds.length}`).toSorted();
  return found && `${uses?.join(', ')} = ${found.totalPrice.amountMinor}`;
}

describe('seats of a recommendation', () => {
  it('are enough for all its parties together', () => {
    assert.equal(told([party('group', 1, [2, 4], seats(5))]), undefined);
    assert.equal(told([party('group', 1, [2, 4], seats(6))]), 'group 2, group 4 = 2');
    assert.equal(told([party('group', 1, [2, 4], seats(5)), offer('own', 5)]), 'group 2, group 3, own 1 = 7');
    assert.equal(told([party('group', 1, [3, 4], seats(5)), offer('own', 5)]), 'group 4, own 2 = 11');
  });

  it('are enough on each ride', () => {
    const group = party('group', 1, [2, 4], seats(6), seats(4, SEATING, 'leg-2'));
    const own = offer('own', 5, { legIndexes: [0, 1] });
    assert.equal(told([{ ...group, legIndexes: [0, 1] }, own], 2), 'group 4, own 2 = 11');
  });

  it('are a compartment for each party, with room for it', () => {
    const couples = (...compartments: number[]) => party('cabin', 1, [2, 2], cabins(...compartments));
    assert.equal(told([couples(2, 2, 2)]), 'cabin 2, cabin 2, cabin 2 = 3');
    assert.equal(told([couples(2, 2)]), undefined);
    assert.equal(told([couples(6, 2)]), undefined, 'a large one is for one party, too');
    assert.equal(told([couples(2, 2), offer('own', 5)]), 'cabin 2, cabin 2, own 2 = 12');
    const some = party('cabin', 1, [1, 4], cabins(4, 2, 1));
    assert.equal(told([some]), 'cabin 2, cabin 4 = 2');
    assert.equal(told([party('cabin', 1, [3, 3], cabins(4, 2, 1))]), undefined);
  });

  it('are enough for all products that sell the same ones', () => {
    const adults = (id: string, amountMinor: number, ...needs: SeatNeed[]) =>
      offer(id, amountMinor, { travellerIds: ['a', 'b', 'c', 'd'], needs });
    const children = (id: string, amountMinor: number, ...needs: SeatNeed[]) =>
      offer(id, amountMinor, { travellerIds: ['e', 'f'], needs });
    const both = [adults('adult', 2, seats(5)), children('child', 1, seats(5))];
    assert.equal(told(both), undefined);
    assert.equal(told([...both, children('free', 4)]), 'adult 4, child 1, free 1 = 13');
    assert.equal(told([...both, adults('free', 3)]), 'adult 3, child 2, free 1 = 11');
    const first = seats(2, { ...SEATING, wish: { ...SEATING.wish, fareClass: 'FIRST' } });
    assert.equal(told([...both, children('first', 9, first)]), undefined, 'those of FIRST are among the 5');
    const six = [adults('adult', 2, seats(6)), children('first', 9, first)];
    assert.equal(told(six), 'adult 4, first 2 = 26');
    const group = party('group', 1, [4, 4], seats(6));
    assert.equal(told([group, offer('own', 5, { needs: [seats(6)] }), offer('dear', 9)]), 'group 4, own 2 = 11');
    assert.equal(
      told([party('group', 1, [4, 4], seats(5)), children('own', 5, seats(5)), offer('dear', 9)]),
      'dear 1, group 4, own 1 = 15',
    );
    const berths = seats(5, { ...CABIN, wholeCompartment: false });
    const couple = party('couple', 1, [2, 4], cabins(4, 2));
    assert.equal(told([couple, children('berth', 1, berths), adults('dear', 9)]), 'couple 2, couple 4 = 2');
    assert.equal(told([party('four', 1, [4, 4], cabins(4)), children('berth', 1, berths)]), undefined);
  });

  it('is found soon among many offers that want the same seats', () => {
    const travellerIds = Array.from({ length: 50 }, (_, at) => `t${at}`);
    const offers = Array.from({ length: 200 }, (_, at) => {
      const of = { travellerIds: at % 2 ? travellerIds.slice(0, 30) : travellerIds.slice(30) };
      return at % 4 === 3
        ? { ...party(`group ${at}`, at, [2, 10], seats(40), cabins(4, 4, 4, 2)), travellerIds }
        : offer(`own ${at}`, at, { ...of, needs: [seats(40)] });
    });
    const begun = performance.now();
    recommend(offers, travellerIds, 1);
    assert.ok(performance.now() - begun < 1_000);
  });
});

const FACILITIES = [[], ['WINDOW'], ['FORWARD']] as const;
const kind = fc.oneof(
  fc.record({
    wish: fc.record(
      {
        accommodation: fc.constant('SEATING' as const),
        fareClass: fc.constantFrom('STANDARD' as const, 'FIRST' as const),
        facilities: fc.constantFrom(...FACILITIES),
      },
      { requiredKeys: ['accommodation', 'facilities'] },
    ),
    wholeCompartment: fc.constant(false),
  }),
  fc.record({
    wish: fc.record({ accommodation: fc.constant('SLEEPER' as const), facilities: fc.constantFrom([], ['WINDOW']) }),
    wholeCompartment: fc.boolean(),
  }),
);
const wanted = fc.record({
  ...{ kind, amountMinor: fc.integer({ min: 0, max: 9 }), travellerIds: fc.subarray(SIX, { minLength: 1 }) },
  sizes: fc.option(fc.constantFrom([1, 2] as const, [2, 2] as const, [2, 4] as const), { nil: undefined }),
});
const someSeat = fc.record({
  fareClass: fc.constantFrom('STANDARD' as const, 'FIRST' as const),
  facilities: fc.subarray(['WINDOW', 'FORWARD']),
  isTaken: fc.boolean(),
});
const compartment = fc.array(fc.record({ facilities: fc.subarray(['WINDOW']), isTaken: fc.nat({ max: 9 }) }), {
  minLength: 1,
  maxLength: 4,
});

describe('a recommendation', () => {
  it('can be reserved, in whatever order its offers are asked for', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(someSeat, { maxLength: 5 }), { maxLength: 2 }),
        fc.array(compartment, { maxLength: 4 }),
        fc.array(wanted, { minLength: 1, maxLength: 5 }),
        fc.nat(),
        (open, closed, offers, order) => {
          const train = trainOf(open, closed);
          const all = offers.map((each, at) => offerOn(train, String(at), each));
          for (const { offers: uses } of recommend(all, SIX, 1).recommendations) assertSeated(train, all, uses, order);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

interface SoldTrain {
  readonly carriages: readonly Carriage[];
  readonly taken: Map<string, Map<string, SeatStretch[]>>;
}

type Wanted = typeof wanted extends fc.Arbitrary<infer T> ? T : never;
type SomeSeat = typeof someSeat extends fc.Arbitrary<infer T> ? T : never;
type SomeBerths = typeof compartment extends fc.Arbitrary<infer T> ? T : never;
const RIDE = { from: 0, to: 1 };

function trainOf(open: readonly (readonly SomeSeat[])[], closed: readonly SomeBerths[]): SoldTrain {
  const taken = new Map<string, Map<string, SeatStretch[]>>();
  const take = (carriageNumber: string, seatNumber: string) => {
    const ofCarriage = taken.get(carriageNumber) ?? new Map<string, SeatStretch[]>();
    taken.set(carriageNumber, ofCarriage.set(seatNumber, [RIDE]));
  };
  const carriages = open.map((places, at): Carriage => {
    const carriageNumber = String(at + 1);
    const made = places.map(({ fareClass, facilities, isTaken }, place): Seat => {
      if (isTaken) take(carriageNumber, String(place));
      return { seatNumber: String(place), properties: { fareClass, accommodationFacility: 'SEATING', facilities } };
    });
    return { carriageNumber, seats: made };
  });
  const berths = closed.flatMap((places, number) =>
    places.map(({ facilities, isTaken }, place): Seat => {
      const seatNumber = `${number}-${place}`;
      if (isTaken === 0) take('9', seatNumber);
      const properties = { fareClass: 'STANDARD', accommodationFacility: 'SLEEPER', facilities } as const;
      return { seatNumber, compartmentNumber: String(number), properties };
    }),
  );
  return { carriages: [...carriages, { carriageNumber: '9', seats: berths }], taken };
}

/** Counts as a seat keeper does. */
function offerOn({ carriages, taken }: SoldTrain, offerId: string, given: Wanted): RecommendableOffer {
  const { amountMinor, travellerIds, sizes } = given;
  const { wish, wholeCompartment } = given.kind;
  const isWhole = wholeCompartment && sizes !== undefined;
  const of = { legId: 'leg-1', kind: { wish, wholeCompartment: isWhole } };
  const compartments = freeCompartments(carriages, taken, { stretch: RIDE, wish });
  const free = carriages.reduce((count, each) => count + freeSeats(each, taken, RIDE, wish).length, 0);
  const need: SeatNeed = isWhole ? { ...of, free: compartments[0] ?? 0, compartments } : { ...of, free };
  const more = { travellerIds, needs: [need] };
  return sizes ? { ...party(offerId, amountMinor, sizes), ...more } : offer(offerId, amountMinor, more);
}

/** As the seat keeper holds seats; `order` chooses the order of the request. */
function assertSeated(
  { carriages, taken }: SoldTrain,
  offers: readonly RecommendableOffer[],
  uses: readonly OfferUse[],
  order: number,
): void {
  const run = { runId: 'run', stops: ['A', 'B'] };
  const requests = uses.flatMap(({ offerId, travellerIds }) => {
    const used = offers.find((each) => each.offerId === offerId);
    const [need] = used?.needs ?? [];
    assert.ok(used && need);
    const lines = used.party ? [travellerIds.length] : travellerIds.map(() => 1);
    return lines.map((places) => ({ ...request(stretch(0, 1), { ...need.kind, places }), run }));
  });
  const shuffled = requests.map((each, at) => ({ each, key: ((order + 1) * (at + 7)) % 31 }));
  const ordered = shuffled.toSorted((a, b) => a.key - b.key).map(({ each }) => each);
  const sold = new Map([...taken].map(([number, ofCarriage]) => [number, new Map(ofCarriage)]));
  for (const each of partiesOf(ordered as never)[0]?.parties ?? []) {
    const chosen = chooseSeats(carriages, sold, each);
    assert.ok(chosen, 'a party without seats');
    for (const { carriageNumber, seat } of [...chosen.seats, ...chosen.closed]) {
      const ofCarriage = sold.get(carriageNumber) ?? new Map<string, SeatStretch[]>();
      sold.set(carriageNumber, ofCarriage.set(seat.seatNumber, [each.stretch]));
    }
  }
}
