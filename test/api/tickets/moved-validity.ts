/** A ticket that starts at another time, from the sale over the move to a change of its line: tickets, mails, windows and money. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readBarcode } from '../../../barcode/signed-barcode.ts';
import { PAGE_CHANNEL, type PagedOrders } from '../../support/paged-orders.ts';
import { PLACES } from '../../support/sold-trains.ts';
import { until } from '../../support/until.ts';
import { problemOf } from '../support/call.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CHANNEL = { 'service-distribution-channel': PAGE_CHANNEL };

/** To the second, as callers write it. */
const later = (spanMs: number) => new Date(Math.ceil((Date.now() + spanMs) / 1_000) * 1_000).toISOString();
const beforeIt = (start: string, spanMs: number) => new Date(Date.parse(start) - spanMs).toISOString();

interface Ticket {
  readonly id: number;
  readonly status: string;
  readonly ticketDistributionGroupId: number;
  readonly startOfValidity: string;
  readonly endOfValidity: string;
  readonly supplements?: readonly object[];
  readonly barcode?: { readonly payloadBase64: string };
}

interface Option {
  readonly orderLineRef: object;
  readonly refundRule: { readonly id: string };
  readonly refundAmount: string;
}

/** DAY gives all back until a day before its start, and half of it later; so it does in test/support/paged-orders.ts. */
export function describeMovedValidity(useOrders: () => PagedOrders): void {
  describe('a moved validity', () => {
    let orders: PagedOrders;
    before(() => {
      orders = useOrders();
    });

    const call: PagedOrders['call'] = async (path, { headers, ...options } = {}) =>
      await orders.call(path, { ...options, headers: { ...CHANNEL, ...headers } });
    const offerOf = async (product: string, travelDate: string): Promise<string> => {
      const [from, , to] = PLACES;
      const body = { travellers: [{ id: 't1', userType: 'ADULT' }], from, to, travelDate };
      const found = await call('/offers/v2/search/stop-places', { body });
      assert.equal(found.status, 200, found.text);
      const offers: readonly { id: string; preassignedProducts: readonly { id: string }[] }[] = found.json.offers;
      return offers.find(({ preassignedProducts: [main] }) => main?.id === product)?.id ?? assert.fail(found.text);
    };
    const sell = async (product: string, start: string) => {
      const offerId = await offerOf(product, start);
      const reserved = await call('/v1/reserve-offers', { body: { offerConfigurations: [{ offerId }] } });
      assert.equal(reserved.status, 200, reserved.text);
      const { orderId } = reserved.json;
      const email = await orders.addContact({ orderId });
      await orders.pay(orderId);
      return { orderId, email, ticket: await delivered(orderId) };
    };
    const ticketsOf = async (orderId: string): Promise<readonly Ticket[]> =>
      (await call(`/v1/ticket-distributions?orderId=${orderId}&perPage=100`)).json.items;
    const validTickets = async (orderId: string) =>
      (await ticketsOf(orderId)).filter(({ status }) => /DISTRIBUT|GENERATED/.test(status));
    /** The one valid ticket, which was mailed. It is not the `other` one. */
    const delivered = async (orderId: string, other?: Ticket): Promise<Ticket> => {
      const find = async () =>
        (await ticketsOf(orderId)).filter(({ id, status }) => status === 'DISTRIBUTED' && id !== other?.id);
      await until(async () => (await find()).length === 1, { what: 'one delivered ticket' });
      const [ticket = assert.fail()] = await find();
      const { validUntil } = readBarcode(Buffer.from(ticket.barcode?.payloadBase64 ?? '', 'base64'));
      assert.equal(validUntil.getTime(), Math.floor(Date.parse(ticket.endOfValidity) / 60_000) * 60_000);
      assert.equal(Date.parse(ticket.endOfValidity) - Date.parse(ticket.startOfValidity), DAY_MS);
      return ticket;
    };
    const move = async ({ ticketDistributionGroupId }: Ticket, startOfValidity: string) =>
      await call('/v1/ticket-distribution-groups/update-validities', {
        body: { updates: [{ ticketDistributionGroupId, startOfValidity }] },
        headers: { 'idempotency-key': randomUUID() },
        token: await orders.service.token(['tickets:write']),
      });
    const moved = async (orderId: string, ticket: Ticket, start: string): Promise<Ticket> => {
      const answer = await move(ticket, start);
      assert.equal(answer.status, 200, answer.text);
      const successor = await delivered(orderId, ticket);
      assert.equal(successor.startOfValidity, new Date(start).toISOString());
      return successor;
    };
    /** What comes back, and until when. */
    const refundOf = async (orderId: string) => {
      const answer = await call(`/v1/refunds/options/${orderId}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.json.options.map(({ refundAmount, expiresAt }: Record<string, string>) => [
        refundAmount,
        expiresAt,
      ]);
    };
    const rebookOf = async (orderId: string) => {
      const answer = await call(`/v1/change-options/${orderId}`);
      assert.equal(answer.status, 200, answer.text);
      const [{ options }] = answer.json.orderLines;
      const found = options.find(({ type }: { type: string }) => type === 'REBOOK');
      return found && [found.fee?.amount, found.until];
    };
    /** Exchanges the only line for the product at that start: a draft. */
    const exchange = async (orderId: string, product: string, start: string) => {
      const [{ id }] = (await orders.order(orderId)).orderLines;
      const changed = { offerId: await offerOf(product, start), selectedOrderLineIds: [id] };
      return await call('/v1/update-order', { body: { orderId, changeOfferConfigurations: [changed] } });
    };
    const confirm = async (orderId: string) => {
      const { version, balance } = await orders.order(orderId);
      if (balance !== '0.00') return await orders.pay(orderId);
      const answer = await call(`/v1/orders/${orderId}/confirm`, { body: { orderVersion: version } });
      assert.equal(answer.status, 200, answer.text);
    };
    const lineOf = async (orderId: string) => (await orders.order(orderId)).orderLines[0];
    const soldStart = async (orderId: string) => (await lineOf(orderId)).travelSpecification.startOfValidity;

    it('to an earlier start closes windows, and lasts in a change that keeps what was sold', async () => {
      const [start, earlier] = [later(3 * DAY_MS), later(5 * HOUR_MS)];
      const { orderId, email, ticket } = await sell('DAY', start);
      assert.deepEqual(await refundOf(orderId), [['100.00', beforeIt(start, DAY_MS)]]);
      assert.deepEqual(await rebookOf(orderId), [undefined, beforeIt(start, DAY_MS)]);

      const successor = await moved(orderId, ticket, earlier);
      await until(async () => (await orders.mailsTo(email)).length === 3, { what: 'tickets twice and one receipt' });
      assert.equal(await soldStart(orderId), new Date(start).toISOString());
      assert.deepEqual(await refundOf(orderId), [['50.00', beforeIt(earlier, 0)]]);
      assert.deepEqual(await rebookOf(orderId), ['25.00', beforeIt(earlier, 0)]);

      const changed = await exchange(orderId, 'DAY_PLUS', start);
      assert.equal(changed.status, 200, changed.text);
      const draft = await orders.order(orderId);
      assert.deepEqual([draft.version, draft.status, draft.balance], [2, 'DRAFT', '75.00']);
      // The sold version goes on until the draft is confirmed.
      assert.equal((await validTickets(orderId)).length, 1);
      await confirm(orderId);
      const last = await delivered(orderId, successor);
      assert.deepEqual(
        [last.startOfValidity, await soldStart(orderId)],
        [successor.startOfValidity, draft.orderLines[0].travelSpecification.startOfValidity],
      );
      assert.deepEqual(await refundOf(orderId), [['75.00', beforeIt(earlier, 0)]]);
      assert.deepEqual((await ticketsOf(orderId)).map(({ status }) => status).toSorted(), [
        ...['DISTRIBUTED', 'REPLACED', 'REPLACED'],
      ]);
    });

    it('to a later start opens no window, and ends with a change to another validity', async () => {
      const [start, far, other] = [later(2 * DAY_MS), later(9 * DAY_MS), later(5 * DAY_MS)];
      const { orderId, ticket } = await sell('DAY', start);
      const successor = await moved(orderId, ticket, far);
      assert.deepEqual(await refundOf(orderId), [['100.00', beforeIt(start, DAY_MS)]]);
      assert.deepEqual(await rebookOf(orderId), [undefined, beforeIt(start, DAY_MS)]);

      assert.equal((await exchange(orderId, 'DAY', other)).status, 200);
      await confirm(orderId);
      const changed = await delivered(orderId, successor);
      assert.equal(changed.startOfValidity, new Date(other).toISOString());
      assert.deepEqual(await refundOf(orderId), [['100.00', beforeIt(other, DAY_MS)]]);

      // Sold as at first, the line does not get the moved start again.
      assert.equal((await exchange(orderId, 'DAY', start)).status, 200);
      await confirm(orderId);
      const back = await delivered(orderId, changed);
      assert.equal(back.startOfValidity, new Date(start).toISOString());
      assert.deepEqual(await refundOf(orderId), [['100.00', beforeIt(start, DAY_MS)]]);
    });

    it('can become that of the line, by a change to the moved start', async () => {
      const [start, far] = [later(2 * DAY_MS), later(6 * DAY_MS)];
      const { orderId, ticket } = await sell('DAY', start);
      const successor = await moved(orderId, ticket, far);
      assert.equal((await exchange(orderId, 'DAY', far)).status, 200);
      await confirm(orderId);
      const changed = await delivered(orderId, successor);
      assert.deepEqual([changed.startOfValidity, await soldStart(orderId)], [successor.startOfValidity, far]);
      assert.deepEqual(await refundOf(orderId), [['100.00', beforeIt(far, DAY_MS)]]);
      const again = await moved(orderId, changed, later(4 * DAY_MS));
      assert.deepEqual(await refundOf(orderId), [['100.00', beforeIt(again.startOfValidity, DAY_MS)]]);
      const { refundAmount } = (await refundAll(orderId)).json;
      assert.equal(refundAmount, '100.00');
      assert.deepEqual(await validTickets(orderId), []);
    });

    it('lasts beside a draft that is dropped, and where a supplement is added', async () => {
      const [start, far, other] = [later(2 * DAY_MS), later(7 * DAY_MS), later(5 * DAY_MS)];
      const { orderId, ticket } = await sell('DAY', start);
      assert.equal((await exchange(orderId, 'DAY', other)).status, 200);
      const successor = await moved(orderId, ticket, far);
      const reset = await call(`/v1/orders/${orderId}/reset`, { method: 'POST' });
      assert.equal(reset.status, 200, reset.text);
      assert.deepEqual(
        (await validTickets(orderId)).map(({ id }) => id),
        [successor.id],
      );
      assert.deepEqual(await refundOf(orderId), [['100.00', beforeIt(start, DAY_MS)]]);

      const { id: orderLineId } = await lineOf(orderId);
      const supplementProducts = [{ orderLineId, selectableProductIds: ['MEAL'] }];
      const added = await call('/v1/update-order/supplement-products', { body: { orderId, supplementProducts } });
      assert.equal(added.status, 200, added.text);
      await confirm(orderId);
      const fed = await delivered(orderId, successor);
      assert.deepEqual(
        [fed.startOfValidity, fed.supplements?.length, await soldStart(orderId)],
        [successor.startOfValidity, 1, new Date(start).toISOString()],
      );
      assert.deepEqual(await refundOf(orderId), [['180.00', beforeIt(start, DAY_MS)]]);
    });

    it('that has begun ends changes, refunds and moves, though the line was sold for later', async () => {
      const { orderId, ticket } = await sell('DAY', later(3 * DAY_MS));
      const successor = await moved(orderId, ticket, later(2_000));
      await until(async () => (await refundOf(orderId)).length === 0, { what: 'the start' });
      assert.equal(await rebookOf(orderId), undefined);
      assert.equal(problemOf(await exchange(orderId, 'DAY', later(4 * DAY_MS))), '409 INVALID_STATE');
      assert.equal(problemOf(await move(successor, later(4 * DAY_MS))), '409 INVALID_STATE');
      assert.deepEqual(
        (await validTickets(orderId)).map(({ id }) => id),
        [successor.id],
      );
    });

    const refundAll = async (orderId: string) => {
      const options: readonly Option[] = (await call(`/v1/refunds/options/${orderId}`)).json.options;
      const refundOperations = options.map(({ orderLineRef, refundRule: { id }, refundAmount }) => ({
        ...{ orderLineRef, refundRule: { id }, refundAmount },
      }));
      const answer = await call(`/v1/refunds/${orderId}`, { body: { refundOperations } });
      assert.equal(answer.status, 200, answer.text);
      return answer;
    };
  });
}
