/** Money of a settlement, from the request that names it to the totals: payments, the ledger and the closing together. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { LEDGER_ENTRIES } from '../../../activities/books/ledger-document.ts';
import { LedgerReader } from '../../../activities/books/ledger-reader.ts';
import { LedgerStore } from '../../../activities/books/ledger-store.ts';
import { closeSettlement } from '../../../activities/books/settlement-closing.ts';
import { EventLogStore } from '../../../activities/events/event-log-store.ts';
import { EventRelay } from '../../../activities/events/event-relay.ts';
import { KeptEventStore } from '../../../activities/events/kept-event-store.ts';
import { OutboxSource } from '../../../activities/events/outbox-source.ts';
import type { DistributionChannelId, OrganisationId } from '../../../workflows/shared/ids.ts';
import { always } from '../../activities/events/support.ts';
import { CHANNEL } from '../orders/small-market.ts';
import { problemOf } from '../support/call.ts';
import { authorisedOf, orderOf, type PaymentsServer, REDIRECT, startPayments, VISA } from './support.ts';

const OURS = 1 as OrganisationId;
const CASH = { paymentTypeGroup: 'INVOICE', paymentType: 'INVOICE' };

describe('the money of a settlement', () => {
  let server: PaymentsServer;
  let relay: EventRelay;
  let closing: Parameters<typeof closeSettlement>[0];
  before(async () => {
    server = await startPayments();
    const { connection } = server.orders;
    const ledger = new LedgerStore(connection);
    relay = new EventRelay({
      ...{
        log: new EventLogStore(connection),
        kept: new KeptEventStore(connection),
        keptTopics: new Set<string>(),
        ledger,
      },
      sources: ['payments', 'orders', 'settlements'].map((each) => new OutboxSource(connection, each)),
      observer: { relayed: () => undefined, oldestPending: () => undefined },
    });
    await relay.ensureIndexes();
    const { settlements, dependencies } = server;
    closing = { settlements, ledger, reader: new LedgerReader(connection), money: () => dependencies.payments };
  });
  after(async () => await server.close());

  const open = async () => {
    const work = { workId: randomUUID(), correlationId: randomUUID() };
    return (await server.settlements.open(OURS, CHANNEL as DistributionChannelId, work)).id;
  };
  const close = async (id: Awaited<ReturnType<typeof open>>, waitMs = 1_000) =>
    await closeSettlement(closing, OURS, id, { correlationId: randomUUID(), waitMs });
  const pay = async (settlementId: string, amount: string, method: object = VISA) => {
    const orderId = await orderOf(server, amount);
    const body = { orderId, orderVersion: 1, totalAmount: amount, transaction: { amount, ...method } };
    const answer = await server.call('/v1/payments', { body, headers: { 'service-settlement-id': settlementId } });
    assert.equal(answer.status, 201, answer.text);
    const [{ transactionId, settlementId: named }] = answer.json.transactionHistory;
    assert.equal(named, settlementId);
    return { orderId, path: `/v1/payments/${answer.json.paymentId}/transactions/${transactionId}` };
  };
  const capture = async (path: string) => {
    const answer = await server.call(`${path}/capture`, { method: 'PUT' });
    assert.equal(answer.status, 200, answer.text);
  };

  it('is what was captured before it was closed, and no request may name it afterwards', async () => {
    const id = await open();
    const first = await pay(id, '349.00', CASH);
    const later = await pay(id, '100.00', CASH);
    await capture(first.path);
    // The capture is still in its outbox: the closing waits for it.
    assert.equal((await close(id, 0)).status, 'CLOSING');
    await relay.relayPending(always);
    const closed = await close(id);
    const accounts = [
      { account: 'book/INVOICE', debitMinor: 34_900, creditMinor: 0 },
      { account: 'receivables', debitMinor: 0, creditMinor: 34_900 },
    ];
    assert.deepEqual(closed.totals, [{ currency: 'NOK', entryCount: 1, accounts }]);

    await capture(later.path);
    await relay.relayPending(always);
    assert.deepEqual(await server.settlements.get(OURS, id), closed);
    assert.deepEqual(await closing.reader.totalsOf(id), closed.totals);
    const orderId = await orderOf(server, '1.00');
    const body = { orderId, orderVersion: 1, totalAmount: '1.00' };
    const refused = await server.call('/v1/payments', { body, headers: { 'service-settlement-id': id } });
    assert.equal(problemOf(refused), '400 INVALID_SETTLEMENT_ID /header/Service-Settlement-Id');
  });

  it('has an entry in the ledger for each capture and confirmation, which together say that nothing is owed', async () => {
    const id = await open();
    const { orderId, path } = await pay(id, '112.00', CASH);
    await capture(path);
    await relay.relayPending(always);
    const entries = await LEDGER_ENTRIES.open(server.orders.connection)
      .find({ orderId } as object)
      .toArray();
    const postings = entries.flatMap((each) => (each.kind === 'ENTRY' ? each.postings : []));
    const sums = new Map<string, number>();
    for (const { account, amountMinor } of postings) sums.set(account, (sums.get(account) ?? 0) + amountMinor);
    assert.deepEqual([entries.length, sums.get('receivables')], [2, 0]);
    assert.deepEqual(
      [...sums]
        .filter(([account]) => account !== 'receivables')
        .map(([account]) => account)
        .sort(),
      ['book/INVOICE', 'fees/BOOKING'],
    );
  });

  it('counts nothing of transactions that name none', async () => {
    const id = await open();
    const { path } = await authorisedOf(server);
    await server.call(`${path}/terminal`, { body: REDIRECT });
    await capture(path);
    await relay.relayPending(always);
    assert.deepEqual((await close(id)).totals, []);
  });
});
