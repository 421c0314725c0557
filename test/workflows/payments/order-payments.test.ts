/** What orders ask of payments, with real money: drafts that end, and balances that are paid back. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { confirmFor } from '../../../activities/orders/confirming.ts';
import { createOrderExpiryActivities } from '../../../activities/orders/order-expiry-activities.ts';
import { resetFor } from '../../../activities/orders/resetting.ts';
import { ensureImportedPayment } from '../../../activities/payments/imported-payment.ts';
import { PAYMENTS_COLLECTION } from '../../../activities/payments/payment-document.ts';
import { balanceMinor, excessMinor } from '../../../workflows/orders/rules/amounts.ts';
import { importOrder } from '../../../workflows/orders/rules/creation.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { lockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import { settlingOwner } from '../../../workflows/orders/rules/settling-lock.ts';
import { noteUse } from '../../../workflows/orders/rules/use.ts';
import { noteDispute } from '../../../workflows/payments/rules/credits.ts';
import { combine } from '../../../workflows/payments/rules/payment-change.ts';
import type { CustomerNumber, OrderId, SettlementId } from '../../../workflows/shared/ids.ts';
import { noTickets } from '../../support/no-tickets.ts';
import { NOW, OURS, sampleFee, sampleLine, sampleOrder } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { MoneyWorld, type PaidPlace, workOf } from './money-world.ts';

describe('payments of orders', () => {
  let world: MoneyWorld;
  before(async () => {
    world = await MoneyWorld.open('order-payments');
  });
  beforeEach(async () => await world.reset());
  after(async () => await world.close());

  const draft = ({ orderId }: PaidPlace, version = 1) => ({ organisationId: OURS, orderId, version });
  const sold = async (): Promise<PaidPlace> => {
    const place = await world.authorised();
    await world.capture(place);
    return place;
  };
  /** Sold elsewhere, and paid there by two transactions. */
  const imported = async () => {
    const work = { workId: randomUUID(), correlationId: 'c', clientId: 'partner' };
    const taken = { paymentType: 'VISA', confirmedAt: NOW };
    const importedTransactions = [
      { ...taken, amountMinor: 7_000, paymentTypeGroup: 'PAYMENTCARD', rrn: 'CARD' },
      { ...taken, amountMinor: 3_000, paymentTypeGroup: 'CASH', rrn: 'CASH' },
    ];
    return await world.fixture.here.store.create(OURS, work, (id, now) =>
      importOrder(
        {
          ...{ ...sampleOrder({ id }), externalReference: 'OLD', importedAt: NOW, lines: [sampleLine()] },
          ...{ importedTransactions, capturedMinor: 10_000 },
        },
        now,
      ),
    );
  };
  /** A request to confirm the draft has locked it. */
  const confirming = async (orderId: OrderId) =>
    await world.fixture.change(orderId, (before, now) =>
      lockOrder(before, { owner: settlingOwner('confirmation', before) }, now),
    );
  const settling = () => ({
    orders: world.fixture.here.store,
    payments: () => world.orderPayments,
    tickets: noTickets,
  });

  it('ends every open transaction, with and without a terminal', async () => {
    const opened = await world.authorised();
    const created = await world.payment({ order: opened.order });
    assert.equal(await world.orderPayments.endOpenTransactions(draft(opened)), 0);
    for (const place of [opened, created]) assert.equal((await world.transaction(place)).status, 'CANCELLED');
    const { paymentRefs } = await world.order(opened);
    assert.deepEqual(new Set(paymentRefs.map(({ openTransactions }) => openTransactions)), new Set([0]));
  });

  it('counts a transaction whose outcome is unknown as open', async () => {
    const place = await world.authorised();
    await world.callback(place);
    await until(async () => (await world.transaction(place)).authorisationId !== undefined, { what: 'it' });
    await world.fault({ call: 'capture', mode: 'DROP', count: 1 });
    await world.fault({ call: 'status', mode: 'FAIL_BEFORE', count: 2 });
    const captured = world.capture(place).catch(() => undefined);
    await until(async () => (await world.transaction(place)).intent !== undefined, { what: 'the capture' });
    assert.equal(await world.orderPayments.endOpenTransactions(draft(place)), 1);
    await captured;
    await until(async () => (await world.order(place)).status === 'CONFIRMED', {
      what: 'the order',
      timeoutMs: 30_000,
    });
  });

  it('credits a draft once for many callers', async () => {
    const place = await world.authorised(undefined, { customerNumber: '1234567' as CustomerNumber });
    await world.owesMore(place);
    await world.capture(place);
    await Promise.all(Array.from({ length: 10 }, () => world.creditDraft(place)));
    await until(async () => excessMinor(await world.order(place)) === 0, { what: 'the credit' });
    assert.deepEqual(await world.ledger(place), { captures: 1, captured: 10_000, refunded: 10_000 });
    const [made, ...others] = await world.credits.listOfOrder(OURS, place.orderId);
    assert.deepEqual([made?.credit.customerNumber, others.length], ['1234567', 0]);
    await world.creditDraft(place);
    assert.equal((await world.credits.listOfOrder(OURS, place.orderId)).length, 1);
  });

  it('pays back a negative balance and confirms, once for many callers', async () => {
    const place = await sold();
    await world.fixture.change(place.orderId, (before, now) =>
      addFee(before, { fee: sampleFee('REDUCTION', -2_000) }, now),
    );
    const settlementId = '4711' as SettlementId;
    const request = { orderVersion: 2, creditBalance: true, settlementId };
    const tried = await Promise.allSettled(
      Array.from({ length: 5 }, () => confirmFor(settling(), OURS, place.orderId, workOf(), request)),
    );
    assert.ok(tried.some(({ status }) => status === 'fulfilled'));
    const after = await world.order(place);
    assert.deepEqual([after.status, after.version, balanceMinor(after)], ['CONFIRMED', 2, 0]);
    assert.deepEqual(await world.ledger(place), { captures: 1, captured: 10_000, refunded: 2_000 });
    const { outbox } =
      (await PAYMENTS_COLLECTION.open(world.fixture.here.connection).findOne({ orderId: place.orderId })) ?? {};
    const [credited] = (outbox ?? []).filter(({ type }) => type.endsWith('.CreditExecuted.v1'));
    assert.deepEqual(credited?.entry?.postings, [
      { account: 'receivables', amountMinor: 2_000 },
      { account: 'clearing/SIMULATOR', amountMinor: -2_000 },
    ]);
    assert.equal(credited?.entry?.settlementId, settlementId);
  });

  it('pays back the money of an imported order in the books, and confirms, once for many callers', async () => {
    const { order } = await imported();
    const reduce = async (amountMinor: number) =>
      await world.fixture.change(order.id, (before, now) =>
        addFee(before, { fee: sampleFee('REDUCTION', -amountMinor) }, now),
      );
    await reduce(4_000);
    await confirming(order.id);
    const credited = { organisationId: OURS, orderId: order.id, version: 2 };
    await Promise.all(Array.from({ length: 10 }, () => world.orderPayments.creditBalance(credited, workOf())));
    await confirmFor(settling(), OURS, order.id, workOf(), { orderVersion: 2, creditBalance: true });
    const place = { orderId: order.id } as PaidPlace;
    const after = await world.order(place);
    assert.deepEqual([after.status, after.version, balanceMinor(after)], ['CONFIRMED', 2, 0]);
    assert.deepEqual(after.money, { capturedMinor: 10_000, creditedMinor: 4_000 });
    const [stored, ...others] = await world.payments.listOfOrder(OURS, order.id);
    assert.equal(others.length, 0);
    assert.deepEqual(
      stored?.payment.transactions.map(({ status, isImport, rrn }) => [status, isImport, rrn]),
      [
        ['CAPTURED', true, 'CARD'],
        ['CAPTURED', true, 'CASH'],
      ],
    );
    const entries = async () => {
      const payment = await PAYMENTS_COLLECTION.open(world.fixture.here.connection).findOne({ orderId: order.id });
      return (payment?.outbox ?? []).flatMap(({ entry }) => (entry ? [entry.postings] : []));
    };
    // What was captured was entered with the import.
    assert.deepEqual(await entries(), [
      [
        { account: 'receivables', amountMinor: 4_000 },
        { account: 'book/PAYMENTCARD', amountMinor: -4_000 },
      ],
    ]);
    await reduce(6_000);
    await confirmFor(settling(), OURS, order.id, workOf(), { orderVersion: 3, creditBalance: true });
    const last = await world.order(place);
    assert.deepEqual([last.status, last.version, last.money.creditedMinor], ['CONFIRMED', 3, 10_000]);
    assert.equal((await entries()).length, 3);
  });

  it('says why the money of an imported order cannot be paid back', async () => {
    const { order } = await imported();
    await world.fixture.change(order.id, (before, now) => addFee(before, { fee: sampleFee('REDUCTION', -4_000) }, now));
    const payment = await ensureImportedPayment(world, order, workOf());
    assert.ok(payment);
    await world.payments.change(OURS, payment.payment.id, workOf(), (before, now) =>
      combine(
        before,
        before.transactions.map(
          ({ id }) =>
            (each) =>
              noteDispute(each, { transactionId: id }, now),
        ),
      ),
    );
    const request = { orderVersion: 2, creditBalance: true };
    await assert.rejects(confirmFor(settling(), OURS, order.id, workOf(), request), {
      code: 'ZERO_ALLOWED_TRANSACTIONS',
    });
    assert.equal((await world.order({ orderId: order.id } as PaidPlace)).lock, undefined);
  });

  it('pays back a balance only by groups that the channel refunds, and what a draft has captured by all', async () => {
    const place = await sold();
    await world.fixture.change(place.orderId, (before, now) =>
      addFee(before, { fee: sampleFee('REDUCTION', -2_000) }, now),
    );
    const confirm = async () =>
      await confirmFor(settling(), OURS, place.orderId, workOf(), { orderVersion: 2, creditBalance: true });
    world.refundGroups = [];
    await assert.rejects(confirm(), { code: 'ZERO_ALLOWED_PAYMENT_TYPE_GROUPS_FOR_DCI' });
    world.refundGroups = ['MOBILE'];
    await assert.rejects(confirm(), { code: 'ZERO_ALLOWED_TRANSACTIONS' });
    assert.deepEqual([(await world.order(place)).lock, (await world.ledger(place)).refunded], [undefined, 0]);
    world.refundGroups = ['PAYMENTCARD'];
    assert.equal((await confirm()).order.status, 'CONFIRMED');
    assert.equal((await world.ledger(place)).refunded, 2_000);
    world.refundGroups = [];
    const unused = await world.authorised();
    await world.owesMore(unused);
    await world.capture(unused);
    await world.creditDraft(unused);
    await until(async () => excessMinor(await world.order(unused)) === 0, { what: 'the credit of the draft' });
  });

  it('unlocks an order whose provider refuses to pay back', async () => {
    const place = await world.authorised('4000000000005126');
    await world.capture(place);
    await world.fixture.change(place.orderId, (before, now) =>
      addFee(before, { fee: sampleFee('REDUCTION', -2_000) }, now),
    );
    const request = { orderVersion: 2, creditBalance: true };
    await assert.rejects(confirmFor(settling(), OURS, place.orderId, workOf(), request), { code: 'INVALID_STATE' });
    assert.equal((await world.order(place)).lock, undefined);
    assert.deepEqual(await world.ledger(place), { captures: 1, captured: 10_000, refunded: 0 });
  });

  it('pays back what a draft has captured before it is reset', async () => {
    const place = await sold();
    const { order } = await world.fixture.change(place.orderId, (before, now) =>
      addFee(before, { fee: sampleFee('MANUAL', 500) }, now),
    );
    const more = await world.authorised(undefined, { order });
    await world.owesMore(more, 300);
    await world.capture(more);
    const reset = async () => await resetFor(settling(), OURS, place.orderId, workOf(), {});
    await until(
      async () =>
        await reset().then(
          () => true,
          (error) => (error.code === 'UNAVAILABLE' ? false : Promise.reject(error)),
        ),
      {
        what: 'the reset',
      },
    );
    const after = await world.order(place);
    assert.deepEqual([after.status, after.version, balanceMinor(after)], ['CONFIRMED', 1, 0]);
    assert.equal((await world.ledger(more)).refunded, 500);
    assert.equal((await world.ledger(place)).refunded, 0);
  });

  it('cancels what is open before it is reset', async () => {
    const place = await sold();
    const { order } = await world.fixture.change(place.orderId, (before, now) =>
      addFee(before, { fee: sampleFee('MANUAL', 500) }, now),
    );
    const more = await world.authorised(undefined, { order });
    await resetFor(settling(), OURS, place.orderId, workOf(), {});
    assert.equal((await world.transaction(more)).status, 'CANCELLED');
    assert.equal((await world.order(place)).status, 'CONFIRMED');
    assert.deepEqual(await world.ledger(more), { captures: 0, captured: 0, refunded: 0 });
  });

  it('lets a draft that was credited below what it falls back to be paid again and confirmed', async () => {
    const place = await sold();
    const [line] = place.order.orderLines;
    await world.fixture.change(place.orderId, (before, now) =>
      addFee(before, { fee: sampleFee('REDUCTION', -2_000) }, now),
    );
    // Credited, and then the confirmation is refused for good: the ticket was used meanwhile.
    await confirming(place.orderId);
    await world.orderPayments.creditBalance(draft(place, 2), workOf());
    await world.fixture.change(place.orderId, (before, now) => {
      const used = noteUse(before, { orderLineId: line?.id ?? ('' as never), usedAt: now }, now).order;
      const { lock: _lock, ...free } = used;
      const orderLines = free.orderLines.map((each) => ({ ...each, status: 'DRAFT' as const }));
      return { order: { ...free, orderLines, expireAt: now }, events: [] };
    });
    world.fixture.now = new Date(Date.now() + 1_000);
    const expiry = createOrderExpiryActivities({
      orders: world.fixture.here.store,
      payments: () => world.orderPayments,
      tickets: noTickets,
    });
    const input = { organisationId: OURS, orderId: place.orderId, version: 2 };
    assert.equal(await expiry.lockDraft(input), 'LOCKED');
    assert.equal(await expiry.endDraft(input), 'OVER');
    const waiting = await world.order(place);
    assert.deepEqual([waiting.status, waiting.expireAt, waiting.lock], ['DRAFT', undefined, undefined]);
    assert.equal(excessMinor(waiting), -2_000);
    // Its caller takes the change back and pays what is missing again.
    const { order } = await world.fixture.change(place.orderId, (before, now) => {
      const orderLines = before.confirmed?.orderLines ?? [];
      const again = addFee({ ...before, orderLines }, { fee: sampleFee('MANUAL', 2_000) }, now).order;
      return { order: again, events: [] };
    });
    assert.equal(balanceMinor(order), 2_000);
    const again = await world.authorised(undefined, { order });
    await world.capture(again);
    const after = await world.order(place);
    assert.deepEqual([after.status, balanceMinor(after)], ['CONFIRMED', 0]);
  });
});
