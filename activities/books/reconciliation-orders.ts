/**
 * Looks for confirmations and imports of orders without an entry in the ledger, and makes the entry again. Repeatable. Caller: the
 * activities of the reconciliation.
 */
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import type { Difference } from '../../workflows/books/rules/difference.ts';
import {
  addFindings,
  type Findings,
  findingsOf,
  NOTHING_FOUND,
  spanOfHour,
} from '../../workflows/books/rules/reconciled-day.ts';
import type { OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import type { OrderBooks } from '../shared/orders.ts';
import type { EventLogReader } from '../shared/payment-books.ts';
import type { LedgerReader } from './ledger-reader.ts';
import type { LedgerStore } from './ledger-store.ts';

export interface OrderReconciliationParts {
  readonly sold: OrderBooks;
  readonly events: EventLogReader;
  /** With the environment at its end. */
  readonly orderTopic: string;
  readonly ledger: Pick<LedgerStore, 'record'>;
  readonly reader: Pick<LedgerReader, 'listRecorded'>;
}

/** Most events of orders move no money. */
const EVENTS_AT_ONCE = 500;
const SOLD_TYPES = ['OrderConfirmed', 'OrderImported'] as const;

/** The events that the log got within the hour. */
export async function compareOrders(
  parts: OrderReconciliationParts,
  { day, hour }: { readonly day: string; readonly hour: number },
): Promise<Findings> {
  const { from, until } = spanOfHour(day, hour);
  const { after, upTo } = await parts.events.rangeOf(parts.orderTopic, from, until);
  let findings = NOTHING_FOUND;
  for (let next = after; next < upTo; ) {
    const logged = await parts.events.listOfAll(parts.orderTopic, { after: next, upTo, limit: EVENTS_AT_ONCE });
    const sold = logged.map(({ event }) => event).filter(isSold);
    findings = addFindings(findings, findingsOf({ events: sold.length }, await enterMissing(parts, sold)));
    next = logged.at(-1)?.offset ?? upTo;
  }
  return findings;
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
