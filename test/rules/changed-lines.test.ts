/** What becomes of refunds and automatic fees when lines change again. */
import assert from 'node:assert/strict';
import { balanceMinor } from '../../workflows/orders/rules/amounts.ts';
import { confirmOrder } from '../../workflows/orders/rules/confirmation.ts';
import { replaceLines } from '../../workflows/orders/rules/line-replacement.ts';
import { addLines, type NewLine } from '../../workflows/orders/rules/lines.ts';
import type { LineTraveller, Order, OrderLine, OrderTraveller } from '../../workflows/orders/rules/order.ts';
import { MAX_LINES } from '../../workflows/orders/rules/order-limits.ts';
import { addSupplements } from '../../workflows/orders/rules/reserving/add-supplements.ts';
import type { FeeTerms } from '../../workflows/orders/rules/reserving/change-groups.ts';
import { changeLines } from '../../workflows/orders/rules/reserving/change-lines.ts';
import { cancelByRules, removeByRules, rewriteLines } from '../../workflows/orders/rules/reserving/rewrite-lines.ts';
import { isSameSale } from '../../workflows/orders/rules/same-sale.ts';
import { priceWithTax } from '../../workflows/shared/price.ts';
import { draftOrder, NOW, sampleLine, sampleTraveller, seatedLine, VAT } from '../support/sample-orders.ts';
import { settle } from './order-commands.ts';

const ALWAYS = { id: 'ALWAYS', untilBefore: '-P1D', feeAmountMinor: 0 };
const MEAL = { id: 'MEAL', version: 1, kind: 'SUPPLEMENT', price: priceWithTax(1_000, VAT) } as const;

const TERMS: FeeTerms = {
  book: {
    timeZone: 'Europe/Oslo',
    refundRuleSets: new Map([
      ['NEVER', { id: 'NEVER', currency: 'NOK', rules: [] }],
      ['HALF', { id: 'HALF', currency: 'NOK', rules: [{ ...ALWAYS, refundPercent: 50, unusedOnly: true }] }],
    ]),
    changeRuleSets: new Map([['CHEAP', { id: 'CHEAP', currency: 'NOK', rules: [{ ...ALWAYS, feeAmountMinor: 500 }] }]]),
  },
  feeId: (orderLineId, type) => `${orderLineId}/${type}`,
};

/** A confirmed order of one line for 100.00, of which half was refunded without a fee. */
function refundedOrder(): { readonly order: Order; readonly line: NewLine } {
  const traveller = sampleTraveller();
  const line = sampleLine({ traveller });
  const draft = addLines(draftOrder({ travellers: [traveller] }), { lines: [line] }, NOW).order;
  const sold = confirmOrder(settle(draft, NOW, 10_000), { orderVersion: 1 }, NOW).order;
  const refund = (each: OrderLine) => ({ ...each, refundedShareMinor: 5_000, refundedAmountMinor: 5_000 });
  const orderLines = sold.orderLines.map(refund);
  const confirmed = sold.confirmed && { ...sold.confirmed, orderLines };
  return {
    order: {
      ...{ ...sold, orderLines, money: { ...sold.money, creditedMinor: 5_000 } },
      ...(confirmed && { confirmed }),
    },
    line,
  };
}

describe('a line of which a part was refunded', () => {
  it('costs a supplement, and not again what was refunded', () => {
    const { order, line } = refundedOrder();
    assert.equal(balanceMinor(order), 0);
    const after = addSupplements(
      order,
      { supplements: [{ orderLineId: line.id, products: [MEAL] }], terms: TERMS },
      NOW,
    ).order;
    assert.equal(balanceMinor(after), 1_000);
    assert.deepEqual(
      [after.orderLines[0]?.refundedShareMinor, after.orderLines[0]?.refundedAmountMinor],
      [5_000, 5_000],
    );
  });

  it('costs nothing when it is written again as it was sold, also after another change', () => {
    const { order, line } = refundedOrder();
    const same = replaceLines(order, { lines: [{ ...line, externalReference: 'x' }] }, NOW).order;
    assert.equal(balanceMinor(same), 0);
    const other = replaceLines(order, { lines: [{ ...sampleLine({ amountMinor: 7_000 }), id: line.id }] }, NOW).order;
    assert.equal(balanceMinor(other), 2_000);
    assert.equal(balanceMinor(replaceLines(other, { lines: [line] }, NOW).order), 0);
  });

  it('is sold anew where it is exchanged', () => {
    const { order, line } = refundedOrder();
    assert.equal(balanceMinor(replaceLines(order, { lines: [line], raiseVersion: true }, NOW).order), 5_000);
  });
});

