/**
 * Money of another system that comes with an imported order and by the import of a payment is entered once, whichever comes
 * first, and however processes end. Orders and payments are on real databases.
 */
import assert from 'node:assert/strict';
import { createOrderExpiryActivities } from '../../../activities/orders/order-expiry-activities.ts';
import { OrderMoneyWriter } from '../../../activities/orders/order-money.ts';
import { finishImport, importMoney } from '../../../activities/payments/importing.ts';
import { OrderNotes } from '../../../activities/payments/order-notes.ts';
import { createLog } from '../../../platform/log.ts';
import { importOrder } from '../../../workflows/orders/rules/creation.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import type { OrderId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { noTickets } from '../../support/no-tickets.ts';
import { later, NOW, OURS, sampleFee, sampleOrder } from '../../support/sample-orders.ts';
import { sampleTransaction, TOTAL } from '../../support/sample-payments.ts';
import { OrderFixture, request } from '../orders/order-fixture.ts';
import { PaymentFixture, work } from './payment-fixture.ts';

const MONEY = { ...sampleTransaction(), rrn: 'SAME', confirmedAt: NOW };

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof ServiceError ? error.code : error;
}

describe('money of another system', () => {
  const orders = new OrderFixture('entered-once-orders');
  const payments = new PaymentFixture('entered-once-payments');
  const log = createLog({ level: 'silent', name: 'payments' });
  let orderMoney: OrderMoneyWriter;
  let notes: OrderNotes;

  before(async () => {
    await Promise.all([orders.open(), payments.open()]);
    orderMoney = new OrderMoneyWriter(orders.here.store, orders.here.connection);
    const { connection } = payments.here;
    notes = new OrderNotes({ connection, orders: () => orderMoney, log, now: () => payments.now });
  });
  beforeEach(async () => {
    await Promise.all([orders.clear(), payments.clear()]);
  });
  after(async () => {
    await Promise.all([orders.close(), payments.close()]);
  });

  const takeOrder = async (rrn = MONEY.rrn) => {
    const { amountMinor, paymentTypeGroup, paymentType, confirmedAt } = { ...MONEY, amountMinor: TOTAL };
    const importedTransactions = [{ amountMinor, paymentTypeGroup, paymentType, confirmedAt, rrn }];
    const content = { lines: [], fees: [sampleFee('BOOKING', TOTAL)], capturedMinor: TOTAL, importedTransactions };
    const facts = { ...sampleOrder({ organisationId: OURS }), externalReference: 'OLD', importedAt: NOW };
    const make = (id: OrderId, now: Date) => importOrder({ ...facts, ...content, id }, now);
    return (await orders.there.store.create(OURS, request(), make)).order;
  };
  /** A draft that owes the total, and its payment. */
  const owing = async (orderId?: OrderId) => {
    const id = orderId ?? (await orders.create()).order.id;
    const { order } = await orders.change(id, (before, now) =>
      addFee(before, { fee: sampleFee('BOOKING', TOTAL) }, now),
    );
    const { payment } = await payments.create({
      ...{ orderId: id, orderVersion: order.version },
      transaction: undefined as never,
    });
    return { orderId: id, place: { tenancy: OURS, paymentId: payment.id } };
  };
  const parts = () => ({ payments: payments.here.store, orders: orders.here.access, orderMoney, notes });
  const orderOf = async (orderId: OrderId) => (await orders.here.store.get(OURS, orderId)).order;
  /** The process ends after it has locked the order, or has entered the money. */
  const ending = (at: 'lockForCapture' | 'notePayment') => {
    const ends = async () => {
      throw new Error('The process ends');
    };
    const locks = async (...given: Parameters<OrderMoneyWriter['lockForCapture']>) => {
      await orderMoney.lockForCapture(...given);
      return await ends();
    };
    if (at === 'notePayment') return { ...parts(), notes: { tell: ends } };
    const { unlock, confirm } = orderMoney;
    const [kept, confirmed] = [unlock.bind(orderMoney), confirm.bind(orderMoney)];
    return { ...parts(), orderMoney: { unlock: kept, confirm: confirmed, lockForCapture: locks } };
  };

  it('that came with an order is entered by no payment', async () => {
    await takeOrder();
    const { orderId, place } = await owing();
    assert.equal(await codeOf(importMoney(parts(), place, work(), MONEY)), 'DUPLICATE_TRANSACTION');
    const { lock, money } = await orderOf(orderId);
    assert.deepEqual([lock, money.capturedMinor], [undefined, 0]);
    await importMoney(parts(), place, work(), { ...MONEY, rrn: 'OTHER' });
    assert.equal((await orderOf(orderId)).status, 'CONFIRMED');
  });

  it('that came with an order is not entered again by a payment of that order', async () => {
    const { id } = await takeOrder();
    const { place } = await owing(id);
    assert.equal(await codeOf(importMoney(parts(), place, work(), MONEY)), 'DUPLICATE_TRANSACTION');
    assert.deepEqual([(await orderOf(id)).status, (await orderOf(id)).lock], ['DRAFT', undefined]);
  });

  it('that a payment has entered comes with no order', async () => {
    const { place } = await owing();
    const by = work();
    const { transaction } = await importMoney(parts(), place, by, MONEY);
    assert.equal(await codeOf(takeOrder()), 'DUPLICATE_TRANSACTION');
    assert.equal((await importMoney(parts(), place, by, MONEY)).transaction.id, transaction.id);
    await takeOrder('OTHER');
  });

  it('is entered once when an order and payments bring it at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const rrn = `ROUND-${round}`;
      const places = [await owing(), await owing()];
      const tries = await Promise.allSettled([
        takeOrder(rrn),
        ...places.map(async ({ place }) => await importMoney(parts(), place, work(), { ...MONEY, rrn })),
        takeOrder(rrn),
      ]);
      assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1);
      const codes = tries.flatMap((each) => (each.status === 'rejected' ? [(each.reason as ServiceError).code] : []));
      assert.deepEqual(new Set(codes), new Set(['DUPLICATE_TRANSACTION']));
    }
  });

  it('is free again when a payment is refused it', async () => {
    const { orderId, place } = await owing();
    const tooMuch = { ...MONEY, amountMinor: TOTAL + 1 };
    assert.equal(await codeOf(importMoney(parts(), place, work(), tooMuch)), 'AMOUNT_MISMATCH');
    assert.equal((await orderOf(orderId)).lock, undefined);
    await takeOrder();
  });

  it('stays with the payment whose process has ended, until the sweep knows that nothing was entered', async () => {
    const { orderId, place } = await owing();
    await assert.rejects(importMoney(ending('lockForCapture'), place, work(), MONEY), /The process ends/);
    assert.equal(await codeOf(takeOrder()), 'DUPLICATE_TRANSACTION');
    const owner = (await orderOf(orderId)).lock?.owner ?? assert.fail();
    await finishImport(parts(), { organisationId: OURS, orderId, owner }, work());
    await takeOrder();
  });

  it('stays with the payment that has entered it while the expiry takes the lock over', async () => {
    const { orderId, place } = await owing();
    await assert.rejects(importMoney(ending('notePayment'), place, work(), MONEY), /The process ends/);
    orders.passes(25);
    const expiry = createOrderExpiryActivities({
      orders: orders.here.store,
      payments: () => undefined,
      tickets: noTickets,
    });
    const input = { organisationId: OURS, orderId, version: 1 };
    assert.equal(await expiry.lockDraft(input), 'LOCKED');
    assert.equal(await codeOf(takeOrder()), 'DUPLICATE_TRANSACTION');
    await notes.tell(await payments.here.store.get(OURS, place.paymentId), work());
    assert.equal(await expiry.endDraft(input), 'CONFIRMED');
    assert.equal(await codeOf(takeOrder()), 'DUPLICATE_TRANSACTION');
  });

  it('is not entered a minute after the order was locked for it, and is when the request is repeated', async () => {
    const { orderId, place } = await owing();
    const by = work();
    const { lockForCapture } = orderMoney;
    const late = Object.assign(Object.create(orderMoney) as OrderMoneyWriter, {
      lockForCapture: async (...given: Parameters<typeof lockForCapture>) => {
        const order = await lockForCapture.apply(orderMoney, given);
        payments.now = later(1.1, payments.now);
        return order;
      },
    });
    assert.equal(await codeOf(importMoney({ ...parts(), orderMoney: late }, place, by, MONEY)), 'UNAVAILABLE');
    assert.equal((await orderOf(orderId)).money.capturedMinor, 0);
    orders.now = payments.now;
    await importMoney(parts(), place, by, MONEY);
    const { status, money, lock } = await orderOf(orderId);
    assert.deepEqual([status, money.capturedMinor, lock], ['CONFIRMED', TOTAL, undefined]);
  });
});
