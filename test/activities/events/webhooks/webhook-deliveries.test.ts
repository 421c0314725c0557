/** Events reach real receivers: each key's in order, none missing, whatever a receiver or a process does. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { WebhookDocument } from '../../../../activities/events/webhooks/webhook-document.ts';
import { WebhookStore } from '../../../../activities/events/webhooks/webhook-store.ts';
import { until } from '../../../support/until.ts';
import { always, COLLECTIONS_TOPIC, ONE, orderEvent, TOPIC, TWO } from '../support.ts';
import { ids, SECRET, WebhookWorld } from './support.ts';

describe('deliveries to webhooks', () => {
  let world: WebhookWorld;
  beforeEach(async () => {
    world = await WebhookWorld.open();
  });
  afterEach(async () => await world.close());

  it('are signed CloudEvents over HTTPS, in order, from the webhook’s creation on', async () => {
    const receiver = await world.receiver();
    await world.append('A', 1, 2);
    const id = await world.webhook(`${receiver.url}/hook?x=1`);
    world.deliver();
    await world.append('A', 3, 40);
    await until(() => receiver.received.length === 38);
    assert.deepEqual(receiver.ids(), ids('A', 3, 40));
    const [first] = receiver.received;
    assert.equal(first?.path, '/hook?x=1');
    assert.match(String(first?.headers['content-type']), /^application\/cloudevents\+json/);
    const [, seconds = '', signature] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(first?.headers['service-signature'])) ?? [];
    assert.equal(signature, createHmac('sha256', SECRET).update(`${seconds}.${first?.body}`).digest('hex'));
    assert.ok(Math.abs(Number(seconds) - Date.now() / 1_000) < 60);
    await until(async () => (await world.stored(id))?.positions['order-events-dev'] === 40);
    assert.ok((await world.stored(id))?.lastDeliveredAt instanceof Date);
  });

  it('hold events of the own organisation alone', async () => {
    const [one, two] = [await world.receiver(), await world.receiver()];
    await world.webhook(one.url);
    await world.webhook(two.url, TWO);
    world.deliver();
    await world.append('A', 1);
    await world.append('B', 1, 1, TWO);
    await world.append('A', 2);
    await until(() => one.received.length === 2 && two.received.length === 1);
    assert.deepEqual([one.ids(), two.ids()], [ids('A', 1, 2), ids('B', 1, 1)]);
  });

  it('of a key that fails stop alone, are tried again, and go on in order', async () => {
    const receiver = await world.receiver();
    let refused = 0;
    receiver.answer = ({ key, sequence }) => (key === 'A' && sequence === 2 && refused++ < 2 ? 503 : 200);
    const id = await world.webhook(receiver.url);
    world.deliver();
    await world.append('A', 1, 3);
    await until(() => refused === 1);
    await world.append('B', 1, 30);
    await world.append('A', 4);
    await until(() => receiver.ids().includes('order/B/30'));
    assert.ok(!receiver.ids().includes('order/A/3'));
    await until(async () => (await world.stored(id))?.failing.length === 1);
    const failing = await world.stored(id);
    assert.deepEqual([failing?.lastFailure?.reason, failing?.lastFailure?.status], ['STATUS', 503]);
    await world.append('A', 5);
    await until(() => receiver.ids().includes('order/A/5'));
    const delivered = receiver.received.filter(({ key }) => key === 'A').map(({ sequence }) => sequence);
    assert.deepEqual(delivered, [1, 2, 2, 2, 3, 4, 5]);
    await until(async () => (await world.stored(id))?.failing.length === 0);
  });

  it('to others do not wait for a receiver that never answers', async () => {
    const [slow, quick] = [await world.receiver(), await world.receiver()];
    slow.answer = () => undefined;
    await world.webhook(slow.url);
    await world.webhook(quick.url);
    world.deliver();
    const began = performance.now();
    for (let n = 1; n <= 20; n += 1) await world.append(`K${n}`, 1);
    await until(() => quick.received.length === 20);
    assert.ok(performance.now() - began < 8_000);
    assert.ok(slow.received.length > 0);
  });

  it('are repeated, and none is left out, after a process that stored no progress', async () => {
    const receiver = await world.receiver();
    class Dying extends WebhookStore {
      override async save(): Promise<boolean> {
        throw new Error('killed');
      }
    }
    await world.webhook(receiver.url);
    const dying = world.deliver({ store: new Dying(world.events.connection) });
    await world.append('A', 1, 10);
    await until(() => receiver.received.length === 10);
    await dying.stop();
    await world.append('A', 11, 20);
    world.deliver();
    await until(() => receiver.received.length === 30);
    assert.deepEqual(receiver.ids(), ids('A', 1, 20));
  });

  it('stay whole and in order while two processes believe that they lead', async () => {
    const receiver = await world.receiver();
    const id = await world.webhook(receiver.url);
    world.deliver();
    world.deliver();
    for (let n = 1; n <= 30; n += 1) await world.append('A', n);
    await until(async () => (await world.stored(id))?.positions['order-events-dev'] === 30);
    assert.deepEqual(receiver.ids(), ids('A', 1, 30));
  });

  it('end with the deletion of the webhook, also of a key that fails', async () => {
    const receiver = await world.receiver();
    receiver.answer = ({ key }) => (key === 'A' ? 500 : 200);
    const id = await world.webhook(receiver.url);
    world.deliver();
    await world.append('A', 1);
    await world.append('B', 1);
    await until(() => receiver.ids().length === 2);
    await world.store.remove('ANY', id);
    const before = receiver.received.length;
    await world.append('B', 2);
    const other = await world.receiver();
    await world.webhook(other.url);
    await world.append('C', 1);
    await until(() => other.received.length === 1);
    assert.ok(receiver.received.length <= before + 1, 'an attempt may have been under way');
    assert.ok(!receiver.ids().includes('order/B/2'));
  });

  it('of many keys that fail wait for them, and all arrive when the receiver is back', async () => {
    const receiver = await world.receiver();
    let down = true;
    receiver.answer = () => (down ? 500 : 200);
    await world.webhook(receiver.url);
    world.deliver();
    const keys = Array.from({ length: 130 }, (_, index) => `K${index}`);
    for (const key of keys) await world.append(key, 1, 2);
    await until(() => receiver.received.length >= 100);
    down = false;
    await until(() => receiver.ids().length === 260, { timeoutMs: 60_000 });
    for (const key of keys) {
      const of = receiver.ids().filter((each) => each.startsWith(`order/${key}/`));
      assert.deepEqual(of, ids(key, 1, 2));
    }
  });

  it('do not turn without pause while a receiver that hangs takes all retries', async () => {
    const receiver = await world.receiver();
    const tried = new Set<string>();
    receiver.answer = ({ key }) => {
      if (tried.has(key)) return undefined;
      tried.add(key);
      return 500;
    };
    await world.webhook(receiver.url);
    let readings = 0;
    const now = () => {
      readings += 1;
      return new Date();
    };
    world.deliver({ now });
    for (let n = 1; n <= 12; n += 1) await world.append(`K${n}`, 1);
    await until(() => receiver.received.length === 12 + 4);
    // Meanwhile the other keys are due; their pauses last up to a second.
    await delay(1_000);
    const before = readings;
    await delay(300);
    assert.ok(readings - before < 100, `${readings - before} readings of the clock in 300 ms`);
    assert.equal(receiver.received.length, 12 + 4);
  });

  it('store that a key has caught up, also when nothing else is delivered', async () => {
    const receiver = await world.receiver();
    const id = await world.webhook(receiver.url);
    const since = new Date();
    const failing = [{ topic: TOPIC, key: 'A', offset: 1, since, attempts: 1, nextAttemptAt: since }];
    await world.events.connection.collection<WebhookDocument>('webhooks').updateOne({ _id: id }, { $set: { failing } });
    world.deliver();
    await until(async () => (await world.stored(id))?.failing.length === 0);
  });

  describe('of several topics', () => {
    const TOPICS = ['order-events-dev', COLLECTIONS_TOPIC];
    /** Every third event of an order goes to the other topic. */
    const topicOf = (n: number) => (n % 3 === 0 ? COLLECTIONS_TOPIC : 'order-events-dev');
    const change = async (order: string, from: number, to: number) => {
      const outbox = ids(order, from, to).map((_, index) =>
        orderEvent(order, from + index, ONE, topicOf(from + index)),
      );
      await world.events.orders().updateOne({ _id: order }, { $push: { outbox: { $each: outbox } } }, { upsert: true });
    };
    const orders = Array.from({ length: 12 }, (_, index) => `O${index}`);

    it('keep the order of each aggregate over all topics, also through a backlog', async () => {
      const receiver = await world.receiver();
      await world.webhook(receiver.url, undefined, TOPICS);
      for (const order of orders) await change(order, 1, 30);
      await world.events.relay.relayPending(always);
      world.deliver();
      for (let n = 31; n <= 40; n += 1) {
        for (const order of orders) await change(order, n, n);
        await world.events.relay.relayPending(always);
      }
      await until(() => receiver.ids().length === 480, { timeoutMs: 60_000 });
      for (const order of orders) {
        const of = receiver.ids().filter((each) => each.startsWith(`order/${order}/`));
        assert.deepEqual(of, ids(order, 1, 40));
      }
    });

    it('wait for a key that fails in another topic, and others do not', async () => {
      const receiver = await world.receiver();
      let refused = 0;
      receiver.answer = ({ key, sequence }) => (key === 'O1' && sequence === 3 && refused++ < 2 ? 500 : 200);
      const id = await world.webhook(receiver.url, undefined, TOPICS);
      world.deliver();
      for (const order of orders) await change(order, 1, 9);
      await world.events.relay.relayPending(always);
      await until(() => receiver.ids().length >= 11 * 9 + 2);
      await until(() => receiver.ids().length === 12 * 9, { timeoutMs: 60_000 });
      const sequences = receiver.received.filter(({ key }) => key === 'O1').map(({ sequence }) => sequence);
      assert.deepEqual(sequences, [1, 2, 3, 3, 3, 4, 5, 6, 7, 8, 9]);
      await until(async () => (await world.stored(id))?.failing.length === 0);
    });
  });

  it('end after 72 hours without any, and the webhook says since when', async () => {
    const receiver = await world.receiver();
    receiver.answer = () => 500;
    const id = await world.webhook(receiver.url);
    let now = new Date();
    world.deliver({ now: () => now });
    await world.append('A', 1);
    await until(async () => (await world.stored(id))?.failing.length === 1);
    now = new Date(now.getTime() + 73 * 3_600_000);
    await world.append('B', 1);
    await until(async () => (await world.stored(id))?.disabledAt !== undefined);
    assert.equal((await world.stored(id))?.lastFailure?.status, 500);
    const attempts = receiver.received.length;
    const other = await world.receiver();
    await world.webhook(other.url);
    await world.append('A', 2);
    await until(() => other.received.length === 1);
    assert.equal(receiver.received.length, attempts);
  });

  it('of a key that has failed for 72 hours stop, and those of other keys do not', async () => {
    const receiver = await world.receiver();
    receiver.answer = ({ key }) => (key === 'A' ? 500 : 200);
    const id = await world.webhook(receiver.url);
    let now = new Date();
    world.deliver({ now: () => now });
    await world.append('A', 1);
    await until(async () => (await world.stored(id))?.failing.length === 1);
    now = new Date(now.getTime() + 3_600_000);
    await world.append('B', 1);
    await until(() => receiver.ids().includes('order/B/1'));
    now = new Date(now.getTime() + 73 * 3_600_000);
    await world.append('B', 2);
    await until(async () => (await world.stored(id))?.failing[0]?.stopped === true);
    await world.append('A', 2);
    await world.append('B', 3);
    await until(() => receiver.ids().includes('order/B/3'));
    assert.ok(!receiver.ids().includes('order/A/2'));
    assert.equal((await world.stored(id))?.disabledAt, undefined);
  });
});
