/** Tests recommendations against every possibility, and what they say. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ridesOf } from '../../../workflows/offers/rules/cheapest-cover.ts';
import * as rules from '../../../workflows/offers/rules/recommend.ts';
import type { RecommendableOffer } from '../../../workflows/offers/rules/recommended-plans.ts';
import type { SeatNeed } from '../../../workflows/offers/rules/seat-demand.ts';
import { WORST_TERMS } from '../../../workflows/offers/rules/worse-terms.ts';
import { everySet, lowest, partyAmounts, sum } from './every-possibility.ts';

const TRAVELLERS = ['a', 'b', 'c'];
const RIDES = 2;
const recommend = (...given: Parameters<typeof rules.recommend>) => rules.recommend(...given).recommendations;
const price = (amountMinor: number) => ({ amountMinor, taxMinor: 0 });
const offer = (offerId: string, amountMinor: number, more: Partial<RecommendableOffer> = {}): RecommendableOffer => ({
  ...{ offerId, price: price(amountMinor), legIndexes: [0, 1], travellerIds: TRAVELLERS },
  ...{ isRefundable: false, worseTerms: WORST_TERMS, needs: [] },
  ...more,
});
const seats = (free: number): SeatNeed[] => [
  { legId: 'leg-1', kind: { wish: { accommodation: 'SEATING', facilities: [] }, wholeCompartment: false }, free },
];
const amount = fc.integer({ min: 0, max: 30 });
const someOf = <T>(items: readonly T[]) => fc.subarray([...items], { minLength: 1 });
const own = fc.record({ amountMinor: amount, legIndexes: someOf([0, 1]), travellerIds: someOf(TRAVELLERS) });
/** Of all parties of a case: the same rides and the same travellers. */
const parties = fc.record({
  legIndexes: someOf([0, 1]),
  travellerIds: someOf(TRAVELLERS),
  tickets: fc.array(fc.record({ amountMinor: amount, minTravellers: fc.integer({ min: 1, max: 3 }) }), {
    maxLength: 2,
  }),
});

