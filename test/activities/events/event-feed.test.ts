/** Reading the log, and waiting: who waits costs the database nothing, and nobody waits longer than he likes. */
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
  const ask = async (request: Partial<FeedRequest> = {}, from = feed) => {
    const page = await from.read({ topic: TOPIC, readers: ONE, after: 0, limit: 100, waitMs: 0, signal, ...request });
    if ('unusable' in page) return page;
    return { ids: page.events.map(({ event }) => event.id), nextOffset: page.nextOffset };
  };
  const append = async (orderId: string, sequence: number, organisation = ONE) =>
    await world.log.append(TOPIC, [orderEvent(orderId, sequence, organisation)]);

  it('reads page by page with the offset that it gives', async () => {
    for (let n = 1; n <= 5; n += 1) await append('A', n);
    assert.deepEqual(await ask({ limit: 2 }), { ids: ['order/A/1', 'order/A/2'], nextOffset: 2 });
    assert.deepEqual(await ask({ limit: 2, after: 2 }), { ids: ['order/A/3', 'order/A/4'], nextOffset: 4 });
    assert.deepEqual(await ask({ limit: 2, after: 4 }), { ids: ['order/A/5'], nextOffset: 5 });
    assert.deepEqual(await ask({ after: 5 }), { ids: [], nextOffset: 5 });
  });

  it('passes over the events of others, and does not read them again', async () => {
    await append('A', 1, ONE);
    await append('B', 1, TWO);
    await append('B', 2, TWO);
    assert.deepEqual(await ask(), { ids: ['order/A/1'], nextOffset: 3 });
    assert.deepEqual(await ask({ readers: TWO, limit: 1 }), { ids: ['order/B/1'], nextOffset: 2 });
    assert.deepEqual(await ask({ readers: 'ANY' }), { ids: ['order/A/1', 'order/B/1', 'order/B/2'], nextOffset: 3 });
  });

  it('begins with the next event after "latest"', async () => {
    await append('A', 1);
    assert.deepEqual(await ask({ after: 'latest' }), { ids: [], nextOffset: 1 });
    const waiting = ask({ after: 'latest', waitMs: 20_000 });
    await until(() => feed.waiting === 1);
    await append('A', 2);
    assert.deepEqual(await waiting, { ids: ['order/A/2'], nextOffset: 2 });
  });

  it('refuses an offset whose next event is no longer kept, and says which is', async () => {
    for (let n = 1; n <= 4; n += 1) await append('A', n);
    await world.connection.collection('event_log').deleteMany({ offset: { $lte: 2 } });
    assert.deepEqual(await ask({ after: 1 }), { unusable: 'EXPIRED', oldest: 3, last: 4 });
    assert.deepEqual(await ask({ after: 2 }), { ids: ['order/A/3', 'order/A/4'], nextOffset: 4 });
    assert.deepEqual(await ask({ after: 0 }), { ids: ['order/A/3', 'order/A/4'], nextOffset: 4 });
    await world.connection.collection('event_log').deleteMany({});
    assert.deepEqual(await ask({ after: 3 }), { unusable: 'EXPIRED', oldest: undefined, last: 4 });
    assert.deepEqual(await ask({ after: 4 }), { ids: [], nextOffset: 4 });
    assert.deepEqual(await ask({ after: 0 }), { ids: [], nextOffset: 4 });
  });

  it('refuses an offset that was never given out', async () => {
    await append('A', 1);
    assert.deepEqual(await ask({ after: 2 }), { unusable: 'UNKNOWN', oldest: 1, last: 1 });
    assert.deepEqual(await ask({ topic: 'empty-dev', after: 1 }), { unusable: 'UNKNOWN', oldest: undefined, last: 0 });
  });

  it('answers an event to all callers that wait for it, and to no other', async () => {
    const request = { waitMs: 20_000, after: 0 };
    const [own, everybody, foreign] = [
      ask(request),
      ask({ ...request, readers: 'ANY' }),
      ask({ ...request, readers: TWO }),
    ];
    const elsewhere = ask({ ...request, topic: 'refund-events-dev' });
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

  it('answers with nothing when the time is over', async () => {
    await append('B', 1, TWO);
    assert.deepEqual(await ask({ waitMs: 50 }), { ids: [], nextOffset: 1 });
    assert.equal(feed.waiting, 0);
  });

  it('loses none of the events that come while readers begin to wait', async () => {
    const readers = Array.from({ length: 20 }, async () => {
      const ids: string[] = [];
      for (let after = 0; after < 50; ) {
        const page = await ask({ after, limit: 3, waitMs: 20_000 });
        if ('unusable' in page) throw new Error(page.unusable);
        ids.push(...page.ids);
        after = page.nextOffset;
      }
      return ids;
    });
    for (let n = 1; n <= 50; n += 1) await append('A', n);
    const expected = Array.from({ length: 50 }, (_, index) => `order/A/${index + 1}`);
    for (const ids of await Promise.all(readers)) assert.deepEqual(ids, expected);
  }).timeout(60_000);

  it('lets a caller go who goes away', async () => {
    const caller = new AbortController();
    const waiting = ask({ waitMs: 20_000, signal: caller.signal });
    await until(() => feed.waiting === 1);
    caller.abort();
    assert.deepEqual(await waiting, { ids: [], nextOffset: 0 });
    assert.equal(feed.waiting, 0);
    assert.deepEqual(await ask({ waitMs: 20_000, signal: caller.signal }), { ids: [], nextOffset: 0 });
  });

  it('answers all waiting callers when the process stops, and lets none wait any more', async () => {
    const waiting = Array.from({ length: 5 }, () => ask({ waitMs: 20_000 }));
    await until(() => feed.waiting === 5);
    await feed.close();
    for (const answer of await Promise.all(waiting)) assert.deepEqual(answer, { ids: [], nextOffset: 0 });
    assert.deepEqual(await ask({ waitMs: 20_000 }), { ids: [], nextOffset: 0 });
  });

  it('lets only so many wait', async () => {
    const small = new EventFeed({ connection: world.connection, log: silentLog, maxWaiting: 1 });
    const waiting = ask({ waitMs: 20_000 }, small);
    await until(() => small.waiting === 1);
    assert.deepEqual(await ask({ waitMs: 20_000 }, small), { ids: [], nextOffset: 0 });
    await small.close();
    await waiting;
  });

  it('asks the database no more often for two hundred who wait than for one', async () => {
    const commands: string[] = [];
    const counted = await mongoose.createConnection(world.uri, { monitorCommands: true, maxPoolSize: 50 }).asPromise();
    counted.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName));
    const counting = new EventFeed({ connection: counted, log: silentLog });
    const costOf = async (callers: number) => {
      const gone = new AbortController();
      const waiting = Array.from({ length: callers }, () => ask({ waitMs: 20_000, signal: gone.signal }, counting));
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
