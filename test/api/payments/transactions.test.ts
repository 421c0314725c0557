/** Transactions over HTTP: terminals, captures, cancellations and imports. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { serialize } from 'node:v8';
import { PaymentsOfOrders } from '../../../activities/payments/order-payments.ts';
import { openAddress } from '../../../activities/payments/sealed-addresses.ts';
import { openApp } from '../../../activities/payments/sealed-app.ts';
import type { TransactionId } from '../../../workflows/shared/ids.ts';
import { CHANNEL, OTHER_CHANNEL } from '../orders/small-market.ts';
import { PRICING } from '../orders/support.ts';
import { problemOf } from '../support/call.ts';
import {
  authorisedOf,
  OTHER,
  OWN,
  orderOf,
  type PaymentsServer,
  paymentOf,
  REDIRECT,
  readOrder,
  startPayments,
  VISA,
} from './support.ts';

const PUT = { method: 'PUT' };
const VIPPS = { paymentTypeGroup: 'MOBILE', paymentType: 'VIPPS' };
const INVOICE = { paymentTypeGroup: 'INVOICE', paymentType: 'INVOICE' };

/** A transaction that pays the order, and is open. */
async function openFor(server: PaymentsServer, orderId: string): Promise<TransactionId> {
  const transaction = { amount: '349.00', ...VISA };
  const body = { orderId, orderVersion: 1, totalAmount: '349.00', transaction };
  return (await server.call('/v1/payments', { body })).json.transactionHistory[0].transactionId;
}

const TOLD = 'https://shop.example/told';
const CLAIM = { phoneNumber: '+4799887766', description: 'Bergen to Oslo', ...REDIRECT };

