/** What a change of lines keeps beside their travellers: the partner's reference and the supplements. */
import assert from 'node:assert/strict';
import { problemOf } from '../support/call.ts';
import { findOffers, readOrder, reserve, WITH_CHANNEL } from './journeys.ts';
import { FREE_TRAIN, LATER_TRAIN } from './small-market.ts';
import { type OrdersServer, startOrders } from './support.ts';

interface Line {
  readonly id: string;
  readonly externalReference?: string;
  readonly price: { readonly amount: string };
  readonly fareProducts: readonly { readonly id: string }[];
}

describe('lines that are changed to another offer', () => {
  let server: OrdersServer;
  const change = async (orderId: string, configuration: object) =>
    await server.call('/v1/update-order', {
      headers: WITH_CHANNEL,
      body: { orderId, changeOfferConfigurations: [configuration] },
    });
  const linesOf = async (orderId: string): Promise<readonly Line[]> => (await readOrder(server, orderId)).orderLines;
  const productsOf = async (orderId: string) =>
    (await linesOf(orderId)).map(({ fareProducts }) => fareProducts.map(({ id }) => id));

  beforeEach(async () => {
    server = await startOrders();
  });
  afterEach(async () => await server.close());

  it('keep their reference and each supplement, also one that was added twice', async () => {
    const more = { externalReference: 'row-1', selectableProductIds: ['WINDOW', 'MEAL', 'MEAL'] };
    const { orderId, orderLineIds } = await reserve(server, (await findOffers(server)).FLEX ?? '', more);
    const { FIXED: offerId } = await findOffers(server, { serviceJourneyId: LATER_TRAIN });
    const answer = await change(orderId, { offerId, selectedOrderLineIds: orderLineIds });
    assert.equal(answer.status, 200, answer.text);
    const [line] = await linesOf(orderId);
    assert.deepEqual([line?.externalReference, line?.price.amount], ['row-1', '400.00']);
    assert.deepEqual(await productsOf(orderId), [['FIXED', 'WINDOW', 'MEAL', 'MEAL']]);
    const { reservations } = await readOrder(server, orderId);
    assert.deepEqual(
      reservations.map((each: { seatingProperties: { facilities: string[] } }) => each.seatingProperties.facilities),
      [['WINDOW']],
    );
  });

  it('have the supplements that the request names, or none', async () => {
    const more = { selectableProductIds: ['MEAL', 'MEAL'] };
    const { orderId, orderLineIds } = await reserve(server, (await findOffers(server)).FLEX ?? '', more);
    const { FLEX: offerId } = await findOffers(server, { serviceJourneyId: LATER_TRAIN });
    for (const selectableProductIds of [['MEAL'], []]) {
      const answer = await change(orderId, { offerId, selectedOrderLineIds: orderLineIds, selectableProductIds });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(await productsOf(orderId), [['FLEX', ...selectableProductIds]]);
    }
  });

  it('are not changed while the offer lacks a supplement and the request names none', async () => {
    const more = { selectableProductIds: ['MEAL'] };
    const { orderId, orderLineIds } = await reserve(server, (await findOffers(server)).FLEX ?? '', more);
    const { FOREIGN: offerId } = await findOffers(server, { serviceJourneyId: LATER_TRAIN });
    const exchange = { offerId, selectedOrderLineIds: orderLineIds };
    const refused = await change(orderId, exchange);
    assert.equal(problemOf(refused), '422 VALIDATION_FAILED /changeOfferConfigurations/0/selectableProductIds');
    assert.match(refused.json.detail, /lacks supplements of the lines: MEAL\. Name .* an empty list is none/);
    assert.deepEqual(await productsOf(orderId), [['FLEX', 'MEAL']]);
    const without = await change(orderId, { ...exchange, selectableProductIds: [] });
    assert.equal(without.status, 200, without.text);
    assert.deepEqual(await productsOf(orderId), [['FOREIGN']]);
  });

  it('are not changed to fewer lines that cannot have all supplements', async () => {
    const more = { selectableProductIds: ['WINDOW', 'MEAL'] };
    const { orderId, orderLineIds } = await reserve(server, (await findOffers(server)).FLEX ?? '', more);
    const { FLEX: offerId } = await findOffers(server, { serviceJourneyId: LATER_TRAIN });
    const second = await server.call('/v1/reserve-offers', {
      headers: WITH_CHANNEL,
      body: { orderId, offerConfigurations: [{ offerId, ...more }] },
    });
    assert.equal(second.status, 200, second.text);
    const exchange = { offerId, selectedOrderLineIds: [...orderLineIds, ...second.json.orderLineIds] };
    const refused = await change(orderId, exchange);
    assert.equal(problemOf(refused), '422 VALIDATION_FAILED /changeOfferConfigurations/0/selectableProductIds');
    assert.match(refused.json.detail, /Left: WINDOW\. Name the supplements/);
    assert.deepEqual(await productsOf(orderId), [
      ['FLEX', 'WINDOW', 'MEAL'],
      ['FLEX', 'WINDOW', 'MEAL'],
    ]);
    const chosen = await change(orderId, { ...exchange, selectableProductIds: ['WINDOW', 'MEAL', 'MEAL'] });
    assert.equal(chosen.status, 200, chosen.text);
    assert.deepEqual(await productsOf(orderId), [['FLEX', 'WINDOW', 'MEAL', 'MEAL']]);
  });

  it('keep what belongs to their own travellers', async () => {
    const travellers = ['a1', 'a2'].map((id) => ({ id, userType: 'ADULT' }));
    const { FLEX: first = '' } = await findOffers(server, { travellers, serviceJourneyId: FREE_TRAIN });
    const { orderId, orderLineIds } = await reserve(server, first, {
      selectedTravellerIds: ['a1'],
      externalReference: 'one',
    });
    const second = {
      offerId: first,
      selectedTravellerIds: ['a2'],
      selectableProductIds: ['MEAL'],
      externalReference: 'two',
    };
    const added = await server.call('/v1/reserve-offers', {
      headers: WITH_CHANNEL,
      body: { orderId, offerConfigurations: [second] },
    });
    const selectedOrderLineIds = [...orderLineIds, ...added.json.orderLineIds];
    const { FIXED: offerId } = await findOffers(server, { travellers, serviceJourneyId: FREE_TRAIN });
    const answer = await change(orderId, { offerId, selectedOrderLineIds });
    assert.equal(answer.status, 200, answer.text);
    const lines = await linesOf(orderId);
    assert.deepEqual(
      lines.map(({ externalReference }) => externalReference),
      ['one', 'two'],
    );
    assert.deepEqual(await productsOf(orderId), [['FIXED'], ['FIXED', 'MEAL']]);
  });

  it('are not changed when they get a supplement while the change is planned', async () => {
    const { orderId, orderLineIds } = await reserve(server, (await findOffers(server)).FLEX ?? '');
    const { FIXED: offerId } = await findOffers(server, { serviceJourneyId: LATER_TRAIN });
    const { orders } = server.dependencies;
    const write = orders.change.bind(orders);
    orders.change = (async (...given: Parameters<typeof write>) => {
      orders.change = write;
      const supplementProducts = [{ orderLineId: orderLineIds[0], selectableProductIds: ['MEAL'] }];
      const body = { orderId, supplementProducts };
      const added = await server.call('/v1/update-order/supplement-products', { headers: WITH_CHANNEL, body });
      assert.equal(added.status, 200, added.text);
      return await write(...given);
    }) as typeof write;
    const answer = await change(orderId, { offerId, selectedOrderLineIds: orderLineIds });
    orders.change = write;
    assert.equal(problemOf(answer), '409 INVALID_STATE');
    assert.match(answer.json.detail, /supplements or references of the lines have changed meanwhile/);
    assert.deepEqual(await productsOf(orderId), [['FLEX', 'MEAL']]);
  });
});
