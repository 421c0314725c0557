/**
 * The role of the queue `books`: compares providers, payments, orders and the ledger each day, and closes settlements that a crash, or
 * a slow relay, has left half closed. Caller: workers/, by the manifest. One process is enough; more share the work.
 */
import { randomUUID } from 'node:crypto';
import type { RoleCode, WorkerBase, WorkerPart } from '../../platform/area.ts';
import { topicName } from '../../platform/events/event-family.ts';
import { ORDER_BOOKS, ORDERS } from '../shared/orders.ts';
import { EVENT_LOG_READER, PAYMENT_BOOKS } from '../shared/payment-books.ts';
import { SETTLED_MONEY } from '../shared/settlements.ts';
import { BooksMetrics } from './books-metrics.ts';
import { LedgerReader } from './ledger-reader.ts';
import { LedgerStore } from './ledger-store.ts';
import { createReconciliationActivities } from './reconciliation-activities.ts';
import { ensureReconciliationSchedule, reconciliationShape } from './reconciliation-schedule.ts';
import { ReconciliationStore } from './reconciliation-store.ts';
import { sweepClosings } from './settlement-closing.ts';
import { SettlementStore } from './settlement-store.ts';

const SWEEP_EVERY_MS = 5_000;
const COUNT_EVERY_MS = 30_000;
/** Repeated, so that a Temporal that lost its storage gets the schedule back. */
const SCHEDULE_EVERY_MS = 60_000;

const NO_PROVIDER = 'PAYMENT_PROVIDERS names no payment provider: nothing is compared with the books of one';

export const booksRole: RoleCode<WorkerBase, WorkerPart> = {
  create: async ({
    mongo: connection,
    eventEnvironment: environment,
    temporal,
    registry,
    interfaces,
    log,
    readConfig,
  }) => {
    const { RECONCILIATION_TIME: time, TIME_ZONE: timeZone } = readConfig(reconciliationShape);
    const [ledger, reader] = [new LedgerStore(connection), new LedgerReader(connection)];
    const settlements = new SettlementStore({ connection, environment });
    const reports = new ReconciliationStore({ connection, environment });
    const closing = { settlements, ledger, reader, money: () => interfaces.find(SETTLED_MONEY) };
    const metrics = new BooksMetrics(registry);
    const parts = {
      ...{ ledger, reader },
      topic: topicName('payment-events', environment),
      payments: interfaces.get(PAYMENT_BOOKS),
      orderTopic: topicName('order-events', environment),
      orders: interfaces.get(ORDERS),
      sold: interfaces.get(ORDER_BOOKS),
      events: interfaces.get(EVENT_LOG_READER),
    };
    // Faults of their settings end the process at its start, and not at the first comparison.
    if ((await parts.payments.providers()).length === 0) log.warn(NO_PROVIDER);
    const count = async () => {
      metrics.reconciled(await reports.findLast());
      metrics.closing((await settlements.listClosing()).length);
    };
    return {
      activities: createReconciliationActivities(parts, reports),
      repeated: [
        { name: 'settlement-closings', everyMs: SWEEP_EVERY_MS, run: () => sweepClosings(closing, randomUUID) },
        { name: 'books-counted', everyMs: COUNT_EVERY_MS, run: count },
        {
          name: 'reconciliation-schedule',
          everyMs: SCHEDULE_EVERY_MS,
          run: () => ensureReconciliationSchedule(temporal, { time, timeZone }),
        },
      ],
    };
  },
};
