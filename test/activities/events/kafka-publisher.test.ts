/** Events reach a real Kafka broker in their order and none is missing, whatever happens to the broker or the publisher. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { KafkaAccess } from '../../../activities/events/kafka-config.ts';
import { KafkaPositionStore } from '../../../activities/events/kafka-position-store.ts';
import { KafkaSender } from '../../../activities/events/kafka-producer.ts';
import { KafkaPublisher, type PublisherObserver } from '../../../activities/events/kafka-publisher.ts';
import { projectRoot } from '../../../dev/setup/resolve.mjs';
import type { OutboxEvent } from '../../../platform/events/outbox.ts';
import { silentLog } from '../../api/support/parcels.ts';
import { findKafka, KafkaBroker, type ReadMessage, USER } from '../../support/kafka.ts';
import { until } from '../../support/until.ts';
import { always, type EventsWorld, ONE, openEvents, orderEvent } from './support.ts';

const KEYS = ['A', 'B', 'C', 'D', 'E'];

describe('the publisher for Kafka', () => {
  let broker: KafkaBroker;
  let world: EventsWorld;
  let topic: string;
  let sender: KafkaSender;
  let since: Date | undefined;
  let failed: number;
  let topics = 0;

  before(async function () {
    const libs = findKafka();
    if (libs === undefined) return this.skip();
    broker = await KafkaBroker.create(libs);
    await broker.start();
  });
  after(async () => await broker?.remove());
  beforeEach(async () => {
    world = await openEvents();
    topics += 1;
    topic = `orders-${topics}-dev`;
    sender = new KafkaSender({ brokers: [broker.address] });
    [since, failed] = [undefined, 0];
  });
  afterEach(async () => {
    await sender.close();
    await world.connection.dropDatabase();
    await world.connection.close();
  });

  const observer: PublisherObserver = {
    published: () => undefined,
    behind: (_topic, oldest) => {
      since = oldest;
    },
    failed: () => {
      failed += 1;
    },
  };
  const publisher = (how: Partial<ConstructorParameters<typeof KafkaPublisher>[0]> = {}) =>
    new KafkaPublisher({
      log: world.log,
      positions: new KafkaPositionStore(world.connection),
      sender,
      topics: [topic],
      observer,
      logger: silentLog,
      ...how,
    });
  const startWorker = (KAFKA_BROKERS: string) => {
    const WEBHOOK_KEYS = `test:${randomBytes(32).toString('base64')}`;
    const env = { ENVIRONMENT: 'development', MONGODB_URI: world.uri, PORT: '0', WEBHOOK_KEYS, KAFKA_BROKERS };
    return spawn(process.execPath, ['workers/main.ts', 'events-worker'], { cwd: projectRoot, stdio: 'ignore', env });
  };
  const append = async (from: number, to: number, name = topic) => {
    for (let n = from; n <= to; n += 1)
      await world.log.append(
        name,
        KEYS.map((key) => orderEvent(key, n, ONE, name)),
      );
  };
  /** Sequences by key, in the order of the topic; a repeat of an event is left out, as a consumer does by its id. */
  const sequences = (messages: readonly ReadMessage[]) => {
    const seen = new Map(messages.map(({ key }) => [key, new Set<number>()]));
    for (const { key, value } of messages) seen.get(key)?.add(JSON.parse(value).sequence);
    return Object.fromEntries([...seen].sort().map(([key, numbers]) => [key, [...numbers]]));
  };
  const whole = (count: number) =>
    Object.fromEntries(KEYS.map((key) => [key, Array.from({ length: count }, (_, index) => index + 1)]));

  it('sends each event as a CloudEvent with its key, once', async () => {
    await append(1, 3);
    await publisher().publishPending(always);
    await publisher().publishPending(always);
    await append(4, 4);
    await publisher().publishPending(always);
    const messages = await broker.read(topic, 20);
    assert.equal(messages.length, 20);
    assert.deepEqual(sequences(messages), whole(4));
    assert.equal(new Set(messages.map(({ key, partition }) => `${key} ${partition}`)).size, KEYS.length);
    const [first] = messages;
    assert.deepEqual(first?.headers, { 'content-type': 'application/cloudevents+json; charset=UTF-8' });
    const { specversion, id, partitionkey, data } = JSON.parse(first?.value ?? '');
    assert.deepEqual([specversion, id, partitionkey], ['1.0', `order/${first?.key}/1`, first?.key]);
    assert.equal(data.meta.organisationId, 1);
    assert.equal(since, undefined);
  });

  it('publishes what was appended before Kafka was configured, in more than one batch', async () => {
    await append(1, 90);
    await publisher().publishPending(always);
    assert.deepEqual(sequences(await broker.read(topic, 450)), whole(90));
  });

  it('publishes more bytes of one key than a broker takes at once, and a large event among small ones', async () => {
    const sizes = [...Array.from({ length: 90 }, () => 15_600), 10, 700_000, 10, 400_000, 400_000, 400_000];
    const events = sizes.map((size, at) => {
      const event = orderEvent('A', at + 1, ONE, topic);
      return { ...event, data: { ...event.data, orderLineIds: 'x'.repeat(size) } };
    });
    await world.log.append(topic, events);
    await publisher().publishPending(always);
    assert.equal(since, undefined);
    const messages = await broker.read(topic, events.length);
    assert.deepEqual(sequences(messages), { A: events.map(({ sequence }) => sequence) });
  });

  it('goes on where it was after the broker was killed, and says meanwhile how old the oldest event is', async () => {
    await append(1, 2);
    await publisher().publishPending(always);
    await broker.stop('kill');
    await append(3, 4);
    await assert.rejects(publisher().publishPending(always));
    assert.ok(since instanceof Date);
    assert.equal(failed, 1);
    await broker.start();
    // The broker may need a moment to lead its partitions again.
    for (let tries = 0; since !== undefined && tries < 20; tries += 1)
      await publisher()
        .publishPending(always)
        .catch(() => undefined);
    assert.deepEqual(sequences(await broker.read(topic, 20)), whole(4));
  });

  it('publishes again what a publisher sent that died before it noted its position', async () => {
    class Dying extends KafkaPositionStore {
      override async move(): Promise<boolean> {
        throw new Error('killed');
      }
    }
    await append(1, 3);
    await assert.rejects(publisher({ positions: new Dying(world.connection) }).publishPending(always));
    await append(4, 4);
    await publisher().publishPending(always);
    const messages = await broker.read(topic, 20);
    assert.equal(messages.length, 35);
    assert.deepEqual(sequences(messages), whole(4));
  });

  it('loses and reorders nothing when two publish at once', async () => {
    const other = new KafkaSender({ brokers: [broker.address] });
    await append(1, 60);
    await Promise.all([publisher(), publisher({ sender: other })].map((each) => each.publishPending(always)));
    await other.close();
    assert.deepEqual(sequences(await broker.read(topic, 300)), whole(60));
  });

  it('holds no topic for another that fails', async () => {
    class Refusing extends KafkaSender {
      override async send(events: readonly OutboxEvent[]): Promise<void> {
        if (events[0]?.topic === 'refused-dev') throw new Error('not allowed to write');
        await super.send(events);
      }
    }
    const refusing = new Refusing({ brokers: [broker.address] });
    await append(1, 1, 'refused-dev');
    await append(1, 1);
    const both = publisher({ sender: refusing, topics: ['refused-dev', topic] });
    await assert.rejects(both.publishPending(always));
    await refusing.close();
    assert.deepEqual(sequences(await broker.read(topic, 5)), whole(1));
  });

  it('reaches brokers that encrypt and ask for a login', async () => {
    const brokers = [broker.secureAddress];
    const tls = { ca: broker.certificate.cert };
    const send = async (access: KafkaAccess) => {
      const secure = new KafkaSender(access);
      await publisher({ sender: secure })
        .publishPending(always)
        .finally(() => secure.close());
    };
    await append(1, 1);
    await assert.rejects(send({ brokers, tls, login: { ...USER, password: 'of-another' } }));
    await assert.rejects(send({ brokers, tls: {}, login: USER }));
    await assert.rejects(send({ brokers, login: USER }));
    assert.ok(since instanceof Date);
    await send({ brokers, tls, login: USER });
    assert.deepEqual(sequences(await broker.read(topic, 5)), whole(1));
  });

  it('runs in the events worker, from the outbox on, and again after it was killed', async () => {
    const profiles = world.connection.collection<{ _id: string; outbox: OutboxEvent[] }>('customer_profiles');
    const write = async (n: number) => {
      const outbox = KEYS.map((key) => ({
        _id: `${key}${n}`,
        outbox: [orderEvent(key, n, ONE, 'customer-changed-dev')],
      }));
      await profiles.insertMany(outbox);
      await until(async () => (await world.log.lastOffset('customer-changed-dev')) === n * KEYS.length);
    };
    const first = startWorker(broker.address);
    await write(1);
    await write(2);
    first.kill('SIGKILL');
    const second = startWorker(broker.address);
    await write(3);
    assert.deepEqual(sequences(await broker.read('customer-changed-dev', 15)), whole(3));
    second.kill('SIGTERM');
    const [code] = await once(second, 'exit');
    assert.equal(code, 0);
  });

  it('ends soon with its process, also while brokers do not answer', async () => {
    const silent = createServer((socket) => void socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const worker = startWorker(`127.0.0.1:${port}`);
    const connected = once(silent, 'connection');
    await append(1, 1, 'customer-changed-dev');
    await connected;
    const began = performance.now();
    worker.kill('SIGTERM');
    const [code] = await once(worker, 'exit');
    assert.equal(code, 0);
    assert.ok(performance.now() - began < 9_000);
    silent.close();
  });
});
