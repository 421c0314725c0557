/**
 * What holds of payment pages after their stories: each has ended as it had to, none lives past its time or is still ending, and its
 * amount is what the provider has moved. Used by payment-books.ts.
 */
import type { Connection } from 'mongoose';
import { PAYMENT_PAGES, type PageDocument } from '../../activities/payment-page/page-document.ts';
import type { PaymentDocument } from '../../activities/payments/payment-document.ts';
import type { LedgerEntry } from '../../dev/provider-simulator/control.ts';
import { isLive } from '../../workflows/payment-page/rules/page-end.ts';
import { nextDeadline } from '../../workflows/payment-page/rules/page-times.ts';
import { sumOf } from '../../workflows/shared/money.ts';
import { amountOf } from './money-books.ts';
import type { ToldPage } from './page-stories.ts';

/** From a deadline until the page's workflow has acted on it. */
const LATE_AFTER_MS = 5_000;

export class PageBooks {
  readonly #connection: Connection;
  readonly #told: readonly ToldPage[];

  constructor(connection: Connection, told: readonly ToldPage[]) {
    this.#connection = connection;
    this.#told = told;
  }

  hasOrder(orderId: string): boolean {
    return this.#told.some((each) => each.orderId === orderId);
  }

  async #pages(): Promise<readonly PageDocument[]> {
    return await PAYMENT_PAGES.open(this.#connection).find().toArray();
  }

  async underWay(): Promise<readonly string[]> {
    const open = (await this.#pages()).flatMap((page) => {
      const { _id: id, attempt } = page;
      const deadline = isLive(page) ? nextDeadline({ ...page, id }) : undefined;
      return [
        ...(attempt?.ending ? [`page ${id} is ending: ${attempt.ending}`] : []),
        ...(deadline && deadline.getTime() < Date.now() - LATE_AFTER_MS ? [`page ${id} lives past its time`] : []),
        ...(page.pendingStart ? [`page ${id} waits for its workflow`] : []),
        ...(page.status === 'PROCESSING' ? [`page ${id} is PROCESSING`] : []),
      ];
    });
    return open;
  }

  async check(payments: readonly PaymentDocument[], ledger: readonly LedgerEntry[]): Promise<readonly string[]> {
    const pages = new Map((await this.#pages()).map((page) => [String(page._id), page]));
    const paid = Map.groupBy(payments, ({ orderId }) => String(orderId));
    const moved = new Map(
      ledger.map(({ reference, captures, refunds }) => [
        reference,
        sumOf(captures.map(amountOf)) - sumOf(refunds.map(amountOf)),
      ]),
    );
    const faults = this.#told.flatMap(({ id, orderId, story, endings }) => {
      const page = pages.get(id);
      pages.delete(id);
      const ending = page?.status === 'COMPLETED' ? 'PAID' : page?.status;
      const references = (paid.get(orderId) ?? []).flatMap(({ _id, transactions }) =>
        transactions.map((transaction) => `${_id}/${transaction.id}`),
      );
      const taken = sumOf(references.map((reference) => moved.get(reference) ?? 0));
      const wanted = ending === 'PAID' ? page?.amountMinor : 0;
      return [
        ...(endings.some((each) => each === ending) ? [] : [`${story} page ${id} is ${page?.status}, not ${endings}`]),
        ...(taken === wanted ? [] : [`${story} page ${id} ${page?.status}: moved ${taken}, not ${wanted}`]),
        ...(page?.attempt ? [`${story} page ${id} ${page.status} has an attempt`] : []),
      ];
    });
    return [...faults, ...[...pages.keys()].map((id) => `nobody has made the page ${id}`)];
  }
}
