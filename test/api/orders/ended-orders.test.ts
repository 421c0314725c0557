/** Orders that ended without being confirmed: nobody owes for them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { expireOrder } from '../../../workflows/orders/rules/endings.ts';
import type { OrderId } from '../../../workflows/shared/ids.ts';
import { findOffers, readOrder, reserve } from './journeys.ts';
import { type OrdersServer, startOrders } from './support.ts';

describe('ended orders', () => {
  let server: OrdersServer;

  beforeEach(async () => {
    server = await startOrders();
  });
  afterEach(async () => await server.close());

  it('have no balance, and are found so', async () => {
    const { orderId } = await reserve(server, (await findOffers(server)).FLEX ?? '');
    const owing = async () => (await server.call('/v1/orders?balance=gt:0')).json.totalItems;
    const draft = await readOrder(server, orderId);
    assert.deepEqual([draft.balance, draft.reservations.length, await owing()], ['300.00', 1, 1]);
    const cancelled = await server.call(`/v1/orders/${orderId}/cancel`, { method: 'POST' });
    assert.equal(cancelled.status, 200, cancelled.text);
    const order = await readOrder(server, orderId);
    assert.deepEqual([order.status, order.balance], ['CANCELLED', '0.00']);
    assert.equal(await owing(), 0);
  });

  it('show their lines as they were, and no reservations', async () => {
    const { orderId } = await reserve(server, (await findOffers(server)).FLEX ?? '');
    const draft = await readOrder(server, orderId);
    assert.equal(draft.orderLines[0].reservationIds.length, 1);
    const answer = await server.call(`/v1/orders/${orderId}/cancel`, { method: 'POST' });
    const order = await readOrder(server, orderId);
    const lines = draft.orderLines.map((line: object) => ({ ...line, reservationIds: [] }));
    for (const shown of [answer.json, order]) {
      assert.deepEqual([shown.status, shown.orderLines, shown.reservations], ['CANCELLED', lines, []]);
      assert.equal(shown.totalAmount, draft.totalAmount);
    }
    const { orders } = (await server.call('/v1/orders?status=CANCELLED')).json;
    assert.deepEqual(orders?.[0]?.reservations ?? [], []);
  });

  it('show so when their time is over, too', async () => {
    const { orderId } = await reserve(server, (await findOffers(server)).FLEX ?? '');
    await server.dependencies.orders.change(
      'ANY',
      orderId as OrderId,
      { workId: randomUUID(), correlationId: randomUUID(), clientId: 'test' },
      (order, now) => expireOrder(order, {}, new Date(now.getTime() + 86_400_000)),
    );
    const order = await readOrder(server, orderId);
    const [line] = order.orderLines;
    assert.deepEqual([order.status, line.status, line.reservationIds], ['EXPIRED', 'DRAFT', []]);
    assert.deepEqual(order.reservations, []);
  });
});
