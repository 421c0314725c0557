/** Makes the part of refunds in the orders worker. Caller: the manifest. */
import type { ProcessBase, WorkerBase, WorkerPart } from '../../platform/area.ts';
import type { Interfaces } from '../../platform/interfaces.ts';
import { COMPENSATIONS } from '../shared/compensations.ts';
import { ORDER_PAYMENTS } from '../shared/order-payments.ts';
import { ORDER_REFUNDS } from '../shared/orders.ts';
import { PAGE_NEWS } from '../shared/page-news.ts';
import { REFUND_MONEY } from '../shared/refund-money.ts';
import { REFUND_STATES } from '../shared/refund-states.ts';
import { REFUNDS_WORK } from '../shared/refunds-work.ts';
import { TICKETS } from '../shared/tickets.ts';
import { RefundedCompensations } from './compensations.ts';
import { createRefundActivities } from './refund-activities.ts';
import { RefundMetrics } from './refund-metrics.ts';
import { type StartedRefund, startRefund } from './refund-start.ts';
import { RefundStore } from './refund-store.ts';
import { sweepLateRefunds, sweepLeftLocks, sweepPendingRefunds } from './refund-sweeps.ts';

const PENDING_EVERY_MS = 5_000;
const LATE_EVERY_MS = 60_000;
const COUNT_EVERY_MS = 15_000;

export function provideRefunds({ mongo, eventEnvironment, temporal, log }: ProcessBase, interfaces: Interfaces): void {
  const refunds = new RefundStore({ connection: mongo, environment: eventEnvironment });
  const start = async (refund: StartedRefund) => {
    if (!temporal) throw new Error('This process has no connection to Temporal, and a refund needs its workflow');
    await startRefund(temporal, refund);
  };
  interfaces.provide(COMPENSATIONS, new RefundedCompensations({ refunds, start, log }));
  interfaces.provide(REFUND_STATES, refunds);
  interfaces.provide(REFUNDS_WORK, { create: async (worker) => createWork(worker) });
}

function createWork({ mongo, eventEnvironment, temporal, log, registry, interfaces }: WorkerBase): WorkerPart {
  const refunds = new RefundStore({ connection: mongo, environment: eventEnvironment });
  const metrics = new RefundMetrics(registry);
  const start = async (refund: StartedRefund) => await startRefund(temporal, refund);
  const sweep = { refunds, start, log };
  const access = { orders: () => interfaces.get(ORDER_REFUNDS), tickets: () => interfaces.get(TICKETS) };
  return {
    activities: createRefundActivities({
      refunds,
      ...access,
      money: () => interfaces.get(REFUND_MONEY),
      payments: () => interfaces.get(ORDER_PAYMENTS),
      pages: () => interfaces.get(PAGE_NEWS),
      onEnded: (status) => metrics.ended(status),
    }),
    repeated: [
      { name: 'pending-refunds', everyMs: PENDING_EVERY_MS, run: () => sweepPendingRefunds(sweep) },
      { name: 'late-refunds', everyMs: LATE_EVERY_MS, run: () => sweepLateRefunds(sweep) },
      { name: 'left-refund-locks', everyMs: LATE_EVERY_MS, run: () => sweepLeftLocks({ refunds, log, ...access }) },
      { name: 'refunds-counted', everyMs: COUNT_EVERY_MS, run: () => metrics.count(refunds) },
    ],
  };
}
