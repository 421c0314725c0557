/** The operations on payment pages, on a real server with real databases and Temporal. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setExpireAt } from '../../../workflows/orders/rules/facts.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { lockOrder, unlockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import { VIPPS, VISA } from '../../support/sample-pages.ts';
import { problemOf } from '../support/call.ts';
import { OPERATOR, OTHER, OTHER_CHANNEL, PATH, type PagesServer, READER, startPages } from './pages-server.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

describe('the operations on payment pages', () => {
  let server: PagesServer;
  let order: Order;

  before(async () => {
    server = await startPages();
  });
  beforeEach(async () => {
    server.fixture.orders.now = new Date();
    order = await server.fixture.draft();
  });
  after(async () => await server?.close());

  const create = (more: object = {}, options: object = {}) =>
    server.call(PATH, { body: { orderId: order.id, orderVersion: 1, ...more }, ...options });
  const made = async (more: object = {}) => {
    const answer = await create(more);
    assert.equal(answer.status, 201, answer.text);
    return answer;
  };

  it('create a page that can be read, with the link and what is to be paid', async () => {
    const { json, headers } = await made();
    const { id, url, createdAt, expireAt, payableUntil, ...page } = json;
    assert.deepEqual(page, {
      ...{ orderId: order.id, orderVersion: 1, status: 'OPEN', amount: '100.00', currency: 'NOK' },
      paymentMethods: [VISA, VIPPS],
      warnings: ['NO_CONTACT_EMAIL', 'NO_TRAVELLER_EMAIL'],
    });
    assert.match(url, new RegExp(`^https://pay\\.example/${order.id}/[\\w-]{22}$`));
    assert.equal(Date.parse(expireAt) - Date.parse(createdAt), 7 * DAY_MS);
    assert.equal(headers.get('location'), `${PATH}/${id}`);
    const read = await server.call(`${PATH}/${id}`, { token: READER });
    assert.deepEqual([read.status, read.json], [200, json]);
    assert.match(read.headers.get('etag') ?? '', /^"1\.\d+"$/);
    assert.equal((await server.fixture.orders.here.access.get('ANY', order.id)).paymentPageId, id);
    assert.equal(payableUntil, expireAt);
  });

  it('say until when the customer can pay: no longer than the draft lives', async () => {
    const { json: page } = await made();
    const expireAt = new Date(inDays(1));
    await server.fixture.orders.change(order.id, (before, now) => setExpireAt(before, { expireAt }, now));
    const { json } = await server.call(`${PATH}/${page.id}`);
    assert.deepEqual([json.expireAt, json.payableUntil], [page.expireAt, expireAt.toISOString()]);
    const ended = await server.call(`${PATH}/${json.id}/cancel`, { method: 'POST' });
    assert.deepEqual([ended.status, ended.json.payableUntil], [200, undefined], ended.text);
  });

  it('take chosen methods, a time and a channel', async () => {
    const expireAt = inDays(2);
    const { json } = await made({ expireAt, paymentMethods: [VIPPS] });
    assert.deepEqual([json.expireAt, json.paymentMethods], [expireAt, [VIPPS]]);
    const soon = await server.call(`${PATH}/${json.id}`, { method: 'PATCH', body: { expireAt: inDays(0.01) } });
    assert.deepEqual([soon.status, soon.json.payableUntil], [200, soon.json.expireAt]);
    const other = await server.fixture.draft();
    const headers = { 'service-distribution-channel': OTHER_CHANNEL };
    const desk = await server.call(PATH, { body: { orderId: other.id, orderVersion: 1 }, headers });
    assert.deepEqual(desk.json.paymentMethods, [VIPPS]);
  });

  it('warn of people without an e-mail address', async () => {
    const [silent, reached] = await Promise.all([
      server.createCustomer(),
      server.createCustomer({ email: `${randomUUID()}@example.no` }),
    ]);
    order = await server.setContact(order, silent);
    const { json } = await made();
    assert.deepEqual(json.warnings, ['NO_CONTACT_EMAIL', 'NO_TRAVELLER_EMAIL']);
    await server.setContact(order, reached);
    const { json: later } = await server.call(`${PATH}/${json.id}`);
    assert.deepEqual(later.warnings, [], 'the contact gets the tickets, too');
  });

  it('refuse what cannot be paid, or not so', async () => {
    assert.equal(problemOf(await create({ orderVersion: 2 })), '409 ORDER_VERSION_MISMATCH');
    assert.equal(problemOf(await create({ orderId: 'AAAAAAAA' })), '404 NOT_FOUND');
    assert.equal(problemOf(await create({ expireAt: inDays(-1) })), '400 VALIDATION_FAILED /expireAt');
    assert.equal(problemOf(await create({ expireAt: inDays(181) })), '400 VALIDATION_FAILED /expireAt');
    assert.equal(problemOf(await create({ paymentMethods: [] })), '400 VALIDATION_FAILED /paymentMethods');
    assert.equal(problemOf(await create({ colour: 'red' })), '400 VALIDATION_FAILED /colour');
    const amex = [{ paymentTypeGroup: 'PAYMENTCARD', paymentType: 'AMEX' }];
    assert.equal(problemOf(await create({ paymentMethods: amex })), '422 PAYMENT_METHOD_NOT_ALLOWED');
    const { order: empty } = await server.fixture.orders.create();
    assert.equal(problemOf(await create({ orderId: empty.id })), '422 AMOUNT_MISMATCH');
    const { order: confirmed } = await server.fixture.orders.confirmed();
    assert.equal(problemOf(await create({ orderId: confirmed.id })), '409 ORDER_NOT_DRAFT');
  });

  it('are refused while a refund holds the order', async () => {
    const refundId = randomUUID();
    const owner = `compensation/${order.id}/${refundId}`;
    await server.fixture.orders.change(order.id, (before, now) => lockOrder(before, { owner }, now));
    const refused = await create();
    assert.equal(problemOf(refused), '409 ORDER_LOCKED');
    assert.match(refused.json.detail, new RegExp(`^The refund ${refundId} of the order runs`));
    await server.fixture.orders.change(order.id, (before, now) => unlockOrder(before, { owner }, now));
    await made();
  });

  it('are refused while no payment provider is set up', async () => {
    server.fixture.payments.usesProviders = false;
    try {
      const answer = await create();
      assert.equal(problemOf(answer), '422 PAYMENT_METHOD_NOT_ALLOWED');
      assert.match(answer.json.detail, /no payment provider of one is set up/);
    } finally {
      server.fixture.payments.usesProviders = true;
    }
    await made();
  });

  it('name the page that is open already', async () => {
    const { json } = await made();
    const { status, json: problem } = await create();
    assert.deepEqual(
      [status, problem.code, problem.paymentPageId, problem.url],
      [409, 'PAYMENT_PAGE_ALREADY_OPEN', json.id, json.url],
    );
  });

  it('create one page for a request, and store its link nowhere', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await create({}, { headers });
    const again = await create({}, { headers });
    assert.deepEqual([again.status, again.json], [201, first.json]);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal(problemOf(await create({ expireAt: inDays(1) }, { headers })), '422 IDEMPOTENCY_KEY_REUSED');
    const refused = { 'idempotency-key': randomUUID() };
    for (let n = 0; n < 2; n += 1) assert.equal((await create({}, { headers: refused })).json.url, first.json.url);
    const token = String(first.json.url).split('/').at(-1) ?? '';
    const { connection } = server.fixture.orders.here;
    for (const { name } of (await connection.db?.listCollections().toArray()) ?? []) {
      const documents = await connection.collection(name).find({}).toArray();
      const text = documents.map((each) => Buffer.from(JSON.stringify(each)).toString('latin1')).join();
      const hidden = documents.flatMap((each) => (each.answer?.body ? [each.answer.body.toString('utf8')] : [])).join();
      assert.ok(!text.includes(token) && !hidden.includes(token), `${name} holds the token`);
    }
  });

  it('change time and methods, and keep the link', async () => {
    const { json } = await made();
    const place = `${PATH}/${json.id}`;
    const expireAt = inDays(3);
    const patch = (body: object, headers: Record<string, string> = {}) =>
      server.call(place, { method: 'PATCH', body, headers });
    const moved = await patch({ expireAt, paymentMethods: [VISA] });
    assert.equal(moved.status, 200, moved.text);
    assert.deepEqual([moved.json.expireAt, moved.json.paymentMethods, moved.json.url], [expireAt, [VISA], json.url]);
    const misspelt = await patch({ expiraAt: inDays(4) });
    assert.equal(misspelt.status, 200);
    assert.ok(misspelt.headers.has('deprecation'));
    assert.equal(problemOf(await patch({ expireAt, expiraAt: inDays(4) })), '400 VALIDATION_FAILED /expiraAt');
    assert.equal((await patch({ expireAt, expiraAt: expireAt })).status, 200);
    assert.equal(problemOf(await patch({ expireAt: inDays(200) })), '400 VALIDATION_FAILED /expireAt');
    assert.equal(problemOf(await patch({ expireAt }, { 'if-match': '"1.1"' })), '412 REVISION_CONFLICT');
    const etag = (await server.call(place)).headers.get('etag') ?? '';
    const key = { 'if-match': etag, 'idempotency-key': randomUUID() };
    const seen = await patch({ paymentMethods: [VIPPS] }, key);
    assert.deepEqual(seen.json.paymentMethods, [VIPPS]);
    // A repeat is of the same work, though its ETag is an older one by then.
    assert.deepEqual((await patch({ paymentMethods: [VIPPS] }, key)).json, seen.json);
  });

  it('close a page, once and for all, but not while its customer pays', async () => {
    const { json } = await made();
    const cancel = (id: string) => server.call(`${PATH}/${id}/cancel`, { method: 'POST' });
    const closed = await cancel(json.id);
    assert.deepEqual([closed.status, closed.json.status], [200, 'CANCELLED']);
    assert.deepEqual((await cancel(json.id)).json, closed.json);
    const patched = await server.call(`${PATH}/${json.id}`, { method: 'PATCH', body: { expireAt: inDays(1) } });
    assert.equal(problemOf(patched), '409 PAYMENT_PAGE_CLOSED');
    const next = await made();
    assert.notEqual(next.json.url, json.url);
    const linked = await server.customerPages.find(...linkOf(next.json.url));
    assert.ok(linked);
    const [form] = (await server.customerPages.view(linked))?.forms ?? [];
    assert.ok(form);
    await server.customerPages.pay(linked, { paymentMethod: form.value, formNonce: form.formNonce }, randomUUID());
    assert.equal(problemOf(await cancel(next.json.id)), '409 INVALID_STATE');
  });

  it('make no page of another organisation known', async () => {
    const { json } = await made();
    const absent = randomUUID();
    const asks = [
      { suffix: '', method: 'GET' },
      { suffix: '', method: 'PATCH', body: { expireAt: inDays(1) } },
      { suffix: '', method: 'PATCH', body: { colour: 'red' } },
      { suffix: '/cancel', method: 'POST' },
    ];
    for (const { suffix, ...ask } of asks) {
      const answers = await Promise.all(
        [json.id, absent].map((id) => server.call(`${PATH}/${id}${suffix}`, { ...ask, token: OTHER })),
      );
      assert.deepEqual(answers.map(problemOf), ['404 NOT_FOUND', '404 NOT_FOUND'], `${ask.method}${suffix}`);
    }
    // The channel of pages is not granted to the other organisation; the order is looked for first.
    assert.equal(problemOf(await create({}, { token: OTHER })), '404 NOT_FOUND');
    const read = await server.call(`${PATH}/${json.id}`, { token: OPERATOR });
    assert.deepEqual([read.status, read.json.status], [200, 'OPEN']);
    assert.equal(problemOf(await create({}, { token: READER })), '403 INSUFFICIENT_SCOPE');
  });
});

function linkOf(url: string): [string, string] {
  const [orderId = '', token = ''] = url.split('/').slice(-2);
  return [orderId, token];
}
