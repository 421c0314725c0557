/** Balances whose provider answers late: the request to confirm is over, and others go on with the draft. */
import assert from 'node:assert/strict';
import { confirmFor } from '../../../activities/orders/confirming.ts';
import { createOrderExpiryActivities } from '../../../activities/orders/order-expiry-activities.ts';
import { balanceMinor } from '../../../workflows/orders/rules/amounts.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { creditStatusOf } from '../../../workflows/payments/rules/credit.ts';
import { noTickets } from '../../support/no-tickets.ts';
import { OURS, sampleFee } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { MoneyWorld, type PaidPlace, workOf } from './money-world.ts';

describe('a balance that is credited late', function () {
  this.timeout(120_000);
  let world: MoneyWorld;
  before(async () => {
    world = await MoneyWorld.open('late-balances');
  });
  beforeEach(async () => await world.reset());
  after(async () => await world.close());

  const reduce = async ({ orderId }: PaidPlace, amountMinor: number) =>
    await world.fixture.change(orderId, (before, now) =>
      addFee(before, { fee: sampleFee('REDUCTION', -amountMinor) }, now),
    );
  /** Sold for 10000; the draft of version 2 owes 2000 to the customer. */
  const owed = async (): Promise<PaidPlace> => {
    const place = await world.authorised();
    await world.capture(place);
    await reduce(place, 2_000);
    return place;
  };
  const confirm = async ({ orderId }: PaidPlace, orderVersion = 2) => {
    const parts = { orders: world.fixture.here.store, payments: () => world.orderPayments, tickets: noTickets };
    return await confirmFor(parts, OURS, orderId, workOf(), { orderVersion, creditBalance: true });
  };
  const credits = async ({ orderId }: PaidPlace) => await world.credits.listOfOrder(OURS, orderId);
  const untilBegun = async (place: PaidPlace) =>
    await until(async () => (await credits(place)).length === 1, { what: 'the credit' });
  const untilEnded = async (place: PaidPlace) =>
    await until(async () => (await credits(place)).every(({ credit }) => creditStatusOf(credit) !== 'CREATED'), {
      what: 'the outcome',
    });
  /** Its request is lost for more than two minutes, and the draft is due. */
  const takenOver = async ({ orderId }: PaidPlace) => {
    await world.fixture.change(orderId, (before, now) => {
      const since = new Date(now.getTime() - 3 * 60_000);
      const lock = before.lock ? { ...before.lock, since } : assert.fail();
      return { order: { ...before, expireAt: now, lock }, events: [] };
    });
    const orders = world.fixture.here.store;
    const expiry = createOrderExpiryActivities({ orders, payments: () => world.orderPayments, tickets: noTickets });
    const input = { organisationId: OURS, orderId, version: 2 };
    assert.equal(await expiry.lockDraft(input), 'LOCKED');
    return async () => await expiry.endDraft(input);
  };
  const standing = async (place: PaidPlace) => {
    const order = await world.order(place);
    return [order.status, order.version, balanceMinor(order), order.money.creditedMinor];
  };

  it('has no other credit beside it, though a part of it is paid', async () => {
    const first = await world.authorised();
    await world.capture(first);
    await world.owesMore(first);
    const second = await world.authorised(undefined, { order: await world.order(first) });
    await world.capture(second);
    await reduce(first, 11_000);
    const release = world.holdRefundsAfter(1);
    const begun = confirm(first, 3).catch(() => undefined);
    await until(async () => (await world.order(first)).money.creditedMinor === 10_000, { what: 'the first part' });
    const again = confirm(first, 3);
    await assert.rejects(again, { code: 'UNAVAILABLE' });
    assert.equal((await credits(first)).length, 1);
    release();
    await begun;
    await untilEnded(first);
    assert.equal((await confirm(first, 3)).order.status, 'CONFIRMED');
    assert.deepEqual(await standing(first), ['CONFIRMED', 3, 0, 11_000]);
    const paid = [(await world.ledger(first)).refunded, (await world.ledger(second)).refunded];
    assert.deepEqual(paid, [10_000, 1_000]);
  });

  it('keeps its draft from ending, and the draft is confirmed with what it has paid', async () => {
    const place = await owed();
    const release = world.holdRefundsAfter(0);
    const begun = confirm(place).catch(() => undefined);
    await until(async () => (await credits(place)).some(({ credit }) => credit.reservation === 'MADE'), {
      what: 'the money that is set aside',
    });
    const endDraft = await takenOver(place);
    assert.equal(await endDraft(), 'UNSETTLED');
    assert.equal(await endDraft(), 'UNSETTLED');
    release();
    await untilEnded(place);
    await begun;
    assert.equal(await endDraft(), 'CONFIRMED');
    assert.deepEqual(await standing(place), ['CONFIRMED', 2, 0, 2_000]);
    assert.equal((await world.ledger(place)).refunded, 2_000);
  });

  it('is not paid once its draft is in other hands, which then ends', async () => {
    const place = await owed();
    await world.stopWorker();
    const begun = confirm(place).catch(() => undefined);
    await untilBegun(place);
    const endDraft = await takenOver(place);
    assert.equal(await endDraft(), 'UNSETTLED');
    await world.startWorker();
    await untilEnded(place);
    await begun;
    assert.equal(await endDraft(), 'RESET');
    assert.deepEqual(await standing(place), ['CONFIRMED', 1, 0, 0]);
    assert.equal((await world.ledger(place)).refunded, 0);
  });
});
