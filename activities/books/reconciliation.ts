/**
 * Compares a day's money three ways: the books of the providers, payments with their orders, and the ledger. It has outcomes asked
 * for that nobody has noted, and writes entries that are missing; everything else it reports. Repeatable. Caller: the activities.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import {
  compareEntries,
  compareMovement,
  compareOrder,
  type Difference,
  isAwaited,
  isPaidAfterAll,
  type MovedMoney,
  type Movement,
  movedMoney,
  ofPayment,
  referenceOf,
} from '../../workflows/books/rules/difference.ts';
import { type Findings, findingsOf, spanOfDay, spanOfHour } from '../../workflows/books/rules/reconciled-day.ts';
import type { Payment } from '../../workflows/payments/rules/payment.ts';
import type { MoneyEvent } from '../../workflows/payments/rules/payment-events.ts';
import { entryOf } from '../../workflows/payments/rules/postings.ts';
import type { PaymentId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { OrderAccess } from '../shared/orders.ts';
import type { EventLogReader, PaymentBooks } from '../shared/payment-books.ts';
import type { LedgerReader } from './ledger-reader.ts';
import type { LedgerStore } from './ledger-store.ts';
import { moneyEventOf } from './money-event.ts';
import { SETTLING_MS, SETTLING_TRIES } from './settling-money.ts';

export interface ReconciliationParts {
  readonly payments: PaymentBooks;
  readonly orders: Pick<OrderAccess, 'get'>;
  readonly events: EventLogReader;
  /** With the environment at its end. */
  readonly topic: string;
  readonly ledger: Pick<LedgerStore, 'record'>;
  readonly reader: Pick<LedgerReader, 'listRecorded' | 'postingsOf'>;
  /** Shorter in tests. */
  readonly settlingMs?: number;
}

const MOVEMENTS_AT_ONCE = 200;
const EVENTS_AT_ONCE = 200;
/** The clocks of a provider and ours differ by less. */
const CLOCKS_MS = 10 * 60_000;

export async function compareMovements(
  parts: ReconciliationParts,
  { day, hour }: { readonly day: string; readonly hour: number },
): Promise<Findings> {
  const { from, until } = spanOfHour(day, hour);
  const differences: Difference[] = [];
  let movements = 0;
  let batch: Movement[] = [];
  const flush = async () => {
    movements += batch.length;
    differences.push(...(await compareBatch(parts, batch)));
    batch = [];
  };
  for await (const movement of parts.payments.movements(from, until)) {
    batch.push(movement);
    if (batch.length === MOVEMENTS_AT_ONCE) await flush();
  }
  await flush();
  return findingsOf({ movements }, differences);
}

async function compareBatch({ payments }: ReconciliationParts, movements: readonly Movement[]) {
  const named = movements.flatMap((movement) => referenceOf(movement)?.paymentId ?? []);
  const byId = await paymentsById(payments, named as PaymentId[]);
  const differences: Difference[] = [];
  for (const movement of movements) {
    const payment = byId.get(referenceOf(movement)?.paymentId ?? 0);
    const difference = compareMovement(movement, payment);
    if (!difference) continue;
    const isCertain = payment && difference.kind === 'NOT_NOTED' && isAwaited(movement, payment);
    // Asking has it entered in the books; the money is for a person to claim.
    const isToEnter = difference.kind === 'PAID_TWICE' || (payment && isPaidAfterAll(movement, payment));
    if (payment && (isCertain || isToEnter)) await payments.ask(payment, difference);
    differences.push(isCertain ? { ...difference, mended: 'ASKED' } : difference);
  }
  return differences;
}

export async function rangeOfDay({ events, topic }: ReconciliationParts, { day }: { readonly day: string }) {
  const { from, until } = spanOfDay(day);
  return await events.rangeOf(topic, from, until);
}

