/** A payment page from its creation to each of its ends, on a time-skipping server, with and without faults. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { callCancel, callPatch, callPay, signalOrderChanged } from '../../../activities/payment-page/page-start.ts';
import { sweepLatePages, sweepPendingPages } from '../../../activities/payment-page/page-sweep.ts';
import { ToldPages } from '../../../activities/payment-page/told-pages.ts';
import { createLog } from '../../../platform/log.ts';
import type { PaymentPage } from '../../../workflows/payment-page/rules/page.ts';
import { inputOf } from '../../activities/payment-page/page-fixture.ts';
import { until } from '../../support/until.ts';
import { PageWorld } from './page-world.ts';

const DAY_MINUTES = 24 * 60;

describe('paymentPage', () => {
  let world: PageWorld;

  before(async () => {
    world = await PageWorld.open('payment-page');
  });
  beforeEach(() => world.reset());
  after(() => world?.close());

  const pay = async (page: PaymentPage) => await callPay(world.temporal, inputOf(page), await world.request(page));
  const now = async (page: PaymentPage) => await world.fixture.now(page);
  const sweepOf = () => ({
    pages: world.fixture.pages,
    temporal: world.temporal,
    log: createLog({ level: 'silent', name: 'x' }),
  });

  it('expires at its time, and leaves the order to its own', async () => {
    const page = await world.start();
    await world.skip(7 * DAY_MINUTES - 10);
    assert.equal(await world.state(page), 'OPEN');
    assert.deepEqual(await world.end(page), { status: 'EXPIRED' });
    const order = await world.fixture.orderOf(page);
    assert.deepEqual([order.status, order.paymentPageId], ['DRAFT', undefined]);
  });

  it('takes the payment and completes with the tickets, in four tasks', async () => {
    const page = await world.start();
    assert.deepEqual(await pay(page), { done: true });
    assert.equal(await world.state(page), 'PROCESSING');
    await world.settle(page, await world.fixture.payments.capture());
    await world.untilStatus(page, 'PAID');
    await world.deliver(page);
    assert.deepEqual(await world.end(page), { status: 'COMPLETED' });
    const { events } = await world.handle(page).fetchHistory();
    const tasks = (events ?? []).filter(
      ({ workflowTaskCompletedEventAttributes }) => workflowTaskCompletedEventAttributes,
    );
    assert.ok(tasks.length <= 4, `${tasks.length} tasks`);
    const shown = (events ?? []).flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upsert }) => {
      const { SalesState, ExpireAt } = upsert?.searchAttributes?.indexedFields ?? {};
      return SalesState ? [`${SalesState.data} ${ExpireAt?.data}`] : [];
    });
    // A page that is over has no deadline.
    assert.deepEqual(
      shown.map((each) => each.replaceAll(/"\d{4}-[^"]+"/g, 'time')),
      ['"OPEN" time', '"PROCESSING" time', '"PAID" time', '"COMPLETED" null'],
    );
    assert.deepEqual(world.calls, ['lookAtPage', 'beginAttempt', 'settleAttempt', 'noteDelivery']);
  });

  it('is not stuck while nobody sends tickets: it stays PAID, says so, and completes with late ones', async () => {
    const page = await world.start();
    await pay(page);
    await world.settle(page, await world.fixture.payments.capture());
    assert.deepEqual(await world.end(page), { status: 'PAID', lastError: 'DELIVERY_OUTSTANDING' });
    await signalOrderChanged(world.temporal, inputOf(page));
    assert.deepEqual(await world.end(page), { status: 'PAID', lastError: 'DELIVERY_OUTSTANDING' });
    await world.fixture.activities.noteDelivery({ ...inputOf(page), delivered: true });
    assert.equal((await now(page)).status, 'COMPLETED');
  });

  it('stays PAID when the delivery fails for good', async () => {
    const page = await world.start();
    await pay(page);
    await world.settle(page, await world.fixture.payments.capture());
    await world.deliver(page, { delivered: false });
    assert.deepEqual(await world.end(page), { status: 'PAID', lastError: 'DELIVERY_FAILED' });
  });

  it('is COMPLETED once its tickets are sent after all, though its workflow has ended', async () => {
    const page = await world.start();
    const place = { ...inputOf(page) };
    const told = new ToldPages({ temporal: world.temporal, pages: world.fixture.pages });
    await pay(page);
    await world.settle(page, await world.fixture.payments.capture());
    assert.equal(await told.lacksDelivery(place), false, 'its workflow waits for the tickets');
    await world.deliver(page, { delivered: false });
    await world.end(page);
    assert.equal(await told.lacksDelivery(place), true);
    for (const _repeat of [1, 2]) {
      await told.tellDelivered(place);
      assert.deepEqual(await world.end(page), { status: 'COMPLETED' });
    }
    assert.deepEqual([await told.lacksDelivery(place), (await now(page)).lastError], [false, undefined]);
  });

  it('is COMPLETED, and says so, when nobody has an address for the tickets', async () => {
    const page = await world.start();
    await pay(page);
    await world.settle(page, await world.fixture.payments.capture());
    await world.deliver(page, { delivered: true, isUnaddressed: true });
    assert.deepEqual(await world.end(page), { status: 'COMPLETED' });
    assert.equal((await now(page)).isUnaddressed, true);
  });

  it('opens again after a refusal and an abandoned attempt, and takes a third', async () => {
    const page = await world.start();
    await pay(page);
    await world.settle(page, world.fixture.payments.refuse());
    await world.untilStatus(page, 'OPEN');
    assert.equal((await now(page)).lastAttempt, 'REFUSED');
    await pay(page);
    await world.skip(29);
    assert.equal((await now(page)).status, 'PROCESSING');
    await world.skip(2);
    await world.untilStatus(page, 'OPEN');
    assert.equal((await now(page)).lastAttempt, 'FAILED');
    await pay(page);
    await world.settle(page, await world.fixture.payments.capture());
    await world.untilStatus(page, 'PAID');
    assert.equal(world.fixture.payments.attempts.length, 3);
  });

  it('gives the customer another half hour after a soft decline', async () => {
    const page = await world.start();
    await pay(page);
    await world.skip(20);
    await world.settle(page, world.fixture.payments.decline());
    await until(() => world.callsOf('settleAttempt') > 0);
    await world.skip(20);
    assert.equal((await now(page)).status, 'PROCESSING');
    await world.skip(11);
    await world.untilStatus(page, 'OPEN');
  });

  it('lets an attempt finish for 15 minutes after its end, and then voids it', async () => {
    const page = await world.start(40);
    await world.skip(35);
    await pay(page);
    await world.skip(19);
    assert.equal((await now(page)).status, 'PROCESSING');
    assert.deepEqual(await world.end(page), { status: 'EXPIRED' });
    assert.equal(world.fixture.payments.last.state.state, 'ENDED');
  });

  it('is PAID when the capture came in that time', async () => {
    const page = await world.start(40);
    await world.skip(35);
    await pay(page);
    await world.skip(10);
    await world.settle(page, await world.fixture.payments.capture());
    await world.untilStatus(page, 'PAID');
  });

  it('asks until the outcome of a voided attempt is known', async () => {
    const page = await world.start();
    await pay(page);
    world.fixture.payments.unknownEnds = 5;
    await world.fixture.change(page);
    await world.fixture.follow(page);
    await sweepPendingPages({ ...sweepOf(), pages: later(world, 1) });
    await world.skip(10);
    await world.untilStatus(page, 'OPEN');
    assert.equal((await now(page)).amountMinor, 4_000);
    assert.ok(world.callsOf('endAttempt') >= 6);
  });

  it('ends with the news that money was paid back', async () => {
    const page = await world.start();
    await pay(page);
    await world.settle(page, await world.fixture.payments.credit());
    assert.deepEqual(await world.end(page), { status: 'EXPIRED', lastError: 'CREDITED' });
  });

  it('ends with the news that money is owed, and is told later that it was paid back', async () => {
    const page = await world.start();
    await pay(page);
    await world.settle(page, await world.fixture.payments.refuseCredit());
    assert.deepEqual(await world.end(page), { status: 'CANCELLED', lastError: 'CREDIT_OUTSTANDING' });
    const credited = world.fixture.payments.settled('CREDITED');
    for (const _repeat of [1, 2]) {
      const { organisationId, orderId, id: pageId } = page;
      await new ToldPages({ temporal: world.temporal, pages: world.fixture.pages }).tellSettled(
        { organisationId, orderId, pageId },
        credited,
      );
      assert.deepEqual(await world.end(page), { status: 'CANCELLED', lastError: 'CREDITED' });
    }
  });

  it('finds out by itself that money is owed when nobody tells it', async () => {
    const page = await world.start();
    await pay(page);
    await world.fixture.payments.refuseCredit();
    await world.skip(40);
    assert.deepEqual(await world.end(page), { status: 'CANCELLED', lastError: 'CREDIT_OUTSTANDING' });
  });

  it('is patched and cancelled by its caller; the moved time counts', async () => {
    const page = await world.start();
    const expireAtMs = world.fixture.orders.now.getTime() + 2 * DAY_MINUTES * 60_000;
    const patch = { workId: 'p1', correlationId: 'c', expireAtMs };
    assert.deepEqual(await callPatch(world.temporal, inputOf(page), patch), { done: true });
    assert.deepEqual(await world.end(page), { status: 'EXPIRED' });
    assert.ok(Number((await now(page)).endedAt) <= expireAtMs + 60_000);
    const other = await world.start();
    const cancel = { workId: 'c1', correlationId: 'c' };
    assert.deepEqual(await callCancel(world.temporal, inputOf(other), cancel), { done: true });
    assert.deepEqual(await world.end(other), { status: 'CANCELLED' });
    const again = await callCancel(world.temporal, inputOf(page), { ...cancel, workId: 'c2' });
    assert.equal(again.refused, 'PAYMENT_PAGE_CLOSED');
  });

  it('refuses to be cancelled while the customer pays', async () => {
    const page = await world.start();
    await pay(page);
    const answer = await callCancel(world.temporal, inputOf(page), { workId: 'c1', correlationId: 'c' });
    assert.equal(answer.refused, 'INVALID_STATE');
  });

  it('ends when a restore has taken its page away', async () => {
    const page = await world.start();
    await world.fixture.collection.deleteMany({});
    await signalOrderChanged(world.temporal, inputOf(page));
    assert.deepEqual(await world.end(page), { status: 'CANCELLED' });
  });

  it('comes back after it was lost, and knows its page', async () => {
    const page = await world.start(40);
    await pay(page);
    await world.handle(page).terminate('lost');
    await world.skip(60);
    await sweepLatePages(sweepOf());
    assert.deepEqual(await world.end(page), { status: 'EXPIRED' });
  });

  it('continues as new for months', async () => {
    const page = await world.start(100 * DAY_MINUTES);
    assert.deepEqual(await world.end(page), { status: 'EXPIRED' });
    assert.ok(Number((await now(page)).endedAt) >= Number(page.expireAt));
    assert.ok(world.callsOf('lookAtPage') >= 4);
  });

  it('has the same outcome when every step dies before and after its effect', async () => {
    for (const name of ['lookAtPage', 'beginAttempt', 'settleAttempt', 'noteDelivery', 'endAttempt'] as const) {
      world.breakOn(name, 'before');
      world.breakOn(name, 'after');
    }
    const page = await world.start();
    assert.deepEqual(await pay(page), { done: true });
    await world.settle(page, await world.fixture.payments.capture());
    await world.untilStatus(page, 'PAID');
    await world.deliver(page);
    assert.deepEqual(await world.end(page), { status: 'COMPLETED' });
    assert.equal(world.fixture.payments.attempts.length, 1);
  });

  it('refuses a malformed update without a trace', async () => {
    const page = await world.start();
    const wrong = { ...(await world.request(page)), amountMinor: -1 };
    await assert.rejects(callPay(world.temporal, inputOf(page), wrong));
    assert.equal(world.callsOf('beginAttempt'), 0);
  });
});

/** The same store, for a sweep that comes so many minutes later. */
function later({ fixture }: PageWorld, minutes: number) {
  const { pages } = fixture;
  return {
    now: () => new Date(pages.now().getTime() + minutes * 60_000),
    listPendingStarts: pages.listPendingStarts.bind(pages),
    clearPendingStart: pages.clearPendingStart.bind(pages),
    listLate: pages.listLate.bind(pages),
  };
}
