/** Searches of tickets and groups, the summary of an order, the PDF. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { problemOf } from '../support/call.ts';
import { OPERATOR, OTHER, type SoldTickets, type TicketsServer } from './tickets-server.ts';

export function describeReads(useServer: () => TicketsServer): void {
  describe('reading tickets', () => {
    let server: TicketsServer;
    let sold: SoldTickets;

    const search = async (query: string, path = 'ticket-distributions') => {
      const answer = await server.call(`/v1/${path}?${query}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.json;
    };
    const found = async (query: string) =>
      (await search(query)).items.map(({ id }: { id: number }) => id) as readonly number[];

    before(async () => {
      server = useServer();
      sold = await server.sell({ products: ['DAY', 'FLEX'] });
    });

    it('show a group whole', async () => {
      const { items, totalItems } = await search(`orderId=${sold.orderId}`, 'ticket-distribution-groups');
      assert.equal(totalItems, 2);
      const flex = items.find((item: { orderLineId: string }) => item.orderLineId === sold.orderLineIds[1]);
      const { meta, ticketDistributions, ...group } = flex;
      assert.equal(group.orderId, sold.orderId);
      assert.equal(group.orderOwnerCustomerId, sold.contact);
      assert.deepEqual(meta.orderId, sold.orderId);
      const [ticket] = ticketDistributions;
      assert.ok(Number.isSafeInteger(group.id) && Number.isSafeInteger(ticket.id));
      assert.equal(ticket.barcode.format, 'AZTEC');
      // The format of the header, packed without alignment.
      assert.ok(Buffer.from(ticket.barcode.payloadBase64, 'base64').length > 100);
      assert.deepEqual(ticket.productName, [{ lang: 'nob', value: ticket.productId }]);
      assert.equal(ticket.leg[0].calls.length, 3);
    });

    it('show seats and zones also by their deprecated names', async () => {
      const [{ ticketDistributions }] = (
        await search(`orderLineId=${sold.orderLineIds[1]}`, 'ticket-distribution-groups')
      ).items;
      const [{ seatReservations, topology }] = ticketDistributions;
      const [seat] = seatReservations;
      assert.deepEqual([seat.seatCode, seat.seatType], [seat.seatNumber, 'SEATING']);
      assert.equal(topology.zoneType, null);
      assert.deepEqual(topology.fareZones, []);
    });

    it('find tickets by each field', async () => {
      const [ticket] = sold.tickets;
      const own = [...sold.tickets].map(({ id }) => id).sort();
      const whole = await search(`orderId=${sold.orderId}`);
      assert.deepEqual(whole.items.map(({ id }: { id: number }) => id).sort(), own);
      const [first] = whole.items;
      for (const [query, expected] of [
        [`ticketDistributionId=${ticket?.id}`, [ticket?.id]],
        [`id=${ticket?.id}`, [ticket?.id]],
        [`ticketDistributionId=in:${own.join(',')}&sortBy=asc`, own],
        [`customers=in:${sold.contact},9999999`, own],
        [`orderOwnerCustomerId=${sold.contact}`, own],
        [`orderId=${sold.orderId}&orderVersion=1&distributionStatus=in:GENERATED,DISTRIBUTED,DISTRIBUTING`, own],
        [`orderId=${sold.orderId}&distributionStatus=in:DISABLED,REPLACED`, []],
        [`orderId=${sold.orderId}&createdAt=gt:${new Date(Date.now() + 60_000).toISOString()}`, []],
        [`orderId=${sold.orderId}&startOfValidity=${first.startOfValidity}&id=${first.id}`, [first.id]],
        [`orderId=${sold.orderId}&endOfValidity=lt:${first.endOfValidity}&id=${first.id}`, []],
        [`orderId=${sold.orderId}&organisationId=1`, own],
        [`orderId=${sold.orderId}&distributionHolderCustomerId=${sold.contact}`, []],
      ] as const) {
        assert.deepEqual([...(await found(query))].sort(), expected, query);
      }
    });

    it('read one ticket by its number, as the search shows it', async () => {
      const [item] = (await search(`orderLineId=${sold.orderLineIds[0]}`)).items;
      const answer = await server.call(`/v1/ticket-distributions/${item.id}`);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.json, item);
      assert.equal((await server.call('/v1/ticket-distributions/1')).status, 404);
      const group = await search(`id=${item.ticketDistributionGroupId}`, 'ticket-distribution-groups');
      const { createdAt, updatedAt } = group.items[0];
      assert.deepEqual([item.createdAt, item.updatedAt], [createdAt, updatedAt]);
    });

    it('say which group and line a ticket belongs to', async () => {
      const [item] = (await search(`orderLineId=${sold.orderLineIds[0]}`)).items;
      assert.deepEqual([item.orderId, item.orderLineId, item.orderVersion], [sold.orderId, sold.orderLineIds[0], 1]);
      const group = await search(`id=${item.ticketDistributionGroupId}`, 'ticket-distribution-groups');
      assert.equal(group.items[0].ticketDistributions[0].id, item.id);
    });

    it('page, and count', async () => {
      const page = await search(`orderId=${sold.orderId}&perPage=1&page=2`);
      assert.deepEqual([page.items.length, page.totalItems, page.totalPages, page.page], [1, 2, 2, 2]);
      assert.deepEqual((await search(`orderId=${sold.orderId}&page=9`)).items, []);
    });

    it('refuse a search without a field, with an unknown one, and with an unknown operator', async () => {
      for (const query of ['', 'perPage=5', 'colour=red', `orderId=like:${sold.orderId}`, 'distributionStatus=LOST']) {
        for (const path of ['ticket-distributions', 'ticket-distribution-groups']) {
          assert.match(problemOf(await server.call(`/v1/${path}?${query}`)), /^400 INVALID_SEARCH/, query);
        }
      }
    });

    it('summarise an order', async () => {
      const answer = await server.call(`/v1/ticket-distributions/${sold.orderId}/summary`);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.json.length, 2);
      const { ticketDistributionId, travellerCount, productName, status } = answer.json[0];
      assert.ok(sold.tickets.some(({ id }) => id === ticketDistributionId));
      assert.deepEqual([travellerCount, productName[0].lang, status], [1, 'nob', 'GENERATED']);
      assert.equal(problemOf(await server.call('/v1/ticket-distributions/ABCDEFGH/summary')), '404 NOT_FOUND');
      assert.match(problemOf(await server.call('/v1/ticket-distributions/no/summary')), /^400 INVALID_IDENTIFIER/);
    });

    it('download a ticket, whatever is accepted', async () => {
      for (const accept of ['application/pdf', 'application/json', 'image/png']) {
        const path = `/v1/ticket-distributions/${sold.tickets[0]?.id}/pdf`;
        const answer = await server.call(path, { headers: { accept } });
        assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/pdf']);
        assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="ticket-\d+\.pdf"$/);
        assert.match(answer.text, /^%PDF-/);
      }
      assert.equal(problemOf(await server.call('/v1/ticket-distributions/4711/pdf')), '404 NOT_FOUND');
    });

    it('need the header of the distribution channel', async () => {
      for (const path of [
        `ticket-distributions?orderId=${sold.orderId}`,
        `ticket-distributions/${sold.orderId}/summary`,
      ]) {
        const headers = { 'service-distribution-channel': '' };
        const answer = await server.call(`/v1/${path}`, { headers });
        assert.match(problemOf(answer), /^400 (MISSING_HEADER|UNKNOWN_DISTRIBUTION_CHANNEL)/, path);
      }
    });

    it('find nothing of another organisation', async () => {
      const path = `/v1/ticket-distributions?orderId=${sold.orderId}`;
      assert.equal((await server.call(path, { token: OTHER })).json.totalItems, 0);
      assert.equal((await server.call(path, { token: OPERATOR })).json.totalItems, 2);
      const customers = `/v1/ticket-distribution-groups?customers=${sold.contact}&organisationId=1`;
      assert.equal((await server.call(customers, { token: OTHER })).json.totalItems, 0);
    });

    it('answer an empty page for an order that is unknown', async () => {
      assert.equal((await search(`orderLineId=${randomUUID()}`)).totalItems, 0);
    });
  });
}
