/**
 * The role of the queue `sales-payment-pages`. It runs the workflows of payment pages and their activities, and the sweeps
 * after crashes. Caller: workers/, by the manifest. Scale by adding processes.
 */
import type { RoleCode, WorkerBase, WorkerPart } from '../../platform/area.ts';
import { ORDER_MONEY, ORDERS } from '../shared/orders.ts';
import { PAGE_PAYMENTS } from '../shared/payments.ts';
import { createAttemptActivities } from './attempt-activities.ts';
import { createPageActivities } from './page-activities.ts';
import { PageMetrics } from './page-metrics.ts';
import type { PageDependencies } from './page-steps.ts';
import { PageStore } from './page-store.ts';
import { sweepLatePages, sweepPendingPages } from './page-sweep.ts';

/** A customer who looks at the page waits for what follows the order. */
const PENDING_EVERY_MS = 1_000;
const LATE_EVERY_MS = 60_000;

export const paymentPagesRole: RoleCode<WorkerBase, WorkerPart> = {
  create: async ({ mongo: connection, temporal, interfaces, log, registry }) => {
    const pages = new PageStore({ connection });
    const dependencies: PageDependencies = {
      pages,
      orders: () => interfaces.get(ORDERS),
      money: () => interfaces.get(ORDER_MONEY),
      payments: () => interfaces.get(PAGE_PAYMENTS),
    };
    const metrics = new PageMetrics(registry);
    const sweep = { pages, temporal, log, onLate: (late: number) => metrics.late(late) };
    return {
      activities: { ...createPageActivities(dependencies), ...createAttemptActivities(dependencies) },
      repeated: [
        { name: 'pending-payment-pages', everyMs: PENDING_EVERY_MS, run: () => sweepPendingPages(sweep) },
        { name: 'late-payment-pages', everyMs: LATE_EVERY_MS, run: () => sweepLatePages(sweep) },
      ],
    };
  },
};