export async function compareEvents(
  parts: ReconciliationParts,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<Findings & { readonly next?: number }> {
  const logged = await parts.events.listOfAll(parts.topic, { after, upTo, limit: EVENTS_AT_ONCE });
  const money = logged.flatMap(({ event }) => moneyEventOf(event) ?? []);
  const byId = await paymentsById(
    parts.payments,
    money.map(({ paymentId }) => paymentId),
  );
  const differences = [
    ...(await enterMissing(parts, money, byId)),
    ...(await compareAll(parts, [...byId.values()])),
    ...(await compareMoved(parts, money, byId)),
  ];
  const last = logged.at(-1)?.offset;
  const findings = findingsOf({ events: money.length }, differences);
  return last === undefined || last >= upTo ? findings : { ...findings, next: last };
}

type LoggedMoney = MoneyEvent & { readonly paymentId: PaymentId; readonly logged: OutboxEvent };

async function enterMissing(
  { ledger, reader }: ReconciliationParts,
  money: readonly LoggedMoney[],
  byId: ReadonlyMap<number, Payment>,
): Promise<readonly Difference[]> {
  const recorded = await reader.listRecorded(money.map(({ logged }) => logged.id));
  const differences: Difference[] = [];
  for (const event of money.filter(({ logged }) => !recorded.has(logged.id))) {
    const payment = byId.get(event.paymentId);
    const names = { eventId: event.logged.id, paymentId: event.paymentId, transactionId: event.transactionId };
    if (!payment) {
      differences.push({
        kind: 'ENTRY_MISSING',
        organisationId: event.logged.data.meta.organisationId as never,
        ...names,
      });
      continue;
    }
    await ledger.record([{ ...event.logged, entry: entryOf(payment, event) }]);
    differences.push({ kind: 'ENTRY_MISSING', ...ofPayment(payment), ...names, mended: 'ENTERED' });
  }
  return differences;
}

/** A payment that is being changed is read again, together with its order and its entries, until they agree. */
async function compareAll(parts: ReconciliationParts, payments: readonly Payment[]): Promise<readonly Difference[]> {
  const { settlingMs = SETTLING_MS } = parts;
  const differences: Difference[] = [];
  for (const payment of payments) {
    let found = await compareOne(parts, payment);
    for (let tries = 1; found.length > 0 && tries < SETTLING_TRIES; tries += 1) {
      await delay(settlingMs);
      const [again] = await parts.payments.list([payment.id]);
      found = await compareOne(parts, again ?? payment);
    }
    differences.push(...found);
  }
  return differences;
}

async function compareOne({ orders, reader }: ReconciliationParts, payment: Payment): Promise<readonly Difference[]> {
  const postings = await reader.postingsOf(payment.id);
  const order = await unlessAbsent(orders.get('ANY', payment.orderId));
  return [compareEntries(payment, postings), compareOrder(payment, order)].filter((each) => each !== undefined);
}

/** What payments say that providers have moved: seen in their books about that time, or else asked for one by one. */
async function compareMoved(
  { payments }: ReconciliationParts,
  money: readonly LoggedMoney[],
  byId: ReadonlyMap<number, Payment>,
): Promise<readonly Difference[]> {
  const said = money.flatMap((event) => {
    const payment = byId.get(event.paymentId);
    const moved = payment && movedBy(payment, event);
    return payment && moved ? [{ payment, moved }] : [];
  });
  if (said.length === 0) return [];
  // One for an organisation and a provider: all have one cause.
  const unread = new Map<string, Difference>();
  const times = money.map(({ logged }) => logged.time.getTime());
  const seen = new Set<string>();
  const [from, until] = [Math.min(...times) - CLOCKS_MS, Math.max(...times) + CLOCKS_MS];
  for await (const { kind, key } of payments.movements(new Date(from), new Date(until))) seen.add(`${kind} ${key}`);
  const differences: Difference[] = [];
  for (const { payment, moved } of said) {
    const { kind, key, transaction, amountMinor } = moved;
    if (seen.has(`${kind} ${key}`)) continue;
    const { id: transactionId, provider } = transaction;
    const hasMoved = await payments.hasMoved(payment, moved);
    if (hasMoved) continue;
    if (hasMoved === undefined) {
      const { organisationId } = payment;
      unread.set(`${organisationId} ${provider}`, { kind: 'NOT_COMPARED', organisationId, provider });
      continue;
    }
    const amounts = { currency: payment.currency, expectedMinor: amountMinor, foundMinor: 0 };
    differences.push({ kind: 'NOT_MOVED', ...ofPayment(payment), transactionId, provider, key, ...amounts });
  }
  return [...differences, ...unread.values()];
}

function movedBy({ transactions }: Payment, event: MoneyEvent): MovedMoney | undefined {
  const transaction = transactions.find(({ id }) => id === event.transactionId);
  const all = transaction ? movedMoney(transaction) : [];
  if (event.type === 'TransactionCaptured') return all.find(({ kind }) => kind === 'CAPTURE');
  if (event.type !== 'CreditExecuted') return undefined;
  return all.find(({ kind, key }) => kind === 'REFUND' && key === `cr-${event.creditId}-${event.transactionId}`);
}

async function paymentsById(books: PaymentBooks, ids: readonly PaymentId[]): Promise<ReadonlyMap<number, Payment>> {
  const found = await books.list([...new Set(ids)]);
  return new Map(found.map((payment) => [payment.id, payment]));
}

async function unlessAbsent<Found>(reading: Promise<Found>): Promise<Found | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
