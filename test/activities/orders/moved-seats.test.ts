/** Seats of orders with the real seat keeper: moved, sold and given up, with books that agree afterwards. */
import assert from 'node:assert/strict';
import { OrderAccessor } from '../../../activities/orders/order-access.ts';
import { OrderSeats } from '../../../activities/orders/order-seats.ts';
import { OrderStore } from '../../../activities/orders/order-store.ts';
import { totalAmountMinor } from '../../../workflows/orders/rules/amounts.ts';
import { confirmOrder } from '../../../workflows/orders/rules/confirmation.ts';
import { createOrder } from '../../../workflows/orders/rules/creation.ts';
import { resetOrder } from '../../../workflows/orders/rules/endings.ts';
import { addLines } from '../../../workflows/orders/rules/lines.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { noteUse } from '../../../workflows/orders/rules/use.ts';
import type { ReservationId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { settle } from '../../rules/order-commands.ts';
import { checkReplay, toOrderEvent } from '../../support/order-checks.ts';
import { MINUTE_MS, OURS, sampleOrder, sampleTraveller, seatedLine, THEIRS } from '../../support/sample-orders.ts';
import { call, carriage, DEPARTURE, JOURNEY, NOW, openTrain, type Train } from '../seating/support.ts';
import { NO_FARES, OrderFixture, request } from './order-fixture.ts';

describe('seats of orders', () => {
  const fixture = new OrderFixture('moved-seats');
  let train: Train;
  let store: OrderStore;
  let access: OrderAccessor;

  before(async () => {
    await fixture.open();
    fixture.now = NOW;
  });
  beforeEach(async () => {
    await fixture.clear();
    fixture.now = NOW;
    train = await openTrain([carriage('1', 6)]);
    const seats = () => train.keeper;
    store = new OrderStore({ ...fixture.here.options, seats });
    access = new OrderAccessor({ orders: store, seats, fares: NO_FARES, now: () => fixture.now });
  });
  afterEach(async () => await train.connection.close());
  after(async () => await fixture.close());

  const change = async ({ id }: Order, decide: Parameters<OrderStore['change']>[3]) =>
    (await store.change(OURS, id, request(), decide)).order;

  /** Reserves as a request does: seats first, then the order with them. */
  async function reserved(): Promise<Order> {
    const traveller = sampleTraveller();
    const work = request();
    const { order } = await store.create(OURS, work, (id, now) =>
      createOrder(sampleOrder({ id, travellers: [traveller] }), now),
    );
    const { line, reservation } = seatedLine({ traveller, departure: DEPARTURE });
    const leg = {
      ...(line.travelSpecification.legs[0] ?? assert.fail()),
      lineId: 'TST:Line:1',
      serviceJourneyId: 'TST:ServiceJourney:1',
      datedServiceJourneyId: JOURNEY,
    };
    const place = { reservationId: reservation.id, travellerId: traveller.id };
    const wish = { accommodation: 'SEATING', facilities: [] } as const;
    const stretch = { ...leg, departure: DEPARTURE };
    const wanted = { orderLineId: line.id, stretch, wish, wholeCompartment: false, places: [place] };
    const [held] = await train.keeper.hold(call([wanted], { orderId: order.id, workId: work.workId }));
    const { carriageNumber, seatNumber } = held ?? assert.fail('no seat');
    const ride = { ...line, travelSpecification: { ...line.travelSpecification, legs: [leg] } };
    const kept = { ...reservation, carriageNumber, seatNumber };
    return await change(order, (before, now) => addLines(before, { lines: [ride], reservations: [kept] }, now));
  }
  const confirm = async (order: Order) => {
    await change(order, (before, now) => ({ order: settle(before, now, totalAmountMinor(before)), events: [] }));
    return await change(order, (before, now) => confirmOrder(before, { orderVersion: before.version }, now));
  };
  const seatOf = ({ reservations }: Order) => reservations[0] ?? assert.fail('no seat');
  const move = async (order: Order, seatNumber: string, work = request()) =>
    await access.moveSeat(OURS, order.id, seatOf(order).id, { carriageNumber: '1', seatNumber }, work);
  const books = async (stretches: number) => assert.equal((await train.checkBooks()).stretches, stretches);
  const codeOf = async (promise: Promise<unknown>) => {
    const error = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return error instanceof ServiceError ? error.code : error;
  };

  it('are moved within a draft: the new one is held, the old one is free', async () => {
    const order = await reserved();
    const moved = await move(order, '5');
    assert.deepEqual([seatOf(moved).seatNumber, moved.orderLines[0]?.version], ['5', 1]);
    assert.notEqual(seatOf(moved).id, seatOf(order).id);
    await books(1);
    const { outbox = [] } = (await fixture.here.collection.findOne({ _id: order.id })) ?? {};
    assert.ok(outbox.at(-1)?.type.includes('ReservationUpdated'));
    checkReplay(moved, outbox.map(toOrderEvent));
  });

  it('that are sold stay until the move is confirmed', async () => {
    const sold = await confirm(await reserved());
    const moved = await move(sold, '5');
    assert.deepEqual([moved.status, moved.version, moved.orderLines[0]?.version], ['DRAFT', 2, 2]);
    await books(2);
    const after = await confirm(moved);
    assert.deepEqual([after.status, seatOf(after).seatNumber], ['CONFIRMED', '5']);
    await books(1);
  });

  it('are as they were sold after a reset', async () => {
    const sold = await confirm(await reserved());
    await move(sold, '5');
    const after = await change(sold, (before, now) => resetOrder(before, {}, now));
    assert.equal(seatOf(after).seatNumber, seatOf(sold).seatNumber);
    await books(1);
  });

  it('move once for a request, also when it is repeated and raced', async () => {
    const order = await reserved();
    const work = request();
    const moves = await Promise.allSettled([1, 2, 3].map(() => move(order, '5', work)));
    assert.ok(moves.some(({ status }) => status === 'fulfilled'));
    const moved = await move(order, '5', work);
    assert.equal(seatOf(moved).seatNumber, '5');
    await books(1);
  });

  it('that another order has are refused, and nothing changes', async () => {
    const [order, other] = [await reserved(), await reserved()];
    assert.equal(await codeOf(move(order, seatOf(other).seatNumber)), 'SEAT_UNAVAILABLE');
    assert.deepEqual((await store.get(OURS, order.id)).order.reservations, order.reservations);
    await books(2);
  });

  it('of a used line stay, and the seat that was held for it is free', async () => {
    const sold = await confirm(await reserved());
    const orderLineId = sold.orderLines[0]?.id ?? assert.fail();
    await change(sold, (before, now) => noteUse(before, { orderLineId, usedAt: now }, now));
    assert.equal(await codeOf(move(sold, '5')), 'TICKET_ALREADY_USED');
    await books(1);
  });

  it('of foreign orders are not found, and those that the order does not have are refused', async () => {
    const order = await reserved();
    const seat = { carriageNumber: '1', seatNumber: '5' };
    assert.equal(await codeOf(access.moveSeat(THEIRS, order.id, seatOf(order).id, seat, request())), 'NOT_FOUND');
    const absent = access.moveSeat(OURS, order.id, 'none' as ReservationId, seat, request());
    assert.equal(await codeOf(absent), 'INVALID_STATE');
    await books(1);
  });

  it('are released after the order has expired, also when the worker died in between', async () => {
    const order = await reserved();
    fixture.now = new Date(NOW.getTime() + 21 * MINUTE_MS);
    // A worker that dies after its write tells nobody.
    const { seats: _told, ...untold } = fixture.here.options;
    const dying = new OrderStore(untold);
    const { expireOrder } = await import('../../../workflows/orders/rules/endings.ts');
    await dying.change('ANY', order.id, request(), (before, now) => expireOrder(before, {}, now));
    await books(1);
    fixture.now = new Date(NOW.getTime() + 22 * MINUTE_MS);
    await new OrderSeats({ ...fixture.here.options, seats: () => train.keeper }).sweep();
    await books(0);
  });
});
