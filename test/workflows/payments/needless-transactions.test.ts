/** Transactions of an order that another one has paid: the customer's money is given back, and not held until they are idle. */
import assert from 'node:assert/strict';
import type { TransactionPlace } from '../../../activities/payments/capture-calls.ts';
import { confirmOrder } from '../../../workflows/orders/rules/confirmation.ts';
import { payByCard } from '../../support/provider-simulator.ts';
import { OURS } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { MoneyWorld, type PaidPlace } from './money-world.ts';

describe('transactions whose order was paid otherwise', () => {
  let world: MoneyWorld;
  before(async () => {
    world = await MoneyWorld.open('needless-transactions');
  });
  beforeEach(async () => await world.reset());
  after(async () => await world.close());

  const untilCancelled = async (place: TransactionPlace) => {
    const isCancelled = async () => {
      const { status, intent } = await world.transaction(place);
      return status === 'CANCELLED' && intent === undefined;
    };
    await until(isCancelled, { what: 'the end of the transaction' });
    const isTold = async () => (await world.order(place)).paymentRefs.every(({ openTransactions: open }) => open === 0);
    await until(isTold, { what: 'the note of the order' });
    assert.deepEqual(await world.ledger(place), { captures: 0, captured: 0, refunded: 0 });
  };

  /** Two customers, or one with two cards, have authorised the same order. */
  const paidTwice = async (): Promise<readonly [PaidPlace, PaidPlace]> => {
    const first = await world.authorised();
    return [first, await world.authorised(undefined, { order: first.order })];
  };

  it('are voided with the confirmation', async () => {
    const [first, second] = await paidTwice();
    assert.equal(await world.capture(first), 'CAPTURED');
    await untilCancelled(second);
    assert.ok((await world.transaction(second)).authorisationId, 'what was authorised is known, and given back');
    const detail = /The transaction is cancelled: nothing will be taken\./;
    await assert.rejects(world.capture(second), { code: 'INVALID_STATE', message: detail });
  });

  it('are voided also when the worker dies right after the confirmation', async () => {
    const [first, second] = await paidTwice();
    world.breakOn('captureMoney', 'after');
    assert.equal(await world.capture(first), 'CAPTURED');
    await untilCancelled(second);
  });

  it('take nobody at a terminal that is still open, or was never opened', async () => {
    const first = await world.authorised();
    const opened = await world.payment({ order: first.order });
    const created = await world.payment({ order: first.order });
    const terminal = await world.terminal(opened);
    assert.equal(await world.capture(first), 'CAPTURED');
    for (const place of [opened, created]) await untilCancelled(place);
    await payByCard(terminal, '4111111111111111');
    assert.deepEqual(await world.ledger(opened), { captures: 0, captured: 0, refunded: 0 });
  });

  it('are voided by their own capture where nothing has told them, and it says so', async () => {
    const place = await world.authorised();
    const other = { paymentId: 2, orderVersion: 1, capturedMinor: 10_000, creditedMinor: 0, openTransactions: 0 };
    await world.money.notePayment(OURS, place.orderId, other, { correlationId: 'c', clientId: 'x' });
    await world.fixture.change(place.orderId, (before, now) => confirmOrder(before, { orderVersion: 1 }, now));
    await assert.rejects(world.capture(place), {
      code: 'ORDER_VERSION_MISMATCH',
      message: 'Version 1 of the order is confirmed already. The transaction is cancelled: nothing will be taken.',
    });
    await untilCancelled(place);
    assert.ok((await world.transaction(place)).authorisationId);
  });

  it('are voided as soon as they are authorised, where the order was confirmed before', async () => {
    const place = await world.authorised();
    const other = { paymentId: 2, orderVersion: 1, capturedMinor: 10_000, creditedMinor: 0, openTransactions: 0 };
    await world.money.notePayment(OURS, place.orderId, other, { correlationId: 'c', clientId: 'x' });
    await world.fixture.change(place.orderId, (before, now) => confirmOrder(before, { orderVersion: 1 }, now));
    await world.callback(place);
    await untilCancelled(place);
  });

  it('stay where they are invoices, and where the version can still be paid', async () => {
    const first = await world.authorised();
    const invoice = await world.payment({ order: first.order, provider: 'BOOK', group: 'INVOICE' });
    assert.equal(await world.capture(first), 'CAPTURED');
    await world.callback(invoice);
    await world.ended(invoice);
    assert.equal((await world.transaction(invoice)).status, 'CREATED');
    const [half, rest] = await paidTwice();
    await world.owesMore(half);
    assert.equal(await world.capture(half), 'CAPTURED');
    await world.callback(rest);
    await until(async () => (await world.transaction(rest)).authorisationId !== undefined, { what: 'it' });
    assert.equal((await world.transaction(rest)).status, 'INITIATED');
  });
});
