/**
 * Customers pay on pages, with the logins of production, while a process is killed. Each finds exactly one mail with tickets and one
 * with the receipt, and the page ends COMPLETED. Used by kill-deliveries.ts, and by its short twin kill-deliveries.test.ts.
 */
import assert from 'node:assert/strict';
import { TICKET_GROUPS } from '../../activities/tickets/ticket-group-document.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { MailGate } from '../support/mail-gate.ts';
import { type PagedOrder, PagedOrders } from '../support/paged-orders.ts';
import { payByCard } from '../support/provider-simulator.ts';
import type { PartName } from '../support/service.ts';
import { until } from '../support/until.ts';
import { ManyReceipts } from './many-receipts.ts';
import { untilMailsSettled } from './settled-mails.ts';

const GOOD_CARD = '4111111111111111';
/** Temporal gives a dead worker's task away after ten seconds; a mail that may have been taken is sent again after a minute. */
const COMPLETED_WITHIN_MS = 150_000;

export interface Paying {
  readonly order: PagedOrder;
  readonly email: string;
}

export class KilledDeliveries {
  readonly gate: MailGate;
  readonly orders: PagedOrders;
  readonly #delivered: Paying[] = [];

  static async open(): Promise<KilledDeliveries> {
    const gate = await MailGate.open();
    try {
      return new KilledDeliveries(gate, await PagedOrders.start({ accounts: true, env: { MAIL_SERVER: gate.url } }));
    } catch (error) {
      gate.close();
      throw error;
    }
  }

  private constructor(gate: MailGate, orders: PagedOrders) {
    this.gate = gate;
    this.orders = orders;
  }

  /** Until the provider has the customer's authorisation, and captures by itself. */
  async pay(): Promise<Paying> {
    const { orders } = this;
    const order = await orders.create();
    const email = await orders.addContact(order);
    const html = await (await fetch(order.url)).text();
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? assert.fail(html);
    const body = new URLSearchParams({ paymentMethod: field('paymentMethod'), formNonce: field('formNonce') });
    const answer = await fetch(`${order.url}/pay`, { method: 'POST', body, redirect: 'manual' });
    const back = await payByCard(answer.headers.get('location') ?? assert.fail(await answer.text()), GOOD_CARD);
    // The process of the pages may be dying.
    await fetch(back).catch(() => undefined);
    return { order, email };
  }

  /** Until the order's tickets are written down; they may have no PDF yet. */
  async untilTickets({ order: { orderId } }: Paying): Promise<void> {
    const connection = await connectMongo(this.orders.service.mongoUri);
    try {
      const groups = TICKET_GROUPS.open(connection);
      const isIssued = async () => (await groups.countDocuments({ orderId: orderId as never })) > 0;
      await until(isIssued, { what: 'tickets', timeoutMs: COMPLETED_WITHIN_MS });
    } finally {
      await connection.close();
    }
  }

  async die(name: PartName): Promise<void> {
    await this.orders.service.kill(name);
    await this.orders.service.restart(name);
  }

  async assertDelivered(paid: Paying): Promise<void> {
    const { order } = paid;
    // Without its servers the API answers nothing, or that it is not there.
    const isCompleted = async () =>
      (await this.orders.page(order.pageId).catch(() => undefined))?.status === 'COMPLETED';
    await until(isCompleted, { what: 'a page that is COMPLETED', timeoutMs: COMPLETED_WITHIN_MS });
    this.#assertOneOfEach(paid);
    this.#delivered.push(paid);
    const moneyMinor = Math.round(Number(order.amount) * 100);
    assert.deepEqual(await this.orders.moved(order), { captures: [moneyMinor], refunds: [] });
  }

  /** A second mail may come long after the first: counts those of all customers again once nothing can send another one. */
  async assertNothingLate(): Promise<void> {
    await untilMailsSettled(this.orders.service);
    for (const paid of this.#delivered) this.#assertOneOfEach(paid);
  }

  #assertOneOfEach({ order: { orderId }, email }: Paying): void {
    const subjects = this.gate.inbox(email).map(({ mail }) => /Billett|Kvittering/.exec(mail.subject ?? '')?.[0]);
    assert.deepEqual(subjects.toSorted(), ['Billett', 'Kvittering'], orderId);
  }

  /** Confirms so many orders at once, with two deaths meanwhile. Each gets one receipt; the numbers have no gap. */
  async issueAtOnce(count: number): Promise<void> {
    const many = await ManyReceipts.open(this.orders.service);
    const before = await many.untilIssued(0);
    const paid = many.pay(await many.prepare(count));
    for (const after of [count / 10, count / 2]) {
      await many.untilIssued(before + after);
      await this.die('salesDocumentsWorker');
    }
    await paid;
    assert.equal(await many.untilIssued(before + count), before + count);
  }

  async close(): Promise<void> {
    await this.orders.stop();
    this.gate.close();
  }
}
