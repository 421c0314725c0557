/** Payments as they are stored: each write once, whatever is repeated and however many write at once. */
import assert from 'node:assert/strict';
import { MAX_ID_ATTEMPTS, paymentIdOf, transactionIdOf } from '../../../activities/payments/number-id.ts';
import { madeTransaction } from '../../../activities/payments/payment-store.ts';
import { cancelTransaction } from '../../../workflows/payments/rules/cancelling.ts';
import { addTransaction, importTransaction } from '../../../workflows/payments/rules/creation.ts';
import { noteCredited, reserveCredit } from '../../../workflows/payments/rules/credits.ts';
import type { Payment } from '../../../workflows/payments/rules/payment.ts';
import type { PaymentChange } from '../../../workflows/payments/rules/payment-change.ts';
import { summaryOf } from '../../../workflows/payments/rules/summary.ts';
import type { CreditId, OrderId, PaymentId, TransactionId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { NOW, OURS, THEIRS } from '../../support/sample-orders.ts';
import { samplePayment, sampleTransaction, TOTAL } from '../../support/sample-payments.ts';
import { PaymentFixture, work } from './payment-fixture.ts';

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw error ?? new Error('nothing was refused');
  return error.code;
}

describe('payment store', () => {
  const fixture = new PaymentFixture('payment-store');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  /** A payment whose money another system has taken. */
  async function imported(rrn = 'RRN1', more: Partial<Payment> = {}) {
    const { payment } = await fixture.create({ transaction: undefined as never, ...more } as never);
    return await importInto(payment.id, rrn);
  }

  async function importInto(paymentId: PaymentId, rrn: string, amountMinor = TOTAL, store = fixture.here.store) {
    const money = { ...sampleTransaction({ amountMinor }), rrn, confirmedAt: NOW };
    return await store.change(OURS, paymentId, work(), (payment, now, { transactionId }) =>
      importTransaction(payment, { ...money, id: transactionId }, now),
    );
  }

  it('makes a payment with the numbers of its request, and reads it in another process', async () => {
    const by = work();
    const { payment, revision, isUntold } = await fixture.create({}, by);
    assert.equal(payment.id, paymentIdOf(by.workId, 0));
    assert.equal(madeTransaction(payment, by)?.id, transactionIdOf(by.workId, 0));
    assert.deepEqual([revision, isUntold], [1, true]);
    assert.ok(payment.id > 0 && Number.isSafeInteger(payment.id));
    assert.deepEqual((await fixture.there.store.get(OURS, payment.id)).payment, payment);
    assert.deepEqual((await fixture.here.store.findByTransaction(transactionIdOf(by.workId, 0)))?.payment, payment);
  });

  it('makes one payment for a request, also when it is repeated and raced', async () => {
    const by = work();
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, at) => fixture.create({}, by, (at % 2 ? fixture.here : fixture.there).store)),
    );
    assert.equal(new Set(made.map(({ payment }) => payment.id)).size, 1);
    assert.equal(await fixture.here.collection.countDocuments(), 1);
    const [first] = made;
    assert.equal((await fixture.outbox(first?.payment.id ?? assert.fail())).length, 1);
  });

  it('takes the next number where another payment, or a transaction of another one, has it', async () => {
    const by = work();
    const other = await fixture.create({ id: paymentIdOf(by.workId, 0) });
    const third = work();
    await fixture.here.store.change(OURS, other.payment.id, third, (payment, now) => ({
      payment: { ...payment, totalMinor: 2 * TOTAL, updatedAt: now },
      events: [],
    }));
    await fixture.here.store.change(OURS, other.payment.id, work(), (payment, now) =>
      addTransaction(payment, sampleTransaction({ id: transactionIdOf(by.workId, 1) }), now),
    );
    const { payment } = await fixture.create({}, by);
    assert.equal(payment.id, paymentIdOf(by.workId, 2));
    assert.equal(madeTransaction(payment, by)?.id, transactionIdOf(by.workId, 2));
    assert.equal((await fixture.create({}, by)).payment.id, payment.id, 'a repeat finds it');
    assert.ok(MAX_ID_ATTEMPTS > 2);
  });

  it('takes the next number for a transaction that is added', async () => {
    const { payment } = await fixture.create({ totalMinor: 2 * TOTAL, transaction: undefined as never });
    const by = work();
    await fixture.create({
      transaction: sampleTransaction({ id: transactionIdOf(by.workId, 0) }),
      orderId: 'AAAAAAAA' as OrderId,
    });
    const add = (before: Payment, now: Date, { transactionId }: { transactionId: TransactionId }) =>
      addTransaction(before, sampleTransaction({ id: transactionId }), now);
    for (const _ of [1, 2]) {
      const changed = await fixture.here.store.change(OURS, payment.id, by, add);
      assert.equal(changed.payment.transactions.length, 1);
      assert.equal(madeTransaction(changed.payment, by)?.id, transactionIdOf(by.workId, 1));
    }
  });

  it('never lets transactions exceed the total, however many are added at once', async () => {
    const { payment } = await fixture.create({ totalMinor: TOTAL, transaction: undefined as never });
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) =>
        (at % 2 ? fixture.here : fixture.there).store.change(OURS, payment.id, work(), (before, now, ids) =>
          addTransaction(before, sampleTransaction({ id: ids.transactionId, amountMinor: TOTAL / 3 }), now),
        ),
      ),
    );
    assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 3);
  });

  it('never credits more than was captured, however many credit at once', async () => {
    const { payment } = await imported();
    const [{ id: transactionId }] = payment.transactions as [Payment['transactions'][0]];
    const tries = await Promise.allSettled(
      Array.from({ length: 9 }, (_, at) => {
        const credit = { creditId: (at + 1) as CreditId, parts: [{ transactionId, amountMinor: TOTAL / 4 }] };
        const { store } = at % 2 ? fixture.here : fixture.there;
        return store.change(OURS, payment.id, work(), (before, now) => reserveCredit(before, credit, now));
      }),
    );
    assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 4);
    const codes = tries.flatMap((each) => (each.status === 'rejected' ? [(each.reason as ServiceError).code] : []));
    assert.deepEqual(new Set(codes), new Set(['REFUND_AMOUNT_EXCEEDED']));
  });

  it('takes one import of a reference and day in an organisation', async () => {
    const tries = await Promise.allSettled(
      Array.from({ length: 4 }, async (_, at) => {
        const { payment } = await fixture.create({ transaction: undefined as never });
        return await importInto(payment.id, 'SAME', TOTAL, (at % 2 ? fixture.here : fixture.there).store);
      }),
    );
    assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1);
    const codes = tries.flatMap((each) => (each.status === 'rejected' ? [(each.reason as ServiceError).code] : []));
    assert.deepEqual(
      codes,
      Array.from({ length: 3 }, () => 'DUPLICATE_TRANSACTION'),
    );
  });

  it('refuses the import that the payment itself has', async () => {
    const { payment } = await fixture.create({ transaction: undefined as never });
    await importInto(payment.id, 'ONE', TOTAL / 2);
    assert.equal(await codeOf(importInto(payment.id, 'ONE', TOTAL / 2)), 'DUPLICATE_TRANSACTION');
    await importInto(payment.id, 'TWO', TOTAL / 2);
  });

  it('imports many payments without a reference to each other', async () => {
    const both = [await imported('A'), await imported('B')];
    assert.deepEqual(
      both.map(({ payment }) => summaryOf(payment).capturedMinor),
      [TOTAL, TOTAL],
    );
  });

  it('writes the events of a step with it, numbered without a gap', async () => {
    const { payment } = await imported();
    const [{ id: transactionId }] = payment.transactions as [Payment['transactions'][0]];
    const creditId = 1 as CreditId;
    const steps: readonly ((before: Payment, now: Date) => PaymentChange)[] = [
      (before, now) => reserveCredit(before, { creditId, parts: [{ transactionId, amountMinor: TOTAL }] }, now),
      (before, now) => noteCredited(before, { creditId, transactionId, rrn: 'BACK' }, now),
      (before, now) => noteCredited(before, { creditId, transactionId, rrn: 'BACK' }, now),
    ];
    for (const step of steps) await fixture.here.store.change(OURS, payment.id, work(), step);
    const events = await fixture.outbox(payment.id);
    assert.deepEqual(
      events.map(({ type, sequence }) => [sequence, type]),
      [
        [1, 'service.payment.PaymentCreated.v1'],
        [2, 'service.payment.TransactionCaptured.v1'],
        [3, 'service.payment.CreditExecuted.v1'],
      ],
    );
    for (const { key, data } of events) {
      assert.equal(key, payment.orderId);
      const { correlationId, ...meta } = data.meta as Record<string, unknown>;
      assert.match(String(correlationId), /^correlation-/);
      assert.deepEqual(meta, {
        orderId: payment.orderId,
        organisationId: OURS,
        clientId: 'partner',
        occurredAt: NOW,
      });
    }
  });

  it('answers a foreign payment as an absent one', async () => {
    const { payment } = await fixture.create();
    assert.equal(await codeOf(fixture.here.store.get(THEIRS, payment.id)), 'NOT_FOUND');
    assert.equal(await codeOf(fixture.here.store.require(THEIRS, payment.id)), 'NOT_FOUND');
    const none = fixture.here.store.change(THEIRS, payment.id, work(), () => assert.fail('it was read'));
    assert.equal(await codeOf(none), 'NOT_FOUND');
    assert.deepEqual(await fixture.here.store.listOfOrder(THEIRS, payment.orderId), []);
    assert.equal((await fixture.here.store.get('ANY', payment.id)).payment.id, payment.id);
  });

  it('lists payments whose open transactions had no step for a while', async () => {
    const { payment } = await fixture.create();
    const [{ id: transactionId }] = payment.transactions as [Payment['transactions'][0]];
    await imported('CLOSED', { orderId: 'AAAAAAAA' as OrderId });
    const idle = async () =>
      (await Array.fromAsync(fixture.here.store.pagesOfIdle(fixture.now))).flat().map((each) => each.payment.id);
    assert.deepEqual(await idle(), [payment.id]);
    await fixture.here.store.change(OURS, payment.id, work(), (before, now) =>
      cancelTransaction(before, { transactionId }, now),
    );
    assert.deepEqual(await idle(), []);
  });

  it('refuses a payment of another organisation under the same work', async () => {
    const by = work();
    await fixture.create({}, by);
    const theirs = fixture.here.store.create(THEIRS, by, ({ paymentId }, now) => ({
      payment: { ...samplePayment({ id: paymentId }), active: true, transactions: [], createdAt: now, updatedAt: now },
      events: [],
    }));
    assert.equal(await codeOf(theirs), 'NOT_FOUND');
  });
});
