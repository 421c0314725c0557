/** What payments and payment pages write on orders, each twice and by two processes at once. */
import assert from 'node:assert/strict';
import { OrderMoneyWriter } from '../../../activities/orders/order-money.ts';
import type { LockedWork, LockKind } from '../../../activities/shared/orders.ts';
import { balanceMinor, totalAmountMinor } from '../../../workflows/orders/rules/amounts.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import type { Order, PaymentRef } from '../../../workflows/orders/rules/order.ts';
import { lockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import type { OrderId, PaymentPageId } from '../../../workflows/shared/ids.ts';
import { later, NOW, OURS, sampleFee } from '../../support/sample-orders.ts';
import { OrderFixture } from './order-fixture.ts';

const OTHERS = { correlationId: 'c-2', clientId: 'worker', lockOwner: 'capture/2/2' };
const PAGE = '00000000-0000-4000-8000-000000000001' as PaymentPageId;
const OTHER_PAGE = '00000000-0000-4000-8000-000000000002' as PaymentPageId;

describe('money on orders', () => {
  const fixture = new OrderFixture('order-money');
  const work: LockedWork = { correlationId: 'c-1', clientId: 'worker', lockOwner: 'capture/1/1' };
  let money: OrderMoneyWriter;
  let elsewhere: OrderMoneyWriter;
  before(async () => {
    await fixture.open();
    money = new OrderMoneyWriter(fixture.here.store, fixture.here.connection);
    elsewhere = new OrderMoneyWriter(fixture.there.store, fixture.there.connection);
  });
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const note = (order: Order, more: Partial<PaymentRef> = {}): PaymentRef => ({
    paymentId: 7,
    orderVersion: order.version,
    capturedMinor: totalAmountMinor(order),
    creditedMinor: 0,
    openTransactions: 0,
    ...more,
  });
  const stored = async ({ id }: Order) => (await fixture.here.store.get('ANY', id)).order;

  it('locks a draft for one of many captures', async () => {
    const { order } = await fixture.withSeat();
    const owners = Array.from({ length: 20 }, (_, number) => `capture/1/${number}`);
    const tried = await Promise.allSettled(
      owners.map((lockOwner, index) =>
        (index % 2 ? money : elsewhere).lockForCapture(OURS, order.id, 1, { ...work, lockOwner }),
      ),
    );
    assert.equal(tried.filter(({ status }) => status === 'fulfilled').length, 1);
    const refused = tried.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
    assert.deepEqual(new Set(refused), new Set(['ORDER_LOCKED']));
    const { lock } = await stored(order);
    const again = await money.lockForCapture(OURS, order.id, 1, { ...work, lockOwner: lock?.owner ?? '' });
    assert.deepEqual(again.lock, lock);
  });

  it('lists lost captures behind any number of refunds that wait', async () => {
    const orders: OrderId[] = [];
    for (const owner of ['refund/A/1', 'refund/B/2', 'payment-import/7', 'capture/1/1']) {
      const { order } = await fixture.withSeat();
      await fixture.change(order.id, (before, now) => lockOrder(before, { owner }, now));
      orders.push(order.id);
    }
    const listed = async (kind: LockKind, minutes = 1) =>
      (await Array.fromAsync(money.pagesOfLocked(kind, later(minutes))))
        .flat()
        .map(({ owner, orderId }) => [owner, orders.indexOf(orderId)]);
    assert.deepEqual(await listed('capture'), [['capture/1/1', 3]]);
    assert.deepEqual(await listed('payment-import'), [['payment-import/7', 2]]);
    assert.deepEqual(await listed('capture', -1), []);
  });

  it('refuses a capture that could not be confirmed, and locks nothing', async () => {
    const refused = async (order: Order, version: number, code: string) => {
      await assert.rejects(money.lockForCapture(OURS, order.id, version, work), { code });
      assert.equal((await stored(order)).lock, undefined);
    };
    const { order } = await fixture.withSeat();
    await refused(order, 2, 'ORDER_VERSION_MISMATCH');
    const { order: empty } = await fixture.create();
    await refused(empty, 1, 'ORDER_EMPTY');
    const { order: sold } = await fixture.confirmed();
    await refused(sold, 1, 'ORDER_VERSION_MISMATCH');
    // Also one that has money already: nothing is added to it.
    await money.notePayment(OURS, order.id, note(order, { capturedMinor: 100 }), work);
    fixture.passes(21);
    await refused(order, 1, 'ORDER_EXPIRED');
  });

  it('unlocks for the owner alone', async () => {
    const { order } = await fixture.withSeat();
    await money.lockForCapture(OURS, order.id, 1, work);
    await elsewhere.unlock(OURS, order.id, OTHERS);
    assert.equal((await stored(order)).lock?.owner, work.lockOwner);
    await Promise.all([money.unlock(OURS, order.id, work), elsewhere.unlock(OURS, order.id, work)]);
    assert.equal((await stored(order)).lock, undefined);
  });

  it('notes money under every lock, once, and no note that comes late', async () => {
    const { order } = await fixture.withSeat();
    await money.lockForCapture(OURS, order.id, 1, OTHERS);
    const paid = note(order, { revision: 5 });
    await Promise.all([
      money.notePayment(OURS, order.id, paid, work),
      elsewhere.notePayment(OURS, order.id, paid, work),
    ]);
    const late = note(order, { revision: 4, openTransactions: 1 });
    const after = await money.notePayment(OURS, order.id, late, work);
    assert.equal(balanceMinor(after), 0);
    assert.deepEqual(after.paymentRefs, [paid]);
  });

  it('confirms under the lock, and ends it', async () => {
    const { order } = await fixture.withSeat();
    await money.lockForCapture(OURS, order.id, 1, work);
    await assert.rejects(money.confirm(OURS, order.id, 1, work), { code: 'ORDER_NOT_BALANCED' });
    await money.notePayment(OURS, order.id, note(order), work);
    await assert.rejects(money.confirm(OURS, order.id, 1, OTHERS), { code: 'ORDER_LOCKED' });
    // The time of the draft is over while its money is taken.
    fixture.passes(60);
    await Promise.all([money.confirm(OURS, order.id, 1, work), elsewhere.confirm(OURS, order.id, 1, work)]);
    const { status, lock } = await stored(order);
    assert.deepEqual({ status, lock }, { status: 'CONFIRMED', lock: undefined });
    const confirmations = (await fixture.events(order.id)).filter(({ type }) => type.includes('OrderConfirmed'));
    assert.equal(confirmations.length, 1);
  });

  it('abandons a draft whose money was credited', async () => {
    const { order } = await fixture.withSeat();
    await money.lockForCapture(OURS, order.id, 1, work);
    await money.notePayment(OURS, order.id, note(order), work);
    await assert.rejects(money.abandonDraft(OURS, order.id, 1, work), { code: 'INVALID_STATE' });
    await money.notePayment(OURS, order.id, note(order, { creditedMinor: totalAmountMinor(order) }), work);
    const after = await money.abandonDraft(OURS, order.id, 1, work);
    assert.deepEqual({ status: after.status, lock: after.lock }, { status: 'EXPIRED', lock: undefined });
    assert.equal((await money.abandonDraft(OURS, order.id, 1, work)).status, 'EXPIRED');
  });

  it('takes a changed order back to what was sold', async () => {
    const { order } = await fixture.confirmed();
    await fixture.change(order.id, (before, now) => addFee(before, { fee: sampleFee('MANUAL', 500) }, now));
    await money.lockForCapture(OURS, order.id, 2, work);
    const after = await money.abandonDraft(OURS, order.id, 2, work);
    assert.deepEqual([after.status, after.version, after.lock], ['CONFIRMED', 1, undefined]);
  });

  it('raises the time of a draft and never lowers it', async () => {
    const { order } = await fixture.create();
    const raised = await money.raiseExpireAt(OURS, order.id, later(45, NOW), work);
    assert.deepEqual(raised.expireAt, later(45, NOW));
    assert.deepEqual((await money.raiseExpireAt(OURS, order.id, later(30, NOW), work)).expireAt, later(45, NOW));
    const { order: sold } = await fixture.confirmed();
    assert.equal((await money.raiseExpireAt(OURS, sold.id, later(45, NOW), work)).expireAt, undefined);
    fixture.passes(50);
    await assert.rejects(money.raiseExpireAt(OURS, order.id, later(200, NOW), work), { code: 'ORDER_EXPIRED' });
  });

  it('has one open page, which may close at any time', async () => {
    const { order } = await fixture.withSeat();
    const opened = await money.attachPaymentPage(OURS, order.id, { pageId: PAGE, attached: true }, work);
    assert.equal(opened.paymentPageId, PAGE);
    const other = { pageId: OTHER_PAGE, attached: true };
    await assert.rejects(money.attachPaymentPage(OURS, order.id, other, work), { code: 'INVALID_STATE' });
    await money.attachPaymentPage(OURS, order.id, { pageId: OTHER_PAGE, attached: false }, work);
    assert.equal((await stored(order)).paymentPageId, PAGE);
    await money.lockForCapture(OURS, order.id, 1, OTHERS);
    await money.attachPaymentPage(OURS, order.id, { pageId: PAGE, attached: false }, work);
    assert.equal((await stored(order)).paymentPageId, undefined);
  });

  it('opens a page and raises the time of its draft in one write', async () => {
    const { order, revision } = await fixture.create();
    const expireAt = later(7 * 24 * 60, NOW);
    const opened = await money.attachPaymentPage(OURS, order.id, { pageId: PAGE, attached: true, expireAt }, work);
    assert.deepEqual([opened.paymentPageId, opened.expireAt], [PAGE, expireAt]);
    assert.equal((await fixture.here.store.get('ANY', order.id)).revision, revision + 1);
    await fixture.checkEvents(order.id);
  });
});
