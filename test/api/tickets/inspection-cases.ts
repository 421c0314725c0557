/** What inspectors report, and what they read without a token. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createPublicKey, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TICKET_GROUPS } from '../../../activities/tickets/ticket-group-document.ts';
import { inspectTicket, keysOf, readInspectionFile } from '../../../barcode/inspection-file.ts';
import { projectRoot } from '../../../dev/setup/resolve.mjs';
import { temporaryDirectory } from '../../support/folders.ts';
import { problemOf } from '../support/call.ts';
import { INSPECTOR, type SoldTickets, type TicketsServer } from './tickets-server.ts';

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

export function describeInspection(useServer: () => TicketsServer): void {
  describe('the inspection of tickets', () => {
    let server: TicketsServer;
    let sold: SoldTickets;

    const pathOf = (id: number | undefined = sold.tickets[0]?.id) => `/v1/ticket-distributions/${id}/validations`;
    const validate = async (body: object, headers = {}, id?: number) =>
      await server.call(pathOf(id), { body, token: INSPECTOR, headers });
    const open = async (path: string) => await server.call(path, { token: null, headers: NO_CHANNEL });

    before(() => {
      server = useServer();
    });
    beforeEach(async () => {
      sold = await server.sell({ products: ['FLEX'] });
    });

    it('is reported by an inspector of another organisation', async () => {
      const validatedAt = inHours(0);
      const answer = await validate({ validatedAt, deviceId: 'reader-12' });
      assert.equal(answer.status, 201, answer.text);
      const { validationId, marks, usedAt, ...rest } = answer.json;
      assert.match(validationId, /^[0-9a-f-]{36}$/);
      assert.deepEqual(
        [rest.ticketDistributionId, rest.validatedAt, usedAt],
        [sold.tickets[0]?.id, validatedAt, validatedAt],
      );
      // The train leaves tomorrow.
      assert.deepEqual([marks, rest.deviceId], [['BEFORE_VALIDITY'], 'reader-12']);
      const { json } = await server.call(`/v1/ticket-distributions?ticketDistributionId=${sold.tickets[0]?.id}`);
      assert.equal(json.items[0].usedAt, validatedAt);
    });

    it('counts once under one key', async () => {
      const [body, key] = [{ validatedAt: inHours(0) }, { 'idempotency-key': randomUUID() }];
      const first = await validate(body, key);
      const again = await validate(body, key);
      assert.deepEqual([again.json, again.headers.get('idempotency-replayed')], [first.json, 'true']);
    });

    /** As if the tickets were older. */
    const issuedDaysAgo = async (days: number) => {
      const issuedAt = new Date(Date.now() - days * 24 * HOUR_MS);
      const groups = TICKET_GROUPS.open(server.orders.connection);
      await groups.updateMany({ orderId: sold.orderId } as object, {
        $set: { 'ticketDistributions.$[].issuedAt': issuedAt },
      });
    };

    it('lies not before the ticket was issued, and then leaves it unused', async () => {
      const answer = await validate({ validatedAt: inHours(-1) });
      assert.equal(problemOf(answer), '422 VALIDATION_FAILED /validatedAt');
      assert.match(answer.json.detail, /before the ticket was issued/);
      const { json } = await server.call(`/v1/ticket-distributions?ticketDistributionId=${sold.tickets[0]?.id}`);
      assert.equal(json.items[0].usedAt, undefined);
    });

    it('keeps the earliest use, and marks the leg that is named', async () => {
      await issuedDaysAgo(2);
      const later = await validate({ validatedAt: inHours(-1), legId: sold.tickets[0]?.legIds[0] });
      const earlier = await validate({ validatedAt: inHours(-2) });
      assert.deepEqual([later.status, earlier.status], [201, 201]);
      assert.equal(earlier.json.usedAt, earlier.json.validatedAt);
      assert.deepEqual(later.json.usedLegIds, sold.tickets[0]?.legIds);
    });

    it('may be a day late, and lies neither further back nor ahead', async () => {
      await issuedDaysAgo(2);
      assert.equal((await validate({ validatedAt: inHours(-23) })).status, 201);
      for (const hours of [-25, 1]) {
        assert.equal(problemOf(await validate({ validatedAt: inHours(hours) })), '400 VALIDATION_FAILED /validatedAt');
      }
    });

    it('names a leg of the ticket', async () => {
      const answer = await validate({ validatedAt: inHours(0), legId: 'elsewhere' });
      assert.match(problemOf(answer), /^4(00|22) \w+ \/legId$/);
    });

    it('is recorded for a replaced ticket, and marked so', async () => {
      const day = await server.sell({ products: ['DAY'] });
      const update = { ticketDistributionGroupId: day.groupIds[0], startOfValidity: inHours(100) };
      const moved = await server.call('/v1/ticket-distribution-groups/update-validities', {
        body: { updates: [update] },
      });
      assert.equal(moved.status, 200, moved.text);
      const answer = await validate({ validatedAt: inHours(0) }, {}, day.tickets[0]?.id);
      assert.equal(answer.status, 201, answer.text);
      assert.ok(answer.json.marks.includes('AFTER_DISABLING'), answer.text);
    });

    it('needs its scope, and a ticket', async () => {
      const body = { validatedAt: inHours(0) };
      const token = 'web/1/tickets:read,tickets:write';
      assert.equal(problemOf(await server.call(pathOf(), { body, token })), '403 INSUFFICIENT_SCOPE');
      assert.equal(problemOf(await validate(body, {}, 4711)), '404 NOT_FOUND');
      assert.match(problemOf(await validate({})), /^400 VALIDATION_FAILED \/validatedAt/);
    });

    it('reads the public keys without a token', async () => {
      const answer = await open('/v1/ticket-keys');
      assert.equal(answer.status, 200, answer.text);
      const [{ issuerCode, keyId, algorithm, publicKeyDer, validFrom, validTo }] = answer.json;
      assert.ok(Number.isInteger(issuerCode) && Number.isInteger(keyId));
      assert.equal(typeof algorithm, 'string');
      assert.ok(Date.parse(validFrom) < Date.parse(validTo));
      const key = createPublicKey({ key: Buffer.from(publicKeyDer, 'base64'), format: 'der', type: 'spki' });
      assert.equal(key.asymmetricKeyDetails?.namedCurve, 'prime256v1');
    });

    it('reads one signed file, and verifies tickets with it alone', async () => {
      await server.makeInspectionFile();
      const { json: listed } = await open('/v1/ticket-keys');
      const trusted = keysOf({ keys: listed });
      const answer = await open('/v1/ticket-inspection-file');
      assert.equal(answer.headers.get('content-type'), 'application/jose');
      const { verdict, content = assert.fail() } = readInspectionFile(answer.text, trusted, new Date());
      assert.equal(verdict, 'VALID');
      const { json } = await server.call(`/v1/ticket-distributions?ticketDistributionId=${sold.tickets[0]?.id}`);
      const barcode = Buffer.from(json.items[0].barcode.payloadBase64, 'base64');
      assert.equal(inspectTicket(barcode, content, new Date()), 'VALID');
      for (let bit = 0; bit < barcode.length * 8; bit += 5) {
        const flipped = Buffer.from(barcode);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        assert.notEqual(inspectTicket(flipped, content, new Date()), 'VALID', `bit ${bit}`);
      }
      const etag = answer.headers.get('etag') ?? '';
      const known = await server.call('/v1/ticket-inspection-file', {
        token: null,
        headers: { ...NO_CHANNEL, 'if-none-match': etag },
      });
      assert.deepEqual([known.status, known.text, known.headers.get('etag')], [304, '', etag]);
    });

    it('needs a device with a network once a day, as the example shows', async () => {
      const file = join(temporaryDirectory('inspector'), 'inspection.jws');
      const inspect = async (...args: string[]) =>
        (await promisify(execFile)(process.execPath, [join(projectRoot, 'dev/inspect-ticket.ts'), ...args])).stdout;
      for (const _ of ['trusting what is listed', 'trusting the file before']) {
        assert.match(
          await inspect('fetch', server.url, file),
          /^File \d+: keys 1, revoked tickets \d+, valid until 20/,
        );
      }
      const { json } = await server.call(`/v1/ticket-distributions?ticketDistributionId=${sold.tickets[0]?.id}`);
      // The train leaves tomorrow.
      await assert.rejects(inspect(file, json.items[0].barcode.payloadBase64), {
        code: 1,
        stdout: new RegExp(`^NOT_YET_VALID\nTicket ${sold.tickets[0]?.id} of order ${sold.orderId}\n`),
      });
      const text = readFileSync(file, 'utf8');
      const forged = {
        ...JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()),
        revokedTickets: [],
      };
      const parts = text.split('.').with(1, Buffer.from(JSON.stringify(forged)).toString('base64url'));
      writeFileSync(
        file,
        parts.join('.').replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')),
      );
      await assert.rejects(inspect(file, json.items[0].barcode.payloadBase64), /fetch another before you inspect/);
    });

    it('reads revoked tickets in the next file', async () => {
      const day = await server.sell({ products: ['DAY'] });
      const ticketId = day.tickets[0]?.id;
      const { json } = await server.call(`/v1/ticket-distributions?ticketDistributionId=${ticketId}`);
      const barcode = Buffer.from(json.items[0].barcode.payloadBase64, 'base64');
      const update = { ticketDistributionGroupId: day.groupIds[0], startOfValidity: inHours(100) };
      await server.call('/v1/ticket-distribution-groups/update-validities', { body: { updates: [update] } });
      await server.makeInspectionFile();
      const trusted = keysOf({ keys: (await open('/v1/ticket-keys')).json });
      const { text } = await open('/v1/ticket-inspection-file');
      const { content = assert.fail() } = readInspectionFile(text, trusted, new Date());
      assert.ok(content.revokedTickets.includes(Number(ticketId)));
      assert.equal(inspectTicket(barcode, content, new Date()), 'REVOKED');
    });

    it('reads revocations since a time, the oldest first', async () => {
      const day = await server.sell({ products: ['DAY'] });
      const since = new Date().toISOString();
      const update = { ticketDistributionGroupId: day.groupIds[0], startOfValidity: inHours(100) };
      await server.call('/v1/ticket-distribution-groups/update-validities', { body: { updates: [update] } });
      const { json } = await open(`/v1/ticket-revocations?since=${since}`);
      assert.deepEqual(
        json.items.map(({ ticketDistributionId }: { ticketDistributionId: number }) => ticketDistributionId),
        [day.tickets[0]?.id],
      );
      const all = await open('/v1/ticket-revocations?perPage=100');
      const times = all.json.items.map(({ revokedAt }: { revokedAt: string }) => revokedAt);
      assert.deepEqual(times, [...times].sort());
      assert.equal((await open(`/v1/ticket-revocations?since=${inHours(1)}`)).json.totalItems, 0);
      assert.match(problemOf(await open('/v1/ticket-revocations?since=soon')), /^400 VALIDATION_FAILED/);
    });
  });
}

const NO_CHANNEL = { 'service-distribution-channel': '' };
