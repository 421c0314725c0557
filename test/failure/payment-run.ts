/**
 * Tells stories of payments and payment pages while the provider fails in every way that it can and parts of the service are killed,
 * and then compares the provider's ledger with payments, pages, credits and orders. Used by kill-payments.ts and its short twin.
 */
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { payingCatalogueFile } from '../support/paged-orders.ts';
import { type PartName, Service } from '../support/service.ts';
import { PAGE_SCOPES, PageStories } from './page-stories.ts';
import { PatientClient } from './patient-client.ts';
import { PaymentBooks } from './payment-books.ts';
import { PaymentCalls } from './payment-calls.ts';
import { PaymentStories, STORY_SCOPES } from './payment-stories.ts';
import type { PlannedKill } from './random-kills.ts';
import { workInTrouble } from './troubled-work.ts';

export const VICTIMS: readonly PartName[] = [
  ...(['api', 'salesPaymentsWorker', 'temporal', 'mongod', 'providerSimulator'] as const),
  ...(['paymentPage', 'paymentPagesWorker'] as const),
];

export interface PaymentRunOptions {
  readonly stories: number;
  readonly kills: readonly PlannedKill[];
  /** How many calls fail in each way. */
  readonly faultsEach: number;
  readonly callers?: number;
  /** Then no more begin; an hour by default. */
  readonly endsAfterMs?: number;
}

export interface PaymentRun {
  readonly faults: readonly string[];
  /** The transactions that the faults name. */
  readonly details: readonly string[];
  readonly payments: number;
  readonly pages: number;
  readonly acknowledged: number;
  readonly repeats: number;
  readonly busy: number;
  /** Ways in which the provider has failed, and how often. */
  readonly providerFaults: Readonly<Record<string, number>>;
  /** From the last fault until nothing was under way. */
  readonly quietAfterMs: number;
}

const ENDS_AFTER_MS = 3_600_000;
const CALLERS = 12;
/** Of so many stories one is of a payment page. */
const PAGES_EACH = 3;
export const PAYMENT_PROCESSES = [
  ...(['salesOrdersWorker', 'salesPaymentsWorker', 'paymentPagesWorker', 'eventsWorker'] as const),
  ...(['paymentPage', 'providerSimulator'] as const),
] as const;

export async function runPayments(options: PaymentRunOptions): Promise<PaymentRun> {
  const env = { CATALOGUE_FILE: payingCatalogueFile() };
  const service = await Service.start({
    timetable: false,
    processes: PAYMENT_PROCESSES,
    env,
  });
  try {
    return await runPaymentsOn(service, options);
  } finally {
    await service.stop();
  }
}

/** Runs on a service with the processes above, the catalogue of {@link payingCatalogueFile}, and no payments yet. */
export async function runPaymentsOn(service: Service, options: PaymentRunOptions): Promise<PaymentRun> {
  const { stories, kills, faultsEach, callers = CALLERS, endsAfterMs = ENDS_AFTER_MS } = options;
  const client = new PatientClient(service, [...STORY_SCOPES, ...PAGE_SCOPES]);
  await client.logIn();
  const calls = new PaymentCalls(client);
  const [payments, pages] = [new PaymentStories(calls), new PageStories(calls)];
  let next = 0;
  const tell = async () => {
    const at = next++;
    const isPage = at % PAGES_EACH === PAGES_EACH - 1;
    const round = Math.floor(at / PAGES_EACH);
    if (isPage) await pages.tell(round);
    else await payments.tell(at - round);
  };
  const trouble = await workInTrouble(service, {
    tell,
    progress: () => next / stories,
    callers,
    endsAfterMs,
    kills,
    faultsEach,
  });
  const connection = await connectMongo(service.mongoUri);
  try {
    const told = { payments: payments.told, pages: pages.told };
    const books = new PaymentBooks(connection, told, service.url('providerSimulator'));
    const stuck = await books.settle(trouble.endedAt);
    const quietAfterMs = Date.now() - trouble.endedAt;
    const faults = [...calls.faults, ...stuck, ...(await books.check())];
    return {
      faults,
      details: await books.describe(faults),
      payments: payments.told.length,
      pages: pages.told.length,
      acknowledged: calls.acknowledged,
      repeats: client.repeats,
      busy: calls.busy,
      providerFaults: trouble.providerFaults,
      quietAfterMs,
    };
  } finally {
    await connection.close();
  }
}
