/**
 * The role of the queue `sales-orders`. It ends drafts that are due and requests that are lost, settles and frees seats that a crash
 * has left, compares what is sold with each new timetable, and runs the workflows that end drafts with open payments and that refund.
 * Caller: workers/, by the manifest. Scale by adding processes.
 */
import type { RoleCode, WorkerBase, WorkerPart } from '../../platform/area.ts';
import { ORDER_PAYMENTS } from '../shared/order-payments.ts';
import { ORDER_DISRUPTIONS } from '../shared/orders.ts';
import { REFUNDS_WORK } from '../shared/refunds-work.ts';
import { SEATING } from '../shared/seating.ts';
import { TICKETS } from '../shared/tickets.ts';
import { PUBLISHED_TIMETABLES } from '../shared/timetable.ts';
import { compareJourneys } from './disruption/compare-journeys.ts';
import { JourneyComparisons } from './disruption/journey-comparisons.ts';
import { SoldJourneys } from './disruption/sold-journeys.ts';
import { DueOrders } from './due-orders.ts';
import { countLostRequests, sweepLostRequests } from './lost-requests.ts';
import { createOrderExpiryActivities } from './order-expiry-activities.ts';
import { OrderLocks } from './order-locks.ts';
import { OrderMetrics } from './order-metrics.ts';
import { OrderSeats } from './order-seats.ts';
import { OrderStore } from './order-store.ts';
import { expiryStarter, sweepDueOrders } from './order-sweeps.ts';
import { ordersRoleShape } from './orders-config.ts';

const SWEEP_EVERY_MS = 5_000;
const COUNT_EVERY_MS = 10_000;
/** By then a sweep, or the workflow, has ended most drafts. */
const LATE_AFTER_MS = 60_000;

export const ordersRole: RoleCode<WorkerBase, WorkerPart> = {
  create: async (base) => {
    const { mongo, eventEnvironment, log, temporal, interfaces, registry } = base;
    const refunds = await interfaces.get(REFUNDS_WORK).create(base);
    const seats = () => interfaces.get(SEATING);
    const options = { connection: mongo, environment: eventEnvironment, log, seats };
    const orders = new OrderStore(options);
    const due = new DueOrders(mongo);
    const metrics = new OrderMetrics(registry);
    const payments = () => interfaces.find(ORDER_PAYMENTS);
    const tickets = () => interfaces.get(TICKETS);
    const lost = { orders, locks: new OrderLocks(mongo), payments, tickets, log };
    const sweep = { orders, due, startExpiry: expiryStarter(temporal), log };
    const settling = new OrderSeats(options);
    const count = async () => {
      const before = new Date(Date.now() - LATE_AFTER_MS);
      metrics.late(await due.count(before));
      metrics.unsettled(await settling.count(before));
      metrics.lost(await countLostRequests(lost));
    };
    const comparison = {
      timetables: interfaces.get(PUBLISHED_TIMETABLES),
      comparisons: new JourneyComparisons(mongo),
      journeys: new SoldJourneys(mongo),
      disruptions: interfaces.get(ORDER_DISRUPTIONS),
      laterMs: base.readConfig(ordersRoleShape).DISRUPTION_LATER_MINUTES,
      log,
      onMarked: (lines: number) => metrics.disrupted(lines),
    };
    return {
      activities: {
        ...createOrderExpiryActivities({ orders, payments, tickets }),
        ...refunds.activities,
      },
      repeated: [
        { name: 'due-orders', everyMs: SWEEP_EVERY_MS, run: () => sweepDueOrders(sweep) },
        { name: 'lost-requests', everyMs: SWEEP_EVERY_MS, run: () => sweepLostRequests(lost) },
        { name: 'sold-journeys', everyMs: SWEEP_EVERY_MS, run: () => compareJourneys(comparison) },
        { name: 'order-seats', everyMs: SWEEP_EVERY_MS, run: () => settling.sweep() },
        { name: 'seat-holds', everyMs: SWEEP_EVERY_MS, run: () => seats().sweep() },
        { name: 'late-orders', everyMs: COUNT_EVERY_MS, run: count },
        ...(refunds.repeated ?? []),
      ],
    };
  },
};
