/** Tickets of a withdrawn key are issued again by the calls that docs/operations/ticket-keys.md names. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readBarcode } from '../../../barcode/signed-barcode.ts';
import { until } from '../../support/until.ts';
import { problemOf } from '../support/call.ts';
import type { SoldTickets, TicketsServer } from './tickets-server.ts';

interface Shown {
  readonly id: number;
  readonly status: string;
  readonly replacedBy?: number;
  readonly barcode?: { readonly payloadBase64: string };
}

export function describeWithdrawnKeys(useServer: () => TicketsServer): void {
  describe('tickets of a withdrawn key', () => {
    let server: TicketsServer;
    let sold: SoldTickets;

    const generate = async (headers = {}) =>
      await server.call(`/v1/ticket-distributions/${sold.orderId}/generate`, { method: 'POST', headers });
    const ticketsOf = (groups: readonly { readonly ticketDistributions: readonly Shown[] }[]) =>
      groups.flatMap(({ ticketDistributions }) => ticketDistributions);
    const found = async () =>
      ticketsOf((await server.call(`/v1/ticket-distribution-groups?orderId=${sold.orderId}`)).json.items);
    const keyOf = ({ barcode }: Shown) => readBarcode(Buffer.from(barcode?.payloadBase64 ?? '', 'base64')).keyId;
    const liveKeys = async (): Promise<readonly number[]> => {
      const { json } = await server.call('/v1/ticket-keys', { token: null });
      const now = new Date().toISOString();
      return json.flatMap(({ keyId, validTo }: { keyId: number; validTo: string }) => (validTo > now ? [keyId] : []));
    };

    before(() => {
      server = useServer();
    });
    beforeEach(async () => {
      sold = await server.sell({ products: ['FLEX', 'DAY'] });
      await server.withdrawSigningKeys();
    });

    it('get successors with another key and PDF by `generate`, once under repetition', async () => {
      const before = sold.tickets.map(({ id }) => id);
      const [headers, keys] = [{ 'idempotency-key': randomUUID() }, await liveKeys()];
      assert.equal(keys.length, 1);
      const answer = await generate(headers);
      assert.equal(answer.status, 200, answer.text);
      const tickets = ticketsOf(answer.json.groups);
      const [old, live] = [
        tickets.filter(({ status }) => status === 'REPLACED'),
        tickets.filter(({ status }) => status === 'GENERATED'),
      ];
      assert.deepEqual(old.map(({ id }) => id).toSorted(), before.toSorted());
      assert.deepEqual(old.map(({ replacedBy }) => replacedBy).toSorted(), live.map(({ id }) => id).toSorted());
      assert.deepEqual(live.map(keyOf), [keys[0], keys[0]]);
      const pdfs: readonly { readonly ticketDistributionId: number }[] = answer.json.pdfTickets;
      assert.deepEqual(
        pdfs.map(({ ticketDistributionId }) => ticketDistributionId).toSorted(),
        live.map(({ id }) => id).toSorted(),
      );
      const { json: revoked } = await server.call('/v1/ticket-revocations?perPage=100', { token: null });
      const ids = revoked.items.map((each: { ticketDistributionId: number }) => each.ticketDistributionId);
      for (const id of before) {
        assert.ok(ids.includes(id));
        assert.equal(problemOf(await server.call(`/v1/ticket-distributions/${id}/pdf`)), '409 INVALID_STATE');
      }
      assert.deepEqual((await generate(headers)).json, answer.json);
      assert.deepEqual((await generate()).json, answer.json);
    });

    it('get successors by `distribute`, which sends them', async () => {
      const path = `/v1/ticket-distributions-groups/${sold.orderId}/distribute`;
      const answer = await server.call(path, { method: 'POST' });
      assert.equal(answer.status, 202, answer.text);
      const isSent = async () => (await server.mailsTo(sold.email)).length === 1;
      await until(isSent, { what: 'the mail' });
      const live = (await found()).filter(({ status }) => status !== 'REPLACED');
      const [mail] = await server.mailsTo(sold.email);
      assert.deepEqual(
        mail?.attachments.map(({ filename }) => filename).toSorted(),
        live.map(({ id }) => `${sold.orderId}-${id}.pdf`).toSorted(),
      );
      const keys = await liveKeys();
      for (const ticket of live) assert.ok(keys.includes(keyOf(ticket)));
    });
  });
}
