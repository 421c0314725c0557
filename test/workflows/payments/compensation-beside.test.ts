/** Money that no order can use, paid back while others write: the expiry, a reset, other credits, disputes, workers of before. */
import assert from 'node:assert/strict';
import { createOrderExpiryActivities } from '../../../activities/orders/order-expiry-activities.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { lockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import { settlingOwner } from '../../../workflows/orders/rules/settling-lock.ts';
import { planCompensation } from '../../../workflows/payments/rules/compensation-plan.ts';
import { noteDispute } from '../../../workflows/payments/rules/credits.ts';
import type { PaymentPageId } from '../../../workflows/shared/ids.ts';
import { noTickets } from '../../support/no-tickets.ts';
import { OURS } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { capturedInVain } from './captured-in-vain.ts';
import { GOOD_CARD, MoneyWorld, type PaidPlace, workOf } from './money-world.ts';

const PAGE = '00000000-0000-4000-8000-00000000005b' as PaymentPageId;
/** Its refunds are refused. */
const CLOSED_CARD = '4000000000005126';

describe('money that no order can use, beside other writes', function () {
  this.timeout(120_000);
  let world: MoneyWorld;
  before(async () => {
    world = await MoneyWorld.open('compensations-beside');
  });
  beforeEach(async () => await world.reset());
  after(async () => await world.close());

  const standing = async (place: PaidPlace) => {
    const { status, lock } = await world.order(place);
    return [status, lock?.owner];
  };
  /** Money of a page that stays with a draft which owes more, as builds before the check of pages' amounts took it. */
  const paidOnPage = async (): Promise<PaidPlace> => {
    const place = await world.authorised();
    await world.owesMore(place);
    await world.capture(place);
    await world.payments.change(OURS, place.paymentId, workOf(), (before) => {
      const transactions = before.transactions.map((each) => ({ ...each, paymentPageId: PAGE }));
      return { payment: { ...before, transactions }, events: [] };
    });
    return place;
  };
  const expiryOf = (place: PaidPlace, version = 1) => {
    const orders = world.fixture.here.store;
    const expiry = createOrderExpiryActivities({ orders, payments: () => world.orderPayments, tickets: noTickets });
    return { expiry, input: { organisationId: OURS, orderId: place.orderId, version } };
  };
  /** The draft costs only this fee then. */
  const costs = (minor: number) => (order: Order) => ({
    order: { ...order, fees: order.fees.filter(({ price }) => price.amountMinor === minor) },
    events: [],
  });
  const untilFirstPart = async (place: PaidPlace, credited: number) =>
    await until(async () => (await world.order(place)).money.creditedMinor === credited, { what: 'the first part' });

  it('of a draft that what is left between two parts would pay is not confirmed', async () => {
    const first = await world.authorised();
    await world.owesMore(first);
    await world.capture(first);
    const second = await world.authorised(GOOD_CARD, { order: await world.order(first) });
    await world.owesMore(second, 500);
    await world.capture(second);
    // After 10000 of 12500 are paid back, the rest is all that the draft costs.
    await world.fixture.change(first.orderId, (order) => costs(2_500)({ ...order, orderLines: [] }));
    await world.fixture.change(first.orderId, (before, now) => ({ order: { ...before, expireAt: now }, events: [] }));
    const { expiry, input } = expiryOf(first);
    assert.equal(await expiry.lockDraft(input), 'LOCKED');
    const release = world.holdRefundsAfter(1);
    const begun = expiry.creditDraft(input);
    await untilFirstPart(first, 10_000);
    assert.equal(await expiry.endDraft(input), 'UNSETTLED');
    release();
    await begun;
    const refund = await world.refunded.untilStatus(first, 'COMPLETED');
    assert.equal(refund.parts.length, 2);
    assert.equal(await expiry.endDraft(input), 'EXPIRED');
    assert.deepEqual((await world.order(first)).money, { capturedMinor: 12_500, creditedMinor: 12_500 });
  });

  it('of a reset that its expiry takes over between two parts is paid back whole, and the draft is reset', async () => {
    const sold = await world.authorised();
    await world.capture(sold);
    await world.owesMore(sold);
    const second = await world.authorised(GOOD_CARD, { order: await world.order(sold) });
    await world.owesMore(sold, 500);
    await world.capture(second);
    const third = await world.authorised(GOOD_CARD, { order: await world.order(sold) });
    await world.owesMore(sold, 100);
    await world.capture(third);
    // After 2500 of 3000 are paid back, the rest is what the draft costs more than what was sold.
    await world.fixture.change(sold.orderId, costs(500));
    const lockOwner = settlingOwner('reset', await world.order(sold));
    await world.fixture.change(sold.orderId, (before, now) => lockOrder(before, { owner: lockOwner }, now));
    const release = world.holdRefundsAfter(1);
    const { expiry, input } = expiryOf(sold, 2);
    const begun = world.orderPayments.creditDraft({ ...input, lockOwner });
    await untilFirstPart(sold, 2_500);
    // The process of the reset is lost, and the draft is due.
    await world.fixture.change(sold.orderId, (before, now) => {
      const since = new Date(now.getTime() - 3 * 60_000);
      return {
        order: { ...before, expireAt: now, ...(before.lock && { lock: { ...before.lock, since } }) },
        events: [],
      };
    });
    assert.equal(await expiry.lockDraft(input), 'LOCKED');
    assert.equal(await expiry.endDraft(input), 'UNSETTLED');
    release();
    await begun;
    await world.refunded.untilStatus(sold, 'COMPLETED');
    assert.equal(await expiry.endDraft(input), 'RESET');
    const { version, money } = await world.order(sold);
    assert.deepEqual([version, money], [1, { capturedMinor: 13_000, creditedMinor: 3_000 }]);
  });

  it('waits for another credit of the order, and counts what that has paid', async () => {
    const place = await world.authorised();
    await world.owesMore(place);
    await world.capture(place);
    const { parts } = planCompensation([(await world.payments.get(OURS, place.paymentId)).payment], 4_000, 1, []);
    const { credit } = await world.credits.create(OURS, workOf(), (id) => ({
      ...{ id, organisationId: OURS, orderId: place.orderId, orderVersion: 1, currency: 'NOK', parts },
      ...{ distributionChannelId: place.order.distributionChannelId, reason: 'REFUND' as const },
    }));
    await world.creditDraft(place);
    const { items } = await world.refunded.refunds.listOfOrder(OURS, place.orderId, { page: 1, perPage: 10 });
    assert.deepEqual(items, []);
    const input = { organisationId: OURS, orderId: place.orderId, creditId: credit.id, correlationId: 'c' };
    assert.equal(await world.creditSteps.payBack(input), 'CREDITED');
    await world.creditDraft(place);
    const refund = await world.refunded.untilStatus(place, 'COMPLETED');
    assert.deepEqual(
      refund.parts.map(({ amountMinor }) => amountMinor),
      [6_000],
    );
    assert.equal((await world.ledger(place)).refunded, 10_000);
  });

  it('is asked for again where the draft no longer had as much', async () => {
    const place = await world.authorised();
    await world.owesMore(place);
    await world.capture(place);
    const { orderId, order, paymentId } = place;
    const lockOwner = settlingOwner('reset', await world.order(place));
    await world.fixture.change(orderId, (before, now) => lockOrder(before, { owner: lockOwner }, now));
    const parts = planCompensation([(await world.payments.get(OURS, paymentId)).payment], 10_000, 1, []).parts;
    const wanted = {
      ...{ organisationId: OURS, orderId, orderVersion: 1, distributionChannelId: order.distributionChannelId },
      ...{ currency: 'NOK', askedBy: lockOwner, parts: parts.map((part) => ({ ...part, amountMinor: 10_001 })) },
    };
    const work = { workId: 'compensation/too-much', correlationId: 'c' };
    assert.equal(await world.refunded.compensations.begin(wanted, work), 'RUNNING');
    await world.refunded.untilStatus(place, 'FAILED');
    assert.equal(await world.refunded.compensations.find(OURS, work), undefined);
    assert.equal(await world.refunded.compensations.begin({ ...wanted, parts }, work), 'PAID');
    assert.equal((await world.ledger(place)).refunded, 10_000);
  });

  it('that was disputed reaches an operator when its draft expires, after all else is paid back', async () => {
    const first = await paidOnPage();
    const second = await world.authorised(GOOD_CARD, { order: await world.order(first) });
    await world.owesMore(second, 500);
    await world.capture(second);
    await world.payments.change(OURS, first.paymentId, workOf(), (before, now) =>
      noteDispute(before, { transactionId: first.transactionId }, now),
    );
    await world.creditDraft(first);
    const paid = await world.refunded.untilStatus(first, 'COMPLETED');
    assert.deepEqual(
      paid.parts.map(({ transactionId }) => transactionId),
      [second.transactionId],
    );
    await world.creditDraft(first);
    const listed = async () =>
      (await world.refunded.refunds.listOfOrder(OURS, first.orderId, { page: 1, perPage: 10 })).items;
    await until(async () => (await listed())[0]?.status === 'NEEDS_ATTENTION', { what: 'the question' });
    const [asked = assert.fail()] = await listed();
    assert.deepEqual(
      asked.parts.map(({ transactionId, amountMinor }) => [transactionId, amountMinor]),
      [[first.transactionId, 10_000]],
    );
    assert.deepEqual(
      world.refunded.told.map(({ pageId, outcome }) => [pageId, outcome]),
      [[PAGE, 'CREDIT_OUTSTANDING']],
    );
    await world.refunded.resolve(asked, 'GIVEN_UP');
    assert.deepEqual(await standing(first), ['EXPIRED', undefined]);
    assert.equal((await world.ledger(first)).refunded, 0);
  });

  it('that an operator has given up is not asked for again beside disputed money, and both end the draft', async () => {
    const disputed = await paidOnPage();
    const refused = await world.authorised(CLOSED_CARD, { order: await world.order(disputed) });
    await world.owesMore(refused, 500);
    await world.capture(refused);
    await world.payments.change(OURS, disputed.paymentId, workOf(), (before, now) =>
      noteDispute(before, { transactionId: disputed.transactionId }, now),
    );
    const asked = async (count: number) => {
      await world.creditDraft(disputed);
      const listed = async () =>
        (await world.refunded.refunds.listOfOrder(OURS, disputed.orderId, { page: 1, perPage: 10 })).items;
      await until(
        async () => {
          const items = await listed();
          return items.length === count && items.some(({ status }) => status === 'NEEDS_ATTENTION');
        },
        { what: `question ${count}` },
      );
      return (await listed()).find(({ status }) => status === 'NEEDS_ATTENTION') ?? assert.fail();
    };
    const idsOf = ({ parts }: { readonly parts: readonly { readonly transactionId: number }[] }) =>
      parts.map(({ transactionId }) => transactionId);
    const first = await asked(1);
    assert.deepEqual(idsOf(first), [refused.transactionId]);
    await world.refunded.resolve(first, 'GIVEN_UP');
    const second = await asked(2);
    assert.deepEqual(idsOf(second), [disputed.transactionId]);
    await world.refunded.resolve(second, 'GIVEN_UP');
    assert.deepEqual(await standing(disputed), ['EXPIRED', undefined]);
    assert.equal((await world.ledger(disputed)).refunded, 0);
  });

  it('tells the pages of all its parts', async () => {
    const first = await paidOnPage();
    const other = '00000000-0000-4000-8000-00000000005c';
    await capturedInVain(world, GOOD_CARD, other, await world.order(first));
    await world.refunded.untilStatus(first, 'COMPLETED');
    // The capture that has asked tells its own page.
    assert.deepEqual(
      world.refunded.told.map(({ pageId, outcome }) => [pageId, outcome]),
      [[PAGE, 'CREDITED']],
    );
  });

  it('of which a part was paid and another refused tells each page of its own', async () => {
    const first = await paidOnPage();
    const other = '00000000-0000-4000-8000-00000000005c';
    await capturedInVain(world, CLOSED_CARD, other, await world.order(first));
    const refund = await world.refunded.untilStatus(first, 'NEEDS_ATTENTION');
    const told = () => new Map(world.refunded.told.map(({ pageId, outcome }) => [String(pageId), outcome]));
    await until(async () => told().size === 2, { what: 'the pages' });
    assert.deepEqual([told().get(PAGE), told().get(other)], ['CREDITED', 'CREDIT_OUTSTANDING']);
    await world.refunded.resolve(refund, 'CREDITED_ELSEWHERE');
    assert.deepEqual([told().get(PAGE), told().get(other)], ['CREDITED', 'CREDITED']);
    assert.equal((await world.ledger(first)).refunded, 10_000);
  });

  it('ends the draft whose credit of before was paid', async () => {
    const place = await world.authorised();
    const { paymentId, transactionId, orderId } = place;
    await world.owesMore(place);
    await world.capture(place);
    await world.ended(place);
    const lockOwner = `capture/${paymentId}/${transactionId}`;
    await world.fixture.change(orderId, (before, now) => lockOrder(before, { owner: lockOwner }, now));
    const { parts } = planCompensation([(await world.payments.get(OURS, paymentId)).payment], 10_000, 1, []);
    const { credit } = await world.credits.create(
      OURS,
      { ...workOf(), workId: `compensation/${transactionId}` },
      (id) => ({
        ...{ id, organisationId: OURS, orderId, orderVersion: 1, currency: 'NOK', parts },
        ...{ distributionChannelId: place.order.distributionChannelId, reason: 'COMPENSATION' as const },
      }),
    );
    const input = { organisationId: OURS, orderId, creditId: credit.id, correlationId: 'c' };
    assert.equal(await world.creditSteps.payBack(input), 'CREDITED');
    await world.callback(place);
    await world.refunded.untilStatus(place, 'COMPLETED');
    await world.ended(place);
    assert.deepEqual(await standing(place), ['EXPIRED', undefined]);
  });
});
