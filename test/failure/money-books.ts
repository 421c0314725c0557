/**
 * What holds of the money of a service in which nothing is under way: the provider's ledger, our own ledger, payments, credits and
 * orders tell the same, and each movement was made once. Used by payment-books.ts and refund-books.ts.
 */
import type { Connection } from 'mongoose';
import { LEDGER_ENTRIES } from '../../activities/books/ledger-document.ts';
import { ORDERS_COLLECTION } from '../../activities/orders/order-document.ts';
import { CREDITS_COLLECTION } from '../../activities/payments/credit-document.ts';
import { PAYMENTS_COLLECTION, type PaymentDocument } from '../../activities/payments/payment-document.ts';
import type { LedgerEntry } from '../../dev/provider-simulator/control.ts';
import { totalAmountMinor } from '../../workflows/orders/rules/amounts.ts';
import type { Transaction } from '../../workflows/payments/rules/payment.ts';
import { isTaken } from '../../workflows/payments/rules/transactions.ts';
import { clearingAccount } from '../../workflows/shared/accounts.ts';
import { sumOf } from '../../workflows/shared/money.ts';

export class MoneyBooks {
  readonly #connection: Connection;
  readonly #simulator: string;

  /** `simulator`: its base URL. */
  constructor(connection: Connection, simulator: string) {
    this.#connection = connection;
    this.#simulator = simulator;
  }