const sum = (order: Order) => order.fees.map(({ type, price }) => `${type} ${price.amountMinor}`);

/** One line for 100.00, confirmed and paid. */
function soldOrder(terms: Partial<NewLine>, claimed: Pick<LineTraveller, 'entitlementIds'> = {}) {
  const traveller = sampleTraveller();
  const line = { ...sampleLine({ traveller, ...terms }), travellers: [{ travellerId: traveller.id, ...claimed }] };
  const draft = addLines(draftOrder({ travellers: [traveller] }), { lines: [line] }, NOW).order;
  const order = confirmOrder(settle(draft, NOW, 10_000), { orderVersion: 1 }, NOW).order;
  const other = (amountMinor: number): NewLine => ({
    ...sampleLine({ amountMinor, traveller, ...terms }),
    id: line.id,
  });
  const exchange = (current: Order, ...lines: readonly NewLine[]) => {
    const exchanges = [{ replacedLineIds: [line.id], lines }];
    const command = { exchanges, travellers: [], reservations: [], refundPriceDifference: false, ...TERMS };
    return changeLines(current, command, NOW).order;
  };
  const rewrite = (current: Order, given: NewLine, isHeld = true) =>
    rewriteLines(current, { lines: [given], terms: isHeld ? TERMS : undefined }, NOW).order;
  const cancel = (current: Order, isHeld = true) =>
    cancelByRules(current, { orderLineIds: [line.id], terms: isHeld ? TERMS : undefined }, NOW).order;
  return { order, line, other, exchange, rewrite, cancel };
}

const FIXED = { refundRuleSetId: 'NEVER', changeRuleSetId: 'CHEAP' };

describe('lines that are exchanged in a full order', () => {
  it('make room for those that follow them', () => {
    const traveller = sampleTraveller();
    const lineOf = () => sampleLine({ traveller });
    const lines = Array.from({ length: MAX_LINES }, lineOf);
    const full = addLines(draftOrder({ travellers: [traveller] }), { lines }, NOW).order;
    const replacedLineIds = lines.slice(0, 2).map(({ id }) => id);
    const exchanges = [{ replacedLineIds, lines: [...lines.slice(0, 1), lineOf()] }];
    const command = { exchanges, travellers: [], reservations: [], refundPriceDifference: false, ...TERMS };
    assert.equal(changeLines(full, command, NOW).order.orderLines.length, MAX_LINES);
  });
});

