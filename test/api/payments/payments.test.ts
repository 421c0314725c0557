/** Payments over HTTP: created for an order, read, changed, and refused. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TransactionPlace } from '../../../activities/payments/capture-calls.ts';
import { transactionOf, withTransaction } from '../../../workflows/payments/rules/transactions.ts';
import type { PaymentPageId } from '../../../workflows/shared/ids.ts';
import { problemOf } from '../support/call.ts';
import type { PaymentsServer } from './support.ts';
import {
  authorisedOf,
  OPERATOR,
  OTHER,
  orderOf,
  paymentOf,
  REDIRECT,
  readOrder,
  startPayments,
  VISA,
} from './support.ts';

/** Entered by hand: a provider of ours has no part in it. */
const INVOICE = { paymentTypeGroup: 'INVOICE', paymentType: 'INVOICE' };

describe('payments', () => {
  let server: PaymentsServer;
  before(async () => (server = await startPayments()));
  after(async () => await server.close());

  const bodyFor = (orderId: string, more: object = {}) => ({
    ...{ orderId, orderVersion: 1, totalAmount: '349.00' },
    transaction: { amount: '349.00', ...VISA },
    ...more,
  });
  const create = async (body: object, options: object = {}) => await server.call('/v1/payments', { body, ...options });

  it('are created with their first transaction, and told to the order', async () => {
    const orderId = await orderOf(server, '349.00');
    const answer = await create(bodyFor(orderId));
    assert.equal(answer.status, 201, answer.text);
    const { paymentId, createdAt, updatedAt, transactionHistory, ...payment } = answer.json;
    assert.equal(answer.headers.get('location'), `/v1/payments/${paymentId}`);
    assert.equal(createdAt, updatedAt);
    assert.deepEqual(payment, {
      ...{ orderId, orderVersion: 1, totalAmount: '349.00', currency: 'NOK', active: true, status: 'OPEN' },
      ...{ organisationId: 1, distributionChannelId: 'TST:DistributionChannel:App' },
      summary: { captured: '0.00', credited: '0.00', remaining: '349.00' },
    });
    const [{ transactionId, createdAt: begunAt, ...transaction }] = transactionHistory;
    assert.deepEqual(transaction, {
      ...{ amount: '349.00', currency: 'NOK', status: 'CREATED', isImport: false, ...VISA },
      operationLog: [{ operation: 'CREATE', at: begunAt }],
    });
    assert.deepEqual((await server.call(`/v1/payments/${paymentId}`)).json, answer.json);
    const one = await server.call(`/v1/payments/${paymentId}/transactions/${transactionId}`);
    assert.deepEqual(one.json, transactionHistory[0]);
    assert.deepEqual((await readOrder(server, orderId)).paymentRefs, [{ paymentId, orderVersion: 1 }]);
    const { order } = await server.orders.dependencies.orders.get('ANY', orderId as never);
    assert.equal(order.paymentRefs[0]?.openTransactions, 1);
  });

  it('are refused where they do not fit the order', async () => {
    const orderId = await orderOf(server, '349.00');
    const cases: readonly (readonly [object, string])[] = [
      [{ orderVersion: 2 }, '409 ORDER_VERSION_MISMATCH'],
      [{ totalAmount: '348.00' }, '422 AMOUNT_MISMATCH'],
      [{ totalAmount: '0.00', transaction: undefined }, '422 AMOUNT_MISMATCH'],
      [{ transaction: { amount: '100.00', ...VISA } }, '422 AMOUNT_MISMATCH'],
      [{ currency: 'EUR' }, '422 CURRENCY_MISMATCH'],
      [{ transaction: { amount: '349.00', currency: 'SEK', ...VISA } }, '422 CURRENCY_MISMATCH'],
      [{ transaction: { amount: '349.00', ...VISA, paymentType: 'AMEX' } }, '422 PAYMENT_METHOD_NOT_ALLOWED'],
      [{ transaction: { amount: '349.00', ...VISA, paymentType: 'VIPPS' } }, '422 PAYMENT_METHOD_NOT_ALLOWED'],
      [{ customerNumber: '9999999999' }, '422 UNKNOWN_CUSTOMER /customerNumber'],
      [{ orderId: 'AAAAAAAA' }, '404 NOT_FOUND'],
      [{ totalAmount: '-349.00' }, '400 VALIDATION_FAILED /totalAmount'],
      [{ totalAmount: '349.001' }, '400 VALIDATION_FAILED /totalAmount'],
      [{ transaction: { amount: '349.00', ...VISA, isImport: true } }, '400 VALIDATION_FAILED /transaction/isImport'],
    ];
    for (const [more, expected] of cases) {
      assert.equal(problemOf(await create(bodyFor(orderId, more))), expected, JSON.stringify(more));
    }
    assert.equal(problemOf(await create(bodyFor(orderId), { token: OTHER })), '404 NOT_FOUND');
    const page = await server.call(`/v1/payments?orderId=${orderId}`);
    assert.equal(page.json.totalItems, 0);
  });

  it('are refused where the order has very many', async () => {
    const orderId = await orderOf(server, '349.00');
    const ref = { orderVersion: 1, capturedMinor: 0, creditedMinor: 0, openTransactions: 0, revision: 1 };
    const paymentRefs = Array.from({ length: 500 }, (_, at) => ({ ...ref, paymentId: at + 1 }));
    await server.orders.connection.collection('orders').updateOne({ _id: orderId as never }, { $set: { paymentRefs } });
    assert.equal(problemOf(await create(bodyFor(orderId))), '409 INVALID_STATE');
    await server.orders.connection
      .collection('orders')
      .updateOne({ _id: orderId as never }, { $pop: { paymentRefs: 1 } });
    assert.equal((await create(bodyFor(orderId))).status, 201);
  });

  it('are refused where the payment provider of the method is not set up, and taken as a book entry', async () => {
    const orderId = await orderOf(server, '349.00');
    server.usesProviders = false;
    try {
      const refused = await create(bodyFor(orderId));
      assert.equal(problemOf(refused), '422 PAYMENT_METHOD_NOT_ALLOWED');
      assert.match(refused.json.detail, /the payment provider SIMULATOR is not set up/);
      const without = await create(bodyFor(orderId, { transaction: undefined }));
      assert.equal(without.status, 201, without.text);
      const path = `/v1/payments/${without.json.paymentId}/transactions`;
      const added = await server.call(path, { body: { amount: '349.00', ...VISA } });
      assert.equal(problemOf(added), '422 PAYMENT_METHOD_NOT_ALLOWED');
      const booked = await server.call(path, { body: { amount: '349.00', ...INVOICE } });
      assert.equal(booked.status, 201, booked.text);
    } finally {
      server.usesProviders = true;
    }
  });

  it('are refused while a refund holds the order, and so are terminals, also where the payment was created just before', async () => {
    const { orderId, path } = await paymentOf(server);
    const refundId = randomUUID();
    const orders = server.orders.connection.collection('orders');
    const lock = async (owner: string, more: object = {}) =>
      await orders.updateOne({ _id: orderId as never }, { $set: { lock: { owner, since: new Date(), ...more } } });
    const holding: readonly (readonly [string, object])[] = [
      [`refund/${orderId}/${refundId}`, {}],
      [`compensation/${orderId}/${refundId}`, {}],
      ['capture/1/2', { compensation: refundId }],
    ];
    for (const [owner, more] of holding) {
      await lock(owner, more);
      const tried = [await create(bodyFor(orderId)), await server.call(`${path}/terminal`, { body: REDIRECT })];
      for (const refused of tried) {
        assert.equal(problemOf(refused), '409 ORDER_LOCKED', owner);
        assert.match(refused.json.detail, new RegExp(`^The refund ${refundId} of the order runs`));
        assert.equal(refused.headers.get('retry-after'), '10');
      }
    }
    assert.equal((await server.call(`/v1/payments?orderId=${orderId}`)).json.totalItems, 1);
    assert.equal((await server.call(path)).json.status, 'CREATED');
    // A capture ends in a moment.
    await lock('capture/1/2');
    assert.equal((await create(bodyFor(orderId))).status, 201);
    assert.equal((await server.call(`${path}/terminal`, { body: REDIRECT })).status, 200);
  });

  it('are refused for an order that has ended', async () => {
    const orderId = await orderOf(server, '349.00');
    const cancelled = await server.orders.call(`/v1/orders/${orderId}/cancel`, { method: 'POST', body: {} });
    assert.equal(cancelled.status, 200, cancelled.text);
    assert.equal(problemOf(await create(bodyFor(orderId))), '409 INVALID_STATE');
  });

  it('name a customer of the organisation', async () => {
    const customerNumber = await server.orders.createCustomer();
    const orderId = await orderOf(server, '349.00');
    const answer = await create(bodyFor(orderId, { customerNumber }));
    assert.equal(answer.json.customerNumber, customerNumber);
    const theirs = await server.orders.createCustomer(2);
    const refused = await create(bodyFor(orderId, { customerNumber: theirs }));
    assert.equal(problemOf(refused), '422 UNKNOWN_CUSTOMER /customerNumber');
  });

  it('need the distribution channel everywhere but in a search', async () => {
    const { paymentId, path } = await paymentOf(server);
    const headers = { 'service-distribution-channel': 'TST:DistributionChannel:None' };
    for (const place of [`/v1/payments/${paymentId}`, path]) {
      assert.equal(problemOf(await server.call(place, { headers })).slice(0, 32), '400 UNKNOWN_DISTRIBUTION_CHANNEL');
    }
    const bare = await fetch(`${server.url}/v1/payments`, {
      headers: { authorization: 'Bearer web/1/payments:read' },
    });
    assert.equal(bare.status, 200);
    await bare.body?.cancel();
    const missing = await fetch(`${server.url}/v1/payments/${paymentId}`, {
      headers: { authorization: 'Bearer web/1/payments:read' },
    });
    assert.equal(missing.status, 400);
    assert.equal(((await missing.json()) as { code: string }).code, 'MISSING_HEADER');
  });

  it('are made once under one key, repeated and raced', async () => {
    const orderId = await orderOf(server, '349.00');
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(bodyFor(orderId), { headers })));
    const made = answers.filter(({ status }) => status === 201);
    assert.ok(made.length > 0);
    assert.equal(new Set(made.map(({ json }) => json.paymentId)).size, 1);
    for (const each of answers) assert.ok([201, 409].includes(each.status), each.text);
    assert.equal((await server.call(`/v1/payments?orderId=${orderId}`)).json.totalItems, 1);
    const again = await create(bodyFor(orderId), { headers });
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal(
      problemOf(await create(bodyFor(orderId, { orderVersion: 2 }), { headers })),
      '422 IDEMPOTENCY_KEY_REUSED',
    );
  });

  it('answer a repeat whose order has gone on since', async () => {
    const orderId = await orderOf(server, '349.00');
    const { dependencies, orders } = server;
    const work = { workId: randomUUID(), correlationId: randomUUID(), clientId: 'web' };
    const { createPaymentFor } = await import('../../../activities/payments/creating.ts');
    const channel = await orders.dependencies.catalogue.findChannel('TST:DistributionChannel:App');
    const wanted = {
      ...{ tenancy: 'ANY' as const, orderId: orderId as never, orderVersion: 1, totalMinor: 34_900, currency: 'NOK' },
      channel: channel ?? assert.fail(),
    };
    const first = await createPaymentFor(dependencies, wanted, work);
    await orders.call(`/v1/orders/${orderId}/cancel`, { method: 'POST', body: {} });
    assert.equal((await createPaymentFor(dependencies, wanted, work)).payment.id, first.payment.id);
  });

  it('take further transactions up to the total', async () => {
    const orderId = await orderOf(server, '300.00');
    const { paymentId } = (await create({ orderId, orderVersion: 1, totalAmount: '300.00' })).json;
    const add = async (amount: string, more: object = {}) =>
      await server.call(`/v1/payments/${paymentId}/transactions`, { body: { amount, ...VISA, ...more } });
    assert.equal(problemOf(await add('100.00')), '422 AMOUNT_MISMATCH', 'the first pays the total');
    const first = await add('300.00', { externalTransactionId: 'partner-1' });
    assert.equal(first.status, 201, first.text);
    assert.equal(first.json.externalTransactionId, 'partner-1');
    assert.equal(first.headers.get('location'), `/v1/payments/${paymentId}/transactions/${first.json.transactionId}`);
    assert.equal(problemOf(await add('0.01')), '422 AMOUNT_MISMATCH');
    const cancelled = await server.call(`/v1/payments/${paymentId}/transactions/${first.json.transactionId}/cancel`, {
      method: 'PUT',
    });
    assert.equal(cancelled.json.status, 'CANCELLED');
    const [half, other] = [await add('150.00'), await add('150.00')];
    assert.deepEqual([half.status, other.status], [201, 201]);
    assert.equal(problemOf(await add('1.00')), '422 AMOUNT_MISMATCH');
  });

  it('are changed: a new total must be what the order owes', async () => {
    const { paymentId, orderId } = await paymentOf(server);
    const patch = async (body: object) => await server.call(`/v1/payments/${paymentId}`, { method: 'PATCH', body });
    assert.equal(problemOf(await patch({ totalAmount: '400.00' })), '422 AMOUNT_MISMATCH');
    const fee = { type: 'BOOKING', price: { amount: '51.00' }, reason: 'more' };
    await server.orders.call(`/v1/orders/${orderId}/fees`, { body: fee });
    const raised = await patch({ totalAmount: '400.00' });
    assert.equal(raised.status, 200, raised.text);
    assert.equal(raised.json.summary.remaining, '400.00');
    assert.equal((await patch({})).status, 200);
  });

  it('take nothing more once they are inactive, and cancel what is open', async () => {
    const { paymentId, path, place, orderId } = await authorisedOf(server);
    const answer = await server.call(`/v1/payments/${paymentId}`, { method: 'PATCH', body: { active: false } });
    assert.deepEqual([answer.json.active, answer.json.status], [false, 'INACTIVE']);
    assert.equal(answer.json.transactionHistory[0].status, 'CANCELLED');
    const add = { body: { amount: '349.00', ...VISA } };
    assert.equal(problemOf(await server.call(`/v1/payments/${paymentId}/transactions`, add)), '409 PAYMENT_INACTIVE');
    assert.equal(problemOf(await server.call(`${path}/capture`, { method: 'PUT' })), '409 INVALID_STATE');
    const { order } = await server.orders.dependencies.orders.get('ANY', orderId as never);
    assert.equal(order.paymentRefs[0]?.openTransactions, 0);
    assert.ok(place.paymentId);
  });

  it('cancel a transaction without a terminal when they become inactive', async () => {
    const { paymentId } = await paymentOf(server);
    const made = server.calls.made.length;
    const answer = await server.call(`/v1/payments/${paymentId}`, { method: 'PATCH', body: { active: false } });
    assert.equal(answer.json.transactionHistory[0].status, 'CANCELLED');
    assert.equal(server.calls.made.length, made, 'no provider knows of it');
  });

  it('let the page of a transaction know when they become inactive', async () => {
    const { paymentId, transactionId, place } = await authorisedOf(server);
    const paymentPageId = randomUUID() as PaymentPageId;
    const work = { correlationId: 'c', clientId: 'test' };
    await server.dependencies.payments.change('ANY', place.paymentId, work, (payment, now) => ({
      payment: withTransaction(payment, { ...transactionOf(payment, transactionId as never), paymentPageId }, now),
      events: [],
    }));
    const places: TransactionPlace[] = [];
    const { cancel } = server.calls;
    server.calls.cancel = async (...given) => {
      places.push(given[0]);
      return await cancel.apply(server.calls, given);
    };
    await server.call(`/v1/payments/${paymentId}`, { method: 'PATCH', body: { active: false } });
    server.calls.cancel = cancel;
    assert.deepEqual(places, [{ ...place, paymentPageId }]);
  });

  it('of every organisation are open to the operator', async () => {
    const { paymentId } = await paymentOf(server);
    assert.equal((await server.call(`/v1/payments/${paymentId}`, { token: OPERATOR })).status, 200);
    assert.equal(problemOf(await server.call(`/v1/payments/${paymentId}`, { token: OTHER })), '404 NOT_FOUND');
  });
});
