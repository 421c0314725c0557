/** Reserving offers: lines, travellers and seats in one write, or nothing. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ORDERS_COLLECTION } from '../../../activities/orders/order-document.ts';
import { ARRANGEMENTS } from '../../../activities/seating/seating-model.ts';
import type { OrderId } from '../../../workflows/shared/ids.ts';
import { until } from '../../support/until.ts';
import { problemOf } from '../support/call.ts';
import { callReserve, findOffers, payAndConfirm, readOrder, reserve, WITH_CHANNEL } from './journeys.ts';
import { CHANNEL, FREE_TRAIN, LATER_TRAIN, OTHER_CHANNEL } from './small-market.ts';
import { type OrdersServer, OTHER, OWN, PRICING, startOrders } from './support.ts';

const TWO_ADULTS = [
  { id: 't1', userType: 'ADULT' },
  { id: 't2', userType: 'ADULT' },
];

describe('reserving offers', () => {
  let server: OrdersServer;
  const heldSeats = async () =>
    await ARRANGEMENTS.open(server.connection).countDocuments({ status: { $in: ['HELD', 'PENDING'] } });

  beforeEach(async () => {
    server = await startOrders();
  });
  afterEach(async () => await server.close());

  it('creates an order with the channel of the header, and holds a seat for each traveller', async () => {
    const { FLEX = '' } = await findOffers(server, { travellers: TWO_ADULTS });
    const reserved = await reserve(server, FLEX, { externalReference: 'basket-1' });
    const order = await readOrder(server, reserved.orderId);
    assert.equal(order.status, 'DRAFT');
    assert.equal(order.distributionChannelId, CHANNEL);
    assert.equal(order.totalAmount, '600.00');
    assert.equal(order.balance, '600.00');
    assert.deepEqual(
      order.orderLines.map(({ id, externalReference }: Record<string, string>) => [id, externalReference]),
      reserved.orderLineIds.map((id) => [id, 'basket-1']),
    );
    assert.equal(order.travellers.length, 2);
    assert.equal(reserved.reservationIds.length, 2);
    const [line] = order.orderLines;
    assert.equal(line.travelSpecification.legs[0].calls.length, 3);
    assert.equal(line.price.amount, '300.00');
    assert.equal(line.price.taxAmount, '32.14');
    assert.equal(await heldSeats(), 2);
  });

  it('posts what it sells for others to their accounts, also what is added later', async () => {
    const { FIXED = '' } = await findOffers(server, { serviceJourneyId: LATER_TRAIN });
    const { orderId, orderLineIds } = await reserve(server, FIXED, { selectableProductIds: ['MEAL'] });
    const supplementProducts = [{ orderLineId: orderLineIds[0], selectableProductIds: ['MEAL'] }];
    const added = await server.call('/v1/update-order/supplement-products', {
      ...{ method: 'POST', headers: WITH_CHANNEL, body: { orderId, supplementProducts } },
    });
    assert.equal(added.status, 200, added.text);
    await payAndConfirm(server, orderId);
    const order = await ORDERS_COLLECTION.open(server.connection).findOne({ _id: orderId as OrderId });
    const [line] = order?.orderLines ?? [];
    const carriers = line?.fareProducts.map(({ id, carrierOrganisationId }) => `${id} ${carrierOrganisationId}`);
    assert.deepEqual(carriers, ['FIXED 2', 'MEAL 3', 'MEAL 3']);
    const { entry } = order?.outbox.find(({ type }) => type.includes('OrderConfirmed')) ?? {};
    const sales = entry?.postings.filter(({ account }) => account.startsWith('sales/'));
    assert.deepEqual(sales, [
      { account: 'sales/2', amountMinor: -17_857 },
      { account: 'sales/3', amountMinor: -14_286 },
    ]);
  });

  it('adds to an order, whose travellers stay the same people', async () => {
    const [first, second] = [await findOffers(server), await findOffers(server, { serviceJourneyId: LATER_TRAIN })];
    const { orderId } = await reserve(server, first.FLEX ?? '');
    const answer = await callReserve(server, { orderId, offerConfigurations: [{ offerId: second.FIXED }] });
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.headers.get('etag') ?? '', /^"1\.\d+"$/);
    const order = await readOrder(server, orderId);
    assert.equal(order.travellers.length, 1);
    assert.equal(order.orderLines.length, 2);
    assert.equal(order.totalAmount, '500.00');
  });

  it('sells a compartment as one line, to as many as it has berths for', async () => {
    const { CABIN = '' } = await findOffers(server, { travellers: TWO_ADULTS });
    const refused = await callReserve(server, {
      offerConfigurations: [{ offerId: CABIN, selectedTravellerIds: ['t1'] }],
    });
    assert.equal(problemOf(refused), '422 COMPARTMENT_SIZE /offerConfigurations/0/selectedTravellerIds');
    const reserved = await reserve(server, CABIN);
    assert.equal(reserved.orderLineIds.length, 1);
    assert.equal(reserved.reservationIds.length, 2);
    const order = await readOrder(server, reserved.orderId);
    assert.deepEqual(
      [...new Set(order.reservations.map((each: Record<string, string>) => each.carriageNumber))],
      ['2'],
    );
  });

  it('gives the seat what the chosen supplement says, and prices it', async () => {
    const { FLEX = '' } = await findOffers(server);
    const { orderId } = await reserve(server, FLEX, { selectableProductIds: ['WINDOW', 'MEAL', 'MEAL'] });
    const order = await readOrder(server, orderId);
    assert.equal(order.totalAmount, '500.00');
    assert.deepEqual(order.reservations[0].seatingProperties.facilities, ['WINDOW']);
    const products = order.orderLines[0].fareProducts.map(({ id }: { id: string }) => id);
    assert.deepEqual(products, ['FLEX', 'WINDOW', 'MEAL', 'MEAL']);
  });

  it('holds nothing when one seat is missing', async () => {
    const { FLEX = '' } = await findOffers(server, { travellers: TWO_ADULTS });
    const { FIXED = '' } = await findOffers(server);
    await reserve(server, FLEX);
    await reserve(server, FIXED);
    assert.equal(await heldSeats(), 3);
    const answer = await callReserve(server, { offerConfigurations: [{ offerId: FIXED }, { offerId: FLEX }] });
    assert.equal(problemOf(answer), '409 SEAT_UNAVAILABLE');
    assert.equal(await heldSeats(), 3);
  });

  it('keeps claimed entitlements, which must be those that the offer requires', async () => {
    const travellers = [{ id: 't1', userType: 'ADULT', entitlementIds: ['CARD'] }];
    const { STUDENT = '', FLEX = '' } = await findOffers(server, { travellers, serviceJourneyId: FREE_TRAIN });
    const card = { entitlements: [{ id: 'CARD' }] };
    const customerId = await server.createCustomer();
    const { orderId } = await reserve(server, STUDENT, { customers: [{ customerId, ...card }] });
    const order = await readOrder(server, orderId);
    assert.deepEqual(order.orderLines[0].travellers[0].entitlementIds, ['CARD']);
    assert.deepEqual(order.travellers[0].customerRef, { id: customerId });
    for (const [offerId, more] of [
      [STUDENT, {}],
      [STUDENT, { customers: [{ customerId }] }],
      [FLEX, card],
    ] as const) {
      const answer = await callReserve(server, { offerConfigurations: [{ offerId: FLEX }, { offerId, ...more }] });
      const member = 'entitlements' in more ? 'entitlements' : 'customers/0/entitlements';
      assert.equal(problemOf(answer), `422 ENTITLEMENT_MISMATCH /offerConfigurations/1/${member}`);
    }
  });

  it('takes entitlements of a traveller without a profile', async () => {
    const travellers = [{ id: 't1', userType: 'ADULT', entitlementIds: ['CARD'] }];
    const { STUDENT = '' } = await findOffers(server, { travellers, serviceJourneyId: FREE_TRAIN });
    const customers = [{ entitlements: [{ id: 'CARD' }] }];
    const answer = await callReserve(server, { offerConfigurations: [{ offerId: STUDENT, customers }] });
    assert.deepEqual([answer.status, answer.headers.get('deprecation')], [200, null], answer.text);
    const order = await readOrder(server, answer.json.orderId);
    assert.deepEqual(order.orderLines[0].travellers[0].entitlementIds, ['CARD']);
    assert.equal(order.travellers[0].customerRef, undefined);
    const empty = await callReserve(server, { offerConfigurations: [{ offerId: STUDENT, customers: [{}] }] });
    assert.equal(problemOf(empty), '400 VALIDATION_FAILED /offerConfigurations/0/customers/0');
  });

  it('folds deprecated members, and says that they are deprecated', async () => {
    const travellers = [{ id: 't1', userType: 'ADULT', entitlementIds: ['CARD'] }];
    const { STUDENT = '', FLEX = '' } = await findOffers(server, { travellers, serviceJourneyId: FREE_TRAIN });
    const customerId = await server.createCustomer();
    const lineId = randomUUID();
    const answer = await callReserve(server, {
      orderLineIds: [lineId],
      offerConfigurations: [{ offerId: STUDENT, customerIds: [customerId], entitlements: [{ id: 'CARD' }] }],
    });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json.orderLineIds, [lineId]);
    assert.match(answer.headers.get('deprecation') ?? '', /^@\d+$/);
    assert.ok(answer.headers.get('sunset'));
    const counted = await callReserve(server, { offerConfigurations: [{ offerId: FLEX, count: 2 }] });
    assert.equal(counted.json.orderLineIds.length, 2);
    const plain = await callReserve(server, { offerConfigurations: [{ offerId: FLEX }] });
    assert.equal(plain.headers.get('deprecation'), null);
  });

  it('refuses members that exclude each other, and the removed one', async () => {
    const { FLEX: offerId = '' } = await findOffers(server);
    const customerId = await server.createCustomer();
    const cases: readonly (readonly [object, string])[] = [
      [{ customers: [{ customerId }], customerIds: [customerId] }, 'customerIds'],
      [{ customers: [{ customerId }], entitlements: [{ id: 'CARD' }] }, 'entitlements'],
      [{ count: 1, selectedTravellerIds: ['t1'] }, 'count'],
      [{ reservations: [] }, 'reservations'],
    ];
    for (const [more, member] of cases) {
      const answer = await callReserve(server, { offerConfigurations: [{ offerId, ...more }] });
      assert.equal(problemOf(answer), `400 VALIDATION_FAILED /offerConfigurations/0/${member}`);
    }
  });

  it('refuses unknown offers, travellers, customers, products and orders', async () => {
    const { FLEX: offerId = '' } = await findOffers(server);
    const foreign = await server.createCustomer(2);
    const cases: readonly (readonly [object, string])[] = [
      [{ offerId: randomUUID() }, '422 UNKNOWN_OFFER /offerConfigurations/0/offerId'],
      [{ offerId, selectedTravellerIds: ['t9'] }, '422 TRAVELLER_NOT_IN_OFFER'],
      [{ offerId, customers: [{ customerId: '9999999999' }] }, '422 UNKNOWN_CUSTOMER'],
      [{ offerId, customers: [{ customerId: foreign }] }, '422 UNKNOWN_CUSTOMER'],
      [
        { offerId, selectableProductIds: ['MEAL', 'NOTHING'] },
        '422 VALIDATION_FAILED /offerConfigurations/0/selectableProductIds/1',
      ],
    ];
    for (const [configuration, problem] of cases) {
      assert.equal(problemOf(await callReserve(server, { offerConfigurations: [configuration] })), problem);
    }
    const detailOf = async (configuration: object) =>
      (await callReserve(server, { offerConfigurations: [configuration] })).json.detail;
    assert.match(await detailOf({ offerId: randomUUID() }), /search again/);
    const wrong = { offerId, selectableProductIds: ['NOTHING'] };
    assert.match(
      await detailOf(wrong),
      /NOTHING cannot be chosen here: it is no supplement .* which has MEAL, WINDOW\./,
    );
    const unknown = await callReserve(server, { orderId: 'AAAAAAAA', offerConfigurations: [{ offerId }] });
    assert.equal(problemOf(unknown), '404 NOT_FOUND');
    assert.equal(await heldSeats(), 0);
  });

  it('sells an offer through its own channel alone', async () => {
    const { FOREIGN: offerId = '' } = await findOffers(server, { token: OTHER });
    const body = { offerConfigurations: [{ offerId }] };
    const through = async (channel: string) =>
      await callReserve(server, body, { token: OTHER, headers: { 'service-distribution-channel': channel } });
    assert.equal(problemOf(await through(OTHER_CHANNEL)), '422 UNKNOWN_OFFER /offerConfigurations/0/offerId');
    const sold = await through(CHANNEL);
    assert.equal(sold.status, 200, sold.text);
    const { orderId, orderLineIds } = sold.json;
    const changed = await server.call('/v1/update-order', {
      ...{ token: OTHER, headers: { 'service-distribution-channel': OTHER_CHANNEL } },
      body: { orderId, changeOfferConfigurations: [{ offerId, selectedOrderLineIds: orderLineIds }] },
    });
    assert.equal(problemOf(changed), '422 UNKNOWN_OFFER /changeOfferConfigurations/0/offerId');
  });

  it('asks for no seat when the order has no room for the lines', async () => {
    const { FLEX = '' } = await findOffers(server, { travellers: TWO_ADULTS });
    const { json: order } = await server.call('/v1/orders', { body: { travellers: [{ userType: 'ADULT' }] } });
    const line = {
      ...{ description: [{ lang: 'nob', value: 'Kort' }], price: { amount: '1.00' } },
      travellers: [{ travellerId: order.travellers[0].id }],
      travelSpecification: { legs: [], startOfValidity: '2026-01-01T00:00:00Z', endOfValidity: '2026-01-02T00:00:00Z' },
    };
    const orderLines = Array.from({ length: 199 }, () => line);
    const added = await server.call(`/v1/orders/${order.id}/orderlines`, { token: PRICING, body: { orderLines } });
    assert.equal(added.status, 201, added.text);
    let holds = 0;
    server.seating = (keeper) => ({
      hold: async (call) => {
        holds += 1;
        return await keeper.hold(call);
      },
      giveBack: keeper.giveBack.bind(keeper),
    });
    const body = { orderId: order.id, offerConfigurations: [{ offerId: FLEX }] };
    const refused = await callReserve(server, body);
    assert.deepEqual([problemOf(refused), holds], ['400 VALIDATION_FAILED /offerConfigurations', 0]);
  });

  it('refuses offers of others as unknown, and expired ones as expired', async () => {
    const { FLEX: offerId = '' } = await findOffers(server);
    const body = { offerConfigurations: [{ offerId }] };
    const foreign = await callReserve(server, body, { token: OTHER });
    assert.equal(problemOf(foreign), '422 UNKNOWN_OFFER /offerConfigurations/0/offerId');
    server.now = new Date(Date.now() + 31 * 60_000);
    assert.equal(problemOf(await callReserve(server, body)), '409 OFFER_EXPIRED');
    assert.equal(await heldSeats(), 0);
  });

  it('requires a channel of the caller', async () => {
    const { FLEX: offerId = '' } = await findOffers(server);
    const body = { offerConfigurations: [{ offerId }] };
    const tries = {
      'GRA:DistributionChannel:None': '400 UNKNOWN_DISTRIBUTION_CHANNEL',
      nonsense: '400 UNKNOWN_DISTRIBUTION_CHANNEL',
      [OTHER_CHANNEL]: '403 DISTRIBUTION_CHANNEL_FORBIDDEN',
    };
    assert.match(problemOf(await server.call('/v1/reserve-offers', { body })), /^400 MISSING_HEADER/);
    for (const [channel, problem] of Object.entries(tries)) {
      const headers = { 'service-distribution-channel': channel };
      const answer = await server.call('/v1/reserve-offers', { headers, body });
      assert.ok(problemOf(answer).startsWith(problem), problemOf(answer));
    }
  });

  it('answers a repeat of a keyed request as it was, and does nothing again', async () => {
    const { FLEX: offerId = '' } = await findOffers(server);
    const body = { offerConfigurations: [{ offerId }] };
    const headers = { 'idempotency-key': randomUUID() };
    const first = await callReserve(server, body, { headers });
    const again = await callReserve(server, body, { headers });
    assert.deepEqual(again.json, first.json);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal(await heldSeats(), 1);
    const unkeyed = await callReserve(server, body);
    assert.notEqual(unkeyed.json.orderId, first.json.orderId);
    assert.equal(await heldSeats(), 2);
  });

  it('joins what has begun when it took too long', async () => {
    const { FLEX: offerId = '' } = await findOffers(server);
    const body = { offerConfigurations: [{ offerId }] };
    const headers = { 'idempotency-key': randomUUID() };
    let isSlow = true;
    let hasHeld = false;
    // Long enough to begin with the hold, also on a slow machine.
    server.budgetMs = 1_000;
    server.seating = (keeper) => ({
      hold: async (call) => {
        const held = await keeper.hold(call);
        hasHeld = true;
        if (isSlow) await until(() => !isSlow);
        return held;
      },
      giveBack: keeper.giveBack.bind(keeper),
    });
    const late = await callReserve(server, body, { headers });
    assert.equal(problemOf(late), '503 UNAVAILABLE');
    assert.ok(late.headers.get('retry-after'));
    assert.ok(hasHeld);
    isSlow = false;
    server.budgetMs = undefined;
    const joined = await callReserve(server, body, { headers });
    assert.equal(joined.status, 200, joined.text);
    assert.equal(await heldSeats(), 1);
    const { totalItems } = (await server.call('/v1/orders')).json;
    assert.equal(totalItems, 1);
  });

  it('gives the seats back when it took too long and nobody can join it', async () => {
    const { FLEX: offerId = '' } = await findOffers(server);
    let mayGoOn = false;
    let hasHeld = false;
    server.budgetMs = 1_000;
    server.seating = (keeper) => ({
      hold: async ({ mayHold: _inTime, ...call }) => {
        const held = await keeper.hold(call);
        hasHeld = true;
        await until(() => mayGoOn);
        return held;
      },
      giveBack: keeper.giveBack.bind(keeper),
    });
    assert.equal(problemOf(await callReserve(server, { offerConfigurations: [{ offerId }] })), '503 UNAVAILABLE');
    await until(() => hasHeld);
    assert.equal(await heldSeats(), 1);
    mayGoOn = true;
    await until(async () => (await heldSeats()) === 0);
    assert.equal((await server.call('/v1/orders')).json.totalItems, 0);
  });

  it('writes no order whose seats were held a minute ago, and holds again once they are free', async () => {
    const { FLEX: offerId = '' } = await findOffers(server);
    const body = { offerConfigurations: [{ offerId }] };
    const headers = { 'idempotency-key': randomUUID() };
    server.seating = (keeper) => ({
      hold: async (call) => {
        await keeper.hold(call);
        throw new Error('the process dies after its hold');
      },
      giveBack: keeper.giveBack.bind(keeper),
    });
    assert.equal((await callReserve(server, body, { headers })).status, 500);
    assert.equal(await heldSeats(), 1);
    server.seating = (keeper) => keeper;
    server.now = new Date(Date.now() + 61_000);
    assert.equal(problemOf(await callReserve(server, body, { headers })), '503 UNAVAILABLE');
    server.now = new Date(Date.now() + 121_000);
    await server.keeper.sweep();
    assert.equal(await heldSeats(), 0);
    assert.equal((await callReserve(server, body, { headers })).status, 200);
    assert.equal(await heldSeats(), 1);
  });

  it('gives the seats back when the order cannot be written', async () => {
    const { FLEX: offerId = '' } = await findOffers(server);
    const { orderId } = await reserve(server, offerId);
    const { json } = await server.call(`/v1/orders/${orderId}`);
    server.seating = (keeper) => ({
      hold: async (call) => {
        const held = await keeper.hold(call);
        await server.call(`/v1/orders/${orderId}/external-reference`, {
          method: 'PUT',
          body: { externalReference: 'x' },
        });
        return held;
      },
      giveBack: keeper.giveBack.bind(keeper),
    });
    const headers = { 'if-match': `"${json.version}.${json.revision}"` };
    const answer = await callReserve(server, { orderId, offerConfigurations: [{ offerId }] }, { headers });
    assert.equal(problemOf(answer), '412 REVISION_CONFLICT');
    assert.equal(await heldSeats(), 1);
  });

  it('never sells a seat twice, however many ask at once', async () => {
    const { FIXED: offerId = '' } = await findOffers(server);
    const body = { offerConfigurations: [{ offerId }] };
    const answers = await Promise.all(Array.from({ length: 10 }, async () => await callReserve(server, body)));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 200, 200, 200, 409, 409, 409, 409, 409, 409]);
    const seats = await Promise.all(
      answers
        .filter(({ status }) => status === 200)
        .map(async ({ json }) => (await readOrder(server, json.orderId)).reservations[0]),
    );
    assert.equal(new Set(seats.map(({ seatNumber }) => seatNumber)).size, 4);
  });

  it('needs the scope to write orders', async () => {
    const answer = await server.call('/v1/reserve-offers', {
      token: OWN.replace(',orders:write', ''),
      headers: WITH_CHANNEL,
      body: { offerConfigurations: [{ offerId: randomUUID() }] },
    });
    assert.equal(problemOf(answer), '403 INSUFFICIENT_SCOPE');
  });
});
