/** Changing lines, adding supplements, and the options that say beforehand what it costs. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ARRANGEMENTS } from '../../../activities/seating/seating-model.ts';
import { lockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import { noteUse } from '../../../workflows/orders/rules/use.ts';
import type { OrderId, OrderLineId } from '../../../workflows/shared/ids.ts';
import { until } from '../../support/until.ts';
import { problemOf } from '../support/call.ts';
import { findOffers, payAndConfirm, type Reserved, readOrder, reserve, WITH_CHANNEL } from './journeys.ts';
import { departureOf, FREE_TRAIN, LATER_TRAIN, TRAIN } from './small-market.ts';
import { type OrdersServer, startOrders } from './support.ts';

const headers = WITH_CHANNEL;

describe('changing orders', () => {
  let server: OrdersServer;
  const seatsOf = async (status: string) =>
    await ARRANGEMENTS.open(server.connection).countDocuments({ status } as never);
  const change = async (orderId: string, body: object, more: object = {}) =>
    await server.call('/v1/update-order', { headers: { ...headers, ...more }, body: { orderId, ...body } });
  const optionsOf = async (orderId: string) =>
    (await server.call(`/v1/change-options/${orderId}`)).json.orderLines as readonly {
      readonly orderLineId: string;
      readonly options: readonly {
        readonly type: string;
        readonly fee?: { readonly amount: string };
        readonly until: string;
      }[];
    }[];
  /** One line of this product on the first train, paid and confirmed. */
  const sell = async (product: string): Promise<Reserved> => {
    const reserved = await reserve(server, (await findOffers(server))[product] ?? '');
    await payAndConfirm(server, reserved.orderId);
    return reserved;
  };

  /** The write is done and its answer comes too late. The offers have expired then, and the draft is still open. */
  const changeWithoutAnswer = async (orderId: string, body: object, key: object) => {
    let isSlow = true;
    // The write itself is in time, also on a slow machine.
    server.budgetMs = 1_000;
    server.seating = (keeper) => ({ hold: keeper.hold.bind(keeper), giveBack: keeper.giveBack.bind(keeper) });
    const { orders } = server.dependencies;
    const write = orders.change.bind(orders);
    orders.change = (async (...given: Parameters<typeof write>) => {
      const stored = await write(...given);
      await until(() => !isSlow);
      return stored;
    }) as typeof write;
    assert.equal(problemOf(await change(orderId, body, key)), '503 UNAVAILABLE');
    isSlow = false;
    orders.change = write;
    server.budgetMs = undefined;
    server.now = new Date(Date.now() + 60 * 60_000);
    await server.connection
      .collection('orders')
      .updateMany({}, { $set: { expireAt: new Date(Date.now() + 7_200_000) } });
  };

  beforeEach(async () => {
    server = await startOrders();
  });
  afterEach(async () => await server.close());

  it('moves a ticket to another train for the fee that the options have named', async () => {
    const { orderId, orderLineIds } = await sell('FLEX');
    const [line] = await optionsOf(orderId);
    const rebook = line?.options.find(({ type }) => type === 'REBOOK');
    assert.equal(rebook?.fee?.amount, '50.00');
    assert.equal(rebook?.until, departureOf(TRAIN).toISOString());
    const { FLEX: offerId } = await findOffers(server, { serviceJourneyId: LATER_TRAIN });
    const answer = await change(orderId, {
      changeOfferConfigurations: [{ offerId, selectedOrderLineIds: orderLineIds }],
    });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json.orderLineIds, orderLineIds);
    const order = await readOrder(server, orderId);
    assert.deepEqual([order.version, order.status, order.balance], [2, 'DRAFT', '50.00']);
    const [changed] = order.orderLines;
    assert.deepEqual([changed.version, changed.status], [2, 'DRAFT']);
    assert.equal(order.travellers.length, 1);
    assert.deepEqual(
      order.fees.map(({ type, price }: { type: string; price: { amount: string } }) => [type, price.amount]),
      [['CHANGE', '50.00']],
    );
    assert.deepEqual([await seatsOf('CONFIRMED'), await seatsOf('HELD')], [1, 1]);
    await payAndConfirm(server, orderId);
    assert.deepEqual([await seatsOf('CONFIRMED'), await seatsOf('RELEASED')], [1, 1]);
    const first = await server.call(`/v1/orders/${orderId}?version=1`);
    assert.equal(first.json.orderLines[0].version, 1);
  });

  it('keeps the travellers of its lines', async () => {
    const travellers = [
      { id: 'a1', userType: 'ADULT' },
      { id: 'a2', userType: 'ADULT' },
    ];
    const { orderId, orderLineIds } = await reserve(server, (await findOffers(server, { travellers })).FLEX ?? '');
    const before = await readOrder(server, orderId);
    const { FLEX: offerId } = await findOffers(server, { travellers, serviceJourneyId: LATER_TRAIN });
    const exchange = { offerId, selectedOrderLineIds: orderLineIds.slice(1) };
    const other = await change(orderId, {
      changeOfferConfigurations: [{ ...exchange, selectedTravellerIds: ['a1'] }],
    });
    assert.equal(problemOf(other), '422 TRAVELLER_NOT_IN_OFFER');
    assert.match(other.json.detail, /traveller a1 /);
    const answer = await change(orderId, { changeOfferConfigurations: [exchange] });
    assert.deepEqual([answer.status, answer.json.orderLineIds], [200, orderLineIds.slice(1)], answer.text);
    const after = await readOrder(server, orderId);
    assert.deepEqual(after.travellers, before.travellers);
    const owners = (order: typeof after) =>
      order.orderLines.map((line: { travellers: readonly { travellerId: string }[] }) => line.travellers);
    assert.deepEqual(owners(after), owners(before));
    assert.equal(after.reservations.length, 2);
  });

  it('frees the new seat when the change is dropped', async () => {
    const { orderId, orderLineIds } = await sell('FLEX');
    const { FLEX: offerId } = await findOffers(server, { serviceJourneyId: LATER_TRAIN });
    await change(orderId, { changeOfferConfigurations: [{ offerId, selectedOrderLineIds: orderLineIds }] });
    const reset = await server.call(`/v1/orders/${orderId}/reset`, { method: 'POST' });
    assert.deepEqual([reset.status, reset.json.status, reset.json.version], [200, 'CONFIRMED', 1]);
    assert.deepEqual([await seatsOf('CONFIRMED'), await seatsOf('RELEASED')], [1, 1]);
  });

  it('keeps what a cheaper ticket saves when the old one is never refunded', async () => {
    const order = await server.call('/v1/orders', { body: { travellers: [{ userType: 'ADULT' }] } });
    assert.equal(order.status, 201, order.text);
    const { orderId, orderLineIds } = await sell('FIXED');
    const { STUDENT: offerId } = await findOffers(server, {
      travellers: [{ id: 't1', userType: 'ADULT', entitlementIds: ['CARD'] }],
      serviceJourneyId: LATER_TRAIN,
    });
    const customerId = await server.createCustomer();
    const customers = [{ customerId, entitlements: [{ id: 'CARD' }] }];
    const answer = await change(orderId, {
      changeOfferConfigurations: [{ offerId, selectedOrderLineIds: orderLineIds, customers }],
      refundPriceDifference: true,
    });
    assert.equal(answer.status, 200, answer.text);
    const changed = await readOrder(server, orderId);
    assert.equal(changed.balance, '0.00');
    assert.equal(changed.creditBalance, undefined);
    assert.deepEqual(
      changed.fees.map(({ type, price }: { type: string; price: { amount: string } }) => [type, price.amount]),
      [['CHANGE_NON_REFUNDABLE', '50.00']],
    );
  });

  it('owes the difference where the old ticket may be refunded, and notes that it is to be paid back', async () => {
    const { orderId, orderLineIds } = await sell('FLEX');
    const { FIXED: offerId } = await findOffers(server, { serviceJourneyId: LATER_TRAIN });
    await change(orderId, {
      changeOfferConfigurations: [{ offerId, selectedOrderLineIds: orderLineIds }],
      refundPriceDifference: true,
    });
    const order = await readOrder(server, orderId);
    assert.deepEqual([order.balance, order.creditBalance], ['-50.00', true]);
    const confirm = await server.call(`/v1/orders/${orderId}/confirm`, { body: { orderVersion: 2 } });
    assert.equal(problemOf(confirm), '409 ORDER_NOT_BALANCED');
    assert.match(confirm.json.detail, /balance is -50\.00 NOK\. It is owed to the customer/);
    // The first line keeps its id, so it is changed once more.
    const again = { changeOfferConfigurations: [{ offerId, selectedOrderLineIds: orderLineIds }] };
    assert.equal((await change(orderId, again)).status, 200);
    const { balance, creditBalance } = await readOrder(server, orderId);
    assert.deepEqual([balance, creditBalance], ['-50.00', undefined], 'nobody asks for it any more');
  });

  it('refuses used lines, unknown lines, lines selected twice, and changes nothing', async () => {
    const { orderId, orderLineIds } = await sell('FLEX');
    const { FLEX: offerId } = await findOffers(server, { serviceJourneyId: LATER_TRAIN });
    const one = { offerId, selectedOrderLineIds: orderLineIds };
    const unknown = await change(orderId, {
      changeOfferConfigurations: [{ offerId, selectedOrderLineIds: [orderLineIds[0], randomUUID()] }],
    });
    assert.equal(problemOf(unknown), '422 UNKNOWN_ORDER_LINE');
    const twice = await change(orderId, { changeOfferConfigurations: [one, one] });
    assert.equal(problemOf(twice), '422 VALIDATION_FAILED /changeOfferConfigurations');
    const work = { workId: randomUUID(), correlationId: randomUUID(), clientId: 'test' };
    const usedAt = new Date();
    const [orderLineId] = orderLineIds as readonly OrderLineId[];
    await server.dependencies.orders.change('ANY', orderId as OrderId, work, (order, now) =>
      noteUse(order, { orderLineId: orderLineId as OrderLineId, usedAt }, now),
    );
    assert.equal(problemOf(await change(orderId, { changeOfferConfigurations: [one] })), '409 TICKET_ALREADY_USED');
    assert.deepEqual(await optionsOf(orderId), [{ orderLineId, options: [], reason: 'LINE_USED' }]);
    const order = await readOrder(server, orderId);
    assert.equal(order.orderLines[0].usedAt, usedAt.toISOString());
    assert.deepEqual([order.version, order.status], [1, 'CONFIRMED']);
    assert.equal(await seatsOf('HELD'), 0);
  });

  it('refuses a change after departure, and names no such option', async () => {
    const { orderId, orderLineIds } = await sell('FLEX');
    const { FLEX: offerId } = await findOffers(server, { serviceJourneyId: LATER_TRAIN });
    const line = (await optionsOf(orderId))[0];
    const latest = new Date(line?.options.find(({ type }) => type === 'REBOOK')?.until ?? 0);
    server.now = latest;
    // Offers end before: their time is put off.
    await server.connection
      .collection('offers')
      .updateMany({}, { $set: { expiresAt: new Date(latest.getTime() + 60_000) } });
    const after = await change(orderId, {
      changeOfferConfigurations: [{ offerId, selectedOrderLineIds: orderLineIds }],
    });
    assert.equal(problemOf(after), '409 INVALID_STATE');
    const types = (await optionsOf(orderId))[0]?.options.map(({ type }) => type);
    assert.ok(!types?.includes('REBOOK'), String(types));
    server.now = new Date(latest.getTime() - 1);
    const before = await change(orderId, {
      changeOfferConfigurations: [{ offerId, selectedOrderLineIds: orderLineIds }],
    });
    assert.equal(before.status, 200, before.text);
  });

  it('raises the version of a draft line, whose seat is free again', async () => {
    const { orderId, orderLineIds } = await reserve(server, (await findOffers(server)).FLEX ?? '');
    const { FIXED: offerId } = await findOffers(server, { serviceJourneyId: LATER_TRAIN });
    const answer = await change(orderId, {
      changeOfferConfigurations: [{ offerId, selectedOrderLineIds: orderLineIds }],
    });
    assert.equal(answer.status, 200, answer.text);
    const order = await readOrder(server, orderId);
    assert.deepEqual([order.version, order.orderLines[0].version, order.balance], [1, 2, '200.00']);
    assert.deepEqual([await seatsOf('HELD'), await seatsOf('RELEASED')], [1, 1]);
  });

  it('does a keyed change once, also when it is repeated after its offer has expired', async () => {
    const { orderId, orderLineIds } = await sell('FLEX');
    const { FLEX: offerId } = await findOffers(server, { serviceJourneyId: LATER_TRAIN });
    const body = { changeOfferConfigurations: [{ offerId, selectedOrderLineIds: orderLineIds }] };
    const key = { 'idempotency-key': randomUUID() };
    await changeWithoutAnswer(orderId, body, key);
    const again = await change(orderId, body, key);
    assert.equal(again.status, 200, again.text);
    assert.deepEqual(again.json.orderLineIds, orderLineIds);
    assert.equal(again.json.reservationIds.length, 1);
    const order = await readOrder(server, orderId);
    assert.deepEqual([order.orderLines[0].version, order.fees.length], [2, 1]);
  });

  it('answers several changes with their lines in the order of the request, also when they are repeated', async () => {
    const adults = ['a1', 'a2', 'a3'].map((id) => ({ id, userType: 'ADULT' }));
    /** Of three lines the second is changed first, then the others together: one keeps its id, one is new. */
    const prepare = async () => {
      const { FLEX = '' } = await findOffers(server, { travellers: adults });
      const { orderId, orderLineIds } = await reserve(server, FLEX);
      const [first = '', second = '', third = ''] = orderLineIds;
      const { FLEX: one } = await findOffers(server, { serviceJourneyId: LATER_TRAIN });
      const travellers = adults.filter(({ id }) => id !== 'a2');
      const { FLEX: pair } = await findOffers(server, { travellers, serviceJourneyId: LATER_TRAIN });
      const changeOfferConfigurations = [
        { offerId: one, selectedOrderLineIds: [second] },
        { offerId: pair, selectedOrderLineIds: [first, third] },
      ];
      return { orderId, orderLineIds, kept: [second, first], body: { changeOfferConfigurations } };
    };
    const assertOrdered = async (
      { orderId, orderLineIds, kept }: Awaited<ReturnType<typeof prepare>>,
      json: Reserved,
    ) => {
      const { orderLines } = await readOrder(server, orderId);
      const seats = new Map<string, string[]>(
        orderLines.map((line: { id: string; reservationIds: string[] }) => [line.id, line.reservationIds]),
      );
      const added = [...seats.keys()].filter((id) => !orderLineIds.includes(id));
      assert.deepEqual([added.length, json.orderLineIds], [1, [...kept, ...added]]);
      assert.deepEqual(
        json.reservationIds,
        json.orderLineIds.flatMap((id) => seats.get(id)),
      );
      assert.equal(json.reservationIds.length, 3);
    };
    const direct = await prepare();
    const answer = await change(direct.orderId, direct.body);
    assert.equal(answer.status, 200, answer.text);
    await assertOrdered(direct, answer.json);
    // The trains have few seats.
    await server.call(`/v1/orders/${direct.orderId}/cancel`, { method: 'POST' });
    const late = await prepare();
    const key = { 'idempotency-key': randomUUID() };
    await changeWithoutAnswer(late.orderId, late.body, key);
    const again = await change(late.orderId, late.body, key);
    assert.equal(again.status, 200, again.text);
    await assertOrdered(late, again.json);
  });

  it('chooses supplements again where their line has become another sale meanwhile', async () => {
    const { orders } = server.dependencies;
    const read = orders.get.bind(orders);
    const cases = [
      // The ticket of another organisation has no meals.
      ['FOREIGN', '422 VALIDATION_FAILED /supplementProducts/0/selectableProductIds/0', ['FOREIGN']],
      ['FIXED', '200 ', ['FIXED', 'MEAL']],
    ] as const;
    for (const [product, outcome, products] of cases) {
      const offers = await findOffers(server, { serviceJourneyId: FREE_TRAIN });
      const { orderId, orderLineIds } = await reserve(server, offers.FLEX ?? '');
      let reads = 0;
      orders.get = (async (...given: Parameters<typeof read>) => {
        const stored = await read(...given);
        if (++reads > 1) return stored;
        const changeOfferConfigurations = [{ offerId: offers[product], selectedOrderLineIds: orderLineIds }];
        const changed = await change(orderId, { changeOfferConfigurations });
        assert.equal(changed.status, 200, changed.text);
        return stored;
      }) as typeof read;
      const added = await server.call('/v1/update-order/supplement-products', {
        headers,
        body: { orderId, supplementProducts: [{ orderLineId: orderLineIds[0], selectableProductIds: ['MEAL'] }] },
      });
      orders.get = read;
      assert.equal(problemOf(added), outcome);
      const [line] = (await readOrder(server, orderId)).orderLines;
      assert.deepEqual(
        line.fareProducts.map(({ id }: { id: string }) => id),
        products,
      );
    }
  });

  it('adds supplements, also the same one twice, and raises the version of a confirmed line', async () => {
    const { orderId, orderLineIds } = await sell('FLEX');
    assert.ok((await optionsOf(orderId))[0]?.options.some(({ type, fee }) => type === 'SUPPLEMENT' && !fee));
    const add = async (selectableProductIds: readonly string[]) =>
      await server.call('/v1/update-order/supplement-products', {
        headers,
        body: { orderId, supplementProducts: [{ orderLineId: orderLineIds[0], selectableProductIds }] },
      });
    assert.equal(problemOf(await add(['WINDOW'])), '422 SUPPLEMENT_MODIFIES_SEATING');
    assert.equal(
      problemOf(await add(['MEAL', 'NOTHING'])),
      '422 VALIDATION_FAILED /supplementProducts/0/selectableProductIds/1',
    );
    const answer = await add(['MEAL', 'MEAL']);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json.orderLineIds, orderLineIds);
    assert.equal(answer.json.reservationIds.length, 1);
    const order = await readOrder(server, orderId);
    assert.deepEqual([order.balance, order.orderLines[0].version, order.fees], ['160.00', 2, []]);
    assert.deepEqual([await seatsOf('CONFIRMED'), await seatsOf('HELD')], [1, 0]);
  });

  it('ends with one seat and the right fees, however many change the line at once', async () => {
    const { orderId, orderLineIds } = await sell('FLEX');
    const { FLEX: offerId } = await findOffers(server, { serviceJourneyId: LATER_TRAIN });
    const body = { changeOfferConfigurations: [{ offerId, selectedOrderLineIds: orderLineIds }] };
    const answers = await Promise.all(Array.from({ length: 4 }, async () => await change(orderId, body)));
    const changed = answers.filter(({ status }) => status === 200).length;
    assert.ok(changed > 0, answers.map(problemOf).join());
    const order = await readOrder(server, orderId);
    assert.deepEqual(
      [order.balance, order.fees.length, order.orderLines.length, order.orderLines[0].version],
      ['50.00', 1, 1, 1 + changed],
    );
    assert.deepEqual([await seatsOf('CONFIRMED'), await seatsOf('HELD')], [1, 1]);
    assert.equal(order.reservations.length, 1);
  });

  it('costs the same when a line is written or cancelled by hand', async () => {
    const feesOf = (order: { fees: readonly { type: string; price: { amount: string } }[] }) =>
      order.fees.map(({ type, price }) => `${type} ${price.amount}`);
    const { orderId, orderLineIds } = await sell('FIXED');
    const [cancel] = (await optionsOf(orderId))[0]?.options ?? [];
    assert.deepEqual([cancel?.type, cancel?.fee?.amount], ['CANCEL', '200.00']);
    const cancelled = await server.call(`/v1/orders/${orderId}/orderlines/cancel?orderLineIds=${orderLineIds[0]}`, {
      method: 'POST',
    });
    assert.deepEqual([cancelled.json.balance, feesOf(cancelled.json)], ['0.00', ['REFUNDING 200.00']]);
    const confirm = await server.call(`/v1/orders/${orderId}/confirm`, { body: { orderVersion: 2 } });
    assert.equal(confirm.status, 200, confirm.text);

    const sold = await sell('FLEX');
    const { orderLines } = await readOrder(server, sold.orderId);
    const { version: _v, status: _s, createdAt: _c, confirmedAt: _f, priceContribution: _p, ...given } = orderLines[0];
    const fixed = { ...given, price: { amount: '200.00' }, fareProducts: [{ id: 'FIXED' }] };
    const put = await server.call(`/v1/orders/${sold.orderId}/orderlines`, {
      method: 'PUT',
      body: { orderLines: [fixed] },
    });
    assert.equal(put.status, 200, put.text);
    const changed = await readOrder(server, sold.orderId);
    assert.deepEqual([changed.balance, feesOf(changed)], ['-50.00', ['CHANGE 50.00']]);
  });

  it('names the same line in upper case and as a URN', async () => {
    const { FLEX: offerId } = await findOffers(server);
    const lineId = randomUUID();
    const body = { offerConfigurations: [{ offerId: `URN:UUID:${offerId}`.toLowerCase() }] };
    const named = { ...body, orderLineIds: [`urn:uuid:${lineId.toUpperCase()}`] };
    const reserved = await server.call('/v1/reserve-offers', { headers, body: named });
    assert.deepEqual([reserved.status, reserved.json.orderLineIds], [200, [lineId]], reserved.text);
    const { orderId } = reserved.json;
    const supplementProducts = [{ orderLineId: lineId.toUpperCase(), selectableProductIds: ['MEAL'] }];
    const added = await server.call('/v1/update-order/supplement-products', {
      headers,
      body: { orderId, supplementProducts },
    });
    assert.deepEqual([added.status, added.json.orderLineIds], [200, [lineId]], added.text);
    const removed = await server.call(`/v1/orders/${orderId}/orderlines?orderLineIds=${lineId.toUpperCase()}`, {
      method: 'DELETE',
    });
    assert.equal(removed.status, 200, removed.text);
  });

  it('waits for no capture: a locked order is changed later', async () => {
    const { orderId, orderLineIds } = await sell('FLEX');
    const { FLEX: offerId } = await findOffers(server, { serviceJourneyId: LATER_TRAIN });
    const work = { workId: randomUUID(), correlationId: randomUUID(), clientId: 'test' };
    await server.dependencies.orders.change('ANY', orderId as OrderId, work, (order, now) =>
      lockOrder(order, { owner: 'capture/1/1' }, now),
    );
    const answer = await change(orderId, {
      changeOfferConfigurations: [{ offerId, selectedOrderLineIds: orderLineIds }],
    });
    assert.equal(problemOf(answer), '409 ORDER_LOCKED');
    assert.ok(answer.headers.get('retry-after'));
    assert.equal(await seatsOf('HELD'), 0);
  });

  it('refuses a write that the caller has not seen the order for', async () => {
    const { orderId, orderLineIds } = await sell('FLEX');
    const { FLEX: offerId } = await findOffers(server, { serviceJourneyId: LATER_TRAIN });
    const body = { changeOfferConfigurations: [{ offerId, selectedOrderLineIds: orderLineIds }] };
    assert.equal(problemOf(await change(orderId, body, { 'if-match': '"1.1"' })), '412 REVISION_CONFLICT');
    assert.equal(await seatsOf('HELD'), 0);
  });
});