describe('the cheapest recommendation', () => {
  it('costs as little as the cheapest of all possibilities, and takes everybody over every ride', () => {
    fc.assert(
      fc.property(fc.array(own, { maxLength: 5 }), parties, (given, { tickets, ...shared }) => {
        const owns = given.map(({ amountMinor, ...each }, at) => offer(`own ${at}`, amountMinor, each));
        const shareds = tickets.map(({ amountMinor, minTravellers }, at) =>
          offer(`party ${at}`, amountMinor, { ...shared, party: { minTravellers, maxTravellers: minTravellers + 1 } }),
        );
        const [found] = recommend([...owns, ...shareds], TRAVELLERS, RIDES);
        assert.equal(found?.totalPrice.amountMinor, cheapestByTrying(owns, shareds));
        if (found) checkUses(found, [...owns, ...shareds]);
      }),
    );
  });

  it('is the refundable one where that can be reserved at once, and a cheaper one cannot', () => {
    const travellerIds = Array.from({ length: 51 }, (_, at) => `t${at}`);
    const cheap = travellerIds.map((id) => offer(`cheap ${id}`, 1, { travellerIds: [id] }));
    const shared = offer('shared', 5, { travellerIds, isRefundable: true });
    const found = rules.recommend([...cheap, shared], travellerIds, RIDES);
    assert.deepEqual(
      found.recommendations.map(({ kind, offers, totalPrice }) => [kind, offers.length, totalPrice.amountMinor]),
      [['CHEAPEST', 1, 255]],
    );
    assert.ok(found.isCut);
  });

  it('is none where a ride or a traveller is left', () => {
    assert.deepEqual(recommend([offer('x', 1, { legIndexes: [0] })], TRAVELLERS, RIDES), []);
    assert.deepEqual(recommend([offer('x', 1, { travellerIds: ['a', 'b'] })], TRAVELLERS, RIDES), []);
    assert.deepEqual(recommend([], TRAVELLERS, 0), []);
  });

  it('has offers with too few seats for some of their travellers', () => {
    const few = offer('few', 1, { needs: seats(2) });
    assert.equal(recommend([few, offer('many', 5)], TRAVELLERS, RIDES)[0]?.totalPrice.amountMinor, 7);
    const none = offer('none', 1, { needs: seats(0) });
    assert.equal(recommend([none, offer('many', 5)], TRAVELLERS, RIDES)[0]?.totalPrice.amountMinor, 15);
    const [cheap, dear] = [offer('b', 6, { travellerIds: ['b'] }), offer('rest', 9, { travellerIds: ['a', 'c'] })];
    const [lost] = recommend([few, cheap, dear], TRAVELLERS, RIDES);
    assert.deepEqual(
      lost?.offers.toSorted((a, b) => a.offerId.localeCompare(b.offerId)),
      [
        { offerId: 'b', travellerIds: ['b'] },
        { offerId: 'few', travellerIds: ['a', 'c'] },
      ],
      'who loses least does without',
    );
  });

  it('costs as little as the cheapest choice of those who get the few seats', () => {
    const owned = fc.record({ amountMinor: amount, travellerIds: someOf(TRAVELLERS), isSeated: fc.boolean() });
    fc.assert(
      fc.property(fc.array(owned, { maxLength: 5 }), fc.nat({ max: 3 }), (given, free) => {
        const offers = given.map(({ amountMinor, travellerIds, isSeated }, at) =>
          offer(String(at), amountMinor, { travellerIds, ...(isSeated && { needs: seats(free) }) }),
        );
        const [found] = recommend(offers, TRAVELLERS, RIDES);
        const amounts = everySet(TRAVELLERS).flatMap((seated) => {
          const each = TRAVELLERS.map((id) => {
            const own = offers.filter((one) => one.travellerIds.includes(id));
            return lowest(
              own
                .filter(({ needs }) => needs.length > 0 === seated.includes(id))
                .map(({ price: { amountMinor } }) => amountMinor),
            );
          });
          return seated.length <= free && each.every((one) => one !== undefined) ? [sum(each)] : [];
        });
        assert.equal(found?.totalPrice.amountMinor, lowest(amounts));
      }),
    );
  });

  it('has a party for as many as there are seats for', () => {
    const party = offer('party', 1, { needs: seats(2), party: { minTravellers: 2, maxTravellers: 4 } });
    const [found] = recommend([party, offer('own', 5)], TRAVELLERS, RIDES);
    assert.equal(found?.totalPrice.amountMinor, 6);
    assert.deepEqual(found?.offers.map(({ offerId, travellerIds }) => [offerId, travellerIds.length]).toSorted(), [
      ['own', 1],
      ['party', 2],
    ]);
  });

  it('has no more offers than one reservation takes, and tells when a cheaper one is left out', () => {
    const rides = Array.from({ length: 20 }, (_, at) => at);
    const singlesOf = (ids: readonly string[]) =>
      ids.flatMap((id) => rides.map((at) => offer(`${id} ${at}`, 1, { legIndexes: [at], travellerIds: [id] })));
    const told = (offers: readonly RecommendableOffer[], travellerIds: readonly string[]) => {
      const { recommendations, isCut } = rules.recommend(offers, travellerIds, rides.length);
      return [recommendations.map(({ offers: uses, totalPrice }) => [uses.length, totalPrice.amountMinor]), isCut];
    };
    assert.deepEqual(told(singlesOf(['a', 'b']), ['a', 'b']), [[[40, 40]], false]);
    assert.deepEqual(told(singlesOf(TRAVELLERS), TRAVELLERS), [[], true]);
    const group = offer('group', 99, { legIndexes: rides, party: { minTravellers: 2, maxTravellers: 9 } });
    assert.deepEqual(told([...singlesOf(TRAVELLERS), group], TRAVELLERS), [[[1, 99]], true]);
    assert.deepEqual(told([...singlesOf(TRAVELLERS), { ...group, price: price(9) }], TRAVELLERS), [[[1, 9]], false]);
    const full = { ...group, needs: seats(1) };
    assert.deepEqual(told([...singlesOf(TRAVELLERS), full], TRAVELLERS), [[], true]);
  });

  it('names one that can be refunded beside it, when that costs more', () => {
    const [strict, kind] = [offer('strict', 5), offer('kind', 7, { isRefundable: true })];
    const told = (offers: readonly RecommendableOffer[]) =>
      recommend(offers, TRAVELLERS, RIDES).map(({ kind: each, totalPrice }) => `${each} ${totalPrice.amountMinor}`);
    assert.deepEqual(told([strict, kind]), ['CHEAPEST 15', 'CHEAPEST_REFUNDABLE 21']);
    assert.deepEqual(told([offer('dear', 9), kind]), ['CHEAPEST 21']);
    assert.deepEqual(told([strict]), ['CHEAPEST 15']);
  });

  it('has the better terms among equal prices, in whatever order the offers are', () => {
    const change = { worseTerms: 200 };
    const whole = { worseTerms: 0, isRefundable: true };
    const half = { worseTerms: 100, isRefundable: true };
    const chosen = (...offers: readonly RecommendableOffer[]) =>
      [offers, offers.toReversed()].map((each) => {
        const found = recommend(each, TRAVELLERS, RIDES);
        return found.map((one) => `${one.kind} ${one.offers.map(({ offerId }) => offerId).toSorted()}`).join();
      });
    const both = (said: string) => [said, said];
    assert.deepEqual(chosen(offer('fixed', 5), offer('change', 5, change)), both('CHEAPEST change'));
    assert.deepEqual(chosen(offer('change', 5, change), offer('half', 5, half)), both('CHEAPEST half'));
    assert.deepEqual(chosen(offer('half', 5, half), offer('whole', 5, whole)), both('CHEAPEST whole'));
    const dear = offer('dear', 6, whole);
    assert.deepEqual(chosen(offer('fixed', 5), dear), both('CHEAPEST fixed,CHEAPEST_REFUNDABLE dear'));
    const party = { party: { minTravellers: 3, maxTravellers: 3 } };
    const [strictParty, kindParty] = [offer('p', 9, party), offer('q', 9, { ...party, ...whole })];
    assert.deepEqual(chosen(strictParty, kindParty), both('CHEAPEST q'));
    // Refundable in two halves is more than one ticket that is not.
    const [there, back] = [
      offer('there', 2, { ...half, legIndexes: [0] }),
      offer('back', 3, { ...half, legIndexes: [1] }),
    ];
    assert.deepEqual(chosen(offer('fixed', 5, { worseTerms: 199 }), there, back), both('CHEAPEST back,there'));
    // One traveller alone can have the refundable ticket.
    const ofOne = offer('one', 5, { ...whole, travellerIds: ['a'] });
    assert.deepEqual(chosen(offer('fixed', 5), ofOne), both('CHEAPEST fixed,one'));
  });
});

