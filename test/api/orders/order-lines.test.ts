/** Travellers, lines and fees of an order, written by hand. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { profileCollection } from '../../../activities/customers/profile-document.ts';
import { ORDERS_COLLECTION } from '../../../activities/orders/order-document.ts';
import type { OrderId } from '../../../workflows/shared/ids.ts';
import { problemOf } from '../support/call.ts';
import { findOffers, pay, payAndConfirm, readOrder, reserve } from './journeys.ts';
import { A, C, departureOf, FREE_TRAIN, TRAIN } from './small-market.ts';
import { type OrdersServer, PRICING, startOrders } from './support.ts';

const START = departureOf(FREE_TRAIN);
const END = new Date(START.getTime() + 2 * 3_600_000);
const FLEX = { id: 'FLEX' };
const endOf = (train: string) => new Date(departureOf(train).getTime() + 2 * 3_600_000).toISOString();
const timesOf = (train: string) => ({
  ...{ startOfValidity: departureOf(train).toISOString(), endOfValidity: endOf(train) },
});
const legTimesOf = (train: string) => ({
  ...{ expectedStartTime: departureOf(train).toISOString(), expectedEndTime: endOf(train) },
});

const ahead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

describe('the content of an order', () => {
  let server: OrdersServer;
  let orderId: string;
  let path: string;
  let travellerId: string;

  const line = (more: object = {}) => ({
    description: [{ lang: 'nob', value: 'Enkeltbillett' }],
    price: { amount: '300.00' },
    fareProducts: [FLEX],
    travellers: [{ travellerId }],
    travelSpecification: {
      startOfValidity: START.toISOString(),
      endOfValidity: END.toISOString(),
      legs: [
        {
          ...{ mode: 'rail', fromStopPlaceId: A, toStopPlaceId: C, serviceJourneyId: FREE_TRAIN },
          ...{ expectedStartTime: START.toISOString(), expectedEndTime: END.toISOString() },
        },
      ],
    },
    ...more,
  });
  const add = async (orderLines: readonly object[], token?: string) =>
    await server.call(`${path}/orderlines`, { body: { orderLines }, ...(token !== undefined && { token }) });
  const addOne = async (more: object = {}) => {
    const answer = await add([line(more)]);
    assert.equal(answer.status, 201, answer.text);
    return answer.json.orderLines[0];
  };

  before(async () => {
    server = await startOrders();
  });
  after(async () => await server.close());
  beforeEach(async () => {
    const { json } = await server.call('/v1/orders', { body: { travellers: [{ userType: 'ADULT' }] } });
    orderId = json.id;
    path = `/v1/orders/${orderId}`;
    travellerId = json.travellers[0].id;
  });

  describe('travellers', () => {
    it('are added, replaced as a list, and removed', async () => {
      const id = randomUUID();
      const added = await server.call(`${path}/travellers/bulk`, { body: [{ id, userType: 'CHILD', age: 9 }] });
      assert.deepEqual([added.status, added.json], [201, [{ id, userType: 'CHILD', age: 9 }]]);
      const put = await server.call(`${path}/travellers`, {
        method: 'PUT',
        body: [
          { id: travellerId, userType: 'ADULT' },
          { id, userType: 'CHILD', age: 10 },
        ],
      });
      assert.deepEqual(
        put.json.map(({ age }: { age?: number }) => age),
        [undefined, 10],
      );
      const removed = await server.call(`${path}/travellers?travellerIds=${id}`, { method: 'DELETE' });
      assert.deepEqual([removed.status, removed.json.length], [200, 1]);
      const unknown = await server.call(`${path}/travellers?travellerIds=${id}`, { method: 'DELETE' });
      assert.equal(problemOf(unknown), '422 UNKNOWN_TRAVELLER');
      assert.equal(unknown.json.detail, `The order has no such traveller: ${id}.`);
    });

    it('stay while a line is for them', async () => {
      await addOne();
      const answer = await server.call(`${path}/travellers?travellerIds=${travellerId}`, { method: 'DELETE' });
      assert.equal(problemOf(answer), '409 INVALID_STATE');
    });

    it('of a sold line stay who they are, also when their customer is erased', async () => {
      const [anna, berit] = [await server.createCustomer(), await server.createCustomer()];
      const put = async (more: object) =>
        await server.call(`${path}/travellers`, {
          ...{ method: 'PUT', body: [{ id: travellerId, userType: 'ADULT', ...more }] },
        });
      await addOne();
      assert.equal((await put({ customerRef: { id: anna }, age: 40 })).status, 200);
      await payAndConfirm(server, orderId);
      const others = [{ age: 41, customerRef: { id: anna } }, { age: 40, customerRef: { id: berit } }, { age: 40 }];
      for (const more of others) assert.equal(problemOf(await put(more)), '409 INVALID_STATE');
      await profileCollection(server.connection).deleteOne({ _id: anna });
      const added = { id: randomUUID(), userType: 'ADULT' };
      const kept = { id: travellerId, userType: 'ADULT', age: 40, customerRef: { id: anna } };
      const answer = await server.call(`${path}/travellers`, { method: 'PUT', body: [kept, added] });
      assert.deepEqual([answer.status, answer.json.length], [200, 2], answer.text);
    });
  });

  describe('lines', () => {
    it('have rides of the timetable, terms of the catalogue, and its tax', async () => {
      const added = await addOne({ externalReference: 'row-1' });
      assert.deepEqual([added.version, added.status, added.externalReference], [1, 'DRAFT', 'row-1']);
      assert.deepEqual(
        [added.price.amount, added.price.taxAmount, added.price.taxCode],
        ['300.00', '32.14', 'VAT_LOW'],
      );
      const [leg] = added.travelSpecification.legs;
      assert.deepEqual([leg.lineId, leg.calls.length], ['TST:Line:1', 3]);
      const options = await server.call(`/v1/change-options/${orderId}`);
      assert.ok(options.json.orderLines[0].options.length >= 3);
    });

    it('have the price of the catalogue, unless the caller may set prices', async () => {
      const travel = line().travelSpecification;
      const fares = 'must be 300.00 NOK with 32.14 NOK of tax, which FLEX costs';
      const wrong: readonly (readonly [object, string, string | RegExp])[] = [
        [line({ price: { amount: '299.99' } }), 'price', fares],
        [line({ price: { amount: '300.00', taxAmount: '0.00' } }), 'price', fares],
        [line({ fareProducts: [] }), 'fareProducts', /must have a fare/],
        [line({ fareProducts: [{ id: 'UNHEARD' }] }), 'fareProducts/0/id', /no product of the catalogue: UNHEARD/],
        [line({ fareProducts: [{ id: 'MEAL' }], price: { amount: '80.00' } }), 'fareProducts', /must have a fare/],
        [
          line({ travelSpecification: { ...travel, endOfValidity: ahead(300) } }),
          'travelSpecification/endOfValidity',
          /must not be after 20.*Z, where FLEX ends/,
        ],
        [line({ travelSpecification: { ...travel, legs: [] } }), 'travelSpecification/legs', /must have a ride/],
        [
          line({ fareProducts: [{ id: 'STUDENT' }], price: { amount: '150.00' } }),
          'travellers/0/entitlementIds',
          'must be exactly what STUDENT requires: CARD',
        ],
      ];
      for (const [each, member, expected] of wrong) {
        const answer = await add([line(), each]);
        const pointer = `/orderLines/1/${member}`;
        assert.equal(problemOf(answer), `422 PRICE_MISMATCH ${pointer}`);
        const { errors, detail } = answer.json;
        assert.ok(detail.startsWith(`${pointer} ${errors[0].detail}. Correct it`), detail);
        if (typeof expected === 'string') assert.equal(errors[0].detail, expected);
        else assert.match(errors[0].detail, expected);
        assert.equal((await add([each], PRICING)).status, 201);
      }
    });

    it('end in time for a key to sign their ticket, whoever sets their price', async () => {
      const lineUntil = (endOfValidity: string) =>
        line({ travelSpecification: { ...line().travelSpecification, endOfValidity } });
      assert.equal((await add([lineUntil(ahead(399))], PRICING)).status, 201);
      for (const token of [PRICING, undefined]) {
        const answer = await add([line(), lineUntil(ahead(401))], token);
        assert.equal(problemOf(answer), '422 VALIDATION_FAILED /orderLines/1/travelSpecification/endOfValidity');
        assert.match(answer.json.detail, /more than 400 days ahead, and no ticket can be signed for so long/);
      }
    });

    it('refuse products of others, other currencies, sums that differ, unknown rides and travellers', async () => {
      const meal = { id: 'MEAL', priceContribution: { amount: '80.00' } };
      const at = '/orderLines/0';
      const cases: readonly (readonly [object, string])[] = [
        [{ fareProducts: [{ id: 'FOREIGN' }] }, `422 VALIDATION_FAILED ${at}/fareProducts/0/id`],
        [{ price: { amount: '300.00', currency: 'EUR' } }, `422 CURRENCY_MISMATCH ${at}/price/currency`],
        [{ price: { amount: '-1.00' } }, `400 VALIDATION_FAILED ${at}/price/amount`],
        [
          { fareProducts: [{ ...FLEX, priceContribution: { amount: '300.00' } }, meal] },
          `422 VALIDATION_FAILED ${at}/fareProducts`,
        ],
        [{ travellers: [{ travellerId: randomUUID() }] }, '422 UNKNOWN_TRAVELLER'],
        [{ reservationIds: [randomUUID()] }, `422 VALIDATION_FAILED ${at}/reservationIds`],
      ];
      for (const [more, problem] of cases) assert.equal(problemOf(await add([line(more)], PRICING)), problem);
      const travellers = [{ travellerId }, { travellerId: randomUUID() }];
      const { detail } = (await add([line({ travellers })], PRICING)).json;
      assert.equal(detail, `The order has no such traveller: ${travellers[1]?.travellerId}.`);
      const { travelSpecification: travel } = line();
      const [leg] = travel.legs;
      const unknown = { ...travel, legs: [{ ...leg, serviceJourneyId: 'TST:ServiceJourney:None' }] };
      const refused = await add([line({ travelSpecification: unknown })]);
      assert.equal(problemOf(refused), `422 VALIDATION_FAILED ${at}/travelSpecification/legs/0`);
    });

    it('are all added, or none', async () => {
      const answer = await add([line(), line({ price: { amount: '1.00' } })]);
      assert.equal(problemOf(answer), '422 PRICE_MISMATCH /orderLines/1/price');
      assert.deepEqual((await readOrder(server, orderId)).orderLines, []);
    });

    it('know who carries, and keep it while they have the product', async () => {
      const carriers = async () => {
        const { order } = await server.dependencies.orders.get('ANY', orderId as OrderId);
        return order.orderLines.map(({ fareProducts }) => fareProducts[0]?.carrierOrganisationId);
      };
      const added = await addOne();
      assert.deepEqual(await carriers(), [1]);
      const withoutCarrier = { $unset: { 'orderLines.$[].fareProducts.$[].carrierOrganisationId': '' as const } };
      await ORDERS_COLLECTION.open(server.connection).updateOne({ _id: orderId as OrderId }, withoutCarrier);
      const put = async (more: object) =>
        await server.call(`${path}/orderlines`, { method: 'PUT', body: { orderLines: [{ ...added, ...more }] } });
      assert.equal((await put({ externalReference: 'row-2' })).status, 200);
      assert.deepEqual(await carriers(), [undefined]);
      const fixed = { fareProducts: [{ id: 'FIXED' }], price: { amount: '200.00' } };
      const other = await put(fixed);
      assert.equal(other.status, 200, other.text);
      assert.deepEqual(await carriers(), [2]);
    });

    it('are replaced whole; what was read may be sent back', async () => {
      const added = await addOne();
      const put = async (more: object) =>
        await server.call(`${path}/orderlines`, { method: 'PUT', body: { orderLines: [{ ...added, ...more }] } });
      const same = await put({ externalReference: 'row-2' });
      assert.equal(same.status, 200, same.text);
      const [replaced] = same.json.orderLines;
      assert.deepEqual([replaced.version, replaced.externalReference, replaced.price], [1, 'row-2', added.price]);
      assert.deepEqual(replaced.travelSpecification, added.travelSpecification);
      // A ticket for a longer way, or with a discount card, is another sale.
      const { travelSpecification: travel, travellers } = added;
      const longer = await put({ travelSpecification: { ...travel, toStopPlaceId: 'TST:StopPlace:Z' } });
      const place = '422 PRICE_MISMATCH /orderLines/0';
      assert.equal(problemOf(longer), `${place}/travelSpecification/toStopPlaceId`);
      const [rider] = travellers;
      const entitled = await put({ travellers: [{ ...rider, entitlementIds: ['CARD'] }] });
      assert.equal(problemOf(entitled), `${place}/travellers/0/entitlementIds`);
      // A caller marks no disruption.
      const marked = await put({ disruption: { cause: 'WITHDRAWN', at: '2026-11-27T08:00:00.000Z' } });
      assert.deepEqual([marked.status, marked.json.orderLines[0].disruption], [200, undefined]);
      const unknown = await put({ id: randomUUID() });
      assert.equal(problemOf(unknown), '422 UNKNOWN_ORDER_LINE');
      const changed = await readOrder(server, orderId);
      assert.equal(changed.orderLines.length, 1);
    });

    it('may be sent back as they were sold, whatever they say of their life', async () => {
      await addOne();
      const [sold] = (await payAndConfirm(server, orderId)).orderLines;
      assert.ok(sold.confirmedAt);
      const times = { createdAt: '2026-01-01T00:00:00.000Z', usedAt: '2026-01-02T00:00:00.000Z' };
      const body = { orderLines: [{ ...sold, ...times, version: 7, status: 'CANCELLED' }] };
      const answer = await server.call(`${path}/orderlines`, { method: 'PUT', body });
      assert.equal(answer.status, 200, answer.text);
      const [{ version, status, createdAt, usedAt }] = answer.json.orderLines;
      assert.deepEqual([version, status, createdAt, usedAt], [2, 'DRAFT', sold.createdAt, undefined]);
    });

    it('may have the id of a line of another order, and each order knows its own', async () => {
      const { id } = await addOne({ externalReference: 'here' });
      const other = await server.call('/v1/orders', { body: { travellers: [{ userType: 'ADULT' }] } });
      const travellers = [{ travellerId: other.json.travellers[0].id }];
      const elsewhere = `/v1/orders/${other.json.id}/orderlines`;
      const added = await server.call(elsewhere, {
        body: { orderLines: [line({ id, travellers, externalReference: 'there' })] },
      });
      assert.equal(added.status, 201, added.text);
      const removed = await server.call(`${elsewhere}?orderLineIds=${id}`, { method: 'DELETE' });
      assert.deepEqual([removed.status, removed.json.orderLines], [200, []], removed.text);
      assert.equal((await readOrder(server, orderId)).orderLines[0].externalReference, 'here');
    });

    it('keep their seats, and lose those that are not named', async () => {
      const reserved = await reserve(server, (await findOffers(server)).FLEX ?? '');
      await payAndConfirm(server, reserved.orderId);
      const order = await readOrder(server, reserved.orderId);
      const { version: _v, status: _s, createdAt: _c, confirmedAt: _f, ...given } = order.orderLines[0];
      const put = async (more: object) =>
        await server.call(`/v1/orders/${reserved.orderId}/orderlines`, {
          method: 'PUT',
          body: { orderLines: [{ ...given, ...more }] },
        });
      const kept = await put({ externalReference: 'x' });
      assert.equal(kept.status, 200, kept.text);
      assert.deepEqual([kept.json.orderLines[0].version, kept.json.orderLines[0].status], [2, 'DRAFT']);
      assert.deepEqual(kept.json.orderLines[0].reservationIds, reserved.reservationIds);
      assert.equal(
        problemOf(await put({ reservationIds: [randomUUID()] })),
        '422 VALIDATION_FAILED /orderLines/0/reservationIds',
      );
      const without = await put({ reservationIds: [] });
      assert.deepEqual(without.json.orderLines[0].reservationIds, []);
    });

    it('need a seat on a train with compulsory seats, whatever their legs are called', async () => {
      const { travelSpecification: travel } = line();
      const seated = (legs: readonly object[]) => ({ ...travel, ...timesOf(TRAIN), legs });
      const legs = [{ ...travel.legs[0], ...legTimesOf(TRAIN), serviceJourneyId: TRAIN, legId: 'mine' }];
      await addOne({ travelSpecification: seated(legs) });
      const confirm = async (id: string) => {
        const { version } = await pay(server, id);
        return problemOf(await server.call(`/v1/orders/${id}/confirm`, { body: { orderVersion: version } }));
      };
      assert.equal(await confirm(orderId), '409 SEAT_UNAVAILABLE');
      const reserved = await reserve(server, (await findOffers(server)).FLEX ?? '');
      const { orderLines } = await readOrder(server, reserved.orderId);
      const { version: _v, status: _s, createdAt: _c, ...given } = orderLines[0];
      const renamed = given.travelSpecification.legs.map((leg: object) => ({ ...leg, legId: 'other' }));
      const put = await server.call(`/v1/orders/${reserved.orderId}/orderlines`, {
        method: 'PUT',
        body: {
          orderLines: [
            { ...given, travelSpecification: { ...given.travelSpecification, legs: renamed }, reservationIds: [] },
          ],
        },
      });
      assert.equal(put.status, 200, put.text);
      assert.equal(put.json.orderLines[0].travelSpecification.legs[0].legId, 'leg-1');
      assert.equal(await confirm(reserved.orderId), '409 SEAT_UNAVAILABLE');
    });

    it('may be sent back with the product of another organisation that they were sold with', async () => {
      const { orderId: id } = await reserve(server, (await findOffers(server)).FOREIGN ?? '');
      const { orderLines } = await readOrder(server, id);
      const { version: _v, status: _s, createdAt: _c, ...given } = orderLines[0];
      const put = async (more: object) =>
        await server.call(`/v1/orders/${id}/orderlines`, {
          method: 'PUT',
          body: { orderLines: [{ ...given, ...more }] },
        });
      assert.equal((await put({ externalReference: 'x' })).status, 200);
      const { startOfValidity } = given.travelSpecification;
      const endOfValidity = new Date(Date.parse(startOfValidity) + 60_000).toISOString();
      const other = await put({ travelSpecification: { ...given.travelSpecification, endOfValidity } });
      assert.equal(problemOf(other), '422 VALIDATION_FAILED /orderLines/0/fareProducts/0/id');
    });

    it('are removed and cancelled together, by a list or by repeated ids', async () => {
      const [one, two, three] = [await addOne(), await addOne(), await addOne()];
      const unknown = await server.call(`${path}/orderlines?orderLineIds=${one.id},${randomUUID()}`, {
        method: 'DELETE',
      });
      assert.equal(problemOf(unknown), '422 UNKNOWN_ORDER_LINE');
      const removed = await server.call(`${path}/orderlines?orderLineIds=${one.id},${two.id}`, { method: 'DELETE' });
      assert.deepEqual(
        removed.json.orderLines.map(({ id }: { id: string }) => id),
        [three.id],
      );
      const four = await addOne();
      const query = `orderLineIds=${three.id}&orderLineIds=${four.id}`;
      const cancelled = await server.call(`${path}/orderlines/cancel?${query}`, { method: 'POST' });
      assert.deepEqual(cancelled.json.orderLines, []);
      const { json: history } = await server.call(`${path}/history?perPage=100`);
      const types = history.items.map(({ type }: { type: string }) => type);
      assert.equal(types.filter((type: string) => type.includes('OrderLinesRemoved')).length, 2);
    });

    it('are cancelled, not removed, once they were sold', async () => {
      const { id } = await addOne();
      await payAndConfirm(server, orderId);
      const removed = await server.call(`${path}/orderlines?orderLineIds=${id}`, { method: 'DELETE' });
      assert.equal(problemOf(removed), '409 INVALID_STATE');
      const cancel = async () => await server.call(`${path}/orderlines/cancel?orderLineIds=${id}`, { method: 'POST' });
      const cancelled = await cancel();
      assert.deepEqual(
        [cancelled.json.version, cancelled.json.balance, cancelled.json.orderLines[0].status],
        [2, '-300.00', 'CANCELLATION_DRAFT'],
      );
      assert.equal(cancelled.json.orderLines[0].priceContribution.amount, '0.00');
      const again = await cancel();
      assert.deepEqual([again.status, again.json.revision], [200, cancelled.json.revision]);
    });

    it('are still written one by one, with notice', async () => {
      const [one, two] = [await addOne(), await addOne()];
      const isDeprecated = (headers: Headers, successor: string) => {
        assert.match(headers.get('deprecation') ?? '', /^@\d+$/);
        assert.ok(headers.get('sunset'));
        assert.equal(headers.get('link'), `<${successor}>; rel="successor-version"`);
      };
      const put = await server.call(`${path}/orderlines/${one.id}`, {
        method: 'PUT',
        body: line({ externalReference: 'x' }),
      });
      assert.deepEqual([put.status, put.json.id, put.json.externalReference], [200, one.id, 'x']);
      isDeprecated(put.headers, `${path}/orderlines`);
      const other = await server.call(`${path}/orderlines/${one.id}`, { method: 'PUT', body: line({ id: two.id }) });
      assert.equal(problemOf(other), '400 VALIDATION_FAILED /id');
      const cancelled = await server.call(`${path}/orderlines/${one.id}/cancel`, { method: 'POST' });
      isDeprecated(cancelled.headers, `${path}/orderlines/cancel?orderLineIds=${one.id}`);
      const removed = await server.call(`${path}/orderlines/${two.id}`, { method: 'DELETE' });
      isDeprecated(removed.headers, `${path}/orderlines?orderLineIds=${two.id}`);
      assert.deepEqual(removed.json.orderLines, []);
      const gone = await server.call(`${path}/orderlines/${two.id}`, { method: 'DELETE' });
      assert.equal(problemOf(gone), '422 UNKNOWN_ORDER_LINE');
    });
  });

  describe('fees', () => {
    const fee = async (body: object, token?: string) =>
      await server.call(`${path}/fees`, { body, ...(token !== undefined && { token }) });

    it('are added with their tax, and removed', async () => {
      const { id: lineId } = await addOne();
      const added = await fee({
        ...{ type: 'MANUAL', price: { amount: '112.00', taxRate: 12 }, reason: 'Help at the counter' },
        ...{ orderLineIds: [lineId], orderVersion: 1 },
      });
      assert.equal(added.status, 201, added.text);
      assert.deepEqual([added.json.price.taxAmount, added.json.reason], ['12.00', 'Help at the counter']);
      const reduced = await fee({ type: 'REDUCTION', price: { amount: '-12.00' }, reason: 'Goodwill' }, PRICING);
      assert.equal(reduced.status, 201, reduced.text);
      const order = await readOrder(server, orderId);
      assert.deepEqual([order.totalAmount, order.totalTaxAmount], ['400.00', '44.14']);
      const removed = await server.call(`${path}/fees/${added.json.id}`, { method: 'DELETE' });
      assert.equal(removed.status, 204);
      assert.ok(removed.headers.get('etag'));
      const gone = await server.call(`${path}/fees/${added.json.id}`, { method: 'DELETE' });
      assert.equal(problemOf(gone), '404 NOT_FOUND');
    });

    it('of every type are removed again by the caller who added them', async () => {
      for (const type of ['REFUNDING', 'CHANGE_NON_REFUNDABLE', 'CHANGE', 'PENALTY']) {
        const { json } = await fee({ type, price: { amount: '10.00' }, reason: 'By mistake' });
        assert.equal((await server.call(`${path}/fees/${json.id}`, { method: 'DELETE' })).status, 204, type);
      }
    });

    it('have the sign of their type, and lines and versions of the order', async () => {
      const given = { type: 'MANUAL', price: { amount: '10.00' }, reason: 'x' };
      const cases: readonly (readonly [object, string])[] = [
        [{ price: { amount: '-10.00' } }, '400 VALIDATION_FAILED /price/amount'],
        [{ type: 'REDUCTION', price: { amount: '-10.00' } }, '403 INSUFFICIENT_SCOPE'],
        [{ price: { amount: '10.001' } }, '400 VALIDATION_FAILED /price/amount'],
        [{ price: { amount: '10.00', currency: 'SEK' } }, '422 CURRENCY_MISMATCH /price/currency'],
        [{ orderLineIds: [randomUUID()] }, '422 UNKNOWN_ORDER_LINE'],
        [{ orderVersion: 2 }, '409 ORDER_VERSION_MISMATCH'],
      ];
      for (const [more, problem] of cases) assert.equal(problemOf(await fee({ ...given, ...more })), problem);
      await addOne();
      await payAndConfirm(server, orderId);
      assert.equal(problemOf(await fee({ ...given, orderVersion: 1 })), '409 ORDER_VERSION_MISMATCH');
      assert.equal((await fee({ ...given, orderVersion: 2 })).status, 201);
      assert.equal(problemOf(await fee({ ...given, orderVersion: 1 })), '409 ORDER_VERSION_MISMATCH');
      const raised = await fee({ ...given, type: 'REDUCTION' }, PRICING);
      assert.equal(problemOf(raised), '400 VALIDATION_FAILED /price/amount');
      assert.equal(raised.json.errors[0].detail, 'must be negative for a REDUCTION');
      const negative = await fee({ ...given, price: { amount: '-10.00' } });
      assert.equal(negative.json.errors[0].detail, 'must be more than 0 for a fee of type MANUAL');
    });
  });

  describe('imports', () => {
    let nextRrn = 0;
    const rrnOf = (n: number) => String(628_312_004_417 + n);
    const imported = (more: object = {}) => ({
      externalReference: randomUUID(),
      importedAt: '2026-01-02T03:04:05Z',
      travellers: [{ id: travellerId, userType: 'ADULT' }],
      orderLines: [line({ status: 'CONFIRMED' })],
      transactions: [
        {
          ...{ amount: '300.00', paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA', rrn: rrnOf(nextRrn++) },
          transactionConfirmedAt: '2026-01-02T03:00:00Z',
        },
      ],
      ...more,
    });
    const take = async (body: object, token?: string) =>
      await server.call('/v1/orders/import', { body, ...(token !== undefined && { token }) });

    it('make confirmed orders that are paid', async () => {
      const answer = await take(imported());
      assert.equal(answer.status, 201, answer.text);
      const { json } = answer;
      assert.deepEqual([json.status, json.version, json.balance], ['CONFIRMED', 1, '0.00']);
      assert.equal(json.orderLines[0].status, 'CONFIRMED');
      const { order } = await server.dependencies.orders.get('ANY', json.id);
      assert.deepEqual(
        order.importedTransactions?.map(({ amountMinor, rrn }) => [amountMinor, rrn]),
        [[30_000, rrnOf(0)]],
      );
      const { json: history } = await server.call(`/v1/orders/${json.id}/history`);
      assert.equal(history.items[0].type, 'service.order.OrderImported.v1');
    });

    it('enter money of a reference and day once', async () => {
      const first = imported();
      assert.equal((await take(first)).status, 201);
      assert.equal(problemOf(await take({ ...first, externalReference: randomUUID() })), '409 DUPLICATE_TRANSACTION');
      const [transaction] = first.transactions;
      const nextDay = { ...transaction, transactionConfirmedAt: '2026-01-03T03:00:00Z' };
      assert.equal((await take({ ...first, transactions: [nextDay] })).status, 201);
    });

    it('must balance, and have the prices of the catalogue', async () => {
      const unpaid = await take(imported({ transactions: [] }));
      assert.equal(problemOf(unpaid), '409 ORDER_NOT_BALANCED');
      assert.equal(unpaid.json.detail, 'The transactions pay 0.00 NOK, and lines and fees cost 300.00 NOK.');
      const cheap = imported({ orderLines: [line({ price: { amount: '1.00' } })] });
      assert.equal(problemOf(await take(cheap)), '422 PRICE_MISMATCH /orderLines/0/price');
      assert.equal(problemOf(await take(cheap, PRICING)), '409 ORDER_NOT_BALANCED');
      const fees = [{ type: 'REDUCTION', price: { amount: '-10.00' }, reason: 'Goodwill' }];
      assert.equal(problemOf(await take(imported({ fees }))), '403 INSUFFICIENT_SCOPE');
      assert.equal(problemOf(await take(imported({ fees }), PRICING)), '409 ORDER_NOT_BALANCED');
      assert.equal(
        problemOf(await take(imported({ externalReference: undefined }))),
        '400 VALIDATION_FAILED /externalReference',
      );
    });

    it('keep rides that the timetable no longer has', async () => {
      const past = '2025-05-05T08:00:00Z';
      const leg = { mode: 'rail', fromStopPlaceId: A, toStopPlaceId: C, serviceJourneyId: 'OLD:ServiceJourney:1' };
      const travelSpecification = {
        ...{ startOfValidity: past, endOfValidity: '2025-05-05T10:00:00Z' },
        legs: [{ ...leg, expectedStartTime: past, expectedEndTime: '2025-05-05T10:00:00Z' }],
      };
      const answer = await take(imported({ orderLines: [line({ travelSpecification })] }));
      assert.equal(answer.status, 201, answer.text);
      const [kept] = answer.json.orderLines[0].travelSpecification.legs;
      assert.deepEqual([kept.serviceJourneyId, kept.lineId], ['OLD:ServiceJourney:1', undefined]);
    });
  });
});
