/** Money that no order can use, whose provider refuses to pay it back: an operator decides, and the order and its page end. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { DueOrders } from '../../../activities/orders/due-orders.ts';
import { createOrderExpiryActivities } from '../../../activities/orders/order-expiry-activities.ts';
import { balanceMinor } from '../../../workflows/orders/rules/amounts.ts';
import { confirmOrder } from '../../../workflows/orders/rules/confirmation.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { compensationOwner, findCompensation } from '../../../workflows/orders/rules/refund-locks.ts';
import { assertSettled, isUnderRefund } from '../../../workflows/orders/rules/refunding.ts';
import { noteDispute } from '../../../workflows/payments/rules/credits.ts';
import type { RefundActivities } from '../../../workflows/refunds/activities.ts';
import type { Refund } from '../../../workflows/refunds/rules/refund.ts';
import { failRefund } from '../../../workflows/refunds/rules/refund-life.ts';
import type { CreditId, RefundId } from '../../../workflows/shared/ids.ts';
import { noTickets } from '../../support/no-tickets.ts';
import { OURS } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { capturedInVain, refusedAfter } from './captured-in-vain.ts';
import { GOOD_CARD, MoneyWorld, type PaidPlace, workOf } from './money-world.ts';

const PAGE = '00000000-0000-4000-8000-00000000005b';
/** Its refunds are refused. */
const CLOSED_CARD = '4000000000005126';

