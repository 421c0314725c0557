/** The ledger has each entry once, balanced, and a settlement's entries without a gap, however many write at once. */
import assert from 'node:assert/strict';
import type { EntryDocument } from '../../../activities/books/ledger-document.ts';
import { LedgerStore } from '../../../activities/books/ledger-store.ts';
import { always, newRelay, orderEvent, TOPIC } from '../events/support.ts';
import { capturedEvent, type LedgerWorld, OURS, openLedger, SETTLEMENT } from './ledger-fixture.ts';

describe('the ledger', () => {
  let world: LedgerWorld;
  beforeEach(async () => {
    world = await openLedger();
  });
  afterEach(async () => await world.close());

  const entries = async () => (await world.documents()).filter((each): each is EntryDocument => each.kind === 'ENTRY');

  it('writes an entry for each event, with what it is about', async () => {
    const event = capturedEvent('A', 3);
    assert.equal(await world.ledger.record([event]), 1);
    const [entry] = await entries();
    const { storedAt, ...facts } = entry as EntryDocument;
    assert.ok(storedAt instanceof Date);
    assert.deepEqual(facts, {
      _id: 'order/A/3',
      kind: 'ENTRY',
      organisationId: OURS,
      at: event.time,
      cause: 'service.order.OrderCreated.v1',
      currency: 'NOK',
      postings: event.entry.postings,
      ...{ orderId: 'A', paymentId: 7, transactionId: 3 },
    });
  });

  it('writes each entry once, repeated and by several writers at once', async () => {
    const events = Array.from({ length: 60 }, (_, at) =>
      capturedEvent('A', at + 1, at % 2 === 0 ? { settlementId: SETTLEMENT } : {}),
    );
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      const own = new LedgerStore(world.connection);
      for (let at = 0; at < events.length; at += 10 + writer) await own.record(events.slice(at, at + 10 + writer));
    });
    await Promise.all(writers);
    assert.equal(await world.ledger.record(events), 0);
    const written = await entries();
    assert.equal(written.length, 60);
    const numbers = written.flatMap(({ number }) => (number === undefined ? [] : [number])).sort((a, b) => a - b);
    assert.deepEqual(
      numbers,
      Array.from({ length: 30 }, (_, at) => 2 * at + 1),
    );
  });

  it('refuses an entry that does not balance, and writes nothing of its batch', async () => {
    const odd = capturedEvent('A', 2);
    const [debit, credit] = odd.entry.postings as unknown as [never, { amountMinor: number }];
    const broken = { ...odd, entry: { ...odd.entry, postings: [debit, { ...credit, amountMinor: -9_999 }] } };
    await assert.rejects(world.ledger.record([capturedEvent('A', 1), broken as never]), /differ by 1/);
    assert.deepEqual(await entries(), []);
  });

  it('counts no entry for a settlement that was closed before it came', async () => {
    await world.ledger.record([capturedEvent('A', 1, { settlementId: SETTLEMENT })]);
    const ends = await Promise.all([1, 2, 3].map(() => new LedgerStore(world.connection).close(SETTLEMENT, OURS)));
    assert.deepEqual(ends, [3, 3, 3]);
    await world.ledger.record([capturedEvent('A', 2, { settlementId: SETTLEMENT })]);
    const late = (await entries()).find(({ _id }) => _id === 'order/A/2');
    assert.deepEqual([late?.settlementId, late?.number, late?.lateFor], [undefined, 1, SETTLEMENT]);
  });

  it('keeps every entry either below the end of the settlement or late, while it is closed under load', async () => {
    const record = async (writer: number) => {
      const own = new LedgerStore(world.connection);
      for (let n = 1; n <= 20; n += 1) {
        await own.record([capturedEvent(`W${writer}`, n, { settlementId: SETTLEMENT })]);
      }
    };
    const closing = (async () => {
      while ((await entries()).length < 20) await new Promise(setImmediate);
      return await world.ledger.close(SETTLEMENT, OURS);
    })();
    await Promise.all([1, 2, 3, 4].map(record));
    const end = await closing;
    const written = await entries();
    assert.equal(written.length, 80);
    const counted = written.filter(({ settlementId }) => settlementId === SETTLEMENT);
    assert.deepEqual(
      counted.map(({ number }) => number),
      Array.from({ length: (end - 1) / 2 }, (_, at) => 2 * at + 1),
    );
    assert.equal(written.filter(({ lateFor }) => lateFor === SETTLEMENT).length, 80 - counted.length);
  });

  it('gets its entries from the relay, and no reader of events gets them', async () => {
    const relay = newRelay(world.connection, undefined, world.ledger);
    await relay.ensureIndexes();
    const events = [capturedEvent('A', 1), { ...capturedEvent('A', 2), entry: undefined }, capturedEvent('A', 3)];
    const outbox = events.map(({ entry, ...event }) => (entry ? { ...event, entry } : event));
    await world.connection.collection<{ _id: string }>('orders').insertOne({ _id: 'A', outbox } as never);
    await Promise.all([
      relay.relayPending(always),
      newRelay(world.connection, undefined, world.ledger).relayPending(always),
    ]);
    assert.deepEqual(
      (await entries()).map(({ _id }) => _id),
      ['order/A/1', 'order/A/3'],
    );
    const stored = [
      ...(await world.connection.collection('event_log').find().toArray()),
      ...(await world.connection.collection('kept_events').find().toArray()),
    ];
    assert.equal(stored.filter(({ topic = TOPIC }) => topic === TOPIC).length, 6);
    assert.deepEqual(
      stored.filter(({ event }) => 'entry' in event),
      [],
    );
  });

  it('is not asked for events that post nothing', async () => {
    const refusing = Object.assign(new LedgerStore(world.connection), {
      record: async () => assert.fail('The ledger was asked'),
    });
    const relay = newRelay(world.connection, undefined, refusing);
    await relay.ensureIndexes();
    const outbox = [1, 2, 3].map((n) => orderEvent('A', n));
    await world.connection.collection<{ _id: string }>('orders').insertOne({ _id: 'A', outbox } as never);
    await relay.relayPending(always);
    assert.equal(await world.connection.collection('event_log').countDocuments(), 3);
  });

  it('keeps events in their outbox while the ledger does not take their entries', async () => {
    const failing = Object.assign(new LedgerStore(world.connection), {
      record: async () => {
        throw new Error('no space is left');
      },
    });
    const relay = newRelay(world.connection, undefined, failing);
    await relay.ensureIndexes();
    await world.connection
      .collection<{ _id: string }>('orders')
      .insertOne({ _id: 'A', outbox: [capturedEvent('A', 1)] } as never);
    await assert.rejects(relay.relayPending(always), /no space is left/);
    assert.equal(await world.connection.collection('event_log').countDocuments(), 0);
    await newRelay(world.connection, undefined, world.ledger).relayPending(always);
    assert.equal((await entries()).length, 1);
    assert.equal(await world.connection.collection('event_log').countDocuments(), 1);
  });
});