describe('a confirmed line that is written by hand as another sale', () => {
  it('costs what an exchange for an offer costs', () => {
    const { order, other, exchange, rewrite } = soldOrder(FIXED);
    const changed = rewrite(order, other(6_000));
    assert.deepEqual(sum(changed), ['CHANGE 500', 'CHANGE_NON_REFUNDABLE 4000']);
    assert.deepEqual(sum(exchange(order, other(6_000))), sum(changed));
    assert.equal(balanceMinor(changed), 500);
  });

  it('is another sale where it leads elsewhere, or shows another entitlement', () => {
    const { order, line, rewrite } = soldOrder(FIXED);
    const { travelSpecification } = line;
    const others: readonly Partial<NewLine>[] = [
      { travelSpecification: { ...travelSpecification, fromStopPlaceId: 'NSR:StopPlace:9' } },
      { travelSpecification: { ...travelSpecification, toStopPlaceId: 'NSR:StopPlace:9' } },
      { travellers: line.travellers.map((each) => ({ ...each, entitlementIds: ['CARD'] })) },
    ];
    for (const more of others) assert.deepEqual(sum(rewrite(order, { ...line, ...more })), ['CHANGE 500']);
    const entitled = soldOrder(FIXED, { entitlementIds: ['CARD'] });
    const without = entitled.line.travellers.map(({ travellerId }) => ({ travellerId }));
    assert.deepEqual(sum(entitled.rewrite(entitled.order, { ...entitled.line, travellers: without })), ['CHANGE 500']);
    assert.deepEqual(sum(entitled.rewrite(entitled.order, { ...entitled.line, externalReference: 'x' })), []);
  });

  it('is the same sale with and without the places where its rides begin and end', () => {
    const traveller = sampleTraveller();
    const { line } = seatedLine({ traveller });
    const { fromStopPlaceId: _from, toStopPlaceId: _to, ...travelSpecification } = line.travelSpecification;
    assert.ok(isSameSale(line, { ...line, travelSpecification }));
    assert.ok(isSameSale({ ...line, travelSpecification }, line));
  });

  it('is compared again with what was sold, also after an exchange', () => {
    const { order, line, other, exchange, rewrite } = soldOrder(FIXED);
    const changed = exchange(order, other(6_000));
    assert.deepEqual(sum(rewrite(changed, other(9_000))), ['CHANGE 500', 'CHANGE_NON_REFUNDABLE 1000']);
    assert.deepEqual(sum(rewrite(changed, line)), []);
    assert.deepEqual(sum(rewrite(changed, { ...other(6_000), externalReference: 'x' })), sum(changed));
  });

  it('costs a caller nothing who is not held to rules', () => {
    const { order, other, exchange, rewrite } = soldOrder(FIXED);
    assert.deepEqual(sum(rewrite(order, other(6_000), false)), []);
    assert.deepEqual(sum(rewrite(exchange(order, other(6_000)), other(9_000), false)), []);
  });

  it('keeps the fees of an earlier change where such a caller writes the same sale again', () => {
    const { order, other, exchange, rewrite } = soldOrder(FIXED);
    const changed = exchange(order, other(6_000));
    assert.deepEqual(sum(changed), ['CHANGE 500', 'CHANGE_NON_REFUNDABLE 4000']);
    const [line = assert.fail('it has a line')] = changed.orderLines;
    assert.deepEqual(sum(rewrite(changed, { ...line, externalReference: 'x' }, false)), sum(changed));
  });

  it('tells of each fee that such a caller has removed', () => {
    const { order, line, other, exchange } = soldOrder(FIXED);
    const changed = exchange(order, other(6_000));
    const { order: after, events } = rewriteLines(changed, { lines: [other(9_000)], terms: undefined }, NOW);
    assert.deepEqual([sum(after), after.orderLines.map(({ id }) => id)], [[], [line.id]]);
    assert.equal(events.filter(({ type }) => type === 'FeeRemoved').length, 2);
  });

  it('is not changed where its product forbids it', () => {
    const { order, line, other, rewrite } = soldOrder({ ...FIXED, changeRuleSetId: 'NONE' });
    assert.throws(() => rewrite(order, other(6_000)), { code: 'INVALID_STATE' });
    assert.equal(rewrite(order, { ...line, externalReference: 'x' }).version, 2);
  });
});

describe('a supplement for a line that was changed', () => {
  it('is paid out of the difference that the change has kept', () => {
    const { order, line, other, exchange } = soldOrder(FIXED);
    const added = addSupplements(
      exchange(order, other(6_000)),
      { supplements: [{ orderLineId: line.id, products: [MEAL] }], terms: TERMS },
      NOW,
    ).order;
    assert.deepEqual(sum(added), ['CHANGE 500', 'CHANGE_NON_REFUNDABLE 3000']);
    assert.equal(balanceMinor(added), 500);
  });
});

describe('a confirmed line that is cancelled', () => {
  it('costs what its refund would keep', () => {
    const fixed = soldOrder(FIXED);
    const cancelled = fixed.cancel(fixed.order);
    assert.deepEqual([sum(cancelled), balanceMinor(cancelled)], [['REFUNDING 10000'], 0]);
    assert.equal(fixed.cancel(cancelled), cancelled);
    const half = soldOrder({ ...FIXED, refundRuleSetId: 'HALF' });
    assert.equal(balanceMinor(half.cancel(half.order)), -5_000);
    assert.equal(balanceMinor(fixed.cancel(fixed.order, false)), -10_000);
  });

  it('costs that in place of the fees of its change', () => {
    const { order, other, exchange, cancel } = soldOrder(FIXED);
    const cancelled = cancel(exchange(order, other(6_000)));
    assert.deepEqual([sum(cancelled), balanceMinor(cancelled)], [['REFUNDING 10000'], 0]);
  });

  it('keeps the difference to the lines that were exchanged for it', () => {
    const { order, other, exchange, cancel } = soldOrder(FIXED);
    const second = sampleLine({ amountMinor: 4_000, traveller: order.travellers[0] as OrderTraveller });
    const changed = exchange(order, other(6_000), second);
    assert.deepEqual(sum(changed), ['CHANGE 500']);
    const removed = removeByRules(changed, { orderLineIds: [second.id], terms: TERMS }, NOW).order;
    assert.deepEqual(sum(removed), ['CHANGE 500', 'CHANGE_NON_REFUNDABLE 4000']);
    assert.equal(balanceMinor(cancel(changed)), 0);
  });
});