describe('transactions', () => {
  let server: PaymentsServer;
  before(async () => {
    server = await startPayments();
  });
  beforeEach(() => {
    server.calls.answers = [];
    server.openAddresses = false;
  });
  after(async () => await server.close());

  it('open one terminal, however often it is asked for', async () => {
    const { path, paymentId, transactionId, orderId, place } = await paymentOf(server);
    const before = (await readOrder(server, orderId)).expireAt;
    const first = await server.call(`${path}/terminal`, { body: REDIRECT });
    assert.equal(first.status, 200, first.text);
    assert.deepEqual(first.json, { paymentId, transactionId, terminalUri: `https://psp.example/${transactionId}/1` });
    const again = await server.call(`${path}/terminal`, { body: { redirectUrl: 'https://shop.example/other' } });
    assert.deepEqual(again.json, first.json);
    assert.equal((await server.call(path)).json.status, 'INITIATED');
    assert.ok((await readOrder(server, orderId)).expireAt > before, 'the order lives longer');
    const { payment } = await server.dependencies.payments.get('ANY', place.paymentId);
    const { session } = payment.transactions[0] ?? assert.fail();
    assert.deepEqual([session?.redirectUrl, session?.language, session?.number], [undefined, 'nob', 1]);
  });

  it('refuse addresses that are not public, or not encrypted', async () => {
    const { path } = await paymentOf(server);
    const open = async (body: object) =>
      problemOf(await server.call(`${path}/terminal`, { body: { ...REDIRECT, ...body } }));
    assert.equal(await open({ redirectUrl: 'http://shop.example/' }), '400 VALIDATION_FAILED /redirectUrl');
    assert.equal(await open({ callbackUrl: 'http://shop.example/' }), '400 VALIDATION_FAILED /callbackUrl');
    assert.equal(await open({ callbackUrl: 'https://127.0.0.1/' }), '400 VALIDATION_FAILED /callbackUrl');
    assert.equal(await open({ callbackUrl: 'https://user:word@shop.example/' }), '400 VALIDATION_FAILED /callbackUrl');
    assert.equal(await open({ terminalLanguage: 'deu' }), '400 VALIDATION_FAILED /terminalLanguage');
    server.openAddresses = true;
    const answer = await server.call(`${path}/terminal`, {
      body: { redirectUrl: 'http://localhost:1/', callbackUrl: 'http://localhost:2/' },
    });
    assert.equal(answer.status, 200, answer.text);
  });

  it('send customers to the origins of their channel alone', async () => {
    const { path } = await paymentOf(server);
    const refused = [
      'https://evil.example/paid',
      'https://shop.example.evil.example/paid',
      'https://evilshop.example/paid',
      'https://www.shop.example/paid',
      'https://shop.example:8443/paid',
      'https://evil.example/https://shop.example/',
      'https://evil.example?https://shop.example',
      'https://evil.example/@shop.example',
    ];
    for (const redirectUrl of refused) {
      const answer = await server.call(`${path}/terminal`, { body: { redirectUrl } });
      assert.equal(problemOf(answer), '400 VALIDATION_FAILED /redirectUrl', redirectUrl);
      const [{ code, detail }] = answer.json.errors;
      assert.equal(code, 'ORIGIN_NOT_ALLOWED');
      assert.ok(detail.endsWith(`the channel ${CHANNEL} allows https://shop.example`), detail);
    }
    assert.equal((await server.call(path)).json.status, 'CREATED', 'no session was opened');
    const allowed = await server.call(`${path}/terminal`, { body: { redirectUrl: 'https://SHOP.example:443/a?b=c' } });
    assert.equal(allowed.status, 200, allowed.text);
  });

  it('send customers of an app to the origins of their channel alone', async () => {
    const { path } = await paymentOf(server, '349.00', VIPPS);
    const claim = async (redirectUrl: string) =>
      await server.call(`${path}/app-claim`, { body: { ...CLAIM, redirectUrl } });
    assert.equal(problemOf(await claim('https://evil.example/paid')), '400 VALIDATION_FAILED /redirectUrl');
    assert.equal((await claim(REDIRECT.redirectUrl)).status, 200);
  });

  it('send customers nowhere by a channel that lists no origin', async () => {
    const { path } = await paymentOf(server, '349.00', VISA, OTHER);
    const headers = { 'service-distribution-channel': OTHER_CHANNEL };
    const answer = await server.call(`${path}/terminal`, { body: REDIRECT, token: OTHER, headers });
    assert.equal(problemOf(answer), '400 VALIDATION_FAILED /redirectUrl');
    assert.match(answer.json.detail, /allows none, until the operator lists its returnOrigins in the catalogue$/);
  });

  it('send customers to this machine in development alone', async () => {
    const { path } = await paymentOf(server);
    const open = async (redirectUrl: string) =>
      problemOf(await server.call(`${path}/terminal`, { body: { redirectUrl } }));
    const here = [
      'http://localhost:1/',
      'https://shop.localhost/',
      'http://127.0.0.1:9/',
      'http://127.1/',
      'http://[::1]/',
    ];
    for (const redirectUrl of here)
      assert.equal(await open(redirectUrl), '400 VALIDATION_FAILED /redirectUrl', redirectUrl);
    server.openAddresses = true;
    for (const redirectUrl of here) assert.match(await open(redirectUrl), /^200/, redirectUrl);
    const elsewhere = [
      'http://shop.evil.example/',
      'http://127.0.0.1.evil.example/',
      'http://10.0.0.7/',
      'http://evil/',
    ];
    for (const redirectUrl of elsewhere)
      assert.equal(await open(redirectUrl), '400 VALIDATION_FAILED /redirectUrl', redirectUrl);
  });

  it('claim in an app, with a sealed number and sealed addresses', async () => {
    const { path, place, paymentId, transactionId } = await paymentOf(server, '349.00', VIPPS);
    const { openTerminal } = server.calls;
    let sealed: unknown;
    const opened: unknown[] = [];
    server.calls.openTerminal = async (...given) => {
      const { payment } = await server.dependencies.payments.get('ANY', place.paymentId);
      const { app, redirectUrl, callbackUrl } = payment.transactions[0]?.session ?? {};
      assert.ok(app && redirectUrl && callbackUrl);
      const { keys } = server.dependencies;
      opened.push(await openAddress(keys, { payment, use: 'redirect' }, redirectUrl));
      opened.push(await openAddress(keys, { payment, use: 'callback' }, callbackUrl));
      const [document] = await server.orders.connection.collection('payments').find({ paymentId }).toArray();
      const raw = serialize(document).toString('latin1');
      assert.doesNotMatch(raw, /99887766|shop\.example/);
      sealed = await openApp(server.dependencies.keys, payment, app);
      return await openTerminal.apply(server.calls, given);
    };
    const answer = await server.call(`${path}/app-claim`, { body: { ...CLAIM, callbackUrl: TOLD } });
    server.calls.openTerminal = openTerminal;
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json, {
      ...{ paymentId, transactionId },
      appClaimUrl: `https://psp.example/${transactionId}/1`,
    });
    assert.deepEqual(sealed, { phoneNumber: CLAIM.phoneNumber, description: CLAIM.description });
    assert.deepEqual(opened, [REDIRECT.redirectUrl, TOLD]);
    const { payment } = await server.dependencies.payments.get('ANY', place.paymentId);
    const [transaction] = payment.transactions;
    assert.equal(transaction?.session?.app, undefined);
    assert.equal(transaction?.capturesItself, true);
  });

  it('claim nothing in an app where the method is none', async () => {
    const { path } = await paymentOf(server);
    assert.equal(problemOf(await server.call(`${path}/app-claim`, { body: CLAIM })), '422 PAYMENT_METHOD_NOT_ALLOWED');
  });

  it('have no terminal where no provider is asked', async () => {
    const { path } = await paymentOf(server, '349.00', INVOICE);
    assert.equal(problemOf(await server.call(`${path}/terminal`, { body: REDIRECT })), '409 INVALID_STATE');
    const captured = await server.call(`${path}/capture`, PUT);
    assert.equal(captured.json.status, 'CAPTURED', captured.text);
  });

  it('are captured once, and the order is confirmed', async () => {
    const { path, orderId, paymentId } = await authorisedOf(server);
    const asked = server.calls.made.length;
    const captured = await server.call(`${path}/capture`, PUT);
    assert.equal(captured.status, 200, captured.text);
    assert.equal(captured.json.status, 'CAPTURED');
    assert.equal(captured.json.cardNumber, '1111');
    assert.deepEqual(
      captured.json.operationLog.map(({ operation }: { operation: string }) => operation),
      ['CREATE', 'INITIATE', 'AUTHENTICATE', 'CAPTURE'],
    );
    assert.deepEqual((await server.call(`${path}/capture`, PUT)).json, captured.json);
    assert.equal(server.calls.made.length, asked + 1, 'the second call asks nobody');
    assert.equal((await readOrder(server, orderId)).status, 'CONFIRMED');
    const { status, summary } = (await server.call(`/v1/payments/${paymentId}`)).json;
    assert.deepEqual([status, summary], ['PAID', { captured: '349.00', credited: '0.00', remaining: '0.00' }]);
    const cancelled = await server.call(`${path}/cancel`, PUT);
    assert.equal(problemOf(cancelled), '409 INVALID_STATE');
    assert.match(cancelled.json.detail, /refund what it pays for/);
  });

  it('are not captured before the customer has authorised them', async () => {
    const { path } = await paymentOf(server);
    assert.equal(problemOf(await server.call(`${path}/capture`, PUT)), '409 INVALID_STATE');
    await server.call(`${path}/terminal`, { body: REDIRECT });
    assert.equal(problemOf(await server.call(`${path}/capture`, PUT)), '409 INVALID_STATE');
  });

  it('may be captured again with the same key after a soft decline', async () => {
    const { path, place } = await authorisedOf(server);
    server.calls.answers = ['SOFT_DECLINE'];
    const headers = { 'idempotency-key': randomUUID() };
    const declined = await server.call(`${path}/capture`, { ...PUT, headers });
    assert.equal(problemOf(declined), '409 SOFT_DECLINE');
    assert.equal(declined.json.errorReason, 'SOFT_DECLINE');
    const terminal = await server.call(`${path}/terminal`, { body: REDIRECT });
    assert.equal(terminal.status, 200, 'the terminal is the same');
    await server.calls.authorise(place, true);
    const captured = await server.call(`${path}/capture`, { ...PUT, headers });
    assert.equal(captured.json.status, 'CAPTURED', captured.text);
    assert.equal(captured.headers.get('idempotency-replayed'), null);
    const replayed = await server.call(`${path}/capture`, { ...PUT, headers });
    assert.equal(replayed.headers.get('idempotency-replayed'), 'true');
  });

  it('are rejected after the fifth soft decline', async () => {
    const { path, place } = await authorisedOf(server);
    server.calls.answers = Array.from({ length: 5 }, () => 'SOFT_DECLINE');
    for (const _ of [1, 2, 3, 4]) {
      assert.equal(problemOf(await server.call(`${path}/capture`, PUT)), '409 SOFT_DECLINE');
      await server.calls.authorise(place, true);
    }
    assert.equal(problemOf(await server.call(`${path}/capture`, PUT)), '409 REFUSED_BY_ISSUER');
    assert.equal((await server.call(path)).json.status, 'REJECTED');
  });

  it('are rejected when the issuer refuses, and say so again', async () => {
    const { path, paymentId } = await authorisedOf(server);
    server.calls.answers = ['REFUSED'];
    const refused = await server.call(`${path}/capture`, PUT);
    assert.equal(problemOf(refused), '409 REFUSED_BY_ISSUER');
    assert.equal(refused.json.errorReason, 'REFUSED_BY_ISSUER');
    assert.equal(problemOf(await server.call(`${path}/capture`, PUT)), '409 REFUSED_BY_ISSUER');
    assert.equal(problemOf(await server.call(`${path}/cancel`, PUT)), '409 INVALID_STATE');
    const next = await server.call(`/v1/payments/${paymentId}/transactions`, { body: { amount: '349.00', ...VISA } });
    assert.equal(next.status, 201, next.text);
  });

  it('say when the outcome is not known yet', async () => {
    const { path } = await authorisedOf(server);
    server.calls.answers = ['UNKNOWN'];
    const busy = await server.call(`${path}/capture`, PUT);
    assert.equal(problemOf(busy), '409 RESOURCE_BUSY');
    assert.ok(busy.headers.get('retry-after'));
    assert.equal(problemOf(await server.call(`${path}/cancel`, PUT)), '409 RESOURCE_BUSY');
  });

  it('end with the confirmation of their order by its caller, which needs no money any more', async () => {
    const { payments, notes, needless, orders, credits } = server.dependencies;
    const ofOrders = new PaymentsOfOrders({
      ...{ payments, notes, needless, credits, calls: server.calls, workflows: { startCredit: async () => undefined } },
      orders: () => orders,
      channels: () => assert.fail('Nothing is paid back.'),
      compensations: () => assert.fail('Nothing was captured.'),
    });
    const orderId = await orderOf(server, '349.00');
    const open = await openFor(server, orderId);
    const less = { type: 'REDUCTION', price: { amount: '-349.00' }, reason: 'Not travelled' };
    assert.equal((await server.orders.call(`/v1/orders/${orderId}/fees`, { token: OWN, body: less })).status, 201);
    const before = server.orders.dependencies.payments;
    Object.assign(server.orders.dependencies, { payments: () => ofOrders });
    const confirmed = await server.orders.call(`/v1/orders/${orderId}/confirm`, {
      token: OWN,
      body: { orderVersion: 1 },
    });
    Object.assign(server.orders.dependencies, { payments: before });
    assert.equal(confirmed.json.status, 'CONFIRMED', confirmed.text);
    assert.ok(server.woken.includes(open));
  });

  it('are cancelled, also again', async () => {
    const { path } = await authorisedOf(server);
    const cancelled = await server.call(`${path}/cancel`, PUT);
    assert.equal(cancelled.json.status, 'CANCELLED', cancelled.text);
    assert.deepEqual((await server.call(`${path}/cancel`, PUT)).json, cancelled.json);
    assert.equal(problemOf(await server.call(`${path}/terminal`, { body: REDIRECT })), '409 INVALID_STATE');
  });

  describe('that another system has captured', () => {
    const imported = (more: object = {}) => ({
      ...{ amount: '349.00', ...VISA, transactionConfirmedAt: '2026-01-02T03:04:05Z', rrn: randomUUID() },
      ...more,
    });
    const payment = async (amount = '349.00') => {
      const orderId = await orderOf(server, amount);
      const answer = await server.call('/v1/payments', { body: { orderId, orderVersion: 1, totalAmount: amount } });
      const path = `/v1/payments/${answer.json.paymentId}/transactions/import`;
      return { orderId, path, paymentId: answer.json.paymentId };
    };

    it('confirm the order that they pay', async () => {
      const { path, orderId } = await payment();
      const body = imported({ cardNumber: '4242' });
      const answer = await server.call(path, { body });
      assert.equal(answer.status, 201, answer.text);
      const { status, isImport, cardNumber, rrn, operationLog } = answer.json;
      assert.deepEqual([status, isImport, cardNumber, rrn], ['CAPTURED', true, '4242', body.rrn]);
      assert.deepEqual(operationLog[0].operation, 'IMPORT');
      assert.equal((await readOrder(server, orderId)).status, 'CONFIRMED');
      assert.equal(problemOf(await server.call(path, { body })), '409 DUPLICATE_TRANSACTION');
      const more = await server.call(path, { body: imported() });
      assert.deepEqual(
        [more.status, more.json.code, more.json.detail],
        [409, 'ORDER_VERSION_MISMATCH', 'Version 1 of the order is confirmed already.'],
      );
    });

    it('have other transactions ended, which can take nothing any more', async () => {
      const { path, orderId } = await payment();
      const other = await openFor(server, orderId);
      assert.equal((await server.call(path, { body: imported() })).status, 201);
      assert.ok(server.woken.includes(other));
    });

    it('are entered once, under their key and by their reference', async () => {
      const { path, orderId } = await payment('700.00');
      const headers = { 'idempotency-key': randomUUID() };
      const body = imported();
      const first = await server.call(path, { body, headers });
      assert.deepEqual((await server.call(path, { body, headers })).json, first.json);
      assert.equal(problemOf(await server.call(path, { body })), '409 DUPLICATE_TRANSACTION');
      const { status, balance } = await readOrder(server, orderId);
      assert.deepEqual([status, balance], ['DRAFT', '351.00']);
      const { order } = await server.orders.dependencies.orders.get('ANY', orderId as never);
      assert.equal(order.lock, undefined);
      const other = await payment();
      assert.equal(problemOf(await server.call(other.path, { body })), '409 DUPLICATE_TRANSACTION');
      const nextDay = { ...body, transactionConfirmedAt: '2026-01-03T03:04:05Z' };
      assert.equal((await server.call(other.path, { body: nextDay })).status, 201);
    });

    it('take an order once, however many come at the same time', async () => {
      const { path, orderId } = await payment();
      const answers = await Promise.all(Array.from({ length: 5 }, () => server.call(path, { body: imported() })));
      assert.equal(answers.filter(({ status }) => status === 201).length, 1, answers.map(({ text }) => text).join());
      const { status, balance } = await readOrder(server, orderId);
      assert.deepEqual([status, balance], ['CONFIRMED', '0.00']);
    });

    it('are refused where the order owes less, has gone on, or the time is to come', async () => {
      const { path, orderId } = await payment();
      const later = new Date(Date.now() + 60_000).toISOString();
      const future = await server.call(path, { body: imported({ transactionConfirmedAt: later }) });
      assert.equal(problemOf(future), '400 VALIDATION_FAILED /transactionConfirmedAt');
      assert.equal(problemOf(await server.call(path, { body: imported({ amount: '350.00' }) })), '422 AMOUNT_MISMATCH');
      const rebate = { type: 'REDUCTION', price: { amount: '-49.00' }, reason: 'less' };
      const added = await server.orders.call(`/v1/orders/${orderId}/fees`, { token: PRICING, body: rebate });
      assert.equal(added.status, 201, added.text);
      assert.equal(problemOf(await server.call(path, { body: imported() })), '422 AMOUNT_MISMATCH');
      const { order } = await server.orders.dependencies.orders.get('ANY', orderId as never);
      assert.equal(order.lock, undefined);
      await server.orders.call(`/v1/orders/${orderId}/cancel`, { method: 'POST', body: {} });
      assert.equal(problemOf(await server.call(path, { body: imported() })), '409 INVALID_STATE');
    });
  });
});
