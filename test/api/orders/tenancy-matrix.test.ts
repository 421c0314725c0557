/**
 * Every operation on an order, asked by another organisation: the answer is that of an order which does not exist. With the
 * right to every organisation it is that of the owner.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { loadDocument } from '../../../api/shared/openapi-document.ts';
import { send } from '../support/call.ts';
import { findOffers, reserve, WITH_CHANNEL } from './journeys.ts';
import { OPERATOR, type OrdersServer, OTHER, startOrders } from './support.ts';

const DOCUMENTS = ['openapi.yaml', 'reserve-offers.openapi.yaml'];
const OPERATIONS = DOCUMENTS.flatMap((name) => {
  const { operations } = loadDocument(new URL(`../../../api/orders/${name}`, import.meta.url), 'Service');
  return operations.filter(({ path }) => path.includes('{orderId}'));
});
const ABSENT = 'AAAAAAAA';
const ID = randomUUID();
const TRAVELLER = { id: ID, userType: 'ADULT' };

/** Bodies that are right in form, so that only the order is at fault. */
const BODIES: Readonly<Record<string, unknown>> = {
  putContactInfo: {},
  putExternalReference: { externalReference: 'x' },
  putSpecialOrderCause: { causeCode: 'X' },
  putExpireAt: { expireAt: new Date(Date.now() + 3_600_000).toISOString() },
  addTravellers: [TRAVELLER],
  putTravellers: [TRAVELLER],
  addFee: { type: 'MANUAL', price: { amount: '1.00' }, reason: 'x' },
  confirmOrder: { orderVersion: 1 },
  cancelOrder: {},
};
const QUERIES: Readonly<Record<string, string>> = {
  deleteTravellers: `?travellerIds=${ID}`,
  deleteOrderLines: `?orderLineIds=${ID}`,
  cancelOrderLines: `?orderLineIds=${ID}`,
};

describe('orders of another organisation', () => {
  let server: OrdersServer;
  let orderId: string;
  let orderLineId: string;
  let etag: string | null;

  before(async () => {
    server = await startOrders();
    const reserved = await reserve(server, (await findOffers(server)).FLEX ?? '');
    orderId = reserved.orderId;
    orderLineId = reserved.orderLineIds[0] ?? '';
    etag = (await server.call(`/v1/orders/${orderId}`)).headers.get('etag');
  });
  after(async () => await server.close());

  const ask = async (operation: (typeof OPERATIONS)[number], id: string, token: string, body: unknown) => {
    const path = operation.path.replace('{orderId}', id).replace('{orderLineId}', orderLineId).replace('{feeId}', ID);
    const url = `${server.url}${path}${QUERIES[operation.operationId] ?? ''}`;
    const answer = await send(url, { method: operation.method, token, ...(body !== undefined && { body }) });
    const { status, code, title, detail } = answer.json ?? {};
    return { status, code, title, detail };
  };

  it('are asked for by every operation', () => assert.ok(OPERATIONS.length > 20));

  for (const operation of OPERATIONS) {
    const { operationId, method } = operation;
    const line = {
      description: [{ lang: 'nob', value: 'x' }],
      ...{ price: { amount: '1.00' }, travellers: [{ travellerId: ID }] },
      travelSpecification: { legs: [], startOfValidity: '2026-01-01T00:00:00Z', endOfValidity: '2026-01-02T00:00:00Z' },
    };
    const lines: Record<string, unknown> = {
      addOrderLines: { orderLines: [line] },
      putOrderLines: { orderLines: [{ ...line, id: ID }] },
      putOrderLine: line,
    };
    const body = BODIES[operationId] ?? lines[operationId];
    for (const [what, sent] of [
      ['a right body', body],
      ['a wrong body', { colour: 'red' }],
    ] as const) {
      if (what === 'a wrong body' && body === undefined) continue;
      it(`are absent for ${method} ${operation.path} with ${what}`, async () => {
        const foreign = await ask(operation, orderId, OTHER, sent);
        assert.deepEqual([foreign.status, foreign.code], [404, 'NOT_FOUND']);
        assert.deepEqual(foreign, await ask(operation, ABSENT, OTHER, sent));
      });
    }
  }

  it('are absent for operations that name them in their body', async () => {
    const supplementProducts = [{ orderLineId, selectableProductIds: ['MEAL'] }];
    const changeOfferConfigurations = [{ offerId: randomUUID(), selectedOrderLineIds: [orderLineId] }];
    for (const [path, body] of [
      ['/v1/reserve-offers', { offerConfigurations: [{ offerId: randomUUID() }] }],
      ['/v1/update-order', { changeOfferConfigurations }],
      ['/v1/update-order/supplement-products', { supplementProducts }],
    ] as const) {
      for (const id of [orderId, ABSENT]) {
        const options = { token: OTHER, headers: WITH_CHANNEL, body: { orderId: id, ...body } };
        const { status, json } = await server.call(path, options);
        assert.deepEqual([status, json.code], [404, 'NOT_FOUND'], path);
      }
    }
  });

  it('have not changed', async () => {
    assert.equal((await server.call(`/v1/orders/${orderId}`)).headers.get('etag'), etag);
  });

  it('are found by a caller with the right to every organisation', async () => {
    const answer = await server.call(`/v1/orders/${orderId}`, { token: OPERATOR });
    assert.equal(answer.status, 200);
    const reference = { method: 'PUT', token: OPERATOR, body: { externalReference: 'operator' } };
    assert.equal((await server.call(`/v1/orders/${orderId}/external-reference`, reference)).status, 200);
    const found = await server.call('/v1/orders?organisationId=1', { token: OPERATOR });
    assert.equal(found.json.totalItems, 1);
    assert.equal((await server.call('/v1/orders', { token: OTHER })).json.totalItems, 0);
  });

  it('need the scope of the operation', async () => {
    for (const operation of OPERATIONS) {
      const { status, code } = await ask(operation, orderId, 'web/1/offers:search', BODIES[operation.operationId]);
      assert.deepEqual([status, code], [403, 'INSUFFICIENT_SCOPE'], operation.operationId);
    }
  });
});
