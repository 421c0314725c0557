/** Orders that ended without being confirmed: nobody owes for them. */
import assert from 'node:assert/strict';
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
});
