/** Another start of validity, another holder: each makes successors, once. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { until } from '../../support/until.ts';
import { problemOf } from '../support/call.ts';
import { OPERATOR, OTHER, type SoldTickets, type TicketsServer } from './tickets-server.ts';

const GROUPS = '/v1/ticket-distribution-groups';
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

interface Shown {
  readonly id: number;
  readonly status: string;
  readonly replacedBy?: number;
  readonly startOfValidity: string;
  readonly endOfValidity: string;
  readonly barcode?: { readonly payloadBase64: string };
}

export function describeChanges(useServer: () => TicketsServer): void {
  describe('changed tickets', () => {
    let server: TicketsServer;
    let sold: SoldTickets;

    const move = async (updates: readonly object[], key: string = randomUUID(), token?: string) =>
      await server.call(`${GROUPS}/update-validities`, {
        body: { updates },
        headers: { 'idempotency-key': key },
        ...(token !== undefined && { token }),
      });
    const moveTo = async (startOfValidity: string, key?: string) =>
      await move([{ ticketDistributionGroupId: sold.groupIds[0], startOfValidity }], key);
    const give = async (toCustomerId: string, ids: readonly unknown[] = sold.groupIds, token?: string) =>
      await server.call(`${GROUPS}/transfer-distribution-holder`, {
        body: { ticketDistributionGroupIds: ids, toCustomerId },
        ...(token !== undefined && { token }),
      });
    const ticketsOf = async (groupId = sold.groupIds[0]): Promise<readonly Shown[]> =>
      (await server.call(`${GROUPS}?id=${groupId}`)).json.items[0].ticketDistributions;
    const lengthOf = ({ startOfValidity, endOfValidity }: Shown) =>
      Date.parse(endOfValidity) - Date.parse(startOfValidity);

    before(() => {
      server = useServer();
    });
    beforeEach(async () => {
      sold = await server.sell({ products: ['DAY'] });
    });

    it('begin at another time, for as long, and are signed again', async () => {
      const [before] = await ticketsOf();
      const start = inDays(10);
      const answer = await moveTo(start);
      assert.equal(answer.status, 200, answer.text);
      const [{ ticketDistributions }] = answer.json as readonly [{ readonly ticketDistributions: readonly Shown[] }];
      const [old, successor] = ticketDistributions as readonly [Shown, Shown];
      assert.deepEqual([old.id, old.status, old.replacedBy], [before?.id, 'REPLACED', successor.id]);
      assert.deepEqual([successor.startOfValidity, lengthOf(successor)], [start, lengthOf(old)]);
      await until(async () => (await ticketsOf())[1]?.barcode !== undefined, { what: 'the signature' });
      const { json: revoked } = await server.call(`/v1/ticket-revocations?perPage=100`, { token: null });
      const own = revoked.items.find((each: { ticketDistributionId: number }) => each.ticketDistributionId === old.id);
      assert.equal(own?.reason, 'REPLACED');
      assert.equal(problemOf(await server.call(`/v1/ticket-distributions/${old.id}/pdf`)), '409 INVALID_STATE');
    });

    it('change once under one key, and are not changed by what they are', async () => {
      const [key, start] = [randomUUID(), inDays(5)];
      const first = await moveTo(start, key);
      const again = await moveTo(start, key);
      const same = await moveTo(start);
      assert.deepEqual([first.status, again.status, same.status], [200, 200, 200]);
      assert.equal((await ticketsOf()).length, 2);
      assert.equal(problemOf(await moveTo(inDays(6), key)), '422 IDEMPOTENCY_KEY_REUSED');
    });

    it('begin neither in the past nor after the last start of their product', async () => {
      for (const start of [inDays(-1), inDays(40)]) {
        assert.equal(problemOf(await moveTo(start)), '422 VALIDITY_OUT_OF_RANGE', start);
      }
      const seated = await server.sell({ products: ['FLEX'] });
      const update = { ticketDistributionGroupId: seated.groupIds[0], startOfValidity: inDays(3) };
      assert.equal(problemOf(await move([update])), '422 VALIDITY_OUT_OF_RANGE');
    });

    it('are refused together with one that is refused', async () => {
      const other = await server.sell({ products: ['DAY'] });
      const [good, bad] = [sold, other].map(({ groupIds }, at) => ({
        ticketDistributionGroupId: groupIds[0],
        startOfValidity: inDays(at === 0 ? 3 : 40),
      }));
      const refused = await move([good ?? {}, bad ?? {}]);
      assert.equal(problemOf(refused), '422 VALIDITY_OUT_OF_RANGE');
      assert.ok(
        refused.json.detail.startsWith(`Ticket distribution group ${bad?.ticketDistributionGroupId}: `),
        refused.json.detail,
      );
      assert.equal((await ticketsOf()).length, 1);
      const both = await move([good ?? {}, { ...bad, startOfValidity: inDays(4) }]);
      assert.deepEqual(
        both.json.map(({ id }: { id: number }) => id),
        [...sold.groupIds, ...other.groupIds],
      );
    });

    it('are not changed after their use', async () => {
      const { id } = sold.tickets[0] ?? assert.fail();
      const used = await server.call(`/v1/ticket-distributions/${id}/validations`, {
        body: { validatedAt: new Date().toISOString() },
      });
      assert.equal(used.status, 201, used.text);
      assert.equal(problemOf(await moveTo(inDays(3))), '409 TICKET_ALREADY_USED');
      const friend = await server.orders.createCustomer();
      assert.equal(problemOf(await give(friend)), '409 TICKET_ALREADY_USED');
    });

    it('are given to another customer, who gets them by mail as the one before did', async () => {
      const sent = await server.call(`/v1/ticket-distributions-groups/${sold.orderId}/distribute`, { method: 'POST' });
      assert.equal(sent.status, 202, sent.text);
      await until(async () => (await server.mailsTo(sold.email)).length === 1, { what: 'the first mail' });
      const friend = await server.createReachable();
      const answer = await give(friend.customerNumber);
      assert.equal(answer.status, 200, answer.text);
      const [{ distributionHolderCustomerId, orderOwnerCustomerId, ticketDistributions }] = answer.json;
      assert.deepEqual([distributionHolderCustomerId, orderOwnerCustomerId], [friend.customerNumber, sold.contact]);
      assert.deepEqual(
        ticketDistributions.map(({ status }: Shown) => status === 'REPLACED'),
        [true, false],
      );
      const found = await server.call(`${GROUPS}?distributionHolderCustomerId=${friend.customerNumber}`);
      assert.equal(found.json.totalItems, 1);
      await until(async () => (await server.mailsTo(friend.email)).length === 1, { what: 'the mail' });
    });

    it('are not given away where the product is personal', async () => {
      const personal = await server.sell({ products: ['PERSONAL'] });
      const friend = await server.orders.createCustomer();
      assert.equal(problemOf(await give(friend, personal.groupIds)), '422 NOT_TRANSFERABLE');
    });

    it('are not given to an unknown customer, nor to one of another organisation', async () => {
      for (const customer of ['9999999', await server.orders.createCustomer(2)]) {
        assert.match(problemOf(await give(customer)), /^422 UNKNOWN_CUSTOMER \/toCustomerId$/);
      }
    });

    it('are absent for another organisation, and when they are unknown', async () => {
      const update = { ticketDistributionGroupId: sold.groupIds[0], startOfValidity: inDays(3) };
      assert.match(problemOf(await move([update], randomUUID(), OTHER)), /^404 NOT_FOUND/);
      assert.match(problemOf(await move([{ ...update, ticketDistributionGroupId: 4711 }])), /^404 NOT_FOUND/);
      const stranger = await server.orders.createCustomer(2);
      assert.match(problemOf(await give(stranger, sold.groupIds, OTHER)), /^404 NOT_FOUND/);
      const absent = await give(stranger, [4711]);
      assert.equal(problemOf(absent), '404 NOT_FOUND');
      assert.match(absent.json.detail, /^Ticket distribution group 4711: /);
      assert.equal((await ticketsOf()).length, 1);
      assert.equal((await move([update], randomUUID(), OPERATOR)).status, 200);
    });

    it('are asked for in the form that is described', async () => {
      const update = { ticketDistributionGroupId: sold.groupIds[0], startOfValidity: inDays(3) };
      assert.match(problemOf(await move([])), /^400 VALIDATION_FAILED \/updates/);
      assert.match(problemOf(await move([update, update])), /^400 VALIDATION_FAILED \/updates\/1/);
      assert.match(problemOf(await move([{ ...update, startOfValidity: 'soon' }])), /^400 VALIDATION_FAILED/);
      assert.match(problemOf(await give('1000000001', ['x'])), /^400 VALIDATION_FAILED/);
      assert.match(problemOf(await give('kari')), /^400 VALIDATION_FAILED \/toCustomerId/);
    });
  });
}
