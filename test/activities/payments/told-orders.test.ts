/**
 * Orders that are told of their payments, and money that is imported, when a process ends between two steps. Orders and
 * payments are on real databases.
 */
import assert from 'node:assert/strict';
import { OrderMoneyWriter } from '../../../activities/orders/order-money.ts';
import { importMoney } from '../../../activities/payments/importing.ts';
import { OrderNotes } from '../../../activities/payments/order-notes.ts';
import { PaymentSweeps } from '../../../activities/payments/payment-sweeps.ts';
import { createLog } from '../../../platform/log.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { cancelTransaction } from '../../../workflows/payments/rules/cancelling.ts';
import type { Payment } from '../../../workflows/payments/rules/payment.ts';
import type { OrderId } from '../../../workflows/shared/ids.ts';
import { later, NOW, OURS, sampleFee } from '../../support/sample-orders.ts';
import { sampleTransaction, TOTAL } from '../../support/sample-payments.ts';
import { OrderFixture } from '../orders/order-fixture.ts';
import { PaymentFixture, work } from './payment-fixture.ts';

const CALLS = ['lockForCapture', 'notePayment', 'confirm'] as const;
type Call = (typeof CALLS)[number];
const BY = { correlationId: 'c', clientId: 'sales-payments-worker' };

describe('orders and their payments', () => {
  const orders = new OrderFixture('told-orders');
  const payments = new PaymentFixture('told-payments');
  let money: OrderMoneyWriter;
  let notes: OrderNotes;

  before(async () => {
    await Promise.all([orders.open(), payments.open()]);
    money = new OrderMoneyWriter(orders.here.store, orders.here.connection);
    const log = createLog({ level: 'silent', name: 'payments' });
    notes = new OrderNotes({
      connection: payments.here.connection,
      orders: () => money,
      log,
      now: () => payments.now,
    });
  });
  beforeEach(async () => {
    await Promise.all([orders.clear(), payments.clear()]);
  });
  after(async () => {
    await Promise.all([orders.close(), payments.close()]);
  });

  /** A draft that owes the total of the sample payment. */
  async function owing(): Promise<OrderId> {
    const { order } = await orders.create();
    await orders.change(order.id, (before, now) => addFee(before, { fee: sampleFee('BOOKING', TOTAL) }, now));
    return order.id;
  }

  const refOf = async (orderId: OrderId) => (await orders.here.store.get(OURS, orderId)).order.paymentRefs[0];
  const cancel = async (payment: Payment) =>
    await payments.here.store.change(OURS, payment.id, work(), (before, now) =>
      cancelTransaction(before, { transactionId: before.transactions[0]?.id ?? assert.fail() }, now),
    );

  it('are told by the sweep of what a crash has left out', async () => {
    const orderId = await owing();
    const created = await payments.create({ orderId });
    assert.equal(created.isUntold, true);
    await notes.sweep(BY);
    assert.equal(await refOf(orderId), undefined, 'the process that has written has time to tell it itself');
    payments.passes(1);
    await notes.sweep(BY);
    assert.equal((await refOf(orderId))?.openTransactions, 1);
    assert.equal((await payments.here.store.get(OURS, created.payment.id)).isUntold, false);
  });

  it('are not told by a late note that a transaction is open again', async () => {
    const orderId = await owing();
    const created = await payments.create({ orderId });
    const cancelled = await cancel(created.payment);
    await notes.tell(cancelled, BY);
    await notes.tell(created, BY);
    assert.equal((await refOf(orderId))?.openTransactions, 0);
  });

  it('keep the mark of a change that came while an earlier one was told', async () => {
    const orderId = await owing();
    const created = await payments.create({ orderId });
    const cancelled = await cancel(created.payment);
    await notes.tell(created, BY);
    assert.equal((await payments.here.store.get(OURS, created.payment.id)).isUntold, true);
    await notes.tell(cancelled, BY);
    assert.equal((await payments.here.store.get(OURS, created.payment.id)).isUntold, false);
  });

  it('are told later where telling fails', async () => {
    const created = await payments.create({ orderId: 'AAAAAAAA' as OrderId });
    await notes.tryToTell(created, BY);
    assert.equal((await payments.here.store.get(OURS, created.payment.id)).isUntold, true);
  });

  describe('with imported money', () => {
    const imported = { ...sampleTransaction(), rrn: 'RRN', confirmedAt: NOW };

    const log = createLog({ level: 'silent', name: 'payments' });
    const reads = {
      get: async (...given: Parameters<typeof orders.here.access.get>) => orders.here.access.get(...given),
    };
    const stateOf = async (orderId: OrderId) => {
      const { order } = await orders.here.store.get(OURS, orderId);
      return [order.status, order.money.capturedMinor, order.lock?.owner];
    };

    /** The process ends once, at this call of orders. */
    function endingAt(broken: Call, effect: 'before' | 'after') {
      let isBroken = true;
      const failing = new Proxy(money, {
        get: (target, name: keyof OrderMoneyWriter) => {
          const call = (target[name] as (...given: unknown[]) => Promise<unknown>).bind(target);
          return async (...given: unknown[]) => {
            if (!isBroken || name !== broken) return await call(...given);
            if (effect === 'after') await call(...given);
            isBroken = false;
            throw new Error('The process ends');
          };
        },
      });
      const told = new OrderNotes({ connection: payments.here.connection, orders: () => failing, log });
      return { payments: payments.here.store, orders: reads, orderMoney: failing, notes: told };
    }

    for (const broken of CALLS) {
      for (const effect of ['before', 'after'] as const) {
        it(`are confirmed once, also when a process ends ${effect} ${broken}`, async () => {
          const orderId = await owing();
          const { payment } = await payments.create({ orderId, transaction: undefined as never });
          const dependencies = endingAt(broken, effect);
          const by = work();
          const place = { tenancy: OURS, paymentId: payment.id };
          await assert.rejects(importMoney(dependencies, place, by, imported), /The process ends/);
          const { transaction } = await importMoney(dependencies, place, by, imported);
          const again = await importMoney(dependencies, place, by, imported);
          assert.equal(again.transaction.id, transaction.id);
          assert.deepEqual(await stateOf(orderId), ['CONFIRMED', TOTAL, undefined]);
          const { payment: after } = await payments.here.store.get(OURS, payment.id);
          assert.equal(after.transactions.length, 1);
        });

        it(`are not left locked when a process ends ${effect} ${broken}, and nobody repeats the request`, async () => {
          const orderId = await owing();
          const { payment } = await payments.create({ orderId, transaction: undefined as never });
          const place = { tenancy: OURS, paymentId: payment.id };
          const ends = importMoney(endingAt(broken, effect), place, work(), imported);
          await assert.rejects(ends, /The process ends/);
          const sweepAfter = async (minutes: number) => {
            const now = () => later(minutes, NOW);
            const parts = { payments: payments.here.store, notes, log, now };
            const unused = { credits: undefined as never, workflows: undefined as never };
            const access = { orders: () => money, orderReads: () => reads };
            await new PaymentSweeps({ ...parts, ...unused, ...access }).finishImports();
          };
          const before = await stateOf(orderId);
          await sweepAfter(5);
          assert.deepEqual(await stateOf(orderId), before, 'the request may still be running');
          await sweepAfter(7);
          const isEntered = broken !== 'lockForCapture';
          assert.deepEqual(await stateOf(orderId), [
            isEntered ? 'CONFIRMED' : 'DRAFT',
            isEntered ? TOTAL : 0,
            undefined,
          ]);
        });
      }
    }
  });
});
