/** The history of an aggregate is whole and in order, also after the log has dropped its events. */
import assert from 'node:assert/strict';
import { KeptEventStore } from '../../../activities/events/kept-event-store.ts';
import type { HistoryRequest } from '../../../activities/shared/event-history.ts';
import {
  always,
  COLLECTIONS_TOPIC,
  changeOrder,
  type EventsWorld,
  newRelay,
  ONE,
  openEvents,
  orderEvent,
  TOPIC,
  TWO,
} from './support.ts';

describe('the history of an aggregate', () => {
  let world: EventsWorld;
  let history: KeptEventStore;
  beforeEach(async () => {
    world = await openEvents();
    history = new KeptEventStore(world.connection);
  });
  afterEach(async () => {
    await world.connection.dropDatabase();
    await world.connection.close();
  });

  async function list(aggregate: string, request: Partial<HistoryRequest> = {}): Promise<readonly string[]> {
    const whole = { organisationId: ONE, aggregate, pending: [], after: 0, limit: 100, ...request };
    return (await history.list(whole)).map(({ id }) => id);
  }

  it('has the events of both topics in one order, after the log has dropped them', async () => {
    const outbox = [1, 2, 3, 4, 5].map((n) => orderEvent('A', n, ONE, n === 3 || n === 5 ? COLLECTIONS_TOPIC : TOPIC));
    await world.orders().insertOne({ _id: 'A', sequence: 5, outbox });
    await world.relay.relayPending(always);
    await world.connection.collection('event_log').deleteMany({});
    assert.deepEqual(await list('order/A'), ['order/A/1', 'order/A/2', 'order/A/3', 'order/A/4', 'order/A/5']);
  });

  it('is read in pages, past the ninth event too', async () => {
    for (let n = 1; n <= 12; n += 1) await changeOrder(world.connection, 'A');
    await world.relay.relayPending(always);
    assert.deepEqual(await list('order/A', { after: 8, limit: 3 }), ['order/A/9', 'order/A/10', 'order/A/11']);
    assert.deepEqual(await list('order/A', { after: 11, limit: 3 }), ['order/A/12']);
    assert.deepEqual(await list('order/A', { after: 12, limit: 3 }), []);
    await assert.rejects(list('order/A', { limit: 100_000 }), RangeError);
  });

  it('has events of this aggregate and this organisation alone', async () => {
    await changeOrder(world.connection, 'A');
    await changeOrder(world.connection, 'AB');
    await world.relay.relayPending(always);
    assert.deepEqual(await list('order/A'), ['order/A/1']);
    assert.deepEqual(await list('order/A', { organisationId: TWO }), []);
    assert.deepEqual(await list('order/A', { organisationId: 'ANY' }), ['order/A/1']);
  });

  it('is as new as the document, while the relay moves its events', async () => {
    for (let n = 1; n <= 3; n += 1) await changeOrder(world.connection, 'A');
    await world.relay.relayPending(always);
    await changeOrder(world.connection, 'A');
    const document = await world.orders().findOne({ _id: 'A' });
    const pending = document?.outbox ?? [];
    const whole = ['order/A/1', 'order/A/2', 'order/A/3', 'order/A/4'];
    assert.deepEqual(await list('order/A', { pending }), whole);
    await world.relay.relayPending(always);
    assert.deepEqual(await list('order/A', { pending }), whole);
    assert.deepEqual(await list('order/A', { pending, limit: 2 }), whole.slice(0, 2));
  });

  it('has each event once, however many relays keep it', async () => {
    await changeOrder(world.connection, 'A');
    const [pending] = await world.source.listPending(1);
    await history.keep(pending?.events ?? []);
    await Promise.all([1, 2, 3].map(() => newRelay(world.connection).relayPending(always)));
    assert.deepEqual(await list('order/A'), ['order/A/1']);
  });

  it('leaves out topics that are not kept', async () => {
    await world.orders().insertOne({ _id: 'A', sequence: 1, outbox: [orderEvent('A', 1, ONE, 'other-dev')] });
    await world.relay.relayPending(always);
    assert.deepEqual([await list('order/A'), (await world.logged('other-dev')).length], [[], 1]);
  });
});
