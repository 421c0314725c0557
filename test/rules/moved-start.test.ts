/** What an order remembers of a start that was moved after the sale, and what counts from it. */
import assert from 'node:assert/strict';
import type { SoldLeg } from '../../workflows/offers/rules/offer.ts';
import { confirmOrder } from '../../workflows/orders/rules/confirmation.ts';
import { replaceLines } from '../../workflows/orders/rules/line-replacement.ts';
import { addLines } from '../../workflows/orders/rules/lines.ts';
import { noteMovedStart, validityOf } from '../../workflows/orders/rules/moved-start.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { addSupplements } from '../../workflows/orders/rules/reserving/add-supplements.ts';
import { feesOfCancellation } from '../../workflows/orders/rules/reserving/change-fees.ts';
import { changeRuleOf, type RuleBook } from '../../workflows/orders/rules/reserving/change-terms.ts';
import { priceWithTax } from '../../workflows/shared/price.ts';
import { draftOrder, later, NOW, sampleLine, sampleTraveller, seatedLine, VAT } from '../support/sample-orders.ts';
import { settle } from './order-commands.ts';

const ALWAYS = { id: 'UNTIL_START', untilBefore: 'PT0S', feeAmountMinor: 0 };
const BOOK: RuleBook = {
  timeZone: 'Europe/Oslo',
  refundRuleSets: new Map([
    ['FREE', { id: 'FREE', currency: 'NOK', rules: [{ ...ALWAYS, refundPercent: 100, unusedOnly: false }] }],
  ]),
  changeRuleSets: new Map([['CHEAP', { id: 'CHEAP', currency: 'NOK', rules: [ALWAYS] }]]),
};
const TERMS = { book: BOOK, feeId: (orderLineId: string, type: string) => `${orderLineId}/${type}` };
const MEAL = { id: 'MEAL', version: 1, kind: 'SUPPLEMENT', price: priceWithTax(1_000, VAT) } as const;
const [SOLD, END] = [later(60 * 48), later(60 * 72)];

function soldOrder(): Order {
  const traveller = sampleTraveller();
  const line = sampleLine({ traveller, refundRuleSetId: 'FREE', changeRuleSetId: 'CHEAP' });
  const travelSpecification = { ...line.travelSpecification, startOfValidity: SOLD, endOfValidity: END };
  const lines = [{ ...line, travelSpecification }];
  const draft = addLines(draftOrder({ travellers: [traveller] }), { lines }, NOW).order;
  return confirmOrder(settle(draft, NOW, 10_000), { orderVersion: 1 }, NOW).order;
}

function moved(order: Order, to: Date, reissue = 1): Order {
  const [line] = order.orderLines;
  assert.ok(line);
  const of = { startOfValidity: SOLD, endOfValidity: END };
  return noteMovedStart(order, { orderLineId: line.id, movedStart: { to, of, reissue } }, NOW).order;
}

const soldLineOf = ({ orderLines: [line] }: Order) => ({ line: line ?? assert.fail(), reservations: [] });

describe('a moved start', () => {
  it('is marked in the draft and in what was sold, and the last move counts', () => {
    const order = soldOrder();
    const once = moved(order, later(120), 2);
    assert.deepEqual(once.orderLines[0]?.movedStart?.to, later(120));
    assert.deepEqual(once.confirmed?.orderLines, once.orderLines);
    assert.equal(moved(once, later(120), 2), once);
    assert.equal(moved(once, later(240), 1), once);
    assert.deepEqual(moved(once, later(240), 3).confirmed?.orderLines[0]?.movedStart?.to, later(240));
  });

  it('closes the windows for changes and refunds where it is earlier, and opens none where it is later', () => {
    const order = soldOrder();
    const [earlier, longer] = [soldLineOf(moved(order, later(60))), soldLineOf(moved(order, later(60 * 96)))];
    assert.ok(changeRuleOf(earlier, BOOK, later(59)));
    assert.equal(changeRuleOf(earlier, BOOK, later(60)), undefined);
    assert.ok(changeRuleOf(longer, BOOK, later(60 * 47)));
    assert.equal(changeRuleOf(longer, BOOK, SOLD), undefined);
    assert.deepEqual(feesOfCancellation([earlier], BOOK, later(59)), []);
    const [kept] = feesOfCancellation([earlier], BOOK, later(60));
    assert.deepEqual([kept?.type, kept?.price.amountMinor], ['REFUNDING', 10_000]);
  });

  it('ends the use of the line as much earlier', () => {
    const order = moved(soldOrder(), later(60));
    const add = (now: Date) =>
      addSupplements(
        order,
        { supplements: [{ orderLineId: soldLineOf(order).line.id, products: [MEAL] }], terms: TERMS },
        now,
      );
    assert.equal(add(later(60 * 25 - 1)).order.status, 'DRAFT');
    assert.throws(() => add(later(60 * 25)), { code: 'INVALID_STATE' });
  });

  it('lasts over the next version of the line, unless that is sold with another validity', () => {
    const order = moved(soldOrder(), later(60));
    const { line } = soldLineOf(order);
    const replacedBy = (travelSpecification: typeof line.travelSpecification) =>
      soldLineOf(replaceLines(order, { lines: [{ ...line, travelSpecification }] }, NOW).order).line;
    assert.deepEqual(validityOf(replacedBy(line.travelSpecification)).startOfValidity, later(60));
    const other = { ...line.travelSpecification, startOfValidity: later(60 * 24) };
    assert.deepEqual(validityOf(replacedBy(other)), { startOfValidity: later(60 * 24), endOfValidity: END });
  });

  it('ends where the line travels outside it, for the windows and for good once that is sold', () => {
    const order = moved(soldOrder(), later(60));
    const { line } = soldLineOf(order);
    const { line: ridden } = seatedLine({ traveller: order.travellers[0] ?? assert.fail(), departure: later(60 * 50) });
    const sellWith = (before: Order, legs: readonly SoldLeg[]) => {
      const travelSpecification = { ...line.travelSpecification, legs };
      const draft = replaceLines(before, { lines: [{ ...line, travelSpecification }] }, NOW).order;
      const drafted = soldLineOf(draft).line;
      const { order: sold } = confirmOrder(draft, { orderVersion: draft.version }, NOW);
      return { drafted, sold };
    };
    const { drafted, sold } = sellWith(order, ridden.travelSpecification.legs);
    const whole = { startOfValidity: SOLD, endOfValidity: END };
    assert.deepEqual(validityOf(drafted), whole);
    assert.deepEqual(validityOf(soldLineOf(sold).line), whole);
    assert.deepEqual(validityOf(soldLineOf(sellWith(sold, []).sold).line), whole);
    // The same in one draft sells nothing that would end it.
    const { line: back } = soldLineOf(
      replaceLines(
        replaceLines(order, { lines: [{ ...line, travelSpecification: ridden.travelSpecification }] }, NOW).order,
        { lines: [line] },
        NOW,
      ).order,
    );
    assert.deepEqual(validityOf(back).startOfValidity, later(60));
    // A report of the same move that comes late does not bring it back.
    const late = { to: later(60), of: whole, reissue: 1 };
    assert.equal(noteMovedStart(sold, { orderLineId: line.id, movedStart: late }, NOW).order, sold);
  });
});
