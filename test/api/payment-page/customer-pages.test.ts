/** Payment pages as their customers reach them: by a link alone. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { LinkedPage } from '../../../activities/payment-page/page-types.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { lockOrder, unlockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { AMOUNT_MINOR, VISA } from '../../support/sample-pages.ts';
import { until } from '../../support/until.ts';
import { PATH, type PagesServer, startPages } from './pages-server.ts';

describe('the pages of customers', () => {
  let server: PagesServer;
  let order: Order;
  let page: LinkedPage;
  let [orderId, token]: string[] = [];

  before(async () => {
    server = await startPages();
  });
  beforeEach(async () => {
    server.fixture.orders.now = new Date();
    Object.assign(server.fixture.payments, { looks: 0, reads: 0, opensAgain: true, onLook: async () => undefined });
    order = await server.fixture.draft();
    const { json } = await server.call(PATH, { body: { orderId: order.id, orderVersion: 1 } });
    [orderId, token] = String(json.url).split('/').slice(-2);
    page = (await find()) ?? assert.fail('the link is not valid');
  });
  after(async () => await server?.close());

  const find = (givenOrder = orderId ?? '', givenToken = token ?? '') =>
    server.customerPages.find(givenOrder, givenToken);
  const view = async () => (await server.customerPages.view(page)) ?? assert.fail('no view');
  const formOf = async () => (await view()).forms[0] ?? assert.fail('no form');
  const submit = async (form?: { readonly value: string; readonly formNonce: string }) => {
    const { value, formNonce } = form ?? (await formOf());
    return await server.customerPages.pay(page, { paymentMethod: value, formNonce }, randomUUID());
  };

  it('are found by order and token together, and by nothing else', async () => {
    assert.equal(page.orderId, order.id);
    const other = await server.fixture.draft();
    await server.call(PATH, { body: { orderId: other.id, orderVersion: 1 } });
    const wrong = `${token?.startsWith('A') ? 'B' : 'A'}${token?.slice(1)}`;
    for (const [one, two] of [
      [order.id, wrong],
      [other.id, token],
      ['AAAAAAAA', token],
      [order.id, ''],
      [order.id, `${token}A`],
      [order.id, 'x'.repeat(10_000)],
      ['../../..', token],
    ]) {
      assert.equal(await find(one, two), undefined, `${one}/${two?.slice(0, 30)}`);
    }
  });

  it('are no longer found once their time is over', async () => {
    await server.fixture.collection.updateOne({ _id: page.pageId }, { $set: { expireAt: server.fixture.orders.now } });
    assert.equal(await find(), undefined);
  });

  it('are no longer found once they are closed', async () => {
    await server.call(`${PATH}/${page.pageId}/cancel`, { method: 'POST' });
    assert.equal(await find(), undefined);
    assert.equal(await server.customerPages.statusOf(page), undefined);
  });

  it('ask for no money while a refund holds the order', async () => {
    const form = await formOf();
    const owner = `compensation/${order.id}/${randomUUID()}`;
    await server.fixture.orders.change(order.id, (before, now) => lockOrder(before, { owner }, now));
    const held = await view();
    assert.deepEqual([held.status, held.isHeld, held.forms], ['OPEN', true, []]);
    // A form of before leads back to the page, and nothing begins.
    assert.deepEqual(await submit(form), { go: 'PAGE', why: 'CLOSED' });
    assert.deepEqual([(await view()).status, (await view()).isHeld], ['OPEN', true]);
    await server.fixture.orders.change(order.id, (before, now) => unlockOrder(before, { owner }, now));
    assert.deepEqual([(await view()).isHeld, (await view()).forms.length > 0], [undefined, true]);
  });

  it('say for thirty days that money was paid back', async () => {
    await submit();
    await server.fixture.payments.credit();
    assert.deepEqual(await server.customerPages.returned(page), { go: 'PAGE' });
    assert.equal((await view()).status, 'CREDITED');
    assert.ok(await find());
    server.fixture.orders.passes(30 * 24 * 60);
    assert.equal(await find(), undefined);
  });

  it('show what is bought and a form for each method', async () => {
    const customer = await server.createCustomer();
    await server.setContact(order, customer);
    const { order: shown, forms, ...rest } = await view();
    assert.deepEqual(
      [rest.status, rest.amountMinor, rest.currency, rest.language, rest.sellerName],
      ['OPEN', 10_000, 'NOK', 'nno', 'Organisation 1'],
    );
    assert.deepEqual(
      forms.map(({ value, name }) => [value, name]),
      [
        ['PAYMENTCARD/VISA', 'Visa'],
        ['MOBILE/VIPPS', 'Vipps'],
      ],
    );
    const [line] = shown.lines;
    assert.equal(line?.amountMinor, 10_000);
    assert.deepEqual(line?.seats, [{ carriageNumber: '1', seatNumber: '1' }]);
    assert.deepEqual([line?.legs.length, line?.legs[0]?.mode, shown.travellerCount], [1, 'rail', 1]);
    assert.deepEqual(shown.vat, [{ basisPoints: 1_200, amountMinor: 10_000, taxMinor: 1_071 }]);
    assert.deepEqual([shown.totalMinor, shown.totalTaxMinor, shown.paidMinor], [10_000, 1_071, 0]);
  });

  it('show the order as it is now, before its events have come', async () => {
    const old = await formOf();
    await server.fixture.change(page, 2_500);
    assert.equal((await view()).amountMinor, 12_500);
    assert.deepEqual(await submit(old), { go: 'PAGE', why: 'CHANGED' });
  });

  it('lead to one terminal, whichever form is sent and however often', async () => {
    const form = await formOf();
    const answers = await Promise.all([submit(form), submit(form), submit(form)]);
    const again = await submit(form);
    assert.equal(again.go, 'TERMINAL');
    for (const answer of answers) assert.deepEqual(answer, again);
    assert.equal((await view()).status, 'PROCESSING');
    assert.deepEqual((await view()).forms, []);
  });

  it('refuse forms that they have not made', async () => {
    const { value, formNonce } = await formOf();
    const [attempt, , mac] = formNonce.split('.');
    for (const nonce of ['', 'x', `${attempt}.${AMOUNT_MINOR}.${mac}`, `9.10000.${mac}`]) {
      assert.deepEqual(await submit({ value, formNonce: nonce }), { go: 'PAGE', why: 'CHANGED' });
    }
    assert.deepEqual(await submit({ value: 'CASH/CASH', formNonce }), { go: 'PAGE', why: 'METHOD' });
    assert.deepEqual(await submit({ value: '<script>', formNonce }), { go: 'PAGE', why: 'CHANGED' });
    assert.equal((await view()).status, 'OPEN');
  });

  it('say when no terminal can be had, and take another try', async () => {
    server.fixture.payments.refusals = [new ServiceError('PSP_ERROR', 'away')];
    assert.deepEqual(await submit(), { go: 'STOPPED' });
    assert.equal((await view()).lastAttempt, 'FAILED');
    assert.equal((await submit()).go, 'TERMINAL');
  });

  it('bring a customer back to the terminal after a soft decline, and to the page in the end', async () => {
    await submit();
    assert.deepEqual(await server.customerPages.returned(page), { go: 'WAIT' });
    server.fixture.payments.decline();
    assert.equal((await server.customerPages.returned(page)).go, 'TERMINAL');
    await server.fixture.payments.capture();
    assert.deepEqual(await server.customerPages.returned(page), { go: 'PAGE' });
    assert.equal((await view()).status, 'PAID');
    assert.ok(await find());
  });

  it('show what was paid, while a later change of the order is only a draft', async () => {
    await submit();
    await server.fixture.payments.capture();
    assert.deepEqual(await server.customerPages.returned(page), { go: 'PAGE' });
    assert.equal((await server.fixture.change(page, 2_500)).status, 'DRAFT');
    const { status, order: shown } = await view();
    assert.deepEqual([status, shown.totalMinor, shown.fees, shown.lines.length], ['PAID', 10_000, [], 1]);
  });

  it('send a customer to the challenge as soon as the provider says that it is due', async () => {
    const { payments } = server.fixture;
    await submit();
    payments.decline();
    payments.reads = 0;
    assert.equal((await server.customerPages.returned(page)).go, 'TERMINAL');
    assert.deepEqual([payments.looks, payments.reads], [1, 2], 'nothing is waited for');
  });

  it('open another terminal for the challenge where the provider has ended the first', async () => {
    const { payments } = server.fixture;
    const first = await submit();
    payments.declineForGood();
    payments.looks = 0;
    const back = await server.customerPages.returned(page);
    assert.equal(back.go, 'TERMINAL');
    assert.notDeepEqual(back, first);
    assert.equal(payments.looks, 0, 'the ended session is not asked for');
    // Whoever comes from there waits, or goes on to it.
    assert.deepEqual(await server.customerPages.returned(page), { go: 'WAIT' });
    assert.deepEqual(await submit({ value: '', formNonce: '' }), back);
    await payments.capture();
    assert.deepEqual(await server.customerPages.returned(page), { go: 'PAGE' });
  });

  it('let a customer go on to the terminal of the challenge, and wait while none can be opened', async () => {
    const { payments } = server.fixture;
    await submit();
    payments.declineForGood();
    payments.opensAgain = false;
    assert.deepEqual(await server.customerPages.returned(page), { go: 'WAIT' });
    assert.deepEqual(await submit({ value: '', formNonce: '' }), { go: 'PAGE', why: 'BUSY' });
    payments.opensAgain = true;
    assert.equal((await submit({ value: '', formNonce: '' })).go, 'TERMINAL');
  });

  it('wait for the word on a challenge when the provider does not answer', async () => {
    const { payments } = server.fixture;
    await submit();
    payments.decline();
    payments.onLook = async () => {
      // It is known a little later.
      void Promise.resolve().then(async () => await payments.capture());
      throw new Error('no answer in time');
    };
    assert.deepEqual(await server.customerPages.returned(page), { go: 'PAGE' });
    assert.equal((await view()).status, 'PAID');
  });

  it('show at once what the provider tells when the customer is back', async () => {
    const { payments } = server.fixture;
    await submit();
    payments.onLook = async () => await payments.capture();
    assert.deepEqual(await server.customerPages.returned(page), { go: 'PAGE' });
    assert.equal((await view()).status, 'PAID');
  });

  it('let the customer choose another method', async () => {
    const first = await formOf();
    await submit(first);
    assert.equal(await server.customerPages.endAttempt(page), 'OPEN');
    assert.equal(server.fixture.payments.last.state.state, 'ENDED');
    assert.deepEqual(await submit(first), { go: 'PAGE', why: 'CHANGED' });
    const next = await formOf();
    assert.notEqual(next.formNonce, first.formNonce);
    assert.equal((await submit(next)).go, 'TERMINAL');
    assert.equal((await server.fixture.now({ id: page.pageId })).attempt?.paymentType, VISA.paymentType);
  });

  it('say that the order has changed, not that the payment was cancelled, when payments have voided it', async () => {
    await submit();
    await server.fixture.change(page, 2_500);
    server.fixture.payments.void();
    assert.deepEqual(await server.customerPages.returned(page), { go: 'PAGE' });
    const { status, amountMinor, lastAttempt } = await view();
    assert.deepEqual([status, amountMinor, lastAttempt], ['OPEN', 12_500, 'ORDER_CHANGED']);
  });

  it('say where the tickets are when nobody has an address', async () => {
    await submit();
    await server.fixture.payments.capture();
    assert.deepEqual(await server.customerPages.returned(page), { go: 'PAGE' });
    const { pageId, organisationId } = page;
    const input = { organisationId, orderId: order.id, pageId };
    await server.fixture.activities.noteDelivery({ ...input, delivered: true, isUnaddressed: true });
    const { status, isUnaddressed, deliveryFailed } = await view();
    assert.deepEqual([status, isUnaddressed, deliveryFailed], ['COMPLETED', true, undefined]);
    const path = `${PATH}/${pageId}`;
    const warnings = ['NO_CONTACT_EMAIL', 'NO_TRAVELLER_EMAIL'];
    assert.deepEqual((await server.call(path)).json.warnings, warnings);
    await server.setContact(order, await server.createCustomer({ email: `${randomUUID()}@example.no` }));
    const { json } = await server.call(path);
    assert.deepEqual([json.status, json.lastError, json.warnings], ['COMPLETED', undefined, warnings]);
  });

  it('keep the payment of a customer who wanted another method too late', async () => {
    await submit();
    await server.fixture.payments.capture();
    assert.equal(await server.customerPages.endAttempt(page), 'PAID');
    await until(async () => (await server.customerPages.statusOf(page)) === 'PAID');
  });
});
