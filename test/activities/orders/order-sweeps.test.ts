/** Drafts that are due, and seats of orders after crashes between the order's write and the seat keeper's. */
import assert from 'node:assert/strict';
import { setExpireAt } from '../../../workflows/orders/rules/facts.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { cancelLines, removeLines } from '../../../workflows/orders/rules/line-removal.ts';
import { addLines } from '../../../workflows/orders/rules/lines.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { lockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import { notePayment } from '../../../workflows/orders/rules/payment-notes.ts';
import type { OrderLineId, ReservationId } from '../../../workflows/shared/ids.ts';
import { later, OURS, sampleFee, seatedLine } from '../../support/sample-orders.ts';
import { OrderFixture } from './order-fixture.ts';

describe('sweeps of orders', () => {
  const fixture = new OrderFixture('order-sweeps');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const now = async ({ id }: Order) => (await fixture.here.store.get(OURS, id)).order;
  const seatOf = ({ reservations }: Order) => fixture.keeper.states.get(reservations[0]?.id ?? assert.fail('no seat'));

  it('end a first draft when its time is over, and free its seats', async () => {
    const { order } = await fixture.withSeat();
    fixture.passes(19);
    await fixture.sweepDue();
    assert.equal((await now(order)).status, 'DRAFT');
    fixture.passes(1);
    await fixture.sweepDue();
    assert.deepEqual([(await now(order)).status, seatOf(order)], ['EXPIRED', 'RELEASED']);
    await fixture.checkEvents(order.id);
  });

  it('end each draft once, however many sweep at once', async () => {
    const drafts = await Promise.all(Array.from({ length: 25 }, () => fixture.withSeat()));
    fixture.passes(21);
    await Promise.all([1, 2, 3].map(() => fixture.sweepDue()));
    for (const { order } of drafts) {
      assert.equal((await now(order)).status, 'EXPIRED');
      await fixture.checkEvents(order.id);
    }
  });

  it('go back to the confirmed version when a later draft is due', async () => {
    const { order } = await fixture.confirmed();
    await fixture.change(order.id, (before, at) => addFee(before, { fee: sampleFee('MANUAL', 1_000) }, at));
    fixture.passes(21);
    await fixture.sweepDue();
    const after = await now(order);
    assert.deepEqual([after.status, after.version, seatOf(order)], ['CONFIRMED', 1, 'CONFIRMED']);
    assert.ok((await fixture.events(order.id)).at(-1)?.type.includes('OrderReset'));
  });

  it('leave drafts whose time a caller has moved, and orders that hold only penalties', async () => {
    const { order: moved } = await fixture.withSeat();
    await fixture.change(moved.id, (before, at) => setExpireAt(before, { expireAt: later(60) }, at));
    const { order: claim } = await fixture.create();
    await fixture.change(claim.id, (before, at) => addFee(before, { fee: sampleFee('PENALTY', 90_000) }, at));
    fixture.passes(21);
    await fixture.sweepDue();
    assert.deepEqual([(await now(moved)).status, (await now(claim)).status], ['DRAFT', 'DRAFT']);
    assert.equal((await now(claim)).expireAt, undefined);
  });

  it('start the workflow for drafts with open transactions, or with a lock', async () => {
    const { order: open } = await fixture.withSeat();
    const payment = { paymentId: 1, orderVersion: 1, capturedMinor: 0, creditedMinor: 0, openTransactions: 1 };
    await fixture.change(open.id, (before, at) => notePayment(before, { payment }, at));
    const { order: locked } = await fixture.withSeat();
    await fixture.change(locked.id, (before, at) => lockOrder(before, { owner: 'capture/1/1' }, at));
    const { order: ending } = await fixture.withSeat();
    const owner = `order-expiry/${ending.id}/v1`;
    fixture.passes(21);
    await fixture.change(ending.id, (before, at) => lockOrder(before, { owner }, at));
    const started: Order[] = [];
    await fixture.sweepDue(started);
    assert.deepEqual(started.map(({ id }) => id).sort(), [open.id, locked.id].sort());
    // Its workflow may be lost.
    fixture.passes(6);
    await fixture.sweepDue(started);
    assert.ok(started.some(({ id }) => id === ending.id));
  });

  it('end the other drafts when one fails', async () => {
    const { order: open } = await fixture.withSeat();
    const payment = { paymentId: 1, orderVersion: 1, capturedMinor: 0, creditedMinor: 0, openTransactions: 1 };
    await fixture.change(open.id, (before, at) => notePayment(before, { payment }, at));
    fixture.passes(1);
    const { order } = await fixture.withSeat();
    fixture.passes(30);
    const started: Order[] = [];
    started.push = () => {
      throw new Error('Temporal is away');
    };
    await assert.rejects(fixture.sweepDue(started), /Temporal is away/);
    assert.equal((await now(order)).status, 'EXPIRED');
  });

  for (const when of ['before', 'after'] as const) {
    it(`settle seats that the writer did not, when it died ${when} telling of them`, async () => {
      const { order } = await fixture.withSeat();
      await fixture.pay(order.id);
      fixture.keeper.failures = [when];
      const { order: after } = await fixture.confirm(order.id);
      assert.deepEqual(after.status, 'CONFIRMED');
      assert.equal(await fixture.here.seats.count(later(1, fixture.now)), 1);
      fixture.keeper.failures = [when];
      fixture.passes(1);
      await assert.rejects(fixture.here.seats.sweep(), /died/);
      await fixture.there.seats.sweep();
      assert.equal(seatOf(order), 'CONFIRMED');
      assert.equal(await fixture.here.seats.count(later(1, fixture.now)), 0);
      assert.equal((await now(order)).pendingSeats, undefined);
    });
  }

  it('release the seats of a removed line, and never one that the order has kept', async () => {
    const { order } = await fixture.withSeat();
    fixture.keeper.failures = ['before'];
    const ids = order.orderLines.map(({ id }) => id);
    await fixture.change(order.id, (before, at) => removeLines(before, { orderLineIds: ids }, at));
    assert.equal(seatOf(order), 'HELD');
    fixture.passes(1);
    await fixture.here.seats.sweep();
    assert.equal(seatOf(order), 'RELEASED');
  });

  it('free the seat of a cancelled line only when its cancellation is confirmed', async () => {
    const { order } = await fixture.confirmed();
    const ids = order.orderLines.map(({ id }) => id);
    await fixture.change(order.id, (before, at) => cancelLines(before, { orderLineIds: ids }, at));
    assert.equal(seatOf(order), 'CONFIRMED');
    await fixture.pay(order.id);
    await fixture.confirm(order.id);
    assert.equal(seatOf(order), 'RELEASED');
    await fixture.checkEvents(order.id);
  });

  it('free the seats of the last order, also behind hundreds that cannot be settled', async () => {
    const { order } = await fixture.withSeat();
    fixture.keeper.failures = ['before'];
    const ids = order.orderLines.map(({ id }) => id);
    await fixture.change(order.id, (before, at) => removeLines(before, { orderLineIds: ids }, at));
    const { since, revision } =
      (await fixture.here.collection.findOne({ _id: order.id }))?.pendingSeats ?? assert.fail();
    const lost = 'lost' as ReservationId;
    fixture.keeper.states.set(lost, 'RELEASED');
    const pendingSeats = { since: new Date(since.getTime() - 1), revision, confirm: [lost], release: [] };
    const stuck = Array.from({ length: 201 }, (_, at) => ({ _id: `STUCK-${at}`, organisationId: OURS, pendingSeats }));
    await fixture.here.collection.insertMany(stuck as never);
    fixture.passes(1);
    await assert.rejects(fixture.here.seats.sweep(), /no longer held/);
    assert.equal(seatOf(order), 'RELEASED');
  });

  it('keep what a later write adds while earlier seats are settled', async () => {
    const { order } = await fixture.withSeat();
    fixture.keeper.failures = ['before', 'before'];
    await fixture.pay(order.id);
    await fixture.confirm(order.id);
    const before = await fixture.here.collection.findOne({ _id: order.id });
    const ids = order.orderLines.map(({ id }) => id);
    await fixture.change(order.id, (current, at) => cancelLines(current, { orderLineIds: ids }, at));
    await fixture.pay(order.id);
    await fixture.confirm(order.id);
    // A sweep that has read before the second confirmation.
    const stale = before?.pendingSeats ?? assert.fail('nothing is pending');
    await assert.rejects(fixture.there.seats.settle({ orderId: order.id, pendingSeats: stale }), /no longer held/);
    fixture.passes(1);
    await fixture.here.seats.sweep();
    assert.equal(seatOf(order), 'RELEASED');
  });

  it('are not forgotten when an earlier note is settled late', async () => {
    const { order } = await fixture.withSeat();
    const { line, reservation } = seatedLine({ traveller: order.travellers[0] ?? assert.fail() });
    const lines = { lines: [line], reservations: [reservation] };
    const { order: two } = await fixture.change(order.id, (current, at) => addLines(current, lines, at));
    fixture.keeper.failures = ['before', 'before'];
    const remove = async (id: OrderLineId) =>
      await fixture.change(order.id, (current, at) => removeLines(current, { orderLineIds: [id] }, at));
    await remove(two.orderLines[0]?.id ?? assert.fail());
    const stale = (await fixture.here.collection.findOne({ _id: order.id }))?.pendingSeats ?? assert.fail();
    await remove(line.id);
    await fixture.there.seats.settle({ orderId: order.id, pendingSeats: stale });
    assert.equal(fixture.keeper.states.get(reservation.id), undefined);
    fixture.passes(1);
    await fixture.here.seats.sweep();
    assert.equal(fixture.keeper.states.get(reservation.id), 'RELEASED');
  });
});
