/**
 * What holds after the stories of a run of payments: the money is right, each transaction has ended as it had to, no payment page
 * lives past its time, and nothing is stuck. Used by payment-run.ts.
 */
import type { Connection } from 'mongoose';
import type { PaymentDocument } from '../../activities/payments/payment-document.ts';
import { until } from '../support/until.ts';
import { MoneyBooks, nameOf } from './money-books.ts';
import { PageBooks } from './page-books.ts';
import type { ToldPage } from './page-stories.ts';
import type { ToldPayment } from './payment-stories.ts';

const STUCK_AFTER_MS = 300_000;

export interface ToldMoney {
  readonly payments: readonly ToldPayment[];
  readonly pages: readonly ToldPage[];
}

export class PaymentBooks {
  readonly #money: MoneyBooks;
  readonly #pages: PageBooks;
  readonly #told: readonly ToldPayment[];

  constructor(connection: Connection, { payments, pages }: ToldMoney, simulator: string) {
    this.#money = new MoneyBooks(connection, simulator);
    this.#pages = new PageBooks(connection, pages);
    this.#told = payments;
  }

  /** Waits until nothing is under way. Answers what is stuck five minutes after the last fault. */
  async settle(lastFaultAt: number): Promise<readonly string[]> {
    let open: readonly string[] = [];
    const isQuiet = async () => {
      open = [...(await this.#money.underWay()), ...(await this.#pages.underWay())];
      return open.length === 0;
    };
    const timeoutMs = Math.max(0, lastFaultAt + STUCK_AFTER_MS - Date.now());
    await until(isQuiet, { timeoutMs, everyMs: 500, what: 'quiet' }).catch(() => undefined);
    return open.map((each) => `stuck: ${each}`);
  }

  async check(): Promise<readonly string[]> {
    const payments = await this.#money.payments();
    const ledger = await this.#money.ledger();
    return [
      ...this.#checkEndings(payments),
      ...(await this.#money.check()),
      ...(await this.#pages.check(payments, ledger)),
    ];
  }

  /** The transactions that faults name, as they are stored: without the addresses of their terminals. */
  async describe(faults: readonly string[]): Promise<readonly string[]> {
    const named = new Set(faults.flatMap((fault) => fault.match(/\d{5,16}/g) ?? []));
    return (await this.#money.payments()).flatMap((payment) =>
      payment.transactions.flatMap(({ session, ...transaction }) =>
        named.has(payment._id) || named.has(String(transaction.id))
          ? [JSON.stringify({ orderId: payment.orderId, ...transaction, sessionEnded: session?.endedAt })]
          : [],
      ),
    );
  }

  /** Payments of pages are told by their pages. */
  #checkEndings(payments: readonly PaymentDocument[]): readonly string[] {
    const byHand = payments.filter(({ orderId }) => !this.#pages.hasOrder(orderId));
    const found = new Map(
      byHand.flatMap((payment) => payment.transactions.map((each) => [nameOf(payment, each), each])),
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
}
