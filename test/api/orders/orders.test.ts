/** Orders as a whole: created, read, searched, described, confirmed, ended. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { problemOf } from '../support/call.ts';
import { findOffers, payAndConfirm, readOrder, reserve } from './journeys.ts';
import { CHANNEL, OTHER_CHANNEL } from './small-market.ts';
import { type OrdersServer, OTHER, OWN, startOrders } from './support.ts';

const IN_A_DAY = new Date(Date.now() + 86_400_000).toISOString();

describe('orders', () => {
  let server: OrdersServer;
  const create = async (body: object = {}, token = OWN) => {
    const answer = await server.call('/v1/orders', { body, token });
    assert.equal(answer.status, 201, answer.text);
    return answer;
  };
  const put = async (path: string, body: object, headers: Record<string, string> = {}) =>
    await server.call(path, { method: 'PUT', body, headers });

  before(async () => {
    server = await startOrders();
  });
  after(async () => await server.close());

  it('are created with the default channel, and found at their address', async () => {
    const customer = { id: await server.createCustomer() };
    const answer = await server.call('/v1/orders', {
      headers: { 'service-pos': 'counter-7' },
      body: {
        contactInfo: { createdBy: customer, contact: customer },
        externalReference: 'basket-1',
        expireAt: IN_A_DAY,
        travellers: [{ userType: 'ADULT', age: 34, customerRef: customer }],
        specialOrderCause: { causeCode: 'STAFF_TRAVEL', description: 'Replaces a shift' },
      },
    });
    assert.equal(answer.status, 201, answer.text);
    const { json } = answer;
    assert.match(json.id, /^[ABCDEFGHJKLMNPQRSTUVWXYZ23456789]{8}$/);
    assert.equal(answer.headers.get('location'), `/v1/orders/${json.id}`);
    assert.equal(answer.headers.get('etag'), `"1.${json.revision}"`);
    assert.deepEqual([json.status, json.version, json.currency, json.pos], ['DRAFT', 1, 'NOK', 'counter-7']);
    assert.deepEqual([json.totalAmount, json.balance, json.expireAt], ['0.00', '0.00', IN_A_DAY]);
    assert.equal(json.distributionChannelId, CHANNEL);
    assert.deepEqual(json.specialOrderCause, { causeCode: 'STAFF_TRAVEL', description: 'Replaces a shift' });
    assert.deepEqual(json.contactInfo, { createdBy: customer, contact: customer });
    assert.deepEqual(await readOrder(server, json.id), json);
  });

  it('are refused with unknown customers, user types, channels and times', async () => {
    const foreign = { id: await server.createCustomer(2) };
    const cases: readonly (readonly [object, string])[] = [
      [{ contactInfo: { contact: { id: '9999999999' } } }, '422 UNKNOWN_CUSTOMER'],
      [{ contactInfo: { createdBy: foreign } }, '422 UNKNOWN_CUSTOMER'],
      [{ travellers: [{ userType: 'ADULT', customerRef: foreign }] }, '422 UNKNOWN_CUSTOMER'],
      [{ travellers: [{ userType: 'ROBOT' }] }, '422 VALIDATION_FAILED /travellers/0/userType'],
      [{ travellers: [{ userType: 'CHILD', age: 40 }] }, '422 VALIDATION_FAILED /travellers/0/userType'],
      [{ expireAt: '2020-01-01T00:00:00Z' }, '400 VALIDATION_FAILED /expireAt'],
      [{ expireAt: new Date(Date.now() + 200 * 86_400_000).toISOString() }, '400 VALIDATION_FAILED /expireAt'],
      [{ colour: 'red' }, '400 VALIDATION_FAILED /colour'],
    ];
    for (const [body, problem] of cases) {
      assert.equal(problemOf(await server.call('/v1/orders', { body })), problem);
    }
    const headers = { 'service-distribution-channel': OTHER_CHANNEL };
    assert.equal(
      problemOf(await server.call('/v1/orders', { headers, body: {} })),
      '403 DISTRIBUTION_CHANNEL_FORBIDDEN',
    );
  });

  it('seal their free texts, also in stored answers', async () => {
    const secret = `secret-${randomUUID()}`;
    const headers = { 'idempotency-key': randomUUID() };
    const body = { specialOrderCause: { causeCode: 'X', description: secret } };
    const first = await server.call('/v1/orders', { body, headers });
    const again = await server.call('/v1/orders', { body, headers });
    assert.equal(again.json.specialOrderCause.description, secret);
    const fee = { type: 'MANUAL', price: { amount: '10.00' }, reason: secret };
    const added = await server.call(`/v1/orders/${first.json.id}/fees`, { body: fee, headers });
    assert.equal(added.json.reason, secret);
    for (const { name } of (await server.connection.db?.listCollections().toArray()) ?? []) {
      const stored = await server.connection.collection(name).find({}, { promoteBuffers: true }).toArray();
      const text = stored.map((document) => JSON.stringify(document, bytesAsText)).join('\n');
      assert.ok(!text.includes(secret), `${name} holds the text`);
    }
  });

  it('change their details without a new version', async () => {
    const { json } = await create();
    const path = `/v1/orders/${json.id}`;
    const contact = { id: await server.createCustomer() };
    assert.deepEqual((await put(`${path}/contact-info`, { contact })).json.contactInfo, { contact });
    assert.equal(
      problemOf(await put(`${path}/contact-info`, { contact: { id: '9999999999' } })),
      '422 UNKNOWN_CUSTOMER',
    );
    assert.deepEqual((await put(`${path}/contact-info`, {})).json.contactInfo, {});
    assert.equal((await put(`${path}/external-reference`, { externalReference: 'a' })).json.externalReference, 'a');
    assert.equal((await put(`${path}/external-reference`, {})).json.externalReference, undefined);
    const cause = { causeCode: 'GOODWILL', description: 'They waited' };
    assert.deepEqual((await put(`${path}/special-order-cause`, cause)).json.specialOrderCause, cause);
    const removed = await server.call(`${path}/special-order-cause`, { method: 'DELETE' });
    assert.deepEqual([removed.status, removed.json.specialOrderCause], [200, undefined]);
    const moved = await put(`${path}/expire-at`, { expireAt: IN_A_DAY });
    assert.deepEqual([moved.json.expireAt, moved.json.version], [IN_A_DAY, 1]);
    const late = await put(`${path}/expire-at`, { expireAt: '2020-01-01T00:00:00Z' });
    assert.equal(problemOf(late), '400 VALIDATION_FAILED /expireAt');
  });

  it('take writes only of callers who have seen them', async () => {
    const { json } = await create();
    const path = `/v1/orders/${json.id}/external-reference`;
    const stale = { 'if-match': `"1.${json.revision}"` };
    const first = await put(path, { externalReference: 'a' }, stale);
    assert.equal(first.status, 200);
    assert.equal(problemOf(await put(path, { externalReference: 'b' }, stale)), '412 REVISION_CONFLICT');
    assert.equal((await put(path, { externalReference: 'c' }, { 'if-match': '*' })).status, 200);
    const current = (await server.call(`/v1/orders/${json.id}`)).headers.get('etag') ?? '';
    assert.equal((await put(path, { externalReference: 'd' }, { 'if-match': `"9.9", ${current}` })).status, 200);
    assert.match(
      problemOf(await put(path, { externalReference: 'e' }, { 'if-match': 'yes' })),
      /^400 VALIDATION_FAILED/,
    );
  });

  it('let one of two writers with the same revision win', async () => {
    const { json } = await create();
    const headers = { 'if-match': `"1.${json.revision}"` };
    const path = `/v1/orders/${json.id}/external-reference`;
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (externalReference) => await put(path, { externalReference }, headers)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412, 412]);
  });

  it('lose no write of concurrent callers', async () => {
    const { json } = await create();
    const add = async () =>
      await server.call(`/v1/orders/${json.id}/travellers/bulk`, { body: [{ userType: 'ADULT' }] });
    const answers = await Promise.all(Array.from({ length: 8 }, add));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    assert.equal((await readOrder(server, json.id)).travellers.length, 8);
  });

  it('are repeated by key without a second effect', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const [first, again] = [
      await server.call('/v1/orders', { body: {}, headers }),
      await server.call('/v1/orders', { body: {}, headers }),
    ];
    assert.equal(again.json.id, first.json.id);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    const other = await server.call('/v1/orders', { body: { externalReference: 'x' }, headers });
    assert.equal(problemOf(other), '422 IDEMPOTENCY_KEY_REUSED');
    const fee = { type: 'MANUAL', price: { amount: '10.00' }, reason: 'Once' };
    const path = `/v1/orders/${first.json.id}/fees`;
    await server.call(path, { body: fee, headers });
    await server.call(path, { body: fee, headers });
    assert.equal((await readOrder(server, first.json.id)).totalAmount, '10.00');
  });

  it('are confirmed when they are paid, once', async () => {
    const { orderId } = await reserve(server, (await findOffers(server)).FLEX ?? '');
    const confirm = async (orderVersion: number) =>
      await server.call(`/v1/orders/${orderId}/confirm`, { body: { orderVersion } });
    const unpaid = await confirm(1);
    assert.equal(problemOf(unpaid), '409 ORDER_NOT_BALANCED');
    assert.match(unpaid.json.detail, /balance is \d+\.\d\d NOK\. Pay that amount/);
    assert.equal(problemOf(await confirm(2)), '409 ORDER_VERSION_MISMATCH');
    const confirmed = await payAndConfirm(server, orderId);
    assert.deepEqual([confirmed.status, confirmed.orderLines[0].status], ['CONFIRMED', 'CONFIRMED']);
    assert.equal(confirmed.expireAt, undefined);
    const again = await confirm(1);
    assert.deepEqual([again.status, again.json.revision], [200, confirmed.revision]);
    const empty = await create();
    const refused = await server.call(`/v1/orders/${empty.json.id}/confirm`, { body: { orderVersion: 1 } });
    assert.equal(problemOf(refused), '409 ORDER_EMPTY');
  });

  it('keep a confirmed version for ever, and only those', async () => {
    const { orderId } = await reserve(server, (await findOffers(server)).FLEX ?? '');
    await payAndConfirm(server, orderId);
    const { json: sold } = await server.call(`/v1/orders/${orderId}?version=1`);
    await server.call(`/v1/orders/${orderId}/fees`, {
      body: { type: 'MANUAL', price: { amount: '10.00' }, reason: 'Later' },
    });
    const { json: then } = await server.call(`/v1/orders/${orderId}?version=1`);
    assert.deepEqual([then.status, then.fees, then.orderLines], ['CONFIRMED', [], sold.orderLines]);
    assert.equal((await server.call(`/v1/orders/${orderId}?version=2`)).json.status, 'DRAFT');
    assert.equal(problemOf(await server.call(`/v1/orders/${orderId}?version=3`)), '404 NOT_FOUND');
  });

  it('end: cancelled while they are new, reset when they were confirmed', async () => {
    const { json } = await create();
    const reset = await server.call(`/v1/orders/${json.id}/reset`, { method: 'POST' });
    assert.equal(problemOf(reset), '409 INVALID_STATE');
    const cancel = await server.call(`/v1/orders/${json.id}/cancel`, { body: { reason: 'Changed plans' } });
    assert.deepEqual([cancel.status, cancel.json.status], [200, 'CANCELLED']);
    const after = await put(`/v1/orders/${json.id}/external-reference`, { externalReference: 'x' });
    assert.equal(problemOf(after), '409 INVALID_STATE');
  });

  it('show their events, the oldest first, page by page', async () => {
    const { json } = await create({ externalReference: 'x', travellers: [{ userType: 'ADULT' }] });
    const path = `/v1/orders/${json.id}/history`;
    const { json: all } = await server.call(path);
    const types = all.items.map(({ type }: { type: string }) => type.replace(/^service\.order\.|\.v1$/g, ''));
    assert.deepEqual(types, ['OrderCreated', 'OrderExternalReferenceUpdated', 'TravellerAdded']);
    assert.deepEqual([all.page, all.perPage, all.totalItems, all.totalPages], [1, 25, 3, 1]);
    const [first] = all.items;
    assert.deepEqual([first.subject, first.sequence, first.data.orderVersion], [json.id, 1, 1]);
    assert.equal(first.data.meta.clientId, 'web');
    const { json: second } = await server.call(`${path}?page=2&perPage=2`);
    assert.deepEqual(
      second.items.map(({ sequence }: { sequence: number }) => sequence),
      [3],
    );
    assert.deepEqual((await server.call(`${path}?page=9`)).json.items, []);
  });

  it('are searched by their members and those of their lines', async () => {
    const reference = randomUUID();
    const { orderId, orderLineIds, reservationIds } = await reserve(server, (await findOffers(server)).FIXED ?? '', {
      externalReference: reference,
    });
    const found = async (query: string) => {
      const answer = await server.call(`/v1/orders?${query}`);
      assert.equal(answer.status, 200, `${query}: ${answer.text}`);
      return answer.json.items.map(({ id }: { id: string }) => id);
    };
    for (const query of [
      `id=${orderId}`,
      `orderLineId=${orderLineIds[0]?.toUpperCase()}`,
      `reservationId=${reservationIds[0]}`,
      `orderLineExternalReference=${reference}`,
      `orderLineExternalReference=${reference}&fareProductId=FIXED&totalAmount=200.00&status=in:DRAFT,CONFIRMED`,
      `orderLineExternalReference=${reference}&balance=gt:199.99&createdAt=gt:2020-01-01T00:00:00Z`,
    ]) {
      assert.deepEqual(await found(query), [orderId], query);
    }
    assert.deepEqual(await found(`orderLineExternalReference=${reference}&totalAmount=gt:200.00`), []);
    for (const query of ['colour=red', 'status=like:DRAFT', 'totalAmount=many', 'totalAmount=1.234', 'perPage=101']) {
      assert.match(problemOf(await server.call(`/v1/orders?${query}`)), /^400 INVALID_SEARCH/, query);
    }
    const like = await server.call('/v1/orders?status=like:DRAFT');
    assert.match(like.json.detail, /^like is not a search operator\. These are: eq, ne, .*, in, nin\.$/);
    const foreign = await server.call(`/v1/orders?id=${orderId}`, { token: OTHER });
    assert.deepEqual(foreign.json.items, []);
  });
});

function bytesAsText(_name: string, value: unknown): unknown {
  const isBuffer = typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';
  return isBuffer && 'data' in value ? Buffer.from(value.data as number[]).toString('latin1') : value;
}
