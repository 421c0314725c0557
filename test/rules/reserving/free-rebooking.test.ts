/** What a new line costs in place of a disrupted one. */
import assert from 'node:assert/strict';
import { confirmOrder } from '../../../workflows/orders/rules/confirmation.ts';
import { addLines, type NewLine } from '../../../workflows/orders/rules/lines.ts';
import type { Order, OrderLine } from '../../../workflows/orders/rules/order.ts';
import { asSoldAtMost } from '../../../workflows/orders/rules/reserving/free-rebooking.ts';
import { emptyOrder, NOW, offer, plan, price, supplement } from './samples.ts';

const MEAL = supplement('MEAL', 79);
const BOOK = { timeZone: 'Europe/Oslo', refundRuleSets: new Map(), changeRuleSets: new Map() };
const meals = (count: number) => Array.from({ length: count }, () => 'MEAL');

/** Sold with one meal for each traveller's line, and withdrawn since. */
function disrupted(lines: readonly NewLine[], order: Order): Order {
  const draft = addLines(order, { lines }, NOW).order;
  const capturedMinor = lines.reduce((sum, { price: { amountMinor } }) => sum + amountMinor, 0);
  const paid = { ...draft, money: { ...draft.money, capturedMinor } };
  const { confirmed, ...sold } = confirmOrder(paid, { orderVersion: 1 }, NOW).order;
  assert.ok(confirmed);
  const mark = (line: OrderLine): OrderLine => ({ ...line, disruption: { cause: 'WITHDRAWN', at: NOW } });
  return { ...sold, confirmed: { ...confirmed, orderLines: confirmed.orderLines.map(mark) } };
}

describe('a line in place of a disrupted one', () => {
  const ofOne = offer({ supplements: [MEAL] });
  const { lines, travellers } = plan(ofOne, { selectableProductIds: meals(1) });
  const order = disrupted(
    lines.map(({ line }) => line),
    { ...emptyOrder(), travellers },
  );
  const members = new Set(lines.map(({ line }) => line.id));
  const pricesOf = (count: number) => {
    const dearer = offer({ supplements: [MEAL], price: price(200) });
    const planned = plan(dearer, { selectableProductIds: meals(count) }, order).lines.map(({ line }) => line);
    const given = planned.map((line) => ({ ...line, travellers: lines[0]?.line.travellers ?? assert.fail() }));
    const after = asSoldAtMost(order, members, { lines: given, chosenProductIds: ['MEAL'] }, BOOK, NOW);
    return after.map((line) => line.price.amountMinor);
  };

  it('costs no more than was paid, with as many supplements as were sold', () => {
    assert.deepEqual(pricesOf(0), [17_900]);
    assert.deepEqual(pricesOf(1), [17_900]);
  });

  it('costs what further supplements of the kind cost', () => {
    assert.deepEqual(pricesOf(3), [17_900 + 2 * 7_900]);
  });
});
