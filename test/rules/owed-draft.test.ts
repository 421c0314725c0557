/** What an operator's decision on a balance writes on the draft that owes it. */
import assert from 'node:assert/strict';
import { balanceMinor } from '../../workflows/orders/rules/amounts.ts';
import { confirmOrder } from '../../workflows/orders/rules/confirmation.ts';
import { addFee } from '../../workflows/orders/rules/fees.ts';
import { addLines } from '../../workflows/orders/rules/lines.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { lockOrder } from '../../workflows/orders/rules/order-lock.ts';
import { confirmDecided, lockOwed } from '../../workflows/orders/rules/owed-draft.ts';
import { draftOrder, NOW, sampleFee, sampleLine } from '../support/sample-orders.ts';

const OWNER = 'credit-decision/K7QW2MXP/4711/0';
const OTHER = 'credit-decision/K7QW2MXP/4711/1';

const withMoney = (order: Order, more: Partial<Order['money']>): Order => ({
  ...order,
  money: { ...order.money, ...more },
});
/** Sold for 10000; the draft of version 2 costs 8000. */
const owing = (): Order => {
  const draft = addLines(draftOrder(), { lines: [sampleLine()] }, NOW).order;
  const sold = confirmOrder(withMoney(draft, { capturedMinor: 10_000 }), { orderVersion: 1 }, NOW).order;
  return addFee(sold, { fee: sampleFee('REDUCTION', -2_000) }, NOW).order;
};
const locked = () => lockOwed(owing(), { orderVersion: 2, owedMinor: 2_000, owner: OWNER }, NOW).order;
const confirm = (order: Order, givenUpMinor?: number, lockOwner = OWNER) => {
  const givenUp = givenUpMinor === undefined ? {} : { givenUp: { feeId: 'kept', amountMinor: givenUpMinor } };
  return confirmDecided(order, { orderVersion: 2, lockOwner, ...givenUp }, NOW);
};

describe('a draft that owes what an operator decides on', () => {
  it('is locked while it owes exactly that, again and again by its decision', () => {
    const order = locked();
    assert.equal(order.lock?.owner, OWNER);
    assert.equal(lockOwed(order, { orderVersion: 2, owedMinor: 2_000, owner: OWNER }, NOW).order.lock?.owner, OWNER);
    const refuses = (orderVersion: number, owedMinor: number, code: string) =>
      assert.throws(() => lockOwed(owing(), { orderVersion, owedMinor, owner: OWNER }, NOW), { code });
    refuses(2, 1_999, 'INVALID_STATE');
    refuses(2, 0, 'INVALID_STATE');
    refuses(1, 2_000, 'ORDER_VERSION_MISMATCH');
    const other = lockOrder(owing(), { owner: OTHER }, NOW).order;
    assert.throws(() => lockOwed(other, { orderVersion: 2, owedMinor: 2_000, owner: OWNER }, NOW), {
      code: 'ORDER_LOCKED',
    });
  });

  it('is confirmed with a fee of what is given up', () => {
    const { order, events } = confirm(locked(), 2_000);
    assert.deepEqual([order.status, order.version, balanceMinor(order), order.lock], ['CONFIRMED', 2, 0, undefined]);
    assert.deepEqual(order.fees.map(({ type, price }) => [type, price.amountMinor]).at(-1), ['REFUNDING', 2_000]);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['FeeAdded', 'OrderConfirmed'],
    );
  });

  it('is confirmed without a fee where the money counts as paid back, also when all was paid meanwhile', () => {
    const paid = withMoney(locked(), { creditedMinor: 2_000 });
    for (const givenUpMinor of [undefined, 0]) {
      const { order } = confirm(paid, givenUpMinor);
      assert.deepEqual([order.status, balanceMinor(order), order.fees.length], ['CONFIRMED', 0, 1]);
    }
  });

  it('is left alone by an attempt whose lock has ended', () => {
    const order = locked();
    assert.equal(confirm(order, 2_000, OTHER).order, order);
    assert.equal(confirm(owing(), 2_000).events.length, 0);
  });
});
