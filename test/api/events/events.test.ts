/** Tests events over HTTP: reading, waiting and refusals for each organisation. */
import assert from 'node:assert/strict';
import { AREAS } from '../../../activities/areas.ts';
import { EventFeed } from '../../../activities/events/event-feed.ts';
import { EventLogStore } from '../../../activities/events/event-log-store.ts';
import { EventRelay } from '../../../activities/events/event-relay.ts';
import { KeptEventStore } from '../../../activities/events/kept-event-store.ts';
import { OutboxSource } from '../../../activities/events/outbox-source.ts';
import { topicsOf } from '../../../activities/events/topics.ts';
import { ReaderSlots } from '../../../api/events/reader-slots.ts';
import { createEventsArea } from '../../../api/events/routes.ts';
import { createApp } from '../../../api/shared/app.ts';
import { type RunningServer, serve } from '../../../api/shared/serve.ts';
import { always, type EventsWorld, ONE, openEvents, orderEvent, TWO } from '../../activities/events/support.ts';
import { openStores } from '../../activities/timetable/support.ts';
import { until } from '../../support/until.ts';
import { readPlainToken, silentLog } from '../support/parcels.ts';

const TOPIC = 'customer-changed-dev';
const token = (organisation: number, scopes = 'events:read') => ({
  authorization: `Bearer a/${organisation}/${scopes}`,
});

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly ids: readonly string[];
  readonly nextOffset: number | undefined;
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly errors: readonly Readonly<Record<string, unknown>>[] | undefined;
}

interface Body extends Partial<Answer> {
  readonly detail?: string;
}

const SLOTS = 8;

const unused = (): never => assert.fail('is not called');
/** Of tests that create none. */
const noWebhooks = {
  webhooks: undefined as never,
  secrets: undefined as never,
  lastOffset: unused,
  openAddresses: true,
};

async function serveEvents(feed: EventFeed, drainMs = 0): Promise<RunningServer> {
  const slots = new ReaderSlots(SLOTS);
  const area = createEventsArea({ feed, slots, ...noWebhooks, topics: topicsOf(AREAS, 'dev') });
  const app = createApp({ areas: [area], log: silentLog, verifyToken: readPlainToken });
  return await serve(app, {
    host: '127.0.0.1',
    port: 0,
    graceMs: 5_000,
    drainMs,
    onListenerClosed: () => feed.close(),
  });
}

async function read(
  server: RunningServer,
  path: string,
  headers: Record<string, string> = token(1),
  signal?: AbortSignal,
): Promise<Answer> {
  const init = signal ? { headers, signal } : { headers };
  const response = await fetch(`${server.url}/v1/events/${path}`, init);
  const { events = [], nextOffset, code, errors } = (await response.json()) as Body;
  return { status: response.status, code, nextOffset, errors, events, ids: events.map(({ id }) => String(id)) };
}

