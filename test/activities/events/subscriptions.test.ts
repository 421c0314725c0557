/** Areas that subscribe to a topic get every event in its order, at least once, whatever fails or dies. */
import assert from 'node:assert/strict';
import { type SubscriptionObserver, Subscriptions } from '../../../activities/events/subscriptions.ts';
import type { HandleEvents } from '../../../platform/area.ts';
import { silentLog } from '../../api/support/parcels.ts';
import { always, type EventsWorld, openEvents, orderEvent, TOPIC } from './support.ts';

describe('subscriptions', () => {
  let world: EventsWorld;
  let got: string[];
  let lag: Date | undefined;
  let failures: number;

  beforeEach(async () => {
    world = await openEvents();
    got = [];
    [lag, failures] = [undefined, 0];
  });
  afterEach(async () => {
    await world.connection.dropDatabase();
    await world.connection.close();
  });

  const observer: SubscriptionObserver = {
    delivered: () => undefined,
    behind: (_name, since) => {
      lag = since;
    },
    failed: () => {
      failures += 1;
    },
  };
  const take: HandleEvents = async (events) => {
    got.push(...events.map(({ id }) => id));
  };
  /** Of one process. */
  const open = (...handlers: readonly HandleEvents[]) =>
    new Subscriptions({
      ...{ connection: world.connection, log: world.log, observer, logger: silentLog },
      subscriptions: handlers.map((handle, at) => ({ name: `reader-${at}`, topic: TOPIC, handle })),
    });
  const append = async (from: number, to: number) => {
    const events = Array.from({ length: to - from + 1 }, (_, at) => orderEvent('A', from + at));
    await world.log.append(TOPIC, events);
    return events.map(({ id }) => id);
  };

  it('get what is there and what comes, once each, in order', async () => {
    const reader = open(take);
    const first = await append(1, 450);
    await reader.deliverPending(always);
    const second = await append(451, 460);
    await reader.deliverPending(always);
    await reader.deliverPending(always);
    assert.deepEqual(got, [...first, ...second]);
    assert.equal(lag, undefined);
  });

  it('get the same events again after a failure, and later ones wait', async () => {
    let broken = 2;
    const reader = open(async (events) => {
      if (broken > 0) {
        broken -= 1;
        throw new Error('the database is away');
      }
      await take(events);
    });
    const ids = await append(1, 3);
    for (let n = 0; n < 2; n += 1) await assert.rejects(reader.deliverPending(always));
    assert.ok(lag);
    await append(4, 4);
    await reader.deliverPending(always);
    assert.deepEqual(got.slice(0, 3), ids);
    assert.deepEqual([got.length, failures, lag], [4, 2, undefined]);
  });

  it('hold no other when one fails', async () => {
    const reader = open(async () => {
      throw new Error('broken');
    }, take);
    const ids = await append(1, 2);
    await assert.rejects(reader.deliverPending(always));
    assert.deepEqual(got, ids);
  });

  it('go on where another process died, and repeat what it had not noted', async () => {
    const ids = await append(1, 2);
    await open(take).deliverPending(always);
    await append(3, 3);
    const dying = open(async (events) => {
      await take(events);
      throw new Error('died before the position was stored');
    });
    await assert.rejects(dying.deliverPending(always));
    await open(take).deliverPending(always);
    assert.deepEqual(got, [...ids, 'order/A/3', 'order/A/3']);
  });

  it('lose and reorder nothing when two processes believe that they lead', async () => {
    await append(1, 500);
    await Promise.all([open(take).deliverPending(always), open(take).deliverPending(always)]);
    const firsts = [...new Set(got)];
    assert.deepEqual(
      firsts,
      Array.from({ length: 500 }, (_, at) => `order/A/${at + 1}`),
    );
  });

  it('stop between two batches when another process leads', async () => {
    await append(1, 500);
    let asked = 0;
    await open(take).deliverPending(async () => {
      asked += 1;
      return asked < 2;
    });
    assert.equal(got.length, 200);
  });

  it('go on behind events that have expired', async () => {
    await append(1, 10);
    await open(take).deliverPending(always);
    await append(11, 20);
    await world.connection.collection('event_log').deleteMany({ offset: { $lte: 15 } });
    await open(take).deliverPending(always);
    assert.deepEqual(got.slice(10), ['order/A/16', 'order/A/17', 'order/A/18', 'order/A/19', 'order/A/20']);
  });
});
