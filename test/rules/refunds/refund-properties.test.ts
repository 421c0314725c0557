/** Random orders, prices, rules and parts, refunded one after the other until nothing is left or nothing more is allowed. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { balanceMinor, heldMinor, totalAmountMinor } from '../../../workflows/orders/rules/amounts.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { refundOptions } from '../../../workflows/refunds/rules/refund-options.ts';
import { planOperations, type WantedOperation } from '../../../workflows/refunds/rules/refund-plan.ts';
import { sumOf } from '../../../workflows/shared/money.ts';
import { at } from '../../spec/support/offer-case.ts';
import { factsOf, type RefundCase, refundCases, refunded, soldOrder } from '../../spec/support/refund-case.ts';

const rules = fc.record({
  percent: fc.integer({ min: 1, max: 10_000 }).map((hundredths) => hundredths / 100),
  fee: fc.integer({ min: 0, max: 5_000 }).map((minor) => minor / 100),
});
const cases: fc.Arbitrary<RefundCase> = fc
  .record({
    price: fc.array(
      fc.integer({ min: 1, max: 200_000 }).map((minor) => minor / 100),
      { minLength: 1, maxLength: 3 },
    ),
    legs: fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 4 }),
    travellers: fc.integer({ min: 1, max: 4 }),
    rule: rules,
    used: fc.option(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 2 }), { nil: undefined }),
  })
  .map(({ rule, used, ...facts }) => {
    const given = { about: 'random', ...facts, rules: [rule], ...(used && { used }) };
    return refundCases.parse([given])[0] as RefundCase;
  });

/** Which part of its line each refund takes. */
const parts = fc.array(fc.record({ kind: fc.constantFrom('legs', 'travellers', 'all'), pick: fc.nat() }), {
  minLength: 1,
  maxLength: 12,
});

describe('refunds of random orders', () => {
  it('pay back what their options say, keep the order balanced, and never more than was paid', () => {
    fc.assert(
      fc.property(cases, parts, (one, wishes) => {
        let order = soldOrder(one);
        const paidMinor = order.money.capturedMinor;
        for (const { kind, pick } of wishes) {
          const now = at(one.at);
          const options = refundOptions(factsOf(one, order), {}, now);
          assert.ok(sumOf(options.map(({ refundMinor }) => refundMinor)) <= heldMinor(order.money));
          const option = options[pick % Math.max(options.length, 1)];
          if (!option) break;
          const wanted = partOf(order, option, kind, pick);
          const request = { operations: [wanted], includesCancelled: false, isOverruled: false };
          const planned = planOperations(factsOf(one, order), { ...request, member: 'refundOperations' }, now);
          const [first] = planned;
          assert.ok(first);
          if (!wanted.legIds && !wanted.travellerIds) assert.equal(first.refundMinor, option.refundMinor);
          const after = refunded(order, planned, now);
          assert.equal(after.money.creditedMinor - order.money.creditedMinor, first.refundMinor);
          assert.deepEqual([after.status, balanceMinor(after), after.version], ['CONFIRMED', 0, order.version + 1]);
          assert.equal(totalAmountMinor(after), heldMinor(after.money));
          assert.ok(after.money.creditedMinor <= paidMinor);
          order = after;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('of all legs, in any order, give back exactly the price', () => {
    fc.assert(
      fc.property(cases, fc.array(fc.nat(), { minLength: 4, maxLength: 4 }), (random, picks) => {
        const free = [{ until: 'PT0S', percent: 100, fee: 0, unusedOnly: false }];
        const { used: _used, ...unused } = random;
        const one: RefundCase = { ...unused, rules: free };
        let order = soldOrder(one);
        for (const pick of picks) {
          const line = order.orderLines[0];
          const { legs } = line?.travelSpecification ?? { legs: [] };
          const leg = legs[pick % Math.max(legs.length, 1)];
          if (line?.status !== 'CONFIRMED' || !leg) break;
          const wanted = {
            orderLineId: line.id,
            orderLineVersion: line.version,
            refundRuleId: 'R1',
            legIds: [leg.legId],
          };
          const [planned] = tryPlan(one, order, wanted);
          if (!planned) break;
          order = refunded(order, [planned], at(one.at));
        }
        const [line] = order.orderLines;
        assert.ok(line);
        assert.equal(line.refundedAmountMinor, line.refundedShareMinor);
        if (line.status === 'CANCELLED') assert.equal(line.refundedAmountMinor, line.price.amountMinor);
      }),
      { numRuns: 300 },
    );
  });
});

function partOf(
  order: Order,
  option: WantedOperation,
  kind: 'legs' | 'travellers' | 'all',
  pick: number,
): WantedOperation {
  const { orderLineId, orderLineVersion, refundRuleId, legIds } = option;
  const wanted = { orderLineId, orderLineVersion, refundRuleId };
  const line = order.orderLines.find(({ id }) => id === orderLineId);
  const legs = legIds ?? line?.travelSpecification.legs.map((leg) => leg.legId) ?? [];
  const metres = line?.travelSpecification.legs.map(({ distanceMetres }) => distanceMetres) ?? [];
  // A leg that costs nothing cannot be given back alone.
  const isPriced = metres.every((each) => each > 0) && (line?.price.amountMinor ?? 0) > 1_000;
  if (kind === 'legs' && isPriced) return { ...wanted, legIds: [legs[pick % legs.length] as string] };
  const travellers = line?.travellers.map(({ travellerId }) => travellerId) ?? [];
  const traveller = travellers[pick % Math.max(travellers.length, 1)];
  return kind === 'travellers' && !legIds && traveller && isPriced ? { ...wanted, travellerIds: [traveller] } : wanted;
}

/** Undefined members where the leg has no share of the price. */
function tryPlan(one: RefundCase, order: Order, wanted: WantedOperation) {
  const request = { operations: [wanted], includesCancelled: false, isOverruled: false };
  try {
    return planOperations(factsOf(one, order), { ...request, member: 'refundOperations' }, at(one.at));
  } catch {
    return [];
  }
}
