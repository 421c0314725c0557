/**
 * What orders mean in the ledger. Only a confirmation and an import post: a draft owes nothing, a reset and an expiry go back to
 * what was posted. A confirmation posts the difference between its version and the one before. Pure.
 */
import { bookAccount, feeAccount, RECEIVABLES, salesAccount, vatAccount } from '../../shared/accounts.ts';
import { AccountSums, type JournalEntry } from '../../shared/journal-entry.ts';
import type { Price } from '../../shared/price.ts';
import { isLive } from './amounts.ts';
import { partsOf } from './line-parts.ts';
import type { ConfirmedVersion, ImportedTransaction, Order, OrderContent } from './order.ts';
import type { OrderChange } from './order-change.ts';
import type { OrderEvent } from './order-events.ts';

type Sold = Pick<OrderContent, 'orderLines' | 'fees'>;
type Seller = Pick<Order, 'id' | 'organisationId' | 'currency'>;

/** The events of a write, with what they mean in the ledger. `before`: undefined for a new order. */
export function postedEvents(before: Order | undefined, { order: after, events }: OrderChange): readonly OrderEvent[] {
  return events.map((event) => {
    if (event.type === 'OrderConfirmed')
      return { ...event, ...entered(soldEntry(after, before?.confirmed, after.confirmed)) };
    if (event.type === 'OrderImported') return { ...event, ...entered(importedEntry(after)) };
    return event;
  });
}

/** Undefined when nothing was sold that costs anything, or the version costs exactly what the one before has, account by account. */
export function soldEntry(
  order: Seller,
  before: ConfirmedVersion | undefined,
  after: ConfirmedVersion | undefined,
): JournalEntry | undefined {
  const sums = new AccountSums();
  if (after) sums.addAll(soldSums(order, after).postings());
  if (before) sums.addAll(soldSums(order, before).postings(), -1);
  return entryOf(order, sums);
}

/** Sold and paid at once. */
export function importedEntry(
  order: Seller & Pick<Order, 'confirmed' | 'importedTransactions' | 'money'>,
): JournalEntry | undefined {
  const { confirmed, importedTransactions = [] } = order;
  const sums = confirmed ? soldSums(order, confirmed) : new AccountSums();
  for (const transaction of importedTransactions) addPaid(sums, transaction);
  return entryOf(order, sums);
}

function addPaid(sums: AccountSums, { paymentTypeGroup, amountMinor }: ImportedTransaction): void {
  sums.add(bookAccount(paymentTypeGroup), amountMinor);
  sums.add(RECEIVABLES, -amountMinor);
}

function soldSums({ organisationId }: Seller, { orderLines, fees }: Sold): AccountSums {
  const sums = new AccountSums();
  for (const line of orderLines.filter(isLive)) {
    for (const { price, carrierOrganisationId = organisationId } of partsOf(line)) {
      addSold(sums, salesAccount(carrierOrganisationId), price);
    }
  }
  for (const { type, price } of fees) addSold(sums, feeAccount(type), price);
  return sums;
}

function addSold(sums: AccountSums, account: string, { amountMinor, taxMinor, taxCode }: Price): void {
  sums.add(RECEIVABLES, amountMinor);
  sums.add(account, taxMinor - amountMinor);
  sums.add(vatAccount(taxCode), -taxMinor);
}

function entryOf({ id, currency }: Seller, sums: AccountSums): JournalEntry | undefined {
  const postings = sums.postings();
  return postings.length > 0 ? { currency, postings, references: { orderId: id } } : undefined;
}

function entered(entry: JournalEntry | undefined) {
  return entry && { entry };
}