/** Everybody has a ticket for every ride, and nobody another's. */
function checkUses({ offers, totalPrice }: rules.Recommendation, all: readonly RecommendableOffer[]): void {
  const byId = new Map(all.map((each) => [each.offerId, each]));
  const covered = new Map(TRAVELLERS.map((id) => [id, 0]));
  let total = 0;
  for (const { offerId, travellerIds } of offers) {
    const used = byId.get(offerId);
    assert.ok(used);
    const size = travellerIds.length;
    if (used.party) assert.ok(size >= used.party.minTravellers && size <= used.party.maxTravellers);
    total += used.price.amountMinor * (used.party ? 1 : size);
    for (const id of travellerIds) {
      assert.ok(used.travellerIds.includes(id));
      covered.set(id, (covered.get(id) ?? 0) | ridesOf(used.legIndexes));
    }
  }
  assert.deepEqual(
    [...covered.values()],
    TRAVELLERS.map(() => ridesOf([0, 1])),
  );
  assert.equal(total, totalPrice.amountMinor);
}

function cheapestByTrying(owns: readonly RecommendableOffer[], parties: readonly RecommendableOffer[]) {
  const aloneFor = (id: string, covered: number) => {
    const sets = everySet(owns.filter(({ travellerIds }) => travellerIds.includes(id)));
    const full = sets.filter(
      (set) => set.reduce((rides, { legIndexes }) => rides | ridesOf(legIndexes), covered) === ridesOf([0, 1]),
    );
    return lowest(full.map((set) => sum(set.map((each) => each.price.amountMinor))));
  };
  const [first] = parties;
  const tickets = parties.map(({ offerId, price: { amountMinor }, party }) => ({
    ...{ offerId, cost: amountMinor, minTravellers: 1, maxTravellers: 1, ...party },
  }));
  const amounts = everySet(TRAVELLERS).flatMap((inside) => {
    if (inside.some((id) => !first?.travellerIds.includes(id))) return [];
    const rest = TRAVELLERS.map((id) => aloneFor(id, inside.includes(id) ? ridesOf(first?.legIndexes ?? []) : 0));
    if (!rest.every((each) => each !== undefined)) return [];
    return partyAmounts(inside.length, tickets).map((each) => each + sum(rest));
  });
  return lowest(amounts);
}
