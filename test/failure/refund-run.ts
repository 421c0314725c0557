/**
 * Tells stories of refunds while the provider fails in every way that it can and parts of the service are killed. Watches the
 * provider's ledger meanwhile, and compares it with refunds, tickets, payments and orders at the end. Used by kill-refunds.ts.
 */
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { type PartName, Service } from '../support/service.ts';
import { publishTrains } from '../support/sold-trains.ts';
import { inspect } from './inspected-tickets.ts';
import { LedgerWatch } from './ledger-watch.ts';
import { PatientClient } from './patient-client.ts';
import { PaymentCalls } from './payment-calls.ts';
import type { PlannedKill } from './random-kills.ts';
import { RefundBooks } from './refund-books.ts';
import { RefundCalls } from './refund-calls.ts';
import { refundCatalogueFile } from './refund-catalogue.ts';
import { REFUND_SCOPES, RefundStories } from './refund-stories.ts';
import { workInTrouble } from './troubled-work.ts';

const WORKERS = [
  ...(['salesOrdersWorker', 'salesPaymentsWorker', 'salesDocumentsWorker', 'eventsWorker'] as const),
] as const;
export const REFUND_PROCESSES = [...WORKERS, 'providerSimulator'] as const;
/** Every process that a refund needs. */
export const REFUND_VICTIMS: readonly PartName[] = [
  ...(['api', 'auth', ...WORKERS, 'temporal', 'mongod', 'minio', 'providerSimulator'] as const),
];

export interface RefundRunOptions {
  /** How many are to end. */
  readonly refunds: number;
  readonly kills: readonly PlannedKill[];
  /** How many calls of the provider fail in each way. */
  readonly faultsEach: number;
  readonly callers?: number;
  /** Then no more begin; an hour by default. */
  readonly endsAfterMs?: number;
}

export interface RefundRun {
  readonly faults: readonly string[];
  readonly orders: number;
  readonly refunds: Readonly<Record<string, number>>;
  readonly acknowledged: number;
  readonly repeats: number;
  readonly busy: number;
  /** Times that the provider's ledger was read while refunds ran. */
  readonly looks: number;
  /** Refunds of the provider whose tickets were looked at meanwhile. */
  readonly watched: number;
  readonly providerFaults: Readonly<Record<string, number>>;
  /** From the last fault until nothing was under way. */
  readonly quietAfterMs: number;
}

const ENDS_AFTER_MS = 3_600_000;
const CALLERS = 12;

export async function runRefunds(options: RefundRunOptions): Promise<RefundRun> {
  const env = { CATALOGUE_FILE: refundCatalogueFile() };
  const service = await Service.start({
    timetable: false,
    processes: REFUND_PROCESSES,
    env,
  });
  try {
    return await runRefundsOn(service, options);
  } finally {
    await service.stop();
  }
}

/** Runs on a service with the processes above, and the catalogue of {@link refundCatalogueFile}. */
export async function runRefundsOn(service: Service, options: RefundRunOptions): Promise<RefundRun> {
  const { refunds, kills, faultsEach, callers = CALLERS, endsAfterMs = ENDS_AFTER_MS } = options;
  await publishTrains(service);
  const client = new PatientClient(service, REFUND_SCOPES);
  await client.logIn();
  const payments = new PaymentCalls(client);
  const calls = new RefundCalls(payments);
  const stories = new RefundStories(calls);
  const simulator = service.url('providerSimulator');
  const connection = await connectMongo(service.mongoUri);
  try {
    const watch = new LedgerWatch(connection, simulator);
    watch.begin();
    const progress = () => Math.min(1, calls.ended / refunds);
    const trouble = await workInTrouble(service, {
      ...{ tell: async () => await stories.tell(), progress, callers, endsAfterMs, kills, faultsEach },
    });
    const books = new RefundBooks(connection, stories.told, simulator);
    const stuck = await books.settle(trouble.endedAt);
    const quietAfterMs = Date.now() - trouble.endedAt;
    const seen = await watch.end();
    const wrong = [...(await books.check()), ...(await inspect(connection, client, service.apiUrl))];
    const made = Map.groupBy(await books.refunds(), ({ status }) => status);
    return {
      faults: [...payments.faults, ...stuck, ...seen, ...wrong],
      orders: stories.told.length,
      refunds: Object.fromEntries([...made].map(([status, all]) => [status, all.length])),
      ...{ acknowledged: payments.acknowledged, repeats: client.repeats, busy: payments.busy },
      ...{ looks: watch.looks, watched: watch.checked, providerFaults: trouble.providerFaults, quietAfterMs },
    };
  } finally {
    await connection.close();
  }
}
