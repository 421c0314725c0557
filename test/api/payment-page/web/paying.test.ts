/**
 * Customers pay on their page, in a real browser, through the whole service. The simulator's ledger says which money has
 * really moved.
 */
import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findAccessFaults, startBrowser } from '../../../support/browser.ts';
import { type PagedOrder, PagedOrders } from '../../../support/paged-orders.ts';
import { until } from '../../../support/until.ts';

/** "We have received your payment", and "Your order is paid" once the tickets are out, which may be so before the browser looks. */
const PAID = /^Thank you! (We have received your payment|Your order is paid)/;
const REFUSED = 'Your card was refused';
const CARDS = {
  ok: '4111 1111 1111 1111',
  mastercard: '5555 5555 5555 4444',
  challenge: '4000 0025 0000 3155',
  failingChallenge: '4000 0084 0000 1629',
  refused: '4000 0000 0000 0002',
  unanswered: '4000 0000 0000 0259',
  unruly: '4000 0000 0000 0101',
  pending: '4000 0000 0000 0077',
  closed: '4000 0000 0000 5126',
};

describe('a customer who pays on the page', () => {
  let orders: PagedOrders;
  let browser: Browser;

  before(async function () {
    const started = await startBrowser();
    if (!started) return this.skip();
    browser = started;
    orders = await PagedOrders.start();
  });
  after(async () => {
    await browser?.close();
    await orders?.stop();
  });

  async function open({ url }: PagedOrder, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(url);
    return page;
  }
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });
  const choose = async (page: Page, method = 'Visa') =>
    await Promise.all([
      page.waitForURL(/\/terminal\//),
      page.getByRole('button', { name: new RegExp(`with ${method}$`) }).click(),
    ]);
  async function payBy(page: Page, card: string): Promise<void> {
    await page.fill('[name=cardNumber]', card);
    await page.click('[name=pay]');
  }
  async function paid(page: Page, order: PagedOrder, amount = order.amount): Promise<void> {
    await heading(page, PAID).waitFor();
    assert.deepEqual(await orders.moved(order), { captures: [Math.round(Number(amount) * 100)], refunds: [] });
    assert.equal((await orders.order(order.orderId)).status, 'CONFIRMED');
    await page.context().close();
  }
  async function unpaid(page: Page, order: PagedOrder, why: string): Promise<void> {
    await page.getByRole('alert').getByText(why).waitFor();
    assert.deepEqual((await orders.moved(order)).captures, []);
    assert.equal((await orders.page(order.pageId)).status, 'OPEN');
    assert.deepEqual(await findAccessFaults(page), []);
    await page.context().close();
  }

  for (const [name, card] of [
    ['a card', CARDS.ok],
    ['a card whose capture is not answered', CARDS.unanswered],
    ['a card whose provider reports twice and out of order', CARDS.unruly],
    ['a card whose capture is pending for a while', CARDS.pending],
  ] as const)
    it(`is told that the order is paid, by ${name}`, async () => {
      const order = await orders.create();
      const page = await open(order);
      assert.deepEqual(await findAccessFaults(page), []);
      await choose(page);
      await payBy(page, card);
      await paid(page, order);
    });

  it('finds tickets and receipt in the mailbox, one mail each', async () => {
    const order = await orders.create();
    const email = await orders.addContact(order);
    const page = await open(order);
    await choose(page);
    await payBy(page, CARDS.unruly);
    await heading(page, PAID).waitFor();
    await until(async () => (await orders.mailsTo(email)).length > 1, { what: 'the mails' });
    await until(async () => (await orders.page(order.pageId)).status === 'COMPLETED', { what: 'the end of the page' });
    await paid(page, order);
    const mails = await orders.mailsTo(email);
    assert.deepEqual(mails.map(({ subject }) => /Billett|Ticket|Kvittering|Receipt/.exec(subject)?.[0]).sort(), [
      'Billett',
      'Kvittering',
    ]);
    for (const { attachments } of mails) {
      assert.deepEqual(
        attachments.map(({ contentType }) => contentType),
        ['application/pdf'],
      );
    }
  });

  it('pays without scripts', async () => {
    const order = await orders.create();
    const page = await open(order, { javaScriptEnabled: false });
    await choose(page, 'Mastercard');
    await payBy(page, CARDS.mastercard);
    await paid(page, order);
  });

  it('pays with the keyboard alone', async () => {
    const order = await orders.create();
    const page = await open(order);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await Promise.all([page.waitForURL(/\/terminal\//), page.keyboard.press('Enter')]);
    await page.focus('[name=cardNumber]');
    await page.keyboard.type(CARDS.ok);
    await page.keyboard.press('Enter');
    await paid(page, order);
  });

  it('passes 3-D Secure when the bank asks for it', async () => {
    const order = await orders.create();
    const page = await open(order);
    await choose(page);
    await payBy(page, CARDS.challenge);
    await page.click('[name=approve]');
    await paid(page, order);
  });

  for (const [name, card, button] of [
    ['fails 3-D Secure', CARDS.failingChallenge, 'decline'],
    ['has a card that is refused', CARDS.refused, undefined],
  ] as const)
    it(`reads that nothing was taken, who ${name}`, async () => {
      const order = await orders.create();
      const page = await open(order);
      await choose(page);
      await payBy(page, card);
      if (button) await page.click(`[name=${button}]`);
      await unpaid(page, order, REFUSED);
    });

  it('may cancel at the provider, and pay after all', async () => {
    const order = await orders.create();
    const page = await open(order);
    await choose(page);
    await page.click('[name=cancel]');
    await page.getByRole('alert').getByText('The payment was cancelled').waitFor();
    assert.deepEqual((await orders.moved(order)).captures, []);
    await choose(page);
    await payBy(page, CARDS.ok);
    await paid(page, order);
  });

  it('goes to one terminal by a double click and from two tabs, and pays once', async () => {
    const order = await orders.create();
    const page = await open(order);
    const other = await page.context().newPage();
    await other.goto(order.url);
    const form = await page.locator('form').first().getAttribute('action');
    const fields = await page.evaluate<Record<string, string>>('Object.fromEntries(new FormData(document.forms[0]))');
    const submit = async () =>
      await fetch(new URL(form ?? '', order.url), {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
      });
    const answers = await Promise.all([submit(), submit(), submit()]);
    await choose(page);
    await choose(other, 'Mastercard');
    const terminals = new Set([page.url(), other.url(), ...answers.map((each) => each.headers.get('location'))]);
    assert.equal(terminals.size, 1);
    await payBy(page, CARDS.ok);
    await heading(page, PAID).waitFor();
    await other.goto(order.url);
    await paid(other, order);
  });

  it('comes back by the back button, goes on, or chooses another method', async () => {
    const order = await orders.create();
    const page = await open(order);
    await choose(page);
    const terminal = page.url();
    await page.goBack();
    await page.reload();
    await heading(page, 'Your payment is on its way').waitFor();
    assert.deepEqual(await findAccessFaults(page), []);
    await page.getByRole('button', { name: 'Go on with the payment' }).click();
    await page.waitForURL(terminal);
    await page.goto(order.url);
    await page.getByRole('button', { name: 'Choose another way to pay' }).click();
    await heading(page, 'Pay for your order').waitFor();
    await choose(page, 'Mastercard');
    assert.notEqual(page.url(), terminal);
    await payBy(page, CARDS.mastercard);
    await paid(page, order);
  });

  it('may load the return page as often as it likes', async () => {
    const order = await orders.create();
    const page = await open(order);
    await choose(page);
    await payBy(page, CARDS.ok);
    for (let times = 0; times < 4; times += 1) await page.goto(`${order.url}/return?responseCode=OK`);
    await paid(page, order);
  });

  it('reads that the order has changed, and pays the new amount', async () => {
    const order = await orders.create();
    const page = await open(order);
    await orders.addFee(order, '25.00');
    await page.getByRole('button', { name: /with Visa$/ }).click();
    await page.getByRole('alert').getByText('Your order has changed').waitFor();
    assert.deepEqual((await orders.moved(order)).captures, []);
    await page.getByRole('button', { name: 'Pay NOK 325.00 with Visa' }).waitFor();
    await choose(page);
    await payBy(page, CARDS.ok);
    await paid(page, order, '325.00');
  });

  it('pays nothing of an older amount, and then the new one, when the order changed and nobody has told the page', async () => {
    const order = await orders.create();
    const page = await open(order);
    await choose(page);
    await orders.addFeeUnheard(order, 2_500);
    await payBy(page, CARDS.ok);
    await page.getByRole('button', { name: 'Pay NOK 325.00 with Visa' }).waitFor();
    assert.deepEqual(await orders.moved(order), { captures: [], refunds: [] });
    await choose(page);
    await payBy(page, CARDS.ok);
    await paid(page, order, '325.00');
  });

  it('reads that the money was paid back, when it was captured and more is owed since', async () => {
    const order = await orders.create();
    await orders.slowNext('capture', 3_000);
    const page = await open(order);
    await choose(page);
    await Promise.all([payBy(page, CARDS.ok), orders.addFeeWhileCapturing(order, 2_500)]);
    await heading(page, 'Your money has been paid back').waitFor();
    assert.deepEqual(await orders.moved(order), { captures: [30_000], refunds: [30_000] });
    assert.equal((await orders.page(order.pageId)).lastError, 'CREDITED');
    assert.equal((await orders.order(order.orderId)).status, 'EXPIRED');
    await page.context().close();
  });

  it('reads that the money was paid back, when the order could not be confirmed', async () => {
    const order = await orders.create();
    await orders.slowNext('capture', 3_000);
    const page = await open(order);
    await choose(page);
    // The capture may be over before the browser has come back.
    await Promise.all([payBy(page, CARDS.ok), orders.loseSeatsWhileCapturing(order)]);
    await heading(page, 'Your money has been paid back').waitFor();
    assert.deepEqual(await findAccessFaults(page), []);
    assert.deepEqual(await orders.moved(order), { captures: [30_000], refunds: [30_000] });
    assert.equal((await orders.order(order.orderId)).status, 'EXPIRED');
    await page.context().close();
  });

  it('reads that the seller decides, and later that the money was paid back, when the provider pays nothing back', async () => {
    const order = await orders.create();
    await orders.slowNext('capture', 3_000);
    const page = await open(order);
    await choose(page);
    await Promise.all([payBy(page, CARDS.closed), orders.loseSeatsWhileCapturing(order)]);
    await heading(page, 'Your payment could not be paid back automatically').waitFor();
    assert.deepEqual(await findAccessFaults(page), []);
    assert.deepEqual(await orders.moved(order), { captures: [30_000], refunds: [] });
    assert.equal((await orders.page(order.pageId)).lastError, 'CREDIT_OUTSTANDING');
    await orders.resolveCompensation(order, 'CREDITED_ELSEWHERE');
    await until(async () => (await orders.page(order.pageId)).lastError === 'CREDITED', {
      what: 'the news of the money',
    });
    assert.equal((await orders.order(order.orderId)).status, 'EXPIRED');
    await page.reload();
    await heading(page, 'Your money has been paid back').waitFor();
    await page.context().close();
  });

  it('reads that the link is not valid any more, when it expired meanwhile', async () => {
    const order = await orders.create({ expireAt: new Date(Date.now() + 4_000).toISOString() });
    const page = await open(order);
    await until(async () => (await orders.page(order.pageId)).status === 'EXPIRED', { what: 'the end of the page' });
    await page.getByRole('button', { name: /with Visa$/ }).click();
    await heading(page, 'Link not valid').waitFor();
    assert.deepEqual(await findAccessFaults(page), []);
    await page.context().close();
  });
});
