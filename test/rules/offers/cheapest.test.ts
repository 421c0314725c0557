/** Tests the cheapest tickets against every possibility: tickets of one traveller, and travellers in parties. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CheapestCovers, type Choice, ridesOf } from '../../../workflows/offers/rules/cheapest-cover.ts';
import {
  type PartyTicket,
  type PossibleMember,
  splitsIntoParties,
} from '../../../workflows/offers/rules/party-split.ts';
import { everySet, lowest, partyAmounts, sum } from './every-possibility.ts';

const amount = fc.integer({ min: 0, max: 20 });

describe('the cheapest cover', () => {
  const choice = fc.record({
    legIndexes: fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { minLength: 1 }).map((legs) => legs.toSorted()),
    cost: amount,
  });

  it('costs as little as the cheapest of all sets of tickets', () => {
    fc.assert(
      fc.property(fc.array(choice, { maxLength: 6 }), (given) => {
        const choices: Choice[] = given.map((each, at) => ({ ...each, offerId: String(at) }));
        const all = ridesOf([0, 1, 2, 3]);
        const amounts = everySet(choices)
          .filter((set) => set.reduce((rides, { legIndexes }) => rides | ridesOf(legIndexes), 0) === all)
          .map((set) => sum(set.map(({ cost }) => cost)));
        const found = new CheapestCovers(choices, 4).find();
        assert.equal(found?.cost, lowest(amounts));
      }),
    );
  });
  it('has fewer tickets when it costs the same', () => {
    const one = { offerId: 'one', legIndexes: [0, 1], cost: 10 };
    const two = [
      { offerId: 'a', legIndexes: [0], cost: 5 },
      { offerId: 'b', legIndexes: [1], cost: 5 },
    ];
    assert.deepEqual(
      new CheapestCovers([...two, one], 2).find()?.choices.map(({ offerId }) => offerId),
      ['one'],
    );
  });
  it('leaves out rides that have a ticket', () => {
    const covers = new CheapestCovers([{ offerId: 'a', legIndexes: [1], cost: 5 }], 2);
    assert.equal(covers.find(), undefined);
    assert.equal(covers.find(ridesOf([0]))?.cost, 5);
    assert.equal(covers.find(ridesOf([0, 1]))?.cost, 0);
  });
  it('is found soon among many tickets with gaps', () => {
    const rides = Array.from({ length: 20 }, (_, at) => at);
    const singles = rides.map((at) => ({ offerId: `s${at}`, legIndexes: [at], cost: 30 }));
    const gaps = Array.from({ length: 200 }, (_, at) => ({
      ...{ offerId: `g${at}`, cost: 50 + at },
      legIndexes: rides.filter((ride) => (ride * 7 + at) % 3 !== 0),
    }));
    const begun = performance.now();
    assert.ok((new CheapestCovers([...singles, ...gaps], 20).find()?.cost ?? 600) < 600);
    assert.ok(performance.now() - begun < 500);
  });
});

describe('parties', () => {
  const member = fc.record({
    aloneCost: fc.option(amount, { nil: undefined }),
    besidesCost: fc.option(amount, { nil: undefined }),
  });
  const ticket = fc.record({
    cost: amount,
    minTravellers: fc.integer({ min: 1, max: 3 }),
    more: fc.integer({ min: 0, max: 2 }),
  });
  const MEMBERS = ['a', 'b', 'c', 'd', 'e'].map((travellerId) => ({ travellerId, aloneCost: 10, besidesCost: 0 }));
  type Kind = typeof ticket extends fc.Arbitrary<infer T> ? T : never;
  const ticketsOf = (name: string, kinds: readonly Kind[]): PartyTicket[] =>
    kinds.map(({ more, ...each }, at) => ({
      ...{ ...each, offerId: `${name} ${at}`, maxTravellers: each.minTravellers + more },
    }));

  it('cost as little as the cheapest of all divisions', () => {
    fc.assert(
      fc.property(
        fc.array(member, { minLength: 1, maxLength: 5 }),
        fc.array(ticket, { maxLength: 2 }),
        (given, kinds) => {
          const members = given.map((each, at) => ({ ...each, travellerId: String(at) }));
          const tickets = ticketsOf('P', kinds);
          const amounts = splitsIntoParties(members, [{ tickets }]).map(({ cost }) => cost);
          assert.equal(lowest(amounts), cheapestByTrying(members, tickets));
        },
      ),
    );
  });
  it('have no more members than the places that they share', () => {
    fc.assert(
      fc.property(
        fc.array(ticket, { maxLength: 2 }),
        fc.array(ticket, { maxLength: 2 }),
        fc.nat({ max: 4 }),
        (...given) => {
          const [one, other] = [ticketsOf('one', given[0]), ticketsOf('other', given[1])];
          const splits = splitsIntoParties(MEMBERS, [{ tickets: one, places: given[2] }, { tickets: other }]);
          const amounts = MEMBERS.map((_member, at) => {
            const count = at + 1;
            const shared = Array.from({ length: Math.min(given[2], count) + 1 }, (_, ofOne) =>
              partyAmounts(ofOne, one).flatMap((each) => partyAmounts(count - ofOne, other).map((rest) => each + rest)),
            );
            return lowest(shared.flat().map((parties) => parties + 10 * (MEMBERS.length - count)));
          });
          assert.deepEqual(
            splits.map(({ cost }) => cost),
            amounts.filter((each) => each !== undefined),
          );
        },
      ),
    );
  });
  it('have a compartment each', () => {
    fc.assert(
      fc.property(
        fc.array(ticket, { maxLength: 2 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
        (kinds, compartments) => {
          const tickets = ticketsOf('cabin', kinds);
          const splits = splitsIntoParties(MEMBERS, [{ tickets, compartments }]);
          const amounts = MEMBERS.map((_member, at) =>
            lowest(
              compartmentAmounts(at + 1, tickets, compartments).map((each) => each + 10 * (MEMBERS.length - at - 1)),
            ),
          );
          assert.deepEqual(
            splits.map(({ cost }) => cost),
            amounts.filter((each) => each !== undefined),
          );
        },
      ),
    );
  });
  it('have everybody once, and as many as they may', () => {
    const tickets = [{ offerId: 'P', cost: 15, minTravellers: 2, maxTravellers: 3 }];
    const split = splitsIntoParties(MEMBERS, [{ tickets }]).at(-1);
    assert.equal(split?.cost, 30);
    assert.deepEqual(split?.parties.flatMap(({ travellerIds }) => travellerIds).toSorted(), ['a', 'b', 'c', 'd', 'e']);
    assert.ok(split?.parties.every(({ travellerIds }) => travellerIds.length >= 2 && travellerIds.length <= 3));
  });
});

/** Each set of joining members, divided in each way by sizes; undefined when no party is possible. */
function cheapestByTrying(members: readonly PossibleMember[], tickets: readonly PartyTicket[]): number | undefined {
  const amounts = everySet(members.filter(({ besidesCost }) => besidesCost !== undefined)).flatMap((inside) => {
    const outside = members.filter((each) => !inside.includes(each));
    if (inside.length === 0 || outside.some(({ aloneCost }) => aloneCost === undefined)) return [];
    const own = [...inside.map(({ besidesCost = 0 }) => besidesCost), ...outside.map(({ aloneCost = 0 }) => aloneCost)];
    return partyAmounts(inside.length, tickets).map((parties) => parties + sum(own));
  });
  return lowest(amounts);
}

/** Each compartment has one party or none. */
function compartmentAmounts(
  count: number,
  tickets: readonly PartyTicket[],
  [places, ...rest]: readonly number[],
): number[] {
  if (places === undefined) return count === 0 ? [0] : [];
  const sizes = tickets.flatMap(({ cost, minTravellers, maxTravellers }) =>
    Array.from({ length: maxTravellers - minTravellers + 1 }, (_, at) => ({ cost, size: minTravellers + at })),
  );
  const used = sizes.filter(({ size }) => size <= Math.min(places, count));
  return [
    ...compartmentAmounts(count, tickets, rest),
    ...used.flatMap(({ size, cost }) => compartmentAmounts(count - size, tickets, rest).map((each) => each + cost)),
  ];
}
