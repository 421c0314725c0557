/**
 * Looks for confirmations and imports of orders without an entry in the ledger, and makes the entry again. Then compares what the
 * orders of that hour cost with what was paid for them. Repeatable. Caller: the activities of the reconciliation.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import { compareBalance, type Difference } from '../../workflows/books/rules/difference.ts';
import {
  addFindings,
  type Findings,
  findingsOf,
  NOTHING_FOUND,
  type Span,
  spanOfHour,
} from '../../workflows/books/rules/reconciled-day.ts';
import type { OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import type { OrderBooks } from '../shared/orders.ts';
import type { EventLogReader } from '../shared/payment-books.ts';
import type { LedgerReader } from './ledger-reader.ts';
import type { LedgerStore } from './ledger-store.ts';
import { moneyEventOf } from './money-event.ts';
import { SETTLING_MS, SETTLING_TRIES } from './settling-money.ts';

export interface OrderReconciliationParts {
  readonly sold: OrderBooks;
  readonly events: EventLogReader;
  /** With the environment at its end. */
  readonly orderTopic: string;
  /** Of payments. */
  readonly topic: string;
  readonly ledger: Pick<LedgerStore, 'record'>;
  readonly reader: Pick<LedgerReader, 'listRecorded' | 'receivablesOf'>;
  /** Shorter in tests. */
  readonly settlingMs?: number;
}

/** Most events of orders move no money. */
const EVENTS_AT_ONCE = 500;
const SOLD_TYPES = ['OrderConfirmed', 'OrderImported'] as const;

/** The events that the log got within the hour. */
export async function compareOrders(
  parts: OrderReconciliationParts,
  { day, hour }: { readonly day: string; readonly hour: number },
): Promise<Findings> {
  const span = spanOfHour(day, hour);
  let findings = NOTHING_FOUND;
  for await (const logged of eventsOf(parts.events, parts.orderTopic, span)) {
    const sold = logged.filter(isSold);
    findings = addFindings(findings, findingsOf({ events: sold.length }, await enterMissing(parts, sold)));
    findings = addFindings(findings, findingsOf({}, await compareBalances(parts, sold)));
  }
  for await (const logged of eventsOf(parts.events, parts.topic, span)) {
    const money = logged.filter((event) => moneyEventOf(event) !== undefined);
    findings = addFindings(findings, findingsOf({}, await compareBalances(parts, money)));
  }
  return findings;
}

async function* eventsOf(events: EventLogReader, topic: string, { from, until }: Span) {
  const { after, upTo } = await events.rangeOf(topic, from, until);
  for (let next = after; next < upTo; ) {
    const logged = await events.listOfAll(topic, { after: next, upTo, limit: EVENTS_AT_ONCE });
    yield logged.map(({ event }) => event);
    next = logged.at(-1)?.offset ?? upTo;
  }
}

/** The key of these events is their order. One that is being changed is read again, together with its entries, until they agree. */
async function compareBalances(
  { sold, reader, settlingMs = SETTLING_MS }: OrderReconciliationParts,
  events: readonly OutboxEvent[],
): Promise<readonly Difference[]> {
  let differing = [...new Set(events.map(({ key }) => key as OrderId))];
  for (let tries = 1; ; tries += 1) {
    const orders = await sold.listSettled(differing);
    const receivables = await reader.receivablesOf(orders.map(({ orderId }) => orderId));
    const found = orders.flatMap((order) => {
      const difference = compareBalance(order, receivables.get(order.orderId) ?? 0);
      return difference ? [{ order, difference }] : [];
    });
    if (found.length === 0 || tries === SETTLING_TRIES) return found.map(({ difference }) => difference);
    differing = found.map(({ order }) => order.orderId);
    await delay(settlingMs);
  }
}

function isSold({ type }: OutboxEvent): boolean {
  return SOLD_TYPES.some((each) => type.endsWith(`.${each}.v1`));
}

async function enterMissing(
  { sold, ledger, reader }: OrderReconciliationParts,
  events: readonly OutboxEvent[],
): Promise<readonly Difference[]> {
  const recorded = await reader.listRecorded(events.map(({ id }) => id));
  const differences: Difference[] = [];
  for (const event of events.filter(({ id }) => !recorded.has(id))) {
    const { meta, orderVersion } = event.data;
    const orderId = event.key as OrderId;
    const version = await sold.findSold(orderId, Number(orderVersion));
    // A version that costs what the one before did has no entry.
    if (version && !version.entry) continue;
    if (version?.entry) await ledger.record([{ ...event, entry: version.entry }]);
    differences.push({
      ...{ kind: 'ENTRY_MISSING', organisationId: meta.organisationId as OrganisationId, orderId, eventId: event.id },
      ...(version && { mended: 'ENTERED' }),
    });
  }
  return differences;
}
