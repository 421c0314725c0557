/** Waiting readers of the log must cost the database nothing and wait no longer than they ask for. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import { EventFeed, type FeedRequest } from '../../../activities/events/event-feed.ts';
import { silentLog } from '../../api/support/parcels.ts';
import { until } from '../../support/until.ts';
import { type EventsWorld, ONE, openEvents, orderEvent, TOPIC, TWO } from './support.ts';

describe('the feed of events', () => {
  let world: EventsWorld;
  let feed: EventFeed;
  beforeEach(async () => {
    world = await openEvents();
    feed = new EventFeed({ connection: world.connection, log: silentLog });
  });
  afterEach(async () => {
    await feed.close();
    await world.connection.dropDatabase();
    await world.connection.close();
  });

  const signal = new AbortController().signal;
  const poll = async (request: Partial<FeedRequest> = {}, from = feed) => {
    const page = await from.read({ topic: TOPIC, readers: ONE, after: 0, limit: 100, waitMs: 0, signal, ...request });
    if ('unusable' in page) return page;
    return { ids: page.events.map(({ event }) => event.id), nextOffset: page.nextOffset };
  };
  const append = async (orderId: string, sequence: number, organisation = ONE) =>
    await world.log.append(TOPIC, [orderEvent(orderId, sequence, organisation)]);

  it('returns pages, each with the offset of the next', async () => {
    for (let n = 1; n <= 5; n += 1) await append('A', n);
    assert.deepEqual(await poll({ limit: 2 }), { ids: ['order/A/1', 'order/A/2'], nextOffset: 2 });
    assert.deepEqual(await poll({ limit: 2, after: 2 }), { ids: ['order/A/3', 'order/A/4'], nextOffset: 4 });
    assert.deepEqual(await poll({ limit: 2, after: 4 }), { ids: ['order/A/5'], nextOffset: 5 });
    assert.deepEqual(await poll({ after: 5 }), { ids: [], nextOffset: 5 });
  });

  it('skips events of other organisations, and does not read them again', async () => {
    await append('A', 1, ONE);
    await append('B', 1, TWO);
    await append('B', 2, TWO);
    assert.deepEqual(await poll(), { ids: ['order/A/1'], nextOffset: 3 });
    assert.deepEqual(await poll({ readers: TWO, limit: 1 }), { ids: ['order/B/1'], nextOffset: 2 });
    assert.deepEqual(await poll({ readers: 'ANY' }), { ids: ['order/A/1', 'order/B/1', 'order/B/2'], nextOffset: 3 });
  });

  it('starts with the next event after "latest"', async () => {
    await append('A', 1);
    assert.deepEqual(await poll({ after: 'latest' }), { ids: [], nextOffset: 1 });
    const waiting = poll({ after: 'latest', waitMs: 20_000 });
    await until(() => feed.waiting === 1);
    await append('A', 2);
    assert.deepEqual(await waiting, { ids: ['order/A/2'], nextOffset: 2 });
  });

  it('refuses an offset whose next event has expired, and names the first that is kept', async () => {
    for (let n = 1; n <= 4; n += 1) await append('A', n);
    await world.connection.collection('event_log').deleteMany({ offset: { $lte: 2 } });
    assert.deepEqual(await poll({ after: 1 }), { unusable: 'EXPIRED', oldest: 3, last: 4 });
    assert.deepEqual(await poll({ after: 2 }), { ids: ['order/A/3', 'order/A/4'], nextOffset: 4 });
    assert.deepEqual(await poll({ after: 0 }), { ids: ['order/A/3', 'order/A/4'], nextOffset: 4 });
    await world.connection.collection('event_log').deleteMany({});
    assert.deepEqual(await poll({ after: 3 }), { unusable: 'EXPIRED', oldest: undefined, last: 4 });
    assert.deepEqual(await poll({ after: 4 }), { ids: [], nextOffset: 4 });
    assert.deepEqual(await poll({ after: 0 }), { ids: [], nextOffset: 4 });
  });

  it('refuses an offset that was never returned', async () => {
    await append('A', 1);
    assert.deepEqual(await poll({ after: 2 }), { unusable: 'UNKNOWN', oldest: 1, last: 1 });
    assert.deepEqual(await poll({ topic: 'empty-dev', after: 1 }), { unusable: 'UNKNOWN', oldest: undefined, last: 0 });
  });

  it('returns an event to all readers that wait for it, and to no others', async () => {
    const request = { waitMs: 20_000, after: 0 };
    const [own, everybody, foreign] = [
      poll(request),
      poll({ ...request, readers: 'ANY' }),
      poll({ ...request, readers: TWO }),
    ];
    const elsewhere = poll({ ...request, topic: 'refund-events-dev' });
    await until(() => feed.waiting === 4);
    await append('A', 1);
    const answer = { ids: ['order/A/1'], nextOffset: 1 };
    assert.deepEqual([await own, await everybody], [answer, answer]);
    assert.equal(feed.waiting, 2);
    await append('B', 1, TWO);
    assert.deepEqual(await foreign, { ids: ['order/B/1'], nextOffset: 2 });
    await world.log.append('refund-events-dev', [orderEvent('A', 1)]);
    assert.deepEqual(await elsewhere, { ids: ['order/A/1'], nextOffset: 1 });
  });

  it('returns nothing after the given time', async () => {
    await append('B', 1, TWO);
    assert.deepEqual(await poll({ waitMs: 50 }), { ids: [], nextOffset: 1 });
    assert.equal(feed.waiting, 0);
  });

  it('loses no event while readers begin to wait', async () => {
    const readers = Array.from({ length: 20 }, async () => {
      const ids: string[] = [];
      for (let after = 0; after < 50; ) {
        const page = await poll({ after, limit: 3, waitMs: 20_000 });
        if ('unusable' in page) throw new Error(page.unusable);
        ids.push(...page.ids);
        after = page.nextOffset;
      }
      return ids;
    });
    for (let n = 1; n <= 50; n += 1) await append('A', n);
    const expected = Array.from({ length: 50 }, (_, index) => `order/A/${index + 1}`);
    for (const ids of await Promise.all(readers)) assert.deepEqual(ids, expected);
  });

  it('releases a reader that aborts', async () => {
    const caller = new AbortController();
    const waiting = poll({ waitMs: 20_000, signal: caller.signal });
    await until(() => feed.waiting === 1);
    caller.abort();
    assert.deepEqual(await waiting, { ids: [], nextOffset: 0 });
    assert.equal(feed.waiting, 0);
    assert.deepEqual(await poll({ waitMs: 20_000, signal: caller.signal }), { ids: [], nextOffset: 0 });
  });

  it('releases all readers when the process stops, and lets none wait any more', async () => {
    const waiting = Array.from({ length: 5 }, () => poll({ waitMs: 20_000 }));
    await until(() => feed.waiting === 5);
    await feed.close();
    for (const answer of await Promise.all(waiting)) assert.deepEqual(answer, { ids: [], nextOffset: 0 });
    assert.deepEqual(await poll({ waitMs: 20_000 }), { ids: [], nextOffset: 0 });
  });

  it('limits the number of waiting readers', async () => {
    const small = new EventFeed({ connection: world.connection, log: silentLog, maxWaiting: 1 });
    const waiting = poll({ waitMs: 20_000 }, small);
    await until(() => small.waiting === 1);
    assert.deepEqual(await poll({ waitMs: 20_000 }, small), { ids: [], nextOffset: 0 });
    await small.close();
    await waiting;
  });

  it('queries the database as often for two hundred waiting readers as for one', async () => {
    const commands: string[] = [];
    const counted = await mongoose.createConnection(world.uri, { monitorCommands: true, maxPoolSize: 50 }).asPromise();
    counted.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName));
    const counting = new EventFeed({ connection: counted, log: silentLog });
    const costOf = async (callers: number) => {
      const gone = new AbortController();
      const waiting = Array.from({ length: callers }, () => poll({ waitMs: 20_000, signal: gone.signal }, counting));
      await until(() => counting.waiting === callers);
      commands.length = 0;
      await delay(3_000);
      const cost = commands.length;
      gone.abort();
      await Promise.all(waiting);
      return cost;
    };
    const [one, many] = [await costOf(1), await costOf(200)];
    assert.ok(many <= one + 10, `${one} commands in three seconds for one, ${many} for two hundred`);
    await counting.close();
    await counted.close();
  });
});
