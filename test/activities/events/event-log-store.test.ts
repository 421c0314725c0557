/** The log must have gapless offsets and each event once, also with many simultaneous writers. */
import assert from 'node:assert/strict';
import { EventLogStore } from '../../../activities/events/event-log-store.ts';
import { type EventsWorld, ONE, openEvents, orderEvent, TOPIC, TWO } from './support.ts';

const OTHER_TOPIC = 'payment-events-dev';

describe('the event log', () => {
  let world: EventsWorld;
  beforeEach(async () => {
    world = await openEvents();
  });
  afterEach(async () => {
    await world.connection.dropDatabase();
    await world.connection.close();
  });

  const places = async () => (await world.logged()).map(({ offset, event }) => [offset, event.id]);

  it('numbers events of each topic from 1 in their order', async () => {
    await world.log.append(TOPIC, [orderEvent('A', 1), orderEvent('B', 1)]);
    await world.log.append(TOPIC, [orderEvent('A', 2)]);
    await world.log.append(OTHER_TOPIC, [orderEvent('A', 1)]);
    assert.deepEqual(await places(), [
      [1, 'order/A/1'],
      [2, 'order/B/1'],
      [3, 'order/A/2'],
    ]);
    assert.equal(await world.log.lastOffset(OTHER_TOPIC), 1);
    assert.equal(await world.log.lastOffset('refund-events-dev'), 0);
  });

  it('appends each event once, also from a batch that it has in part', async () => {
    assert.equal(await world.log.append(TOPIC, [orderEvent('A', 1)]), 1);
    assert.equal(await world.log.append(TOPIC, [orderEvent('A', 1), orderEvent('A', 2), orderEvent('A', 2)]), 1);
    assert.deepEqual(await places(), [
      [1, 'order/A/1'],
      [2, 'order/A/2'],
    ]);
  });

  it('stays gapless under simultaneous appends of the same and different events', async () => {
    const common = Array.from({ length: 20 }, (_, index) => orderEvent('C', index + 1));
    const counts = await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        const own = Array.from({ length: 10 }, (_event, index) => orderEvent(`W${writer}`, index + 1));
        return await new EventLogStore(world.connection).append(TOPIC, [...common, ...own]);
      }),
    );
    const logged = await world.logged();
    assert.deepEqual(
      logged.map(({ offset }) => offset),
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
    assert.equal(new Set(logged.map(({ event }) => event.id)).size, 100);
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      100,
    );
  });

  it('continues its offsets when all events have expired', async () => {
    await world.log.append(TOPIC, [orderEvent('A', 1), orderEvent('A', 2)]);
    await world.connection.collection('event_log').deleteMany({});
    assert.equal(await world.log.lastOffset(TOPIC), 2);
    await world.log.append(TOPIC, [orderEvent('A', 3)]);
    assert.deepEqual(await places(), [[3, 'order/A/3']]);
  });

  it('keeps the last offset of a writer that died before recording it', async () => {
    await world.log.append(TOPIC, [orderEvent('A', 1)]);
    await world.connection.collection('event_topics').deleteMany({});
    await world.log.append(TOPIC, [orderEvent('A', 1)]);
    await world.connection.collection('event_log').deleteMany({});
    assert.equal(await world.log.lastOffset(TOPIC), 1);
  });

  it('never stores an event as older than the previous one, so that they expire in order', async () => {
    const [ahead, behind] = [new Date('2026-01-02T00:00:10Z'), new Date('2026-01-02T00:00:00Z')];
    await new EventLogStore(world.connection, () => ahead).append(TOPIC, [orderEvent('A', 1)]);
    await new EventLogStore(world.connection, () => behind).append(TOPIC, [orderEvent('A', 2)]);
    const stored = await world.connection.collection('event_log').find().sort({ offset: 1 }).toArray();
    assert.deepEqual(
      stored.map((each) => each.storedAt),
      [ahead, ahead],
    );
  });

  it('keeps events for the number of days that was set last', async () => {
    const kept = async () => {
      const indexes = await world.connection.collection('event_log').indexes();
      return indexes.find((index) => index.name === 'expiry')?.expireAfterSeconds;
    };
    await world.log.keepFor(30);
    assert.equal(await kept(), 30 * 86_400);
    await world.log.keepFor(30);
    await world.log.keepFor(7);
    assert.equal(await kept(), 7 * 86_400);
  });

  it('lists the events of one organisation, or of all, between two offsets', async () => {
    await world.log.append(TOPIC, [orderEvent('A', 1, ONE), orderEvent('B', 1, TWO), orderEvent('A', 2, ONE)]);
    const ids = async (readers: typeof ONE | 'ANY', after: number, upTo: number, limit = 10) =>
      (await world.log.list(TOPIC, readers, { after, upTo, limit })).map(({ event }) => event.id);
    assert.deepEqual(await ids(ONE, 0, 3), ['order/A/1', 'order/A/2']);
    assert.deepEqual(await ids(TWO, 0, 3), ['order/B/1']);
    assert.deepEqual(await ids('ANY', 1, 2), ['order/B/1']);
    assert.deepEqual(await ids('ANY', 0, 3, 1), ['order/A/1']);
  });
});
