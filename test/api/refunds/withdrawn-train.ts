/** A withdrawn train, through the whole service: the event, the money back in full, and another train at no extra price. */
import assert from 'node:assert/strict';
import { PAGE_CHANNEL, type PagedOrders, type SoldOrder } from '../../support/paged-orders.ts';
import { legOf, publishTrains, trainId } from '../../support/sold-trains.ts';
import { until } from '../../support/until.ts';

const CHANNEL = { 'service-distribution-channel': PAGE_CHANNEL };
const SOON_MS = 60_000;
const LATER_TRAIN = 5;

export function describeWithdrawnTrain(useOrders: () => PagedOrders): void {
  describe('a train that its operator withdraws', () => {
    let orders: PagedOrders;
    before(() => {
      orders = useOrders();
    });

    const call: PagedOrders['call'] = async (path, { headers, ...options } = {}) =>
      await orders.call(path, { ...options, headers: { ...CHANNEL, ...headers } });
    const optionsOf = async ({ orderId }: SoldOrder) => {
      const answer = await call(`/v1/refunds/options/${orderId}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.json.options;
    };
    const disruptionsOf = async ({ orderId }: SoldOrder) => {
      const { items } = (await call(`/v1/orders/${orderId}/history`)).json;
      return (items as readonly { type: string; data: { orderLineId: string; cause: string; orderVersion: number } }[])
        .filter(({ type }) => type.includes('OrderLineDisrupted'))
        .map(({ data: { orderLineId, cause, orderVersion } }) => ({ orderLineId, cause, orderVersion }));
    };
    const trainOf = async ({ orderId }: SoldOrder): Promise<number> => {
      const { orderLines } = await orders.order(orderId);
      const id = orderLines[0].travelSpecification.legs[0].serviceJourneyId;
      return Array.from({ length: LATER_TRAIN }, (_, train) => train).findIndex((train) => trainId(train) === id);
    };

    it('is told, refunded in full and rebooked, whatever its products say', async () => {
      const [refunded, rebooked, other] = [
        await orders.sell({ product: 'FIXED' }),
        await orders.sell({ product: 'FIXED' }),
        await orders.sell({ product: 'FIXED' }),
      ] as const;
      assert.deepEqual(await optionsOf(refunded), []);
      const withdrawn = [await trainOf(refunded), await trainOf(rebooked)];
      await publishTrains(orders.service, { build: 2, withdrawn });

      for (const order of [refunded, rebooked]) {
        await until(async () => (await disruptionsOf(order)).length > 0, { what: 'the event', timeoutMs: SOON_MS });
        const { orderLines, version } = await orders.order(order.orderId);
        assert.deepEqual(await disruptionsOf(order), [
          { orderLineId: orderLines[0].id, cause: 'WITHDRAWN', orderVersion: version },
        ]);
        assert.equal(orderLines[0].disruption.cause, 'WITHDRAWN');
      }
      await giveBack(refunded);
      await rebook(rebooked);
      assert.deepEqual([await disruptionsOf(other), await optionsOf(other)], [[], []]);
    });

    async function giveBack(order: SoldOrder): Promise<void> {
      const [option] = await optionsOf(order);
      assert.deepEqual(
        [option.refundRule.id, option.refundRule.refundPercent, option.refundAmount, option.fee],
        ['DISRUPTION', 100, '200.00', '0.00'],
      );
      const { orderLineRef, refundRule, refundAmount } = option;
      const body = { refundOperations: [{ orderLineRef, refundRule: { id: refundRule.id }, refundAmount }] };
      const done = await call(`/v1/refunds/${order.orderId}`, { body });
      assert.equal(done.status, 200, done.text);
      assert.deepEqual(await orders.moved(order), { captures: [20_000], refunds: [20_000] });
      const { orderLines, totalAmount } = await orders.order(order.orderId);
      assert.deepEqual([orderLines[0].status, totalAmount], ['CANCELLED', '0.00']);
    }

    async function rebook({ orderId }: SoldOrder): Promise<void> {
      const before = await orders.order(orderId);
      const lineId = before.orderLines[0].id;
      const changes = await call(`/v1/change-options/${orderId}`);
      const [{ options }] = changes.json.orderLines;
      for (const type of ['CANCEL', 'REBOOK']) {
        const found = options.find((option: { type: string }) => option.type === type);
        assert.ok(found && found.fee === undefined, changes.text);
      }
      const legs = [legOf({ from: 0, to: 2, train: LATER_TRAIN })];
      const search = { travellers: [{ id: 't0', userType: 'ADULT' }], tripPattern: { legs } };
      const { json } = await call('/offers/v2/search/trip-pattern', { body: search });
      const offer = json.offers.find(
        ({ preassignedProducts: [product] }: { preassignedProducts: { id: string }[] }) => product?.id === 'FLEX',
      );
      assert.equal(offer.totalPrice.amount, '300.00');
      const body = { orderId, changeOfferConfigurations: [{ offerId: offer.id, selectedOrderLineIds: [lineId] }] };
      const changed = await call('/v1/update-order', { body });
      assert.equal(changed.status, 200, changed.text);
      const draft = await orders.order(orderId);
      assert.deepEqual([draft.balance, draft.fees, draft.orderLines[0].price.amount], ['0.00', [], '200.00']);
      const confirmed = await call(`/v1/orders/${orderId}/confirm`, { body: { orderVersion: draft.version } });
      assert.equal(confirmed.status, 200, confirmed.text);
      const [line] = confirmed.json.orderLines;
      assert.deepEqual([confirmed.json.status, line.status, line.disruption], ['CONFIRMED', 'CONFIRMED', undefined]);
      const trains = confirmed.json.reservations.map(
        (each: { datedServiceJourneyId: string }) => each.datedServiceJourneyId,
      );
      assert.ok(trains.length === 1 && trains[0].startsWith(trainId(LATER_TRAIN)), trains.join());
      assert.notEqual(confirmed.json.reservations[0].id, before.reservations[0].id);
    }
  });
}
