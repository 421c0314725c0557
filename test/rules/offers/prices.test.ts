/** Tests the amount of each kind of price, and the user type that it is for. */
import assert from 'node:assert/strict';
import { amountOf, findPrice, type PricedTravel } from '../../../workflows/offers/rules/price-basis.ts';
import { userTypeOf } from '../../../workflows/offers/rules/user-types.ts';
import type { PriceBasis } from '../../../workflows/shared/fares.ts';

const STEPS: PriceBasis = {
  kind: 'ZONES',
  steps: [
    { zones: 1, amountMinor: 4_000 },
    { zones: 3, amountMinor: 7_500 },
  ],
};
const DISTANCE: PriceBasis = {
  ...{ kind: 'DISTANCE', baseMinor: 1_000, perKilometreMinor: 150 },
  ...{ minimumMinor: 2_500, roundToMinor: 100 },
};
const PAIRS: PriceBasis = {
  kind: 'STOP_PAIRS',
  pairs: [{ fromStopPlaceId: 'A', toStopPlaceId: 'B', amountMinor: 9_900 }],
};

describe('an amount', () => {
  const cases: readonly (readonly [string, PriceBasis, PricedTravel, number | string])[] = [
    ['flat, whatever the travel', { kind: 'FLAT', amountMinor: 11_000 }, {}, 11_000],
    ['of one zone', STEPS, { zoneCount: 1 }, 4_000],
    ['of two zones, by the next step', STEPS, { zoneCount: 2 }, 7_500],
    ['of the last step', STEPS, { zoneCount: 3 }, 7_500],
    ['of more zones than the last step', STEPS, { zoneCount: 4 }, 'TOO_MANY_ZONES'],
    ['of unknown zones', STEPS, {}, 'ZONES_UNKNOWN'],
    ['of no distance: the minimum', DISTANCE, { distanceMetres: 0 }, 2_500],
    ['of a distance that ends on a whole krone', DISTANCE, { distanceMetres: 20_000 }, 4_000],
    ['of a metre more, rounded up', DISTANCE, { distanceMetres: 20_001 }, 4_100],
    ['of a fraction of a metre', DISTANCE, { distanceMetres: 20_000.4 }, 4_000],
    ['of an unknown distance', DISTANCE, {}, 'NEEDS_JOURNEY'],
    ['of a pair of stops', PAIRS, { fromPlaceIds: ['A'], toPlaceIds: ['B'] }, 9_900],
    ['of a pair, the other way', PAIRS, { fromPlaceIds: ['B'], toPlaceIds: ['A'] }, 9_900],
    ['of another pair', PAIRS, { fromPlaceIds: ['A'], toPlaceIds: ['C'] }, 'NO_PRICE_FOR_JOURNEY'],
    ['of a stop and itself', PAIRS, { fromPlaceIds: ['A'], toPlaceIds: ['A'] }, 'NO_PRICE_FOR_JOURNEY'],
    ['of stations', PAIRS, { fromPlaceIds: ['x', 'B'], toPlaceIds: ['y', 'A'] }, 9_900],
    ['of no stops', PAIRS, {}, 'NEEDS_JOURNEY'],
  ];
  for (const [name, basis, travel, expected] of cases) {
    it(name, () => {
      const amount = amountOf(basis, travel);
      assert.equal('reason' in amount ? amount.reason : amount.amountMinor, expected);
    });
  }
  it('stays exact where binary floats do not', () => {
    const basis = { ...DISTANCE, baseMinor: 9_007_199_254_740_000, perKilometreMinor: 0, roundToMinor: 1 } as const;
    assert.deepEqual(amountOf(basis, { distanceMetres: 999 }), { amountMinor: 9_007_199_254_740_000 });
  });
});

describe('the price of a user type', () => {
  const basis = { kind: 'FLAT', amountMinor: 1 } as const;
  const forAll = { productId: 'P', basis };
  const forChild = { productId: 'P', userTypeId: 'CHILD', basis };
  it('is the one that names it', () => assert.equal(findPrice([forAll, forChild], 'CHILD'), forChild));
  it('is else the one for all', () => assert.equal(findPrice([forChild, forAll], 'ADULT'), forAll));
  it('is none where another type is named', () => assert.equal(findPrice([forChild], 'ADULT'), undefined));
  it('of a party is the one for all', () => {
    assert.equal(findPrice([forChild, forAll], undefined), forAll);
    assert.equal(findPrice([forChild], undefined), undefined);
  });
});

describe('the user type of a traveller', () => {
  const name = [{ lang: 'nob', value: 'x' }] as const;
  const types = [
    { id: 'CHILD', name, minAge: 6, maxAge: 17 },
    { id: 'ADULT', name, minAge: 18, maxAge: 66 },
    { id: 'SENIOR', name, minAge: 67 },
    { id: 'STUDENT', name },
  ];
  for (const [given, expected] of [
    [{ age: 6 }, 'CHILD'],
    [{ age: 17 }, 'CHILD'],
    [{ age: 18 }, 'ADULT'],
    [{ age: 67 }, 'SENIOR'],
    [{ age: 130 }, 'SENIOR'],
    [{ age: 5 }, 'NO_USER_TYPE_FOR_AGE'],
    [{ userType: 'STUDENT' }, 'STUDENT'],
    [{ userType: 'STUDENT', age: 20 }, 'STUDENT'],
    [{ userType: 'CHILD', age: 17 }, 'CHILD'],
    [{ userType: 'CHILD', age: 18 }, 'AGE_OUTSIDE_USER_TYPE'],
    [{ userType: 'DOG' }, 'UNKNOWN_USER_TYPE'],
    [{}, 'MISSING'],
  ] as const) {
    it(`${JSON.stringify(given)} is ${expected}`, () => {
      const found = userTypeOf(given, types);
      assert.equal('fault' in found ? found.fault : found.userTypeId, expected);
    });
  }
});
