/** A move to another seat keeps what the supplements of the line say of it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { CatalogueStore } from '../../../activities/catalogue/catalogue-store.ts';
import { OrderAccessor } from '../../../activities/orders/order-access.ts';
import type { ChosenSeat } from '../../../activities/shared/orders.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import type { OrderId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { findOffers, readOrder, reserve } from './journeys.ts';
import { MARKET } from './small-market.ts';
import { type OrdersServer, startOrders } from './support.ts';

/** Of the market: seats 1 and 2 are at the window, 3 and 4 are not; FLEX sells the window as a supplement. */
describe('moving a seat', () => {
  let server: OrdersServer;
  let access: OrderAccessor;

  beforeEach(async () => {
    server = await startOrders();
    const { orders, fares } = server.dependencies;
    access = new OrderAccessor({ orders, seats: () => server.keeper, fares: () => fares });
  });
  afterEach(async () => await server.close());

  const sold = async (...selectableProductIds: string[]): Promise<Order> => {
    const { orderId } = await reserve(server, (await findOffers(server)).FLEX ?? '', { selectableProductIds });
    return await access.get('ANY', orderId as OrderId);
  };
  const seatOf = ({ reservations }: Order) => reservations[0]?.seatNumber;
  const move = async (order: Order, to: string | ChosenSeat) => {
    const work = { workId: randomUUID(), correlationId: randomUUID(), clientId: 'test' };
    const id = order.reservations[0]?.id ?? assert.fail();
    const seat = typeof to === 'string' ? { carriageNumber: '1', seatNumber: to } : to;
    return await access.moveSeat('ANY', order.id, id, seat, work);
  };
  const refused = async (order: Order, to: string | ChosenSeat, why: RegExp) => {
    await assert.rejects(
      move(order, to),
      (error) => error instanceof ServiceError && error.code === 'SEAT_UNAVAILABLE' && why.test(error.message),
    );
    assert.deepEqual(await access.get('ANY', order.id), order);
  };

  it('keeps the window that the line has paid for', async () => {
    const order = await sold('WINDOW');
    await refused(order, '3', /seat 3 of carriage 1 has no WINDOW, which the line has with WINDOW/);
    const other = seatOf(order) === '1' ? '2' : '1';
    assert.equal(seatOf(await move(order, other)), other);
  });

  it('gives no window to a line without the supplement, and holds none', async () => {
    const orders = [await sold(), await sold(), await sold()];
    const aisle = orders.find((order) => Number(seatOf(order)) > 2) ?? assert.fail();
    const window = orders.find((order) => Number(seatOf(order)) <= 2) ?? assert.fail();
    const free = ['1', '2', '3', '4'].find((number) => !orders.some((order) => seatOf(order) === number)) ?? '';
    assert.equal(free, '4');
    assert.equal(seatOf(await move(aisle, free)), free);
    const moved = await access.get('ANY', aisle.id);
    assert.equal(seatOf(await move(window, '3')), '3');
    await refused(moved, seatOf(window) ?? '', /is sold with WINDOW, which the line lacks/);
    const taken = await sold('WINDOW');
    assert.equal(seatOf(taken), seatOf(window), 'the refused seat is free');
  });

  it('keeps a party in the compartment that it has bought whole', async () => {
    const berths = MARKET.seatPlans[0]?.carriages.find(({ carriageNumber }) => carriageNumber === '2') ?? assert.fail();
    const another = {
      ...berths,
      seats: berths.seats.map((seat) => ({ ...seat, seatNumber: `2${seat.seatNumber}`, compartmentNumber: '2' })),
    };
    const carriage = { ...berths, seats: [...berths.seats, ...another.seats] };
    const seatPlans = MARKET.seatPlans.map((plan) => ({
      ...plan,
      carriages: plan.carriages.map((each) => (each.carriageNumber === '2' ? carriage : each)),
    }));
    await new CatalogueStore(server.connection).replace({ ...MARKET, seatPlans });
    const travellers = ['t1', 't2'].map((id) => ({ id, userType: 'ADULT' }));
    const { orderId } = await reserve(server, (await findOffers(server, { travellers })).CABIN ?? '');
    const order = await access.get('ANY', orderId as OrderId);
    assert.deepEqual(order.reservations.map(({ seatNumber }) => seatNumber).sort(), ['11', '12']);
    for (const seatNumber of ['211', '212', '12'])
      await refused(order, { carriageNumber: '2', seatNumber }, seatNumber === '12' ? /./ : /has a whole compartment/);
    const others = await reserve(server, (await findOffers(server, { travellers })).CABIN ?? '');
    assert.equal(others.reservationIds.length, 2, 'the other compartment is free whole');
  });

  it('may come back to the window that reserving gave, also after several moves', async () => {
    const order = await sold();
    assert.equal(seatOf(order), '1');
    const aisle = await move(await move(order, '3'), '4');
    assert.equal(seatOf(await move(aisle, '1')), '1');
    const { reservations } = await readOrder(server, order.id);
    assert.equal('givenFacilities' in reservations[0], false, 'kept inside');
  });

  it('may go from one window to another that it has without the supplement', async () => {
    const order = await sold();
    assert.equal(seatOf(order), '1');
    assert.equal(seatOf(await move(order, '2')), '2');
  });
});
