/** Penalty fare invoices over HTTP: issued once, paid or cancelled, without the number of the person in any answer. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { StoredSoldOrders } from '../../../activities/orders/sold-orders.ts';
import { LOST_AFTER_MS } from '../../../activities/payments/invoice-claims.ts';
import { INVOICES_COLLECTION } from '../../../activities/payments/invoice-document.ts';
import { endLostClaims } from '../../../activities/payments/lost-claims.ts';
import { PaymentsOfOrders } from '../../../activities/payments/order-payments.ts';
import { paymentErasureStep } from '../../../activities/payments/payment-erasure.ts';
import { openInvoices } from '../../../activities/payments/sealed-invoice.ts';
import { CUSTOMER } from '../../../activities/shared/customer-kind.ts';
import { ORDER } from '../../../activities/shared/order-kind.ts';
import { problemOf } from '../support/call.ts';
import { OTHER, orderOf, type PaymentsServer, readOrder, startPayments } from './support.ts';

const PERSON = '01017012345';
const PATH = '/v1/penalty-fare-invoices';

function invoice(more: object = {}) {
  return {
    ...{ customerIdentificationNumber: PERSON, externalInvoiceNumber: randomUUID(), amount: '1150.00' },
    ...{ dueDate: '2027-01-15', reason: 'No valid ticket' },
    ...more,
  };
}

describe('penalty fare invoices', () => {
  let server: PaymentsServer;
  before(async () => {
    server = await startPayments();
  });
  after(async () => await server.close());

  const issue = async (more: object = {}, options: object = {}) =>
    await server.call(PATH, { body: invoice(more), ...options });
  const act = async (id: string, verb: string) => await server.call(`${PATH}/${id}/${verb}`, { method: 'POST' });

  it('are issued with an order and a payment of their own', async () => {
    const body = invoice();
    const answer = await server.call(PATH, { body });
    assert.equal(answer.status, 201, answer.text);
    const { invoiceId, orderId, paymentId, createdAt, ...rest } = answer.json;
    assert.equal(answer.headers.get('location'), `${PATH}/${invoiceId}`);
    const { externalInvoiceNumber, dueDate, reason } = body;
    assert.deepEqual(rest, {
      ...{ status: 'ISSUED', amount: '1150.00', currency: 'NOK', externalInvoiceNumber, dueDate, reason },
    });
    assert.ok(createdAt);
    const order = await readOrder(server, orderId);
    assert.deepEqual([order.status, order.balance, order.expireAt], ['DRAFT', '1150.00', undefined]);
    assert.deepEqual(
      order.fees.map(({ type }: { type: string }) => type),
      ['PENALTY'],
    );
    const payment = (await server.call(`/v1/payments/${paymentId}`)).json;
    assert.deepEqual(
      payment.transactionHistory.map(({ paymentType, status }: Record<string, string>) => [paymentType, status]),
      [['INVOICE', 'CREATED']],
    );
    assert.deepEqual((await server.call(`${PATH}/${invoiceId}`)).json, answer.json);
  });

  it('are found by their id in capitals, also by a request with a fault', async () => {
    const { invoiceId } = (await issue()).json;
    const capitals = `${PATH}/${invoiceId.toUpperCase()}`;
    assert.equal((await server.call(capitals)).json.invoiceId, invoiceId);
    assert.equal((await server.call(`${capitals}?wrong=1`)).status, 400);
    assert.equal((await server.call(`${PATH}/${randomUUID()}?wrong=1`)).status, 404);
  });

  it('end with their order, also when it is cancelled by its caller', async () => {
    const { payments, notes, needless, orders, credits } = server.dependencies;
    const workflows = { startCredit: async () => undefined };
    const ofOrders = new PaymentsOfOrders({
      ...{ payments, notes, needless, credits, workflows, calls: server.calls },
      orders: () => orders,
      channels: () => assert.fail('Nothing is paid back.'),
      compensations: () => assert.fail('Nothing of it was captured'),
    });
    const { invoiceId, orderId } = (await issue()).json;
    const before = server.orders.dependencies.payments;
    Object.assign(server.orders.dependencies, { payments: () => ofOrders });
    const cancelled = await server.orders.call(`/v1/orders/${orderId}/cancel`, { method: 'POST', body: {} });
    Object.assign(server.orders.dependencies, { payments: before });
    assert.equal(cancelled.json.status, 'CANCELLED', cancelled.text);
    assert.equal((await server.call(`${PATH}/${invoiceId}`)).json.status, 'CANCELLED');
    const { order } = await server.orders.dependencies.orders.get('ANY', orderId);
    assert.equal(order.paymentRefs[0]?.openTransactions, 0);
  });

  it('never show the number of the person, and store it sealed', async () => {
    const issued = await issue();
    const { invoiceId, orderId } = issued.json;
    const answers = [issued, await server.call(`${PATH}/${invoiceId}`), await server.call(PATH)];
    for (const { text } of answers) assert.ok(!text.includes(PERSON));
    const { connection, keys } = server.orders;
    for (const name of ['penalty_fare_invoices', 'orders', 'payments', 'idempotency_keys']) {
      const stored = await connection.collection(name).find().toArray();
      assert.ok(!JSON.stringify(stored).includes(PERSON), name);
      assert.ok(!Buffer.from(JSON.stringify(stored)).includes('No valid ticket'), name);
    }
    const kept = await server.dependencies.invoices.get('ANY', invoiceId);
    const [texts] = await openInvoices(keys, [kept]);
    assert.equal(texts?.customerIdentificationNumber, PERSON);
    await keys.destroyOf(ORDER.subjectOf(orderId));
    const after = await server.call(`${PATH}/${invoiceId}`);
    assert.equal(after.status, 200);
    assert.equal(after.json.reason, undefined);
  });

  it('lose what is sealed with the erasure of their customer', async () => {
    const customerNumber = await server.orders.createCustomer();
    const { json } = await issue({ customerNumber });
    const { connection } = server.orders;
    const step = paymentErasureStep({ connection, sold: () => new StoredSoldOrders(connection) });
    const subject = CUSTOMER.subjectOf(customerNumber);
    assert.equal(await step.isErased(1, subject), false);
    for (const _ of [1, 2]) await step.erase(1, subject);
    assert.equal(await step.isErased(1, subject), true);
    const stored = await INVOICES_COLLECTION.open(server.orders.connection).findOne({ _id: json.invoiceId });
    assert.deepEqual([stored?.sealed, stored?.keyId, stored?.customerNumber], [undefined, undefined, customerNumber]);
    const { order } = await server.orders.dependencies.orders.get('ANY', json.orderId);
    assert.equal(order.contact, customerNumber, 'the erasure of orders finds the order');
  });

  it('are issued once for a number, however many ask at the same time', async () => {
    const body = invoice();
    const claims = async () =>
      await server.orders.connection.collection('orders').countDocuments({ status: 'DRAFT', 'fees.type': 'PENALTY' });
    const before = await claims();
    const answers = await Promise.all(Array.from({ length: 5 }, () => server.call(PATH, { body })));
    const issued = answers.filter(({ status }) => status === 201);
    assert.equal(issued.length, 1, answers.map(({ text }) => text).join());
    const refused = answers.filter(({ status }) => status !== 201).map(problemOf);
    assert.deepEqual(new Set(refused), new Set(['409 DUPLICATE_INVOICE']));
    assert.equal(problemOf(await server.call(PATH, { body })), '409 DUPLICATE_INVOICE');
    assert.equal((await claims()) - before, 1, 'the orders of those that were refused are cancelled');
    const theirs = await server.call(PATH, { body, token: OTHER });
    assert.equal(theirs.status, 201, theirs.text);
  });

  it('go on with what an attempt before its last write has made, also without a key', async () => {
    const { invoices } = server.dependencies;
    const body = invoice();
    const count = async () => ({
      orders: await server.orders.connection.collection('orders').countDocuments(),
      payments: await server.orders.connection.collection('payments').countDocuments(),
    });
    const before = await count();
    Object.assign(invoices, { create: async () => await Promise.reject(new Error('died')) });
    assert.equal((await server.call(PATH, { body })).status, 500);
    Reflect.deleteProperty(invoices, 'create');
    const { status, json } = await server.call(PATH, { body });
    assert.equal(status, 201);
    const after = await count();
    assert.deepEqual(after, { orders: before.orders + 1, payments: before.payments + 1 });
    assert.equal((await act(json.invoiceId, 'pay')).json.status, 'PAID');
  });

  type Part = 'penalties' | 'payments' | 'invoices';
  /** The process dies at the first such call, before or after its effect. */
  async function dying<T>(part: Part, name: string, when: 'before' | 'after', run: () => Promise<T>): Promise<T> {
    const target = server.dependencies[part] as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
    const real = target[name] ?? assert.fail(name);
    const die = async (...given: unknown[]) => {
      if (when === 'after') await real.apply(target, given);
      throw new Error('died');
    };
    Object.assign(target, { [name]: die });
    try {
      return await run();
    } finally {
      Reflect.deleteProperty(target, name);
    }
  }
  const countOpen = async () => {
    const { connection } = server.orders;
    const orders = await connection.collection('orders').countDocuments({ status: 'DRAFT', 'fees.type': 'PENALTY' });
    const open = { $elemMatch: { status: 'CREATED', paymentTypeGroup: 'INVOICE' } };
    return { orders, payments: await connection.collection('payments').countDocuments({ transactions: open }) };
  };
  const payOne = async (externalInvoiceNumber: string, amount: string) => {
    const { json } = await server.call(`${PATH}?externalInvoiceNumber=${externalInvoiceNumber}`);
    assert.deepEqual([json.totalItems, json.items[0]?.amount, json.items[0]?.status], [1, amount, 'ISSUED']);
    assert.equal((await act(json.items[0].invoiceId, 'pay')).json.status, 'PAID');
  };

  for (const [part, name] of [
    ['penalties', 'createPenalty'],
    ['payments', 'create'],
    ['invoices', 'create'],
    ['penalties', 'listPenalties'],
  ] as const) {
    for (const when of ['before', 'after'] as const) {
      for (const repeat of ['under its key', 'without a key', 'with another amount'] as const) {
        it(`have one claim after a death ${when} ${part}.${name}, asked for again ${repeat}`, async () => {
          const before = await countOpen();
          const body = invoice({ amount: '100.00' });
          const headers = repeat === 'under its key' ? { 'idempotency-key': randomUUID() } : {};
          const died = await dying(part, name, when, async () => await server.call(PATH, { body, headers }));
          assert.equal(died.status, 500);
          const amount = repeat === 'with another amount' ? '200.00' : '100.00';
          const again = await server.call(PATH, { body: { ...body, amount }, headers });
          const isWritten = name === 'listPenalties' || (part === 'invoices' && when === 'after');
          const isRefused = isWritten && repeat !== 'under its key';
          assert.equal(again.status, isRefused ? 409 : 201, again.text);
          await payOne(body.externalInvoiceNumber, isRefused ? '100.00' : amount);
          assert.deepEqual(await countOpen(), before, 'somebody has a claim without an invoice');
        });
      }
    }
  }

  const sweepAfter = async (ms: number) => {
    const { payments, notes, penalties, invoices, log } = server.dependencies;
    const now = () => new Date(Date.now() + ms);
    await endLostClaims({ payments, notes, log, invoices, penalties: () => penalties, now });
  };

  for (const [part, name, when] of [
    ['penalties', 'createPenalty', 'after'],
    ['payments', 'create', 'after'],
    ['invoices', 'create', 'before'],
  ] as const) {
    it(`leave no claim of a request that died ${when} ${part}.${name} and never came again`, async () => {
      const issued = (await issue()).json;
      const before = await countOpen();
      const body = invoice({ amount: '100.00' });
      await dying(part, name, when, async () => await server.call(PATH, { body }));
      const left = await countOpen();
      assert.equal(left.orders, before.orders + 1);
      await sweepAfter(LOST_AFTER_MS - 60_000);
      assert.deepEqual(await countOpen(), left, 'a repeat may come still');
      for (const _repeat of [1, 2]) await sweepAfter(LOST_AFTER_MS);
      assert.deepEqual(await countOpen(), before);
      assert.equal((await server.call(`${PATH}/${issued.invoiceId}`)).json.status, 'ISSUED');
      assert.equal((await server.call(PATH, { body })).status, 201, 'the number is free for the same invoice');
      await payOne(body.externalInvoiceNumber, '100.00');
      assert.deepEqual(await countOpen(), before);
    });
  }

  it('leave no other lost claim where one always fails', async () => {
    const before = await countOpen();
    for (const _claim of [1, 2]) {
      const body = invoice({ amount: '100.00' });
      await dying('invoices', 'create', 'before', async () => await server.call(PATH, { body }));
    }
    const { penalties } = server.dependencies;
    const cancel = penalties.cancelPenalty.bind(penalties);
    let failing: string | undefined;
    const cancelPenalty: typeof cancel = async (organisationId, orderId, work) => {
      failing ??= orderId;
      if (orderId === failing) throw new Error('always');
      return await cancel(organisationId, orderId, work);
    };
    Object.assign(penalties, { cancelPenalty });
    try {
      await assert.rejects(sweepAfter(LOST_AFTER_MS), /always/);
    } finally {
      Reflect.deleteProperty(penalties, 'cancelPenalty');
    }
    assert.equal((await countOpen()).orders, before.orders + 1);
    await sweepAfter(LOST_AFTER_MS);
    assert.deepEqual(await countOpen(), before);
  });

  it('join no claim that is about to be swept', async () => {
    const before = await countOpen();
    const body = invoice({ amount: '100.00' });
    await dying('invoices', 'create', 'before', async () => await server.call(PATH, { body }));
    const claims = await server.orders.connection.collection('orders').distinct('_id', { status: 'DRAFT' });
    server.orders.now = new Date(Date.now() + LOST_AFTER_MS - 60_000);
    try {
      const { status, json } = await server.call(PATH, { body });
      assert.deepEqual([status, claims.includes(json.orderId)], [201, false], 'it has a claim of its own');
    } finally {
      server.orders.now = undefined;
    }
    await sweepAfter(LOST_AFTER_MS);
    await payOne(body.externalInvoiceNumber, '100.00');
    assert.deepEqual(await countOpen(), before);
  });

  it('leave no claim of an earlier attempt when the one that has the number dies, too', async () => {
    const before = await countOpen();
    const body = invoice({ amount: '100.00' });
    const other = { ...body, amount: '200.00' };
    await dying('invoices', 'create', 'before', async () => await server.call(PATH, { body }));
    const died = await dying(
      'penalties',
      'listPenalties',
      'before',
      async () => await server.call(PATH, { body: other }),
    );
    assert.equal(died.status, 500);
    assert.equal(problemOf(await server.call(PATH, { body })), '409 DUPLICATE_INVOICE');
    await payOne(body.externalInvoiceNumber, '200.00');
    assert.deepEqual(await countOpen(), before);
  });

  it('are issued beside a claim of an earlier attempt whose money is taken', async () => {
    const body = invoice({ amount: '111.00' });
    await dying('invoices', 'create', 'before', async () => await server.call(PATH, { body }));
    const payments = server.orders.connection.collection('payments');
    const open = { totalMinor: 11_100, 'transactions.status': 'CREATED' };
    const taken = await payments.updateMany(open, { $set: { 'transactions.$[].status': 'DISPUTED' } });
    assert.equal(taken.modifiedCount, 1);
    const headers = { 'idempotency-key': randomUUID() };
    const other = { ...body, amount: '222.00' };
    for (const _time of [1, 2]) {
      const issued = await server.call(PATH, { body: other, headers });
      assert.equal(issued.status, 201, issued.text);
    }
    assert.equal(problemOf(await server.call(PATH, { body })), '409 DUPLICATE_INVOICE');
    assert.equal(problemOf(await server.call(PATH, { body: other })), '409 DUPLICATE_INVOICE');
    await payOne(body.externalInvoiceNumber, '222.00');
  });

  it('are paid by the winner when requests with other amounts want one number', async () => {
    const body = invoice();
    const amounts = ['100.00', '100.00', '200.00', '300.00'];
    const answers = await Promise.all(amounts.map((amount) => server.call(PATH, { body: { ...body, amount } })));
    const [winner, ...others] = answers.filter(({ status }) => status === 201);
    assert.ok(winner);
    assert.equal(others.length, 0);
    assert.equal((await act(winner.json.invoiceId, 'pay')).json.status, 'PAID');
    const penalties = {
      status: 'DRAFT',
      'fees.type': 'PENALTY',
      'fees.price.amountMinor': { $in: [10_000, 20_000, 30_000] },
    };
    assert.equal(await server.orders.connection.collection('orders').countDocuments(penalties), 0);
  });

  it('are issued once under one key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = invoice();
    const first = await server.call(PATH, { body, headers });
    const second = await server.call(PATH, { body, headers });
    assert.deepEqual(second.json, first.json);
    assert.equal(second.headers.get('idempotency-replayed'), 'true');
  });

  it('may be for an order that owes that amount', async () => {
    const orderId = await orderOf(server, '1150.00');
    const answer = await issue({ orderId });
    assert.equal(answer.json.orderId, orderId, answer.text);
    assert.equal(problemOf(await issue({ orderId, amount: '1.00' })), '422 AMOUNT_MISMATCH');
    assert.equal(problemOf(await issue({ orderId: 'AAAAAAAA' })), '404 NOT_FOUND');
    assert.equal((await act(answer.json.invoiceId, 'cancel')).json.status, 'CANCELLED');
    assert.equal((await readOrder(server, orderId)).status, 'DRAFT', 'the order is not its own');
  });

  it('are paid once, and their order is confirmed', async () => {
    const { invoiceId, orderId } = (await issue()).json;
    const paid = await act(invoiceId, 'pay');
    assert.equal(paid.status, 200, paid.text);
    assert.equal(paid.json.status, 'PAID');
    assert.deepEqual((await act(invoiceId, 'pay')).json, paid.json);
    assert.equal((await readOrder(server, orderId)).status, 'CONFIRMED');
    assert.equal(problemOf(await act(invoiceId, 'cancel')), '409 INVALID_STATE');
  });

  it('are cancelled with their order', async () => {
    const { invoiceId, orderId } = (await issue()).json;
    const cancelled = await act(invoiceId, 'cancel');
    assert.equal(cancelled.json.status, 'CANCELLED', cancelled.text);
    assert.deepEqual((await act(invoiceId, 'cancel')).json, cancelled.json);
    assert.equal((await readOrder(server, orderId)).status, 'CANCELLED');
    assert.equal(problemOf(await act(invoiceId, 'pay')), '409 INVALID_STATE');
  });

  it('are refused before anything is made', async () => {
    const count = async () => await server.orders.connection.collection('orders').countDocuments();
    const before = await count();
    assert.equal(problemOf(await issue({ amount: '0.00' })), '422 AMOUNT_MISMATCH');
    assert.equal(problemOf(await issue({ currency: 'EUR' })), '422 CURRENCY_MISMATCH');
    assert.equal(problemOf(await issue({ customerNumber: '9999999999' })), '422 UNKNOWN_CUSTOMER /customerNumber');
    assert.equal(problemOf(await issue({ dueDate: 'soon' })), '400 VALIDATION_FAILED /dueDate');
    assert.equal(await count(), before);
  });

  it('are found by what partners know of them', async () => {
    const { json } = await issue({ externalInvoiceNumber: 'FIND-ME', dueDate: '2028-02-29' });
    const queries = ['externalInvoiceNumber=FIND-ME', `invoiceId=${json.invoiceId}`, `orderId=${json.orderId}`];
    for (const query of [
      ...queries,
      `paymentId=${json.paymentId}`,
      'dueDate=gte:2028-01-01',
      `createdAt=${json.createdAt}`,
    ]) {
      const { json: page } = await server.call(`${PATH}?${query}`);
      assert.deepEqual([page.totalItems, page.items[0]?.invoiceId], [1, json.invoiceId], query);
    }
    assert.equal((await server.call(`${PATH}?externalInvoiceNumber=FIND-ME`, { token: OTHER })).json.totalItems, 0);
  });
});
