/** Offers that are reserved after the catalogue with their trains was replaced: nobody rides without a compulsory seat. */
import assert from 'node:assert/strict';
import { CatalogueStore } from '../../../activities/catalogue/catalogue-store.ts';
import { ARRANGEMENTS } from '../../../activities/seating/seating-model.ts';
import { problemOf } from '../support/call.ts';
import { callReserve, findOffers, payAndConfirm, readOrder, reserve, WITH_CHANNEL } from './journeys.ts';
import { LATER_TRAIN, MARKET, TRAIN } from './small-market.ts';
import { type OrdersServer, startOrders } from './support.ts';

const WITHOUT_SEATS = { ...MARKET, seatPlans: [], trains: [] };

describe('offers of a catalogue that was replaced', () => {
  let server: OrdersServer;
  beforeEach(async () => {
    server = await startOrders();
  });
  afterEach(async () => await server.close());
  const replace = async (content: typeof MARKET) => await new CatalogueStore(server.connection).replace(content);
  const heldSeats = async () => await ARRANGEMENTS.open(server.connection).countDocuments({ status: 'HELD' });

  it('are refused where the ride now needs a seat that they lack', async () => {
    await replace(WITHOUT_SEATS);
    const { FLEX: offerId = '' } = await findOffers(server);
    await replace(MARKET);
    const answer = await callReserve(server, { offerConfigurations: [{ offerId }] });
    assert.equal(problemOf(answer), '409 OFFER_EXPIRED');
    assert.match(answer.json.detail, new RegExp(`seat on ride leg-1 \\(${TRAIN}@.*${offerId}.*Search again`, 'u'));
    const { FLEX: found = '' } = await findOffers(server);
    assert.equal((await reserve(server, found)).reservationIds.length, 1);
  });

  it('are sold where a compulsory supplement gives each traveller a seat', async () => {
    const fareProducts = MARKET.fareProducts.map((product) => {
      if (product.id === 'WINDOW') return { ...product, reservesSeat: true };
      return product.id === 'FLEX'
        ? { ...product, compulsorySupplements: ['WINDOW'], optionalSupplements: ['MEAL'] }
        : product;
    });
    const trains = MARKET.trains.map((train) => ({ ...train, seatReservation: 'OPTIONAL' as const }));
    await replace({ ...MARKET, fareProducts, trains });
    const { FLEX: offerId = '' } = await findOffers(server);
    await replace({ ...MARKET, fareProducts });
    assert.equal((await reserve(server, offerId)).reservationIds.length, 1);
  });

  it('replace no line where the ride now needs a seat that they lack', async () => {
    const { FLEX: first = '' } = await findOffers(server);
    const { orderId, orderLineIds } = await reserve(server, first);
    await replace(WITHOUT_SEATS);
    const { FLEX: offerId = '' } = await findOffers(server, { serviceJourneyId: LATER_TRAIN });
    await replace(MARKET);
    const changeOfferConfigurations = [{ offerId, selectedOrderLineIds: orderLineIds }];
    const answer = await server.call('/v1/update-order', {
      ...{ method: 'POST', headers: WITH_CHANNEL, body: { orderId, changeOfferConfigurations } },
    });
    assert.equal(problemOf(answer), '409 OFFER_EXPIRED');
    assert.equal(await heldSeats(), 1);
  });

  it('are refused where their seat is in no plan any more', async () => {
    const { FLEX: offerId = '' } = await findOffers(server);
    await replace(WITHOUT_SEATS);
    const answer = await callReserve(server, { offerConfigurations: [{ offerId }] });
    assert.equal(problemOf(answer), '409 SEAT_UNAVAILABLE');
    assert.match(answer.json.detail, /has no seats for the journey\. Search offers again/u);
  });

  it('are confirmed as they were reserved', async () => {
    const { FLEX: offerId = '' } = await findOffers(server);
    const { orderId } = await reserve(server, offerId);
    await replace(WITHOUT_SEATS);
    await payAndConfirm(server, orderId);
    const { status, reservations } = await readOrder(server, orderId);
    assert.deepEqual([status, reservations.length], ['CONFIRMED', 1]);
  });
});