describe('events over HTTP', () => {
  let world: EventsWorld;
  let feed: EventFeed;
  let server: RunningServer;
  beforeEach(async () => {
    world = await openEvents();
    feed = new EventFeed({ connection: world.connection, log: silentLog });
    server = await serveEvents(feed);
  });
  afterEach(async () => {
    await server.close();
    await world.connection.dropDatabase();
    await world.connection.close();
  });

  const append = async (key: string, sequence: number, organisation = ONE) =>
    await world.log.append(TOPIC, [orderEvent(key, sequence, organisation, TOPIC)]);

  it('are CloudEvents 1.0', async () => {
    const event = orderEvent('A', 1, ONE, TOPIC);
    await world.log.append(TOPIC, [event]);
    const { status, events, nextOffset } = await read(server, TOPIC);
    const time = event.time.toISOString();
    assert.deepEqual([status, nextOffset], [200, 1]);
    assert.deepEqual(events, [
      {
        specversion: '1.0',
        id: 'order/A/1',
        source: '/sales/order',
        type: 'service.order.OrderCreated.v1',
        subject: 'A',
        time,
        datacontenttype: 'application/json',
        partitionkey: 'A',
        sequence: 1,
        data: { meta: { ...event.data.meta, occurredAt: time } },
      },
    ]);
  });

  it("belong to the caller's organisation, or to any with organisation:any", async () => {
    await append('A', 1, ONE);
    await append('B', 1, TWO);
    assert.deepEqual((await read(server, TOPIC, token(1))).ids, ['order/A/1']);
    assert.deepEqual((await read(server, TOPIC, token(2))).ids, ['order/B/1']);
    assert.deepEqual((await read(server, TOPIC, token(3))).ids, []);
    const operator = token(3, 'events:read,organisation:any');
    assert.deepEqual((await read(server, TOPIC, operator)).ids, ['order/A/1', 'order/B/1']);
  });

  it('require a token with events:read, and a topic of this environment', async () => {
    assert.deepEqual((await read(server, TOPIC, {})).status, 401);
    assert.deepEqual((await read(server, TOPIC, token(1, 'orders:read'))).code, 'INSUFFICIENT_SCOPE');
    for (const topic of ['customer-changed-production', 'customer-changed', 'no-such-events-dev', 'a.b c']) {
      assert.equal((await read(server, encodeURIComponent(topic))).status, 404, topic);
    }
    const wrong = await fetch(`${server.url}/v1/events/no-such-events-dev`, { headers: token(1) });
    assert.match(((await wrong.json()) as { detail: string }).detail, /These are: .*order-events-dev/);
    assert.equal((await read(server, 'timetable-dataset-events-dev')).status, 200);
  });

  it('are returned in pages', async () => {
    for (let n = 1; n <= 3; n += 1) await append('A', n);
    const first = await read(server, `${TOPIC}?limit=2`);
    assert.deepEqual([first.ids, first.nextOffset], [['order/A/1', 'order/A/2'], 2]);
    const second = await read(server, `${TOPIC}?limit=2&after=${first.nextOffset}`);
    assert.deepEqual([second.ids, second.nextOffset], [['order/A/3'], 3]);
    const latest = await read(server, `${TOPIC}?after=latest`);
    assert.deepEqual([latest.ids, latest.nextOffset], [[], 3]);
  });

  it('are refused with invalid parameters', async () => {
    const queries = [
      'after=-1',
      'after=01',
      'after=next',
      'after=',
      'limit=0',
      'limit=501',
      'wait=31',
      'wait=1.5',
      'from=1',
    ];
    for (const query of [...queries, 'after=1&after=2']) {
      const { status, code } = await read(server, `${TOPIC}?${query}`);
      assert.deepEqual([status, code], [400, 'VALIDATION_FAILED'], query);
    }
  });

  it('that are no longer kept cause an error, never a silent gap', async () => {
    for (let n = 1; n <= 4; n += 1) await append('A', n);
    await world.connection.collection('event_log').deleteMany({ offset: { $lte: 2 } });
    const { status, code, errors } = await read(server, `${TOPIC}?after=1`);
    assert.deepEqual(
      [status, code, errors?.[0]?.pointer, errors?.[0]?.code],
      [400, 'VALIDATION_FAILED', '/query/after', 'OFFSET_EXPIRED'],
    );
    assert.match(String(errors?.[0]?.detail), /the oldest one has offset 3/);
    assert.deepEqual((await read(server, `${TOPIC}?after=0`)).ids, ['order/A/3', 'order/A/4']);
    const beyond = await read(server, `${TOPIC}?after=5`);
    assert.deepEqual([beyond.status, beyond.errors?.[0]?.code], [400, 'OFFSET_UNKNOWN']);
  });

  it('arrive by long poll', async () => {
    const waiting = read(server, `${TOPIC}?after=latest&wait=20`);
    await until(() => feed.waiting === 1);
    await append('B', 1, TWO);
    await append('A', 1);
    const { ids, nextOffset } = await waiting;
    assert.deepEqual([ids, nextOffset], [['order/A/1'], 2]);
    const empty = await read(server, `${TOPIC}?after=2&wait=1`);
    assert.deepEqual([empty.status, empty.ids, empty.nextOffset], [200, [], 2]);
  });

  it('end the long poll of a caller that closes the connection', async () => {
    const caller = new AbortController();
    const waiting = read(server, `${TOPIC}?wait=20`, token(1), caller.signal);
    await until(() => feed.waiting === 1);
    caller.abort();
    await assert.rejects(waiting);
    await until(() => feed.waiting === 0);
  });

  it('are refused with 429 to a client that waits often enough, and to no other', async () => {
    const caller = new AbortController();
    const waiting = Array.from({ length: 3 * SLOTS }, () =>
      read(server, `${TOPIC}?wait=30`, token(1), caller.signal).catch(() => undefined),
    );
    await until(() => feed.waiting === SLOTS);
    const refused = await fetch(`${server.url}/v1/events/${TOPIC}?wait=1`, { headers: token(1) });
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '30']);
    assert.equal(((await refused.json()) as Body).code, 'RATE_LIMITED');
    assert.equal((await read(server, TOPIC)).status, 200, 'without waiting');
    const other = { authorization: 'Bearer b/1/events:read' };
    assert.equal((await read(server, `${TOPIC}?wait=1`, other)).status, 200);
    assert.equal(feed.waiting, SLOTS);
    caller.abort();
    await Promise.all(waiting);
    await until(() => feed.waiting === 0);
    const after = await Promise.all(Array.from({ length: SLOTS }, () => read(server, `${TOPIC}?wait=1`)));
    for (const { status } of after) assert.equal(status, 200);
  });

  it('do not delay the stop of a process', async () => {
    const waiting = [1, 2, 3].map(() => read(server, `${TOPIC}?wait=30`));
    await until(() => feed.waiting === 3);
    const began = performance.now();
    await server.close();
    assert.ok(performance.now() - began < 4_000);
    for (const { status, ids } of await Promise.all(waiting)) assert.deepEqual([status, ids], [200, []]);
  });

  it('arrive by long poll while a process drains', async () => {
    const lingering = new EventFeed({ connection: world.connection, log: silentLog });
    const stopping = await serveEvents(lingering, 2_500);
    const waiting = read(stopping, `${TOPIC}?after=0&wait=30`);
    await until(() => lingering.waiting === 1);
    const closed = stopping.close();
    await append('A', 1);
    assert.deepEqual((await waiting).ids, ['order/A/1']);
    await closed;
  });
});

describe('the event of a published dataset', () => {
  it('is read by the owner of its codespace, once', async () => {
    const stores = await openStores();
    const { connection } = stores;
    const log = new EventLogStore(connection);
    const sources = [new OutboxSource(connection, 'timetable_imports')];
    const relay = new EventRelay({
      log,
      kept: new KeptEventStore(connection),
      keptTopics: new Set(),
      sources,
      observer: { relayed: () => undefined, oldestPending: () => undefined },
    });
    await relay.ensureIndexes();
    const feed = new EventFeed({ connection, log: silentLog });
    const server = await serveEvents(feed);
    const { importKey } = await stores.publish('ab'.repeat(32));
    await relay.relayPending(always);
    await relay.relayPending(always);
    const { events } = await read(server, 'timetable-dataset-events-dev');
    assert.deepEqual(
      events.map(({ id, subject, type }) => [id, subject, type]),
      [[`dataset/${importKey}/1`, 'dem', 'service.timetable.DatasetPublished.v1']],
    );
    assert.deepEqual((await read(server, 'timetable-dataset-events-dev', token(2))).ids, []);
    await server.close();
    await connection.dropDatabase();
    await connection.close();
  });
});