describe('money that no order can use', function () {
  this.timeout(120_000);
  let world: MoneyWorld;
  before(async () => {
    world = await MoneyWorld.open('compensations');
  });
  beforeEach(async () => await world.reset());
  after(async () => await world.close());

  const captured = async (card: string, pageId?: string, order?: Order): Promise<PaidPlace> =>
    await capturedInVain(world, card, pageId, order);
  const refusedAfterCapture = async (place: PaidPlace, pageId?: string): Promise<PaidPlace> =>
    await refusedAfter(world, place, pageId);
  const standing = async (place: PaidPlace) => {
    const { status, lock } = await world.order(place);
    return [status, lock?.owner];
  };

  it('is paid back by a refund of its own, and the draft ends', async () => {
    const place = await captured(GOOD_CARD);
    const refund = await world.refunded.untilStatus(place, 'COMPLETED');
    assert.deepEqual(
      [refund.reason, refund.compensation?.askedBy],
      ['COMPENSATION', `capture/${place.paymentId}/${place.transactionId}`],
    );
    // A worker of an older build pays what the operations say, and disables the tickets of their lines.
    const [operation = assert.fail()] = refund.operations;
    assert.equal(operation.refundMinor, 10_000);
    assert.ok(place.order.orderLines.every(({ id }) => id !== operation.orderLineId));
    assert.deepEqual(await standing(place), ['EXPIRED', undefined]);
    assert.equal((await world.transaction(place)).status, 'CREDITED');
    assert.deepEqual(await world.ledger(place), { captures: 1, captured: 10_000, refunded: 10_000 });
    const [credit, ...others] = await world.credits.listOfOrder(OURS, place.orderId);
    assert.deepEqual([credit?.credit.reason, others.length], ['COMPENSATION', 0]);
    assert.equal(await world.capture(place), 'CREDITED');
  });

  it('waits for an operator at once when the provider refuses, and holds the draft meanwhile', async () => {
    const place = await captured(CLOSED_CARD, PAGE);
    const refund = await world.refunded.untilStatus(place, 'NEEDS_ATTENTION');
    assert.deepEqual(await standing(place), [
      'DRAFT',
      compensationOwner({ orderId: place.orderId, refundId: refund.id }),
    ]);
    assert.deepEqual(
      world.refunded.told.map(({ pageId, outcome }) => [pageId, outcome]),
      [[PAGE, 'CREDIT_OUTSTANDING']],
    );
    await assert.rejects(
      world.fixture.change(place.orderId, (before, now) => confirmOrder(before, { orderVersion: 1 }, now)),
      { code: 'ORDER_LOCKED' },
    );
    await world.refunded.resolve(refund, 'CREDITED_ELSEWHERE');
    await world.refunded.untilStatus(place, 'COMPLETED');
    assert.deepEqual(await standing(place), ['EXPIRED', undefined]);
    assert.equal((await world.transaction(place)).status, 'CREDITED');
    assert.equal(world.refunded.told.at(-1)?.outcome, 'CREDITED');
    assert.deepEqual(await world.ledger(place), { captures: 1, captured: 10_000, refunded: 0 });
    assert.equal(balanceMinor(await world.order(place)), 0);
  });

  it('that is given up ends the draft, and is still told as owed', async () => {
    const place = await captured(CLOSED_CARD, PAGE);
    const refund = await world.refunded.untilStatus(place, 'NEEDS_ATTENTION');
    await world.refunded.resolve(refund, 'GIVEN_UP');
    await world.refunded.untilStatus(place, 'FAILED');
    const order = await world.order(place);
    assert.deepEqual([order.status, order.lock], ['EXPIRED', undefined]);
    assert.equal(balanceMinor(order), -10_000);
    assert.ok(world.refunded.told.every(({ outcome }) => outcome === 'CREDIT_OUTSTANDING'));
    assert.equal((await world.transaction(place)).status, 'CAPTURED');
  });

  it('of a draft that expires is asked for once, however often the expiry looks', async () => {
    const place = await world.authorised(CLOSED_CARD);
    await world.owesMore(place);
    await world.capture(place);
    await world.fixture.change(place.orderId, (before, now) => ({ order: { ...before, expireAt: now }, events: [] }));
    const input = { organisationId: OURS, orderId: place.orderId, version: 1 };
    const orders = world.fixture.here.store;
    const expiry = createOrderExpiryActivities({ orders, payments: () => world.orderPayments, tickets: noTickets });
    assert.equal(await expiry.lockDraft(input), 'LOCKED');
    assert.equal(await expiry.endDraft(input), 'UNSETTLED');
    await Promise.all(Array.from({ length: 5 }, () => expiry.creditDraft(input)));
    const refund = await world.refunded.untilStatus(place, 'NEEDS_ATTENTION');
    world.fixture.now = new Date(Date.now() + 3 * 3600_000);
    await expiry.creditDraft(input);
    assert.equal((await world.credits.listOfOrder(OURS, place.orderId)).length, 1);
    assert.equal(await new DueOrders(world.fixture.here.connection).count(world.fixture.now), 0);
    // The refund ends the draft: its expiry is over, and the sweep starts no other.
    assert.equal(await expiry.lockDraft(input), 'OVER');
    const started: Order[] = [];
    await world.fixture.sweepDue(started);
    assert.deepEqual(started, []);
    await world.refunded.resolve(refund, 'CREDITED_ELSEWHERE');
    await world.refunded.untilStatus(place, 'COMPLETED');
    assert.deepEqual(await standing(place), ['EXPIRED', undefined]);
  });

  it('of a draft that two payments have paid is paid back once, on both', async () => {
    const first = await world.authorised();
    await world.owesMore(first);
    await world.capture(first);
    const second = await captured(GOOD_CARD, undefined, await world.order(first));
    const refund = await world.refunded.untilStatus(first, 'COMPLETED');
    assert.deepEqual(
      new Map(refund.parts.map(({ transactionId, amountMinor }) => [transactionId, amountMinor])),
      new Map([
        [first.transactionId, 10_000],
        [second.transactionId, 2_500],
      ]),
    );
    assert.deepEqual(await standing(first), ['EXPIRED', undefined]);
    assert.deepEqual(await world.ledger(first), { captures: 1, captured: 10_000, refunded: 10_000 });
    assert.deepEqual(await world.ledger(second), { captures: 1, captured: 2_500, refunded: 2_500 });
  });

  it('of a draft that two payments have paid is joined while one is paid back and the other is not', async () => {
    const first = await world.authorised();
    await world.owesMore(first);
    await world.capture(first);
    const second = await world.authorised(GOOD_CARD, { order: await world.order(first) });
    await world.owesMore(second, 500);
    await world.capture(second);
    const stranger = { organisationId: OURS, orderId: first.orderId, version: 1, lockOwner: 'order-reset/another' };
    await world.orderPayments.creditDraft(stranger);
    assert.deepEqual(await world.credits.listOfOrder(OURS, first.orderId), []);
    await world.fault({ call: 'refund', mode: 'SLOW', count: 2, delayMs: 800 });
    const begun = world.creditDraft(first);
    await until(async () => (await world.order(first)).money.creditedMinor > 0, { what: 'the first part' });
    await Promise.all([begun, ...Array.from({ length: 3 }, () => world.creditDraft(first))]);
    await world.refunded.untilStatus(first, 'COMPLETED');
    await world.creditDraft(first);
    assert.equal((await world.credits.listOfOrder(OURS, first.orderId)).length, 1);
    const { money } = await world.order(first);
    assert.deepEqual(money, { capturedMinor: 12_500, creditedMinor: 12_500 });
    assert.equal((await world.ledger(first)).refunded + (await world.ledger(second)).refunded, 12_500);
  });

  /** A draft of what was sold, dearer, paid and refused. */
  const dearer = async (card: string): Promise<{ sold: PaidPlace; more: PaidPlace; refund: Refund }> => {
    const sold = await world.authorised();
    await world.capture(sold);
    await world.owesMore(sold, 500);
    const more = await captured(card, undefined, await world.order(sold));
    return { sold, more, refund: await world.refunded.untilStatus(sold, 'NEEDS_ATTENTION') };
  };

  it('of a change goes back to what was sold when it is credited elsewhere, and blocks no ticket before', async () => {
    const { sold, more, refund } = await dearer(CLOSED_CARD);
    const held = await world.order(sold);
    assert.deepEqual([held.status, held.version, findCompensation(held)], ['DRAFT', 2, refund.id]);
    assert.ok(held.orderLines.every(({ id }) => !isUnderRefund(held, id)));
    await world.refunded.resolve(refund, 'CREDITED_ELSEWHERE');
    const after = await world.order(sold);
    assert.deepEqual([after.status, after.version, after.lock, balanceMinor(after)], ['CONFIRMED', 1, undefined, 0]);
    assert.equal((await world.transaction(more)).status, 'CREDITED');
    assert.equal((await world.ledger(sold)).refunded, 0);
    await world.fixture.checkEvents(sold.orderId);
  });

  it('of a change that is given up is a fee of what was sold, which can be refunded then', async () => {
    const { sold, refund } = await dearer(CLOSED_CARD);
    await world.refunded.resolve(refund, 'GIVEN_UP');
    const after = await world.order(sold);
    assert.deepEqual([after.status, after.version, after.lock, balanceMinor(after)], ['CONFIRMED', 3, undefined, 0]);
    const kept = after.fees.map(({ type, price, orderVersion }) => [type, price.amountMinor, orderVersion]);
    assert.deepEqual(kept, [['REFUNDING', 500, 3]]);
    assert.deepEqual(
      after.orderLines,
      sold.order.orderLines.map((line) => after.orderLines.find(({ id }) => id === line.id)),
    );
    assertSettled(after, []);
    await world.fixture.checkEvents(sold.orderId);
  });

  it('that is given up cancels what the draft has open', async () => {
    const first = await world.authorised(CLOSED_CARD);
    const open = await world.authorised(GOOD_CARD, { order: first.order });
    await refusedAfterCapture(first);
    const refund = await world.refunded.untilStatus(first, 'NEEDS_ATTENTION');
    await world.refunded.resolve(refund, 'GIVEN_UP');
    assert.equal((await world.transaction(open)).status, 'CANCELLED');
    assert.deepEqual(await standing(first), ['EXPIRED', undefined]);
    assert.deepEqual(await world.ledger(open), { captures: 0, captured: 0, refunded: 0 });
  });

  it('that was disputed cannot count as credited elsewhere: another decision is asked for', async () => {
    const place = await captured(CLOSED_CARD);
    const refund = await world.refunded.untilStatus(place, 'NEEDS_ATTENTION');
    await world.payments.change(OURS, place.paymentId, workOf(), (before, now) =>
      noteDispute(before, { transactionId: place.transactionId }, now),
    );
    await world.refunded.decide(refund, 'CREDITED_ELSEWHERE');
    const read = async () => (await world.refunded.refunds.get(OURS, refund.id)).refund;
    await until(async () => (await read()).resolution === undefined, { what: 'another question' });
    assert.equal((await read()).status, 'NEEDS_ATTENTION');
    await world.refunded.resolve(refund, 'GIVEN_UP');
    assert.deepEqual([(await read()).status, ...(await standing(place))], ['FAILED', 'EXPIRED', undefined]);
  });

  it('is asked for again where a build of before has ended its refund', async () => {
    const place = await world.authorised();
    const { orderId, paymentId, transactionId } = place;
    const { refunds } = world.refunded;
    const part = {
      paymentId,
      transactionId,
      amountMinor: 10_000,
      paymentTypeGroup: 'PAYMENTCARD',
      paymentType: 'VISA',
    };
    const { refund } = await refunds.create(
      {
        ...{ id: randomUUID() as RefundId, organisationId: OURS, orderId, orderVersion: 1, refundedVersion: 1 },
        ...{ distributionChannelId: place.order.distributionChannelId, currency: 'NOK', operations: [], parts: [part] },
        compensation: { askedBy: `capture/${paymentId}/${transactionId}` },
      },
      { ...workOf(), workId: `compensation/${transactionId}` },
    );
    await refunds.change(OURS, refund.id, workOf(), (before, now) =>
      failRefund(before, { code: 'REFUSED_BY_ISSUER', detail: 'It was refused.' }, now),
    );
    await refusedAfterCapture(place);
    assert.deepEqual(await standing(place), ['EXPIRED', undefined]);
    assert.equal((await world.transaction(place)).status, 'CREDITED');
  });

  it('confirms the order where the rest pays it', async () => {
    const place = await world.authorised(CLOSED_CARD);
    await world.fault({ call: 'capture', mode: 'SLOW', count: 1, delayMs: 1_500 });
    const captures = world.capture(place).catch(() => undefined);
    await until(async () => (await world.transaction(place)).intent !== undefined, { what: 'the capture' });
    const other = { paymentId: 2, orderVersion: 1, capturedMinor: 10_000, creditedMinor: 0, openTransactions: 0 };
    await world.money.notePayment(OURS, place.orderId, other, { correlationId: 'c', clientId: 'x' });
    await captures;
    await world.refunded.resolve(await world.refunded.untilStatus(place, 'NEEDS_ATTENTION'), 'CREDITED_ELSEWHERE');
    await world.refunded.untilStatus(place, 'COMPLETED');
    assert.deepEqual(await standing(place), ['CONFIRMED', undefined]);
  });

  const STEPS = ['creditRefund', 'awaitCredit', 'needAttention', 'settleCredit', 'completeRefund'] as const;
  for (const name of STEPS satisfies readonly (keyof RefundActivities)[]) {
    it(`ends the same when a worker dies before and after ${name}`, async () => {
      world.breakOn(name, 'before');
      world.breakOn(name, 'after');
      const place = await captured(CLOSED_CARD, PAGE);
      const refund = await world.refunded.untilStatus(place, 'NEEDS_ATTENTION');
      await world.refunded.resolve(refund, 'CREDITED_ELSEWHERE');
      await world.refunded.untilStatus(place, 'COMPLETED');
      assert.deepEqual(await standing(place), ['EXPIRED', undefined]);
      const { status, credits } = await world.transaction(place);
      assert.deepEqual([status, credits.length], ['CREDITED', 1]);
      assert.equal(world.refunded.told.at(-1)?.outcome, 'CREDITED');
    });
  }

  it('goes on as a refund with a credit of before', async () => {
    const place = await world.authorised(CLOSED_CARD);
    const { paymentId, transactionId, orderId } = place;
    const work = { ...workOf(), workId: `compensation/${transactionId}` };
    const part = {
      paymentId,
      transactionId,
      amountMinor: 10_000,
      paymentTypeGroup: 'PAYMENTCARD',
      paymentType: 'VISA',
    };
    const credit = (id: CreditId) => ({
      ...{ id, organisationId: OURS, orderId, orderVersion: 1, currency: 'NOK', parts: [part] },
      ...{ distributionChannelId: 'SVC:DistributionChannel:PaymentPage' as never, reason: 'COMPENSATION' as const },
    });
    const made = await world.credits.create(OURS, work, credit);
    await refusedAfterCapture(place);
    const refund = await world.refunded.untilStatus(place, 'NEEDS_ATTENTION');
    assert.equal(refund.creditId, made.credit.id);
    assert.equal((await world.credits.listOfOrder(OURS, orderId)).length, 1);
  });
});
