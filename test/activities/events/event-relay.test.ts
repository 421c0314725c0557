/** The relay must lose no event and append none twice, also when several relays run or one stops at any point. */
import assert from 'node:assert/strict';
import { EventLogStore } from '../../../activities/events/event-log-store.ts';
import { EventRelay } from '../../../activities/events/event-relay.ts';
import { KeptEventStore } from '../../../activities/events/kept-event-store.ts';
import type { OutboxEvent } from '../../../platform/events/outbox.ts';
import {
  always,
  brokenRules,
  COLLECTION,
  changeOrder,
  type EventsWorld,
  newRelay,
  openEvents,
  orderEvent,
  TOPIC,
} from './support.ts';

describe('the relay', () => {
  let world: EventsWorld;
  beforeEach(async () => {
    world = await openEvents();
  });
  afterEach(async () => {
    await world.connection.dropDatabase();
    await world.connection.close();
  });

  const ids = async (topic = TOPIC) => (await world.logged(topic)).map(({ event }) => event.id);
  /** The result of `read`, and the number of documents that the database examined. */
  async function examined<Answer>(read: () => Promise<Answer>): Promise<readonly [Answer, number]> {
    const database = world.connection.getClient().db(world.connection.name);
    await database.setProfilingLevel('all');
    const answer = await read();
    await database.setProfilingLevel('off');
    const profile = database.collection('system.profile');
    const entries = await profile.find({ ns: `${world.connection.name}.${COLLECTION}` }).toArray();
    await profile.drop();
    assert.equal(entries.length, 1);
    return [answer, Number(entries[0]?.docsExamined)];
  }

  const waiting = async () => (await world.orders().find().toArray()).flatMap(({ outbox }) => outbox);

  it('moves pending events, oldest first, and empties the outboxes', async () => {
    await changeOrder(world.connection, 'A');
    await changeOrder(world.connection, 'B');
    await changeOrder(world.connection, 'A');
    await world.relay.relayPending(always);
    assert.deepEqual(await ids(), ['order/A/1', 'order/A/2', 'order/B/1']);
    assert.deepEqual(await waiting(), []);
    assert.deepEqual(world.observed, { relayed: 3, oldest: undefined });
  });

  it('appends each event to its topic', async () => {
    const both = [orderEvent('A', 1), orderEvent('A', 2, undefined, 'order-event-collections-dev')];
    await world.orders().insertOne({ _id: 'A', sequence: 2, outbox: both });
    await world.relay.relayPending(always);
    assert.deepEqual([await ids(), await ids('order-event-collections-dev')], [['order/A/1'], ['order/A/2']]);
  });

  it('appends an event after those before it, also when they are of other topics', async () => {
    const other = 'order-event-collections-dev';
    const outbox = [1, 2, 3, 4].map((n) => orderEvent('A', n, undefined, n % 2 === 0 ? other : TOPIC));
    await world.orders().insertOne({ _id: 'A', sequence: 4, outbox });
    const appended: string[] = [];
    class Watched extends EventLogStore {
      override async append(topic: string, events: readonly OutboxEvent[]): Promise<number> {
        appended.push(...events.map(({ id }) => id));
        return await super.append(topic, events);
      }
    }
    const relay = new EventRelay({
      log: new Watched(world.connection),
      kept: new KeptEventStore(world.connection),
      keptTopics: new Set(),
      sources: [world.source],
      observer: { relayed: () => undefined, oldestPending: () => undefined },
    });
    await relay.relayPending(always);
    assert.deepEqual(appended, ['order/A/1', 'order/A/2', 'order/A/3', 'order/A/4']);
  });

  it('moves more events than fit into one batch', async () => {
    const orders = Array.from({ length: 250 }, (_, index) => `O${index}`);
    const documents = orders.map((_id) => ({ _id, sequence: 3, outbox: [1, 2, 3].map((n) => orderEvent(_id, n)) }));
    await world.orders().insertMany(documents);
    await world.orders().insertOne({
      _id: 'long',
      sequence: 1_200,
      outbox: Array.from({ length: 1_200 }, (_, index) => orderEvent('long', index + 1)),
    });
    await world.relay.relayPending(always);
    const counts = new Map([...orders.map((order) => [order, 3] as const), ['long', 1_200] as const]);
    assert.deepEqual(brokenRules(await world.logged(), counts), []);
    assert.deepEqual(await waiting(), []);
  });

  it('continues after a relay that died between log and outbox', async () => {
    await changeOrder(world.connection, 'A');
    await changeOrder(world.connection, 'A');
    await world.log.append(TOPIC, [orderEvent('A', 1)]);
    await world.relay.relayPending(always);
    assert.deepEqual(await ids(), ['order/A/1', 'order/A/2']);
    assert.deepEqual(await waiting(), []);
  });

  it('keeps events that were added while it ran', async () => {
    await changeOrder(world.connection, 'A');
    const pending = await world.source.listPending(10);
    await changeOrder(world.connection, 'A');
    await world.source.remove(pending);
    assert.deepEqual(
      (await waiting()).map((event) => event.id),
      ['order/A/2'],
    );
  });

  it('appends an event once that a write of the whole document restored', async () => {
    await changeOrder(world.connection, 'A');
    const before = await world.orders().findOne({ _id: 'A' });
    await world.relay.relayPending(always);
    assert.ok(before);
    await world.orders().replaceOne({ _id: 'A' }, before);
    await changeOrder(world.connection, 'A');
    await world.relay.relayPending(always);
    assert.deepEqual(await ids(), ['order/A/1', 'order/A/2']);
    assert.deepEqual(await waiting(), []);
  });

  it('finds pending events by an index, among many documents', async () => {
    await world.orders().insertMany(Array.from({ length: 200 }, (_, n) => ({ _id: `o${n}`, sequence: 0, outbox: [] })));
    await changeOrder(world.connection, 'A');
    await changeOrder(world.connection, 'o7');
    await world.relay.relayPending(always);
    await changeOrder(world.connection, 'A');
    const [pending, looked] = await examined(() => world.source.listPending(10));
    assert.deepEqual([pending.length, looked], [1, 1]);
    const [count, counted] = await examined(() => world.source.countPending(10_000));
    assert.deepEqual([count, counted], [1, 1]);
  });

  it('reports since when the oldest unmovable event has waited', async () => {
    class FullLog extends EventLogStore {
      override async append(): Promise<number> {
        throw new Error('no space is left');
      }
    }
    await changeOrder(world.connection, 'A');
    const [event] = await waiting();
    const oldest: (Date | undefined)[] = [];
    const observer = { relayed: () => undefined, oldestPending: (since: Date | undefined) => void oldest.push(since) };
    const stuck = new EventRelay({
      log: new FullLog(world.connection),
      kept: new KeptEventStore(world.connection),
      keptTopics: new Set(),
      sources: [world.source],
      observer,
    });
    await assert.rejects(stuck.relayPending(always));
    assert.deepEqual(oldest, [event?.time]);
    assert.equal((await waiting()).length, 1);
  });

  it('keeps every rule with five others at once and many writers, and no reader sees a gap', async () => {
    const orders = Array.from({ length: 20 }, (_, index) => `O${index}`);
    const perOrder = 30;
    let writing = true;
    const writers = orders.map(async (order) => {
      for (let n = 0; n < perOrder; n += 1) await changeOrder(world.connection, order);
    });
    const relays = Array.from({ length: 6 }, async () => {
      const relay = newRelay(world.connection);
      const turn = () =>
        relay.relayPending(always).catch((error: Error) => {
          // Another relay was faster; the loop of this one would try again.
          assert.match(error.message, /another relay was faster/);
        });
      while (writing) await turn();
      await turn();
    });
    const read: number[] = [];
    const reader = (async () => {
      while (writing) {
        const after = read.at(-1) ?? 0;
        const last = await world.log.lastOffset(TOPIC);
        const events = await world.log.list(TOPIC, 'ANY', { after, upTo: last, limit: 7 });
        read.push(...events.map(({ offset }) => offset));
      }
    })();
    await Promise.all(writers);
    writing = false;
    await Promise.all([...relays, reader]);
    await world.relay.relayPending(always);
    assert.deepEqual(brokenRules(await world.logged(), new Map(orders.map((order) => [order, perOrder]))), []);
    assert.deepEqual(
      read,
      read.map((_, index) => index + 1),
    );
    assert.deepEqual(await waiting(), []);
  });
});
