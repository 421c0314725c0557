/** The short twin of kill-orders.ts: two kills, and a sweep of holds that need not wait. Caller: kill-writes.test.ts. */
import assert from 'node:assert/strict';
import type { Service } from '../support/service.ts';
import { runOrdersOn } from './order-run.ts';

export function describeKilledOrders(useService: () => Service): void {
  describe('orders sold while a part is killed', () => {
    it('are written once, as acknowledged, each seat to one order and every event once and in order', async () => {
      const run = await runOrdersOn(useService(), {
        stories: 36,
        victims: ['api', 'salesOrdersWorker'],
        sweep: 'ahead',
      });
      assert.deepEqual(run.faults, []);
      assert.equal(run.kills, 2);
      assert.ok(run.versions >= 30 && run.foreignRequests >= 300, `${run.versions} versions`);
      assert.ok(run.orders >= 30 && run.acknowledged >= 90, `${run.orders} orders, ${run.acknowledged} writes`);
    });
  });
}
