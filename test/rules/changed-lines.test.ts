/** What becomes of refunds and automatic fees when lines change again. */
import assert from 'node:assert/strict';
import { balanceMinor } from '../../workflows/orders/rules/amounts.ts';
import { confirmOrder } from '../../workflows/orders/rules/confirmation.ts';
import { replaceLines } from '../../workflows/orders/rules/line-replacement.ts';
import { addLines, type NewLine } from '../../workflows/orders/rules/lines.ts';
import type { Order, OrderLine } from '../../workflows/orders/rules/order.ts';
import { addSupplements } from '../../workflows/orders/rules/reserving/add-supplements.ts';
import { priceWithTax } from '../../workflows/shared/price.ts';
import { draftOrder, NOW, sampleLine, sampleTraveller, VAT } from '../support/sample-orders.ts';
import { settle } from './order-commands.ts';

const MEAL = { id: 'MEAL', version: 1, kind: 'SUPPLEMENT', price: priceWithTax(1_000, VAT) } as const;

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
    const after = addSupplements(order, { supplements: [{ orderLineId: line.id, products: [MEAL] }] }, NOW).order;
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
