/** Tests webhooks over HTTP: what is refused, what is shown, and to whom. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { AREAS } from '../../../activities/areas.ts';
import { EventFeed } from '../../../activities/events/event-feed.ts';
import { topicsOf } from '../../../activities/events/topics.ts';
import { WebhookSecrets } from '../../../activities/events/webhooks/webhook-secrets.ts';
import { WebhookStore } from '../../../activities/events/webhooks/webhook-store.ts';
import { ReaderSlots } from '../../../api/events/reader-slots.ts';
import { createEventsArea } from '../../../api/events/routes.ts';
import { createApp } from '../../../api/shared/app.ts';
import { type RunningServer, serve } from '../../../api/shared/serve.ts';
import { parseKeyRing } from '../../../platform/keys/key-ring.ts';
import { type EventsWorld, openEvents, orderEvent } from '../../activities/events/support.ts';
import { readPlainToken, silentLog } from '../support/parcels.ts';

const SECRET = 'correct-horse-battery-staple';
const TOPIC = 'customer-changed-dev';
const URL_OF_RECEIVER = 'https://events.fjordbuss.example/samferd';
const wanted = { url: URL_OF_RECEIVER, topics: [TOPIC], secret: SECRET };
const token = (organisation: number, scopes = 'webhooks:write,events:read') => ({
  authorization: `Bearer a/${organisation}/${scopes}`,
});

interface Body {
  readonly id: string;
  readonly state: string;
  readonly code?: string;
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[];
  readonly items: readonly Body[];
  readonly totalItems: number;
  readonly totalPages: number;
  readonly failingKeys: number;
  readonly lastFailure?: { readonly reason: string };
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Body;
  readonly location: string | null;
}

describe('webhooks over HTTP', () => {
  let world: EventsWorld;
  let server: RunningServer;
  let strict: RunningServer;

  async function start(openAddresses: boolean): Promise<RunningServer> {
    const area = createEventsArea({
      feed: new EventFeed({ connection: world.connection, log: silentLog }),
      slots: new ReaderSlots(1),
      topics: topicsOf(AREAS, 'dev'),
      webhooks: new WebhookStore(world.connection),
      secrets: new WebhookSecrets(parseKeyRing(`k:${randomBytes(32).toString('base64')}`, 'WEBHOOK_KEYS')),
      lastOffset: (topic) => world.log.lastOffset(topic),
      openAddresses,
    });
    const app = createApp({ areas: [area], log: silentLog, verifyToken: readPlainToken });
    return await serve(app, { host: '127.0.0.1', port: 0, graceMs: 5_000, drainMs: 0 });
  }

  beforeEach(async () => {
    world = await openEvents();
    await new WebhookStore(world.connection).ensureIndexes();
    [server, strict] = [await start(true), await start(false)];
  });
  afterEach(async () => {
    await Promise.all([server.close(), strict.close()]);
    await world.connection.dropDatabase();
    await world.connection.close();
  });

  async function call(
    method: string,
    path = '',
    headers: Record<string, string> = token(1),
    body?: unknown,
    to = server,
  ): Promise<Answer> {
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(`${to.url}/v1/webhooks${path}`, { method, headers: { ...headers, ...type }, ...init });
    const text = await response.text();
    const { status } = response;
    return {
      status,
      text,
      body: text === '' ? ({} as Body) : JSON.parse(text),
      location: response.headers.get('location'),
    };
  }
  const create = async (more: object = {}, headers = token(1), to = server) =>
    await call('POST', '', headers, { ...wanted, ...more }, to);

  it('are created, shown, listed and deleted, and never show their secret', async () => {
    const created = await create();
    assert.deepEqual([created.status, created.location], [201, `/v1/webhooks/${created.body.id}`]);
    const shown = await call('GET', `/${created.body.id}`);
    assert.deepEqual(shown.body, created.body);
    assert.deepEqual([shown.body.state, shown.body.failingKeys], ['ACTIVE', 0]);
    const listed = await call('GET');
    assert.deepEqual([listed.body.items, listed.body.totalItems, listed.body.totalPages], [[created.body], 1, 1]);
    const stored = JSON.stringify(await world.connection.collection('webhooks').find().toArray());
    const encoded = Buffer.from(SECRET).toString('base64');
    for (const text of [created.text, shown.text, listed.text, stored])
      for (const secret of [SECRET, encoded]) assert.ok(!text.includes(secret));
    assert.equal((await call('DELETE', `/${created.body.id}`)).status, 204);
    assert.equal((await call('GET', `/${created.body.id}`)).status, 404);
    assert.equal((await call('DELETE', `/${created.body.id}`)).status, 404);
  });

  it('begin after the events that there are', async () => {
    await world.log.append(TOPIC, [orderEvent('A', 1, undefined, TOPIC), orderEvent('A', 2, undefined, TOPIC)]);
    await create();
    const [stored] = await world.connection.collection('webhooks').find().toArray();
    assert.deepEqual(stored?.positions, { [TOPIC]: 2 });
  });

  it('of another organisation are absent, but for the operator', async () => {
    const { body } = await create();
    for (const method of ['GET', 'DELETE']) assert.equal((await call(method, `/${body.id}`, token(2))).status, 404);
    assert.deepEqual((await call('GET', '', token(2))).body.items, []);
    const operator = token(9, 'webhooks:write,events:read,organisation:any');
    assert.equal((await call('GET', `/${body.id}`, operator)).status, 200);
    assert.equal((await call('GET', '', operator)).body.totalItems, 1);
  });

  it('need a token with their scope', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/0b6a5a7e-6f1d-8c55-9a0e-2f7d5f0c1a11'],
    ] as const) {
      assert.equal((await call(method, path, {})).status, 401);
      assert.equal((await call(method, path, token(1, 'events:read'))).status, 403);
    }
    assert.equal((await create({}, token(1, 'events:read'))).status, 403);
  });

  it('are created by those alone who may read events, and are seen and deleted by others, too', async () => {
    assert.equal((await create({}, token(1, 'webhooks:write'))).status, 403);
    const { body } = await create();
    assert.equal((await call('GET', `/${body.id}`, token(1, 'webhooks:write'))).status, 200);
    assert.equal((await call('DELETE', `/${body.id}`, token(1, 'webhooks:write'))).status, 204);
  });

  it('do not tell whether a name is unknown here or has an address that is not public', async () => {
    const { body } = await create();
    for (const reason of ['NAME_UNKNOWN', 'ADDRESS_REFUSED']) {
      const lastFailure = { reason, at: new Date() };
      await world.connection.collection('webhooks').updateMany({}, { $set: { lastFailure } });
      const shown = await call('GET', `/${body.id}`);
      assert.equal(shown.body.lastFailure?.reason, 'NO_PUBLIC_ADDRESS', reason);
      assert.deepEqual((await call('GET')).body.items, [shown.body]);
    }
  });

  it('refuse bodies of another shape', async () => {
    const bad = [
      { secret: 'short' },
      { secret: 'with a space in it, and long' },
      { topics: [] },
      { topics: [TOPIC, TOPIC] },
      { url: 'x' },
      { other: 1 },
    ];
    for (const each of bad) assert.equal((await create(each)).status, 400, JSON.stringify(each));
  });

  it('refuse unknown topics and addresses, and name each', async () => {
    const { status, body } = await create({ url: 'ftp://example.org/x', topics: [TOPIC, 'no-such-dev'] });
    assert.equal(status, 422);
    assert.deepEqual(
      body.errors?.map(({ pointer, code }) => [pointer, code]),
      [
        ['/url', 'NOT_HTTPS'],
        ['/topics/1', 'UNKNOWN_REFERENCE'],
      ],
    );
    assert.match(body.errors?.[1]?.detail ?? '', /^is no topic here/);
  });

  it('may be on this machine and over plain HTTP in development alone', async () => {
    const privates = {
      'http://example.org/x': 'NOT_HTTPS',
      'https://127.0.0.1/x': 'PRIVATE_ADDRESS',
      'https://2130706433/x': 'PRIVATE_ADDRESS',
      'https://0x7f.1/x': 'PRIVATE_ADDRESS',
      'https://10.1.2.3/x': 'PRIVATE_ADDRESS',
      'https://169.254.169.254/latest': 'PRIVATE_ADDRESS',
      'https://100.64.0.1/x': 'PRIVATE_ADDRESS',
      'https://0.0.0.0/x': 'PRIVATE_ADDRESS',
      'https://[::1]/x': 'PRIVATE_ADDRESS',
      'https://[::ffff:10.0.0.1]/x': 'PRIVATE_ADDRESS',
      'https://[fd00::1]/x': 'PRIVATE_ADDRESS',
      'https://[fec0::1]/x': 'PRIVATE_ADDRESS',
      'https://[100::1]/x': 'PRIVATE_ADDRESS',
      'https://[64:ff9b:1::a01:203]/x': 'PRIVATE_ADDRESS',
      'https://localhost/x': 'PRIVATE_ADDRESS',
      'https://localhost./x': 'PRIVATE_ADDRESS',
      'https://api.localhost/x': 'PRIVATE_ADDRESS',
      'https://mongodb/x': 'PRIVATE_ADDRESS',
      'https://mongodb./x': 'PRIVATE_ADDRESS',
      'https://[::127.0.0.1]/x': 'PRIVATE_ADDRESS',
    };
    for (const [url, code] of Object.entries(privates)) {
      const refused = await create({ url }, token(1), strict);
      assert.deepEqual([refused.status, refused.body.errors?.[0]?.code], [422, code], url);
      assert.equal((await create({ url })).status, 201, url);
    }
    for (const to of [server, strict]) {
      assert.equal(
        (await create({ url: 'https://me:pw@example.org/' }, token(2), to)).body.errors?.[0]?.code,
        'CREDENTIALS',
      );
      assert.equal((await create({ url: 'https://example.org/#a' }, token(2), to)).body.errors?.[0]?.code, 'FRAGMENT');
      assert.equal((await create({}, token(2), to)).status, 201);
    }
  });

  it('are at most 20 of an organisation, however many are created at once', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => create()));
    assert.equal(answers.filter(({ status }) => status === 201).length, 20);
    assert.equal(answers.filter(({ status, body }) => status === 409 && body.code === 'INVALID_STATE').length, 5);
    assert.equal((await create({}, token(2))).status, 201);
    const [first] = (await call('GET', '?perPage=7&page=2')).body.items;
    assert.equal((await call('DELETE', `/${first?.id}`)).status, 204);
    assert.equal((await create()).status, 201);
  });
});
