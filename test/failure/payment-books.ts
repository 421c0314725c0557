/**
 * What holds after the stories of a run: the simulator's ledger, our payments, credits and orders tell the same money, each
 * movement was made once, and nothing is stuck. Used by payment-run.ts.
 */
import type { Connection } from 'mongoose';
import { LEDGER_ENTRIES } from '../../activities/books/ledger-document.ts';
import { ORDERS_COLLECTION } from '../../activities/orders/order-document.ts';
import { CREDITS_COLLECTION } from '../../activities/payments/credit-document.ts';
import { PAYMENTS_COLLECTION, type PaymentDocument } from '../../activities/payments/payment-document.ts';
import type { LedgerEntry } from '../../dev/provider-simulator/control.ts';
import type { Transaction } from '../../workflows/payments/rules/payment.ts';
import { isTaken } from '../../workflows/payments/rules/transactions.ts';
import { clearingAccount } from '../../workflows/shared/accounts.ts';
import { until } from '../support/until.ts';
import type { ToldPayment } from './payment-stories.ts';

const STUCK_AFTER_MS = 300_000;

export class PaymentBooks {
  readonly #connection: Connection;
  readonly #told: readonly ToldPayment[];
  readonly #simulator: string;

  constructor(connection: Connection, told: readonly ToldPayment[], simulator: string) {
    this.#connection = connection;
    this.#told = told;
    this.#simulator = simulator;
  }

  /** Waits until nothing is under way. Answers what is stuck five minutes after the last fault. */
  async settle(lastFaultAt: number): Promise<readonly string[]> {
    let open: readonly string[] = [];
    const isQuiet = async () => {
      open = await this.#underWay();
      return open.length === 0;
    };
    const timeoutMs = Math.max(0, lastFaultAt + STUCK_AFTER_MS - Date.now());
    await until(isQuiet, { timeoutMs, everyMs: 500, what: 'quiet' }).catch(() => undefined);
    return open.map((each) => `stuck: ${each}`);
  }

  async #underWay(): Promise<readonly string[]> {
    const payments = await PAYMENTS_COLLECTION.open(this.#connection).find().toArray();
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
    const payments = await PAYMENTS_COLLECTION.open(this.#connection).find().toArray();
    const answer = await fetch(`${this.#simulator}/ledger`);
    const { entries } = (await answer.json()) as { readonly entries: readonly LedgerEntry[] };
    return [
      ...this.#checkEndings(payments),
      ...checkLedger(payments, entries),
      ...(await this.#checkOrders(payments)),
      ...(await this.#checkCredits(payments)),
      ...(await this.#checkEntries(entries)),
    ];
  }

  /** The transactions that faults name, as they are stored: without the addresses of their terminals. */
  async describe(faults: readonly string[]): Promise<readonly string[]> {
    const named = new Set(faults.flatMap((fault) => fault.match(/\d{5,16}/g) ?? []));
    const payments = await PAYMENTS_COLLECTION.open(this.#connection).find().toArray();
    return payments.flatMap((payment) =>
      payment.transactions.flatMap(({ session, ...transaction }) =>
        named.has(payment._id) || named.has(String(transaction.id))
          ? [JSON.stringify({ orderId: payment.orderId, ...transaction, sessionEnded: session?.endedAt })]
          : [],
      ),
    );
  }

  #checkEndings(payments: readonly PaymentDocument[]): readonly string[] {
    const found = new Map(
      payments.flatMap((payment) => payment.transactions.map((each) => [nameOf(payment, each), each])),
    );
    const faults = this.#told.flatMap(({ path, endings, story }) => {
      const [, paymentId, transactionId] = /payments\/(\d+)\/transactions\/(\d+)$/.exec(path) ?? [];
      const name = `${paymentId}/${transactionId}`;
      const status = found.get(name)?.status;
      found.delete(name);
      return endings.some((ending) => ending === status) ? [] : [`${story} ${name} is ${status}, not ${endings}`];
    });
    return [...faults, ...[...found.keys()].map((name) => `nobody has made ${name}`)];
  }

  /** Captured − credited is never negative, and is what a confirmed order costs. */
  async #checkOrders(payments: readonly PaymentDocument[]): Promise<readonly string[]> {
    const orders = await ORDERS_COLLECTION.open(this.#connection).find().toArray();
    const paid = Map.groupBy(payments, ({ orderId }) => orderId);
    return orders.flatMap((order) => {
      const own = (paid.get(order._id) ?? []).flatMap(({ transactions }) => transactions);
      const captured = sum(own.filter(isTaken).map(({ amountMinor }) => amountMinor));
      const credited = sum(own.flatMap(({ credits }) => credits.filter(isPaid).map((each) => each.amountMinor)));
      const cost = sum(order.fees.map(({ price }) => price.amountMinor));
      const { capturedMinor, creditedMinor } = order.money;
      const wanted = { captured, credited, confirmed: captured - credited === cost && captured > 0 };
      const seen = { captured: capturedMinor, credited: creditedMinor, confirmed: order.status === 'CONFIRMED' };
      const open = sum(order.paymentRefs.map(({ openTransactions }) => openTransactions));
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
      for (const posting of entry.postings) {
        if (posting.account === account) sums.set(name, (sums.get(name) ?? 0) + posting.amountMinor);
      }
    }
    return entries.flatMap(({ reference, captures, refunds }) => {
      const moved = sum(captures.map(amountOf)) - sum(refunds.map(amountOf));
      const entered = sums.get(reference) ?? 0;
      return entered === moved ? [] : [`${reference}: the ledger has ${entered}, the provider moved ${moved}`];
    });
  }

  async #checkCredits(payments: readonly PaymentDocument[]): Promise<readonly string[]> {
    const credits = await CREDITS_COLLECTION.open(this.#connection).find().toArray();
    const parts = payments.flatMap(({ transactions }) => transactions.flatMap((each) => each.credits));
    return credits.flatMap(({ _id, creditId, status }) => {
      const own = parts.filter((each) => each.creditId === creditId);
      const isRight = own.length > 0 && own.every((each) => each.status === status);
      return isRight ? [] : [`credit ${_id} is ${status}, its parts ${own.map((each) => each.status)}`];
    });
  }
}

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
          .filter(isPaid)
          .map(({ key, amountMinor }) => `${key} ${amountMinor}`)
          .sort(),
      };
      const [is, should] = [JSON.stringify(moved), JSON.stringify(noted)];
      return is === should ? [] : [`${name} ${transaction.status}: the provider moved ${is}, we say ${should}`];
    }),
  );
  return [...faults, ...[...ledger.keys()].map((reference) => `the provider knows ${reference}, we do not`)];
}

const amountOf = ({ amountMinor }: LedgerEntry['captures'][number]): number => amountMinor;
const toText = ({ amountMinor, idempotencyKey }: LedgerEntry['refunds'][number]) => `${idempotencyKey} ${amountMinor}`;
const sum = (amounts: readonly number[]): number => amounts.reduce((total, each) => total + each, 0);

function nameOf({ _id }: PaymentDocument, { id }: Transaction): string {
  return `${_id}/${id}`;
}