  async payments(): Promise<readonly PaymentDocument[]> {
    return await PAYMENTS_COLLECTION.open(this.#connection).find().toArray();
  }

  async ledger(): Promise<readonly LedgerEntry[]> {
    const answer = await fetch(`${this.#simulator}/ledger`);
    const { entries } = (await answer.json()) as { readonly entries: readonly LedgerEntry[] };
    return entries;
  }

  /** What has yet to end: intents, credits, locks, events that are not sent. */
  async underWay(): Promise<readonly string[]> {
    const payments = await this.payments();
    const credits = await CREDITS_COLLECTION.open(this.#connection).find().toArray();
    const orders = await ORDERS_COLLECTION.open(this.#connection).find().toArray();
    return [
      ...payments.flatMap((payment) =>
        payment.transactions.flatMap((each) => (each.intent ? [`${nameOf(payment, each)} ${each.intent.key}`] : [])),
      ),
      ...payments.filter(({ untoldSince }) => untoldSince).map(({ _id }) => `payment ${_id}: its order is not told`),
      ...credits.filter(({ status }) => status === 'CREATED').map(({ _id }) => `credit ${_id}`),
      ...orders.filter(({ lock }) => lock).map(({ _id, lock }) => `order ${_id} locked by ${lock?.owner}`),
      ...[...payments, ...orders].filter(({ outbox }) => outbox.length > 0).map(({ _id }) => `events of ${_id}`),
    ];
  }

  async check(): Promise<readonly string[]> {
    const payments = await this.payments();
    const entries = await this.ledger();
    return [
      ...checkLedger(payments, entries),
      ...(await this.#checkOrders(payments)),
      ...(await this.#checkCredits(payments)),
      ...(await this.#checkEntries(entries)),
    ];
  }

  /** Captured − credited is never negative, and is what a confirmed order costs. */
  async #checkOrders(payments: readonly PaymentDocument[]): Promise<readonly string[]> {
    const orders = await ORDERS_COLLECTION.open(this.#connection).find().toArray();
    const paid = Map.groupBy(payments, ({ orderId }) => orderId);
    return orders.flatMap((order) => {
      const own = (paid.get(order._id) ?? []).flatMap(({ transactions }) => transactions);
      const captured = sumOf(own.filter(isTaken).map(({ amountMinor }) => amountMinor));
      const credited = sumOf(own.flatMap(({ credits }) => credits.filter(isPaid).map((each) => each.amountMinor)));
      const confirmed = captured > 0 && captured - credited === totalAmountMinor(order);
      const { capturedMinor, creditedMinor } = order.money;
      const wanted = { captured, credited, confirmed };
      const seen = { captured: capturedMinor, credited: creditedMinor, confirmed: order.status === 'CONFIRMED' };
      const open = sumOf(order.paymentRefs.map(({ openTransactions }) => openTransactions));
      return [
        ...(JSON.stringify(seen) === JSON.stringify(wanted)
          ? []
          : [`order ${order._id} ${order.status} has ${JSON.stringify(seen)}, its payments ${JSON.stringify(wanted)}`]),
        ...(captured - credited < 0 ? [`order ${order._id} has paid back more than it took`] : []),
        ...(open === own.filter(({ status }) => OPEN.has(status)).length
          ? []
          : [`order ${order._id} counts ${open} open`]),
      ];
    });
  }

  /** Each transaction has moved the same money in our ledger as at the provider. */
  async #checkEntries(entries: readonly LedgerEntry[]): Promise<readonly string[]> {
    const account = clearingAccount('SIMULATOR');
    const sums = new Map<string, number>();
    for (const entry of await LEDGER_ENTRIES.open(this.#connection).find({ kind: 'ENTRY' }).toArray()) {
      if (entry.kind !== 'ENTRY') continue;
      const name = `${entry.paymentId}/${entry.transactionId}`;
      const balance = sumOf(entry.postings.map(({ amountMinor }) => amountMinor));
      if (balance !== 0) return [`the entry ${entry._id} does not balance: ${balance}`];
      for (const posting of entry.postings) {
        if (posting.account === account) sums.set(name, (sums.get(name) ?? 0) + posting.amountMinor);
      }
    }
    return entries.flatMap(({ reference, captures, refunds }) => {
      const moved = sumOf(captures.map(amountOf)) - sumOf(refunds.map(amountOf));
      const entered = sums.get(reference) ?? 0;
      return entered === moved ? [] : [`${reference}: the ledger has ${entered}, the provider moved ${moved}`];
    });
  }

  async #checkCredits(payments: readonly PaymentDocument[]): Promise<readonly string[]> {
    const credits = await CREDITS_COLLECTION.open(this.#connection).find().toArray();
    const parts = payments.flatMap(({ transactions }) => transactions.flatMap((each) => each.credits));
    return credits.flatMap(({ _id, creditId, status }) => {
      const own = parts.filter((each) => each.creditId === creditId);
      const wanted = own.every(isPaid) ? 'CREDITED' : 'FAILED';
      const isRight = own.length > 0 && own.every((each) => each.status !== 'CREATED') && status === wanted;
      return isRight ? [] : [`credit ${_id} is ${status}, its parts ${own.map((each) => each.status)}`];
    });
  }
}

export function nameOf({ _id }: PaymentDocument, { id }: Transaction): string {
  return `${_id}/${id}`;
}

export const amountOf = ({ amountMinor }: LedgerEntry['captures'][number]): number => amountMinor;

const OPEN: ReadonlySet<string> = new Set(['CREATED', 'INITIATED']);

function isPaid({ status }: Transaction['credits'][number]): boolean {
  return status === 'CREDITED';
}

/** At most one capture of each transaction, and refunds as our credits say, each once. */
function checkLedger(payments: readonly PaymentDocument[], entries: readonly LedgerEntry[]): readonly string[] {
  const ledger = new Map(entries.map((entry) => [entry.reference, entry]));
  const faults = payments.flatMap((payment) =>
    payment.transactions.flatMap((transaction) => {
      const name = nameOf(payment, transaction);
      const { captures = [], refunds = [] } = ledger.get(name) ?? {};
      ledger.delete(name);
      const moved = { captured: captures.map(amountOf), refunded: refunds.map(toText).sort() };
      const noted = {
        captured: isTaken(transaction) ? [transaction.amountMinor] : [],
        refunded: transaction.credits
          .filter((credit) => isPaid(credit) && !credit.elsewhere)
          .map(({ key, amountMinor }) => `${key} ${amountMinor}`)
          .sort(),
      };
      const [is, should] = [JSON.stringify(moved), JSON.stringify(noted)];
      return is === should ? [] : [`${name} ${transaction.status}: the provider moved ${is}, we say ${should}`];
    }),
  );
  return [...faults, ...[...ledger.keys()].map((reference) => `the provider knows ${reference}, we do not`)];
}

const toText = ({ amountMinor, idempotencyKey }: LedgerEntry['refunds'][number]) => `${idempotencyKey} ${amountMinor}`;
