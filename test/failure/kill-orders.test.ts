/** The short twin of kill-orders.ts: two kills, and a sweep of holds that need not wait. */
import assert from 'node:assert/strict';
import { runOrders } from './order-run.ts';

describe('orders sold while a part is killed', function () {
  this.timeout(120_000);

  it('are written once, as acknowledged, each seat to one order and every event once and in order', async () => {
    const run = await runOrders({ stories: 36, victims: ['api', 'salesOrdersWorker'], sweep: 'ahead' });
    assert.deepEqual(run.faults, []);
    assert.equal(run.kills, 2);
    assert.ok(run.orders >= 30 && run.acknowledged >= 90, `${run.orders} orders, ${run.acknowledged} writes`);
  });
});
