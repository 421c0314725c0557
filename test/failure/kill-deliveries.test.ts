/**
 * Customers pay on pages while a process is killed, with the logins of production: each finds exactly one mail with tickets and one
 * with the receipt, and the page ends COMPLETED.
 */
import assert from 'node:assert/strict';
import { MailGate } from '../support/mail-gate.ts';
import { type PagedOrder, PagedOrders } from '../support/paged-orders.ts';
import { payByCard } from '../support/provider-simulator.ts';
import type { PartName } from '../support/service.ts';
import { until } from '../support/until.ts';
import { ManyReceipts } from './many-receipts.ts';

const RECEIPTS = 50;
const GOOD_CARD = '4111111111111111';
/** Temporal gives a dead worker's task away after ten seconds; a mail that may have been taken is sent again after a minute. */
const COMPLETED_WITHIN_MS = 150_000;
const VICTIMS = [
  ...(['salesDocumentsWorker', 'eventsWorker', 'paymentPagesWorker'] as const),
  ...(['salesPaymentsWorker', 'paymentPage', 'api'] as const),
] as const;

interface Paying {
  readonly order: PagedOrder;
  readonly email: string;
}

describe('a process that is killed while an order is delivered', function () {
  this.timeout(300_000);
  let gate: MailGate;
  let orders: PagedOrders;

  before(async () => {
    gate = await MailGate.open();
    orders = await PagedOrders.start({ accounts: true, env: { MAIL_SERVER: gate.url } });
  });
  beforeEach(() => gate.empty());
  after(async () => {
    await orders?.stop();
    gate?.close();
  });

  /** Until the provider has the customer's authorisation, and captures by itself. */
  async function paying(): Promise<Paying> {
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

  async function die(name: PartName): Promise<void> {
    await orders.service.kill(name);
    await orders.service.restart(name);
  }

  async function assertDelivered({ order, email }: Paying): Promise<void> {
    const isCompleted = async () => (await orders.page(order.pageId)).status === 'COMPLETED';
    await until(isCompleted, { what: 'a page that is COMPLETED', timeoutMs: COMPLETED_WITHIN_MS });
    const subjects = gate.inbox(email).map(({ mail }) => /Billett|Kvittering/.exec(mail.subject ?? '')?.[0]);
    assert.deepEqual(subjects.toSorted(), ['Billett', 'Kvittering']);
  }

  for (const victim of VICTIMS) {
    it(`leaves one mail of each kind: ${victim}, as the money is captured`, async () => {
      const paid = await paying();
      await die(victim);
      await assertDelivered(paid);
    });
  }

  it('leaves one mail of each kind: the documents worker, while the mail server is silent', async () => {
    gate.mode = 'SILENT';
    const paid = await paying();
    await until(() => gate.connections > 0, { what: 'a mail that is being sent' });
    await orders.service.kill('salesDocumentsWorker');
    gate.mode = 'OPEN';
    await orders.service.restart('salesDocumentsWorker');
    await assertDelivered(paid);
  });

  it('leaves one mail of each kind: the documents worker, after the server has taken them', async () => {
    gate.mode = 'CUT';
    const paid = await paying();
    await until(() => gate.inbox(paid.email).length > 0, { what: 'a mail that was taken' });
    await orders.service.kill('salesDocumentsWorker');
    gate.mode = 'OPEN';
    await orders.service.restart('salesDocumentsWorker');
    await assertDelivered(paid);
  });

  it('gives 50 orders that are confirmed at once one receipt each, with numbers that have no gap', async () => {
    const many = await ManyReceipts.open(orders.service);
    const before = await many.untilIssued(0);
    const payments = await many.prepare(RECEIPTS);
    const paid = many.pay(payments);
    for (const after of [RECEIPTS / 10, RECEIPTS / 2]) {
      await many.untilIssued(before + after);
      await die('salesDocumentsWorker');
    }
    await paid;
    assert.equal(await many.untilIssued(before + RECEIPTS), before + RECEIPTS);
  });
});
