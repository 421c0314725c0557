/** Settlements over HTTP: opened, closed, with their entries and totals, for their organisation and channel alone. */
import assert from 'node:assert/strict';
import { SETTLED_MONEY } from '../../../activities/shared/settlements.ts';
import { composeBooks } from '../../../api/books/compose.ts';
import { createBooksArea } from '../../../api/books/routes.ts';
import { createApp } from '../../../api/shared/app.ts';
import { type RunningServer, serve } from '../../../api/shared/serve.ts';
import { Interfaces } from '../../../platform/interfaces.ts';
import type { SettlementId } from '../../../workflows/shared/ids.ts';
import { capturedEvent, type LedgerWorld, openLedger } from '../../activities/books/ledger-fixture.ts';
import { channel, PAGE } from '../../activities/catalogue/support.ts';
import { readPlainToken, silentLog } from '../support/parcels.ts';

const KIOSK = 'SVC:DistributionChannel:Kiosk';
const CHANNELS = [channel(), channel({ id: KIOSK })];
const OURS = 'shop/1/payments:read,payments:write';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // The tests name the members that they check.
  readonly json: Record<string, never> & { readonly [member: string]: unknown };
}

describe('Settlements', () => {
  let world: LedgerWorld;
  let server: RunningServer;
  let pending: Set<string>;
  beforeEach(async () => {
    world = await openLedger();
    pending = new Set();
    const interfaces = new Interfaces();
    interfaces.provide(SETTLED_MONEY, { hasPendingEntries: async (id) => pending.has(id) });
    const parts = composeBooks({ mongo: world.connection, eventEnvironment: 'dev', interfaces });
    const app = createApp({
      ...{ areas: [createBooksArea(parts)], log: silentLog, verifyToken: readPlainToken },
      findChannel: async (id) => CHANNELS.find((each) => each.id === id),
    });
    server = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 1_000 });
  });
  afterEach(async () => {
    await server.close();
    await world.close();
  });

  const send = async (
    method: string,
    path: string,
    { token = OURS, channel: of, accept }: { token?: string; channel?: string; accept?: string } = {},
  ): Promise<Answer> => {
    const response = await fetch(`${server.url}/v1/settlements${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(of !== undefined && { 'service-distribution-channel': of }),
        ...(accept !== undefined && { accept }),
      },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
  };
  const open = async (of = PAGE, token = OURS) => {
    const opened = await send('POST', '', { channel: of, token });
    assert.equal(opened.status, 201);
    return opened.json.settlementId as unknown as SettlementId;
  };
  const capture = async (order: string, n: number, settlementId: SettlementId, amountMinor = 10_000) =>
    await world.ledger.record([capturedEvent(order, n, { settlementId, amountMinor })]);

  it('are opened for a channel, and found by their organisation alone', async () => {
    const opened = await send('POST', '', { channel: PAGE });
    const { settlementId, openedAt, ...rest } = opened.json;
    assert.match(String(settlementId), /^\d{1,18}$/);
    assert.equal(opened.headers.get('location'), `/v1/settlements/${settlementId}`);
    assert.ok(Date.parse(String(openedAt)) > 0);
    const facts = { status: 'OPEN', organisationId: 1, distributionChannelId: PAGE, totals: [], lateEntries: 0 };
    assert.deepEqual(rest, facts);
    assert.deepEqual((await send('GET', `/${settlementId}`)).json, opened.json);
    assert.equal((await send('GET', `/${settlementId}`, { token: 'shop/2/payments:read' })).status, 404);
    assert.equal((await send('GET', `/${settlementId}`, { channel: KIOSK })).status, 404);
    const theirs = 'shop/2/payments:read,payments:write';
    assert.equal((await send('POST', `/${settlementId}/close`, { token: theirs })).status, 404);
    assert.equal((await send('GET', `/${settlementId}/entries`, { token: theirs })).status, 404);
    assert.equal((await send('POST', '', {})).json.code, 'MISSING_HEADER');
    assert.equal((await send('POST', '', { channel: PAGE, token: 'shop/1/payments:read' })).status, 403);
  });

  it('are listed with the newest first, by status and channel', async () => {
    const [first, second, kiosk] = [await open(), await open(), await open(KIOSK)];
    await send('POST', `/${first}/close`);
    const ids = async (query: string, of?: string) => {
      const { json } = await send('GET', query, of === undefined ? {} : { channel: of });
      return (json.items as unknown as { settlementId: string }[]).map(({ settlementId }) => settlementId);
    };
    assert.deepEqual(await ids(''), [kiosk, second, first]);
    assert.deepEqual(await ids('?status=CLOSED'), [first]);
    assert.deepEqual(await ids('', PAGE), [second, first]);
    assert.deepEqual(await ids('?page=2&perPage=2'), [first]);
  });

  it('have entries in pages and as CSV, and totals by account', async () => {
    const id = await open();
    for (let n = 1; n <= 3; n += 1) await capture('K7QW2MXP', n, id, n * 1_050);
    const { json } = await send('GET', `/${id}/entries?page=2&perPage=4`);
    const { items, ...page } = json;
    assert.deepEqual(page, { page: 2, perPage: 4, totalItems: 6, totalPages: 2 });
    const [debit, credit] = items as unknown as readonly Record<string, unknown>[];
    assert.ok(Date.parse(String(debit?.at)) > 0);
    assert.deepEqual(debit, {
      ...{ entryId: 'order/K7QW2MXP/3#1', at: debit?.at, account: 'clearing/SIMULATOR' },
      ...{ debit: '31.50', credit: '0.00', currency: 'NOK' },
      ...{ orderId: 'K7QW2MXP', paymentId: 7, transactionId: 3, causeEventId: 'order/K7QW2MXP/3' },
    });
    assert.deepEqual([credit?.debit, credit?.credit, credit?.entryId], ['0.00', '31.50', 'order/K7QW2MXP/3#2']);
    const csv = await send('GET', `/${id}/entries`, { accept: 'text/csv' });
    assert.match(String(csv.headers.get('content-type')), /^text\/csv/);
    const lines = csv.text.trimEnd().split('\r\n');
    assert.equal(lines.length, 7);
    assert.match(lines[0] ?? '', /^entryId,at,account,debit,credit,currency,orderId,paymentId/);
    assert.match(lines[1] ?? '', /^order\/K7QW2MXP\/1#1,.*Z,clearing\/SIMULATOR,10\.50,0\.00,NOK,K7QW2MXP,7,1,,,order/);
    const { totals } = (await send('GET', `/${id}`)).json;
    assert.deepEqual(totals, [
      {
        ...{ currency: 'NOK', entries: 3 },
        accounts: [
          { account: 'clearing/SIMULATOR', debit: '63.00', credit: '0.00' },
          { account: 'receivables', debit: '0.00', credit: '63.00' },
        ],
      },
    ]);
  });

  it('never change once they are closed: what comes later is late', async () => {
    const id = await open();
    await capture('A', 1, id);
    const [closed, again] = [await send('POST', `/${id}/close`), await send('POST', `/${id}/close`)];
    assert.deepEqual([closed.status, closed.json.status, again.status], [200, 'CLOSED', 200]);
    assert.deepEqual(again.json, closed.json);
    await capture('A', 2, id);
    const after = (await send('GET', `/${id}`)).json;
    assert.deepEqual({ ...after, lateEntries: 0 }, closed.json);
    assert.equal(after.lateEntries, 1);
    const counted = (await send('GET', `/${id}/entries`)).json.items as unknown as { causeEventId: string }[];
    assert.deepEqual(
      counted.map(({ causeEventId }) => causeEventId),
      ['order/A/1', 'order/A/1'],
    );
    const late = (await send('GET', `/${id}/entries?late=true`)).json.items as unknown as { causeEventId: string }[];
    assert.deepEqual(
      late.map(({ causeEventId }) => causeEventId),
      ['order/A/2', 'order/A/2'],
    );
  });

  it('wait for entries that are on their way, and count them', async () => {
    const id = await open();
    pending.add(id);
    const closing = send('POST', `/${id}/close`);
    await new Promise((resolve) => setTimeout(resolve, 250));
    assert.equal((await send('GET', `/${id}`)).json.status, 'CLOSING');
    await capture('A', 1, id);
    pending.delete(id);
    const { json } = await closing;
    assert.deepEqual([json.status, (json.totals as unknown as { entries: number }[])[0]?.entries], ['CLOSED', 1]);
  });
});
