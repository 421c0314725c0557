/** Orders and payments over HTTP, the payment provider simulator, the relay and the ledger: what a reconciliation compares. */
import { LEDGER_ENTRIES } from '../../../activities/books/ledger-document.ts';
import { LedgerReader } from '../../../activities/books/ledger-reader.ts';
import { LedgerStore } from '../../../activities/books/ledger-store.ts';
import {
  compareEvents,
  compareMovements,
  type ReconciliationParts,
  rangeOfDay,
} from '../../../activities/books/reconciliation.ts';
import { compareOrders, type OrderReconciliationParts } from '../../../activities/books/reconciliation-orders.ts';
import { RECONCILIATIONS, ReconciliationStore } from '../../../activities/books/reconciliation-store.ts';
import { EventLogStore } from '../../../activities/events/event-log-store.ts';
import { EventRelay } from '../../../activities/events/event-relay.ts';
import { KeptEventStore } from '../../../activities/events/kept-event-store.ts';
import { OutboxSource } from '../../../activities/events/outbox-source.ts';
import { StoredOrderBooks } from '../../../activities/orders/order-books.ts';
import { StoredSoldOrders } from '../../../activities/orders/sold-orders.ts';
import { ProviderBooks } from '../../../activities/payments/payment-books.ts';
import { Providers } from '../../../activities/payments/provider/providers.ts';
import { createSimulatorProvider } from '../../../activities/payments/provider/simulator.ts';
import type { Difference } from '../../../workflows/books/rules/difference.ts';
import { addFindings, type Findings, HOURS, NOTHING_FOUND } from '../../../workflows/books/rules/reconciled-day.ts';
import { noteCredited, reserveCredit } from '../../../workflows/payments/rules/credits.ts';
import type { CreditId } from '../../../workflows/shared/ids.ts';
import { authorisedOf, startPayments } from '../../api/payments/support.ts';
import { payByCard, SIMULATOR_SECRET, sessionRequest, startSimulatorFor } from '../../support/provider-simulator.ts';
import { always } from '../events/support.ts';

export type Paid = Awaited<ReturnType<typeof authorisedOf>>;

export async function openReconciliation(name: string) {
  const server = await startPayments();
  const simulator = await startSimulatorFor(`${name}_simulator`);
  const provider = createSimulatorProvider({ url: simulator.url, secret: SIMULATOR_SECRET, timeoutMs: 5_000 });
  const { connection } = server.orders;
  const ledger = new LedgerStore(connection);
  const log = new EventLogStore(connection);
  const relay = new EventRelay({
    ...{ log, kept: new KeptEventStore(connection), keptTopics: new Set<string>(), ledger },
    sources: ['payments', 'orders', 'reconciliations'].map((each) => new OutboxSource(connection, each)),
    observer: { relayed: () => undefined, oldestPending: () => undefined },
  });
  await relay.ensureIndexes();
  await RECONCILIATIONS.ensureIndexes(connection);
  const asked: Pick<Difference, 'transactionId' | 'creditId'>[] = [];
  const booksOf = (providers: Providers) =>
    new ProviderBooks({
      payments: server.dependencies.payments,
      workflows: {
        wake: async ({ transactionId }) => void asked.push({ transactionId }),
        startCredit: async ({ creditId }) => void asked.push({ creditId }),
      },
      openProviders: async () => providers,
    });
  const parts: ReconciliationParts & OrderReconciliationParts = {
    payments: booksOf(new Providers([provider])),
    orders: server.dependencies.orders,
    sold: new StoredOrderBooks(new StoredSoldOrders(connection), connection),
    orderTopic: 'order-events-dev',
    events: log,
    topic: 'payment-events-dev',
    ledger,
    reader: new LedgerReader(connection),
    settlingMs: 10,
  };
  return {
    authorisations: new Map<number, string>(),
    ...{ server, simulator, provider, connection, ledger, parts, asked },
    /** As a process has it whose configuration names no payment provider. */
    withoutProvider: { ...parts, payments: booksOf(new Providers([])) },
    reports: new ReconciliationStore({ connection, environment: 'dev' }),
    entries: () => LEDGER_ENTRIES.open(connection),
    relay: async () => await relay.relayPending(always),
    day: () => new Date().toISOString().slice(0, 10),
    async close() {
      await server.close();
      await simulator.stop();
    },
  };
}

export type ReconciliationWorld = Awaited<ReturnType<typeof openReconciliation>>;

/** At the provider alone: the customer has paid, and the money was captured. */
export async function captureAtProvider(
  { provider, authorisations }: ReconciliationWorld,
  { place }: Paid,
  amountMinor = 34_900,
): Promise<void> {
  const reference = `${place.paymentId}/${place.transactionId}`;
  const opened = await provider.openSession({
    key: `auth-${place.transactionId}-1`,
    ...sessionRequest({ reference, amountMinor }),
  });
  await payByCard(opened.terminalUri, '4111111111111111');
  const { authorisationId = '' } = await provider.session(opened.sessionId);
  authorisations.set(place.transactionId, authorisationId);
  await provider.capture({ key: `cap-${place.transactionId}-1`, authorisationId, amountMinor, currency: 'NOK' });
}

export async function refundAtProvider(
  { provider, authorisations }: ReconciliationWorld,
  { place }: Paid,
  money: { readonly key: string; readonly amountMinor: number },
): Promise<void> {
  const authorisationId = authorisations.get(place.transactionId) ?? '';
  await provider.refund({ ...money, authorisationId, currency: 'NOK' });
}

/** By the service alone. */
export async function noteCapture({ server }: ReconciliationWorld, { path }: Paid): Promise<void> {
  const answer = await server.call(`${path}/capture`, { method: 'PUT' });
  if (answer.status !== 200) throw new Error(answer.text);
}

/** By the service alone: the payment and its order. */
export async function noteCredit(
  { server }: ReconciliationWorld,
  { place }: Paid,
  creditId: number,
  amountMinor: number,
): Promise<void> {
  const { payments, notes } = server.dependencies;
  const { organisationId, paymentId, transactionId } = place;
  const work = { correlationId: crypto.randomUUID(), clientId: 'test' };
  const credit = { creditId: creditId as CreditId, transactionId };
  const parts = [{ transactionId, amountMinor }];
  await payments.change(organisationId, paymentId, work, (before, now) =>
    reserveCredit(before, { creditId: credit.creditId, parts }, now),
  );
  const noted = await payments.change(organisationId, paymentId, work, (before, now) =>
    noteCredited(before, credit, now),
  );
  await notes.tell(noted, work);
}

export async function authorise({ server }: ReconciliationWorld): Promise<Paid> {
  return await authorisedOf(server);
}

/** As the workflow goes through a day. */
export async function reconcile({ parts, day }: ReconciliationWorld): Promise<Findings> {
  let findings = NOTHING_FOUND;
  for (let hour = 0; hour < HOURS; hour += 1) {
    findings = addFindings(findings, await compareMovements(parts, { day: day(), hour }));
  }
  const { after, upTo } = await rangeOfDay(parts, { day: day() });
  for (let next: number | undefined = after; next !== undefined && next < upTo; ) {
    const found: Findings & { readonly next?: number } = await compareEvents(parts, { after: next, upTo });
    findings = addFindings(findings, found);
    next = found.next;
  }
  for (let hour = 0; hour < HOURS; hour += 1) {
    findings = addFindings(findings, await compareOrders(parts, { day: day(), hour }));
  }
  return findings;
}
