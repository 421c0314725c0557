/** Making tickets and sending them, by every path that does so. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ORDERS_COLLECTION } from '../../../activities/orders/order-document.ts';
import type { OrderId } from '../../../workflows/shared/ids.ts';
import { until } from '../../support/until.ts';
import { problemOf } from '../support/call.ts';
import type { SoldTickets, TicketsServer } from './tickets-server.ts';

const PDF = { accept: 'application/pdf' };
const DISTRIBUTE = ['ticket-distributions-groups', 'ticket-distribution-groups'] as const;
const DEPRECATED = ['distribute', 'distribute-travel-card'] as const;

interface Group {
  readonly ticketDistributions: readonly {
    readonly id: number;
    readonly status: string;
    readonly distributionDetails: { readonly attempts: number; readonly channel: string };
  }[];
}

const statusesOf = (groups: readonly Group[]) =>
  groups.flatMap(({ ticketDistributions }) => ticketDistributions.map(({ status }) => status));

export function describeDistribution(useServer: () => TicketsServer): void {
  describe('tickets on request', () => {
    let server: TicketsServer;
    let sold: SoldTickets;

    const generate = async (path = `ticket-distributions/${sold.orderId}/generate`, headers = {}) =>
      await server.call(`/v1/${path}`, { method: 'POST', headers });
    const distribute = async (body?: object, key?: string, path: string = DISTRIBUTE[0]) =>
      await server.call(`/v1/${path}/${sold.orderId}/distribute`, {
        method: 'POST',
        ...(body && { body }),
        ...(key !== undefined && { headers: { 'idempotency-key': key } }),
      });
    const sent = async () =>
      await until(
        async () => {
          const path = `/v1/ticket-distribution-groups?orderId=${sold.orderId}`;
          const statuses = statusesOf((await server.call(path)).json.items);
          return statuses.every((status) => status === 'DISTRIBUTED');
        },
        { what: 'the mails' },
      );

    before(async () => {
      server = useServer();
      sold = await server.sell({ products: ['FLEX', 'DAY'] });
    });

    it('are made, with their PDFs, and sent to nobody', async () => {
      const answer = await generate();
      assert.equal(answer.status, 200, answer.text);
      const { orderId, groups, pdfTickets } = answer.json;
      assert.equal(orderId, sold.orderId);
      assert.deepEqual(statusesOf(groups), ['GENERATED', 'GENERATED']);
      assert.deepEqual(
        pdfTickets.map((each: { ticketDistributionId: number }) => each.ticketDistributionId).sort(),
        sold.tickets.map(({ id }) => id).sort(),
      );
      for (const { pdf, combinedTicket } of pdfTickets) {
        assert.match(Buffer.from(pdf, 'base64').toString('latin1'), /^%PDF-/);
        assert.equal(combinedTicket, false);
      }
      assert.deepEqual(await server.mailsTo(sold.email), []);
    });

    it('are the same however often they are made', async () => {
      const headers = { 'idempotency-key': randomUUID() };
      const [first, again, other] = [
        await generate(undefined, headers),
        await generate(undefined, headers),
        await generate(),
      ];
      assert.deepEqual(again.json, first.json);
      assert.deepEqual(other.json, first.json);
    });

    it('of a line that a refund may pay back are not made, and hold up no others', async () => {
      const held = await server.sell({ products: ['FLEX', 'DAY'] });
      const [line = assert.fail()] = held.orderLineIds;
      const lock = { owner: `refund/${held.orderId}/1`, since: new Date(), orderLineIds: [line] };
      const orders = ORDERS_COLLECTION.open(server.orders.connection);
      await orders.updateOne({ _id: held.orderId as OrderId }, { $set: { lock } } as never);
      const path = `ticket-distributions/${held.orderId}/generate`;
      const refused = await generate(`${path}?orderLineIds=${line}`);
      assert.equal(problemOf(refused), '409 ORDER_LOCKED');
      assert.equal(refused.headers.get('retry-after'), '30');
      assert.equal((await generate(path)).status, 200);
      const send = async () => await server.call(`/v1/${DISTRIBUTE[0]}/${held.orderId}/distribute`, { method: 'POST' });
      assert.equal((await send()).status, 202);
      assert.equal(problemOf(await send()), '409 ORDER_LOCKED');
    });

    it('of many lines are read a few at a time', async () => {
      const many = await server.sell({ products: Array.from({ length: 12 }, () => 'DAY' as const) });
      const answer = await generate(`ticket-distributions/${many.orderId}/generate`);
      assert.equal(answer.json.pdfTickets.length, 12, answer.text);
      assert.ok(server.mostPdfsAtOnce() > 1 && server.mostPdfsAtOnce() <= 8, `${server.mostPdfsAtOnce()} at once`);
    });

    it('are one PDF, in the language that is wanted', async () => {
      for (const [language, title] of [
        ['nb', 'Billetter'],
        ['en;q=0.9, de', 'Tickets'],
      ] as const) {
        const answer = await generate(undefined, { ...PDF, 'accept-language': language });
        assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/pdf'], answer.text);
        assert.ok(answer.text.includes(`${title} ${sold.orderId}`), 'the title of the document');
      }
    });

    it('are made of the named lines alone', async () => {
      const [first] = sold.orderLineIds;
      const path = `ticket-distributions/${sold.orderId}/generate`;
      const answer = await generate(`${path}?orderLineIds=${first}`);
      assert.deepEqual(
        answer.json.groups.map((group: { orderLineId: string }) => group.orderLineId),
        [first],
      );
      assert.equal(answer.json.pdfTickets.length, 1);
      const unknown = await generate(`${path}?orderLineIds=${randomUUID()}`);
      assert.equal(problemOf(unknown), '422 UNKNOWN_ORDER_LINE /query/orderLineIds');
      assert.match(problemOf(await generate(`${path}?orderLineIds=1`)), /^400 VALIDATION_FAILED/);
    });

    it('are made by the deprecated path, which says so', async () => {
      const answer = await generate(`pdf-tickets/${sold.orderId}/generate`);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.json.pdfTickets.length, 2);
      const { headers } = answer;
      assert.match(headers.get('deprecation') ?? '', /^@\d+$/);
      assert.ok(Number.isFinite(Date.parse(headers.get('sunset') ?? '')));
      const successor = `</v1/ticket-distributions/${sold.orderId}/generate>; rel="successor-version"`;
      assert.equal(headers.get('link'), successor);
    });

    it('are neither made nor sent while the order is a draft', async () => {
      const orderId = await server.draft();
      for (const path of [
        `ticket-distributions/${orderId}/generate`,
        ...DISTRIBUTE.map((name) => `${name}/${orderId}/distribute`),
      ]) {
        assert.equal(problemOf(await generate(path)), '409 INVALID_STATE', path);
      }
      assert.equal(problemOf(await generate('ticket-distributions/ABCDEFGH/generate')), '404 NOT_FOUND');
    });

    it('are sent once to the contact, by either spelling', async () => {
      const first = await distribute();
      assert.equal(first.status, 202, first.text);
      assert.equal(first.json.orderId, sold.orderId);
      assert.ok(statusesOf(first.json.groups).every((status) => status !== 'GENERATED'));
      await sent();
      const again = await distribute({ resend: false }, undefined, DISTRIBUTE[1]);
      assert.deepEqual([again.status, ...statusesOf(again.json.groups)], [202, 'DISTRIBUTED', 'DISTRIBUTED']);
      const mails = await server.mailsTo(sold.email);
      assert.equal(mails.length, 1);
      assert.match(mails[0]?.subject ?? '', /Billett/);
    });

    it('are sent again only when that is asked for, once under one key', async () => {
      const key = randomUUID();
      const answer = await distribute({ resend: true }, key);
      assert.equal(answer.status, 202, answer.text);
      await until(async () => (await server.mailsTo(sold.email)).length === 2, { what: 'the second mail' });
      await sent();
      const replay = await distribute({ resend: true }, key);
      assert.deepEqual([replay.status, replay.headers.get('idempotency-replayed')], [202, 'true']);
      assert.deepEqual(replay.json, answer.json);
      assert.equal(problemOf(await distribute({ resend: false }, key)), '422 IDEMPOTENCY_KEY_REUSED');
      assert.equal((await server.mailsTo(sold.email)).length, 2);
    });

    it('are sent to a given address, which no answer shows', async () => {
      const email = `${randomUUID()}@example.no`;
      const answer = await distribute({ email });
      assert.equal(answer.status, 202, answer.text);
      assert.ok(!answer.text.includes(email));
      await until(async () => (await server.mailsTo(email)).length === 1, { what: 'the mail' });
      await sent();
      assert.deepEqual(statusesOf((await distribute({ email })).json.groups), ['DISTRIBUTED', 'DISTRIBUTED']);
      assert.match(problemOf(await distribute({ email: 'nobody' })), /^400 VALIDATION_FAILED \/email/);
      assert.match(problemOf(await distribute({ colour: 'red' })), /^400 VALIDATION_FAILED/);
    });

    it('are not sent where nobody has an address', async () => {
      const { orderId } = await server.sell({ products: ['FLEX'], contact: false });
      const path = `/v1/${DISTRIBUTE[0]}/${orderId}/distribute`;
      assert.equal(problemOf(await server.call(path, { method: 'POST' })), '422 NO_DELIVERY_ADDRESS');
      const email = `${randomUUID()}@example.no`;
      assert.equal((await server.call(path, { body: { email } })).status, 202);
      await until(async () => (await server.mailsTo(email)).length === 1, { what: 'the mail' });
    });

    for (const name of DEPRECATED) {
      it(`are sent by the deprecated path ${name}, which says so`, async () => {
        const path = `/v1/ticket-distributions/${sold.orderId}/${name}`;
        const answer = await server.call(path, { method: 'POST' });
        assert.equal(answer.status, 202, answer.text);
        const successor = `</v1/ticket-distributions-groups/${sold.orderId}/distribute>; rel="successor-version"`;
        assert.equal(answer.headers.get('link'), successor);
        assert.match(answer.headers.get('deprecation') ?? '', /^@\d+$/);
      });
    }
  });
}
