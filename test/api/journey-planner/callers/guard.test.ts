/** The guard before everything that a planner process answers: headers, refusals and what counts as what, over HTTP. */
import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import { createCallerGuard } from '../../../../api/journey-planner/callers/caller-guard.ts';
import { readPlannerConfig } from '../../../../api/journey-planner/config.ts';
import { createPlannerRouters } from '../../../../api/journey-planner/routers.ts';
import { createApp } from '../../../../api/shared/app.ts';
import { type RunningServer, serve } from '../../../../api/shared/serve.ts';
import { silentLog } from '../../support/parcels.ts';
import { openTown } from '../graphql/network.ts';

const HEADERS = ['allowed', 'available', 'used', 'range', 'expiry-time'].map((name) => `rate-limit-${name}`);
const TRIP = '{ trip(from: { place: "x" }, to: { place: "y" }) { tripPatterns { duration } } }';

describe('caller guard', () => {
  let server: RunningServer;

  async function start(environment: Record<string, string> = {}): Promise<void> {
    const config = readPlannerConfig({
      ENVIRONMENT: 'development',
      PORT: '0',
      MONGODB_URI: 'mongodb://unused.test',
      S3_ENDPOINT: 'http://unused.test',
      S3_ACCESS_KEY_ID: 'x',
      S3_SECRET_ACCESS_KEY: 'x',
      PLANNER_ID_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
      ...environment,
    });
    const timetable = openTown();
    const context = {
      config,
      log: silentLog,
      metrics: new Registry(),
      now: () => Math.floor(Date.now() / 1_000),
      timetable: () => timetable,
      timetableOf: () => timetable,
      planner: { trip: () => Promise.reject(new Error('No trips in this test')) },
    };
    const routers = [createCallerGuard(context).router, ...createPlannerRouters(context)];
    const app = createApp({ areas: [], log: silentLog, routers });
    server = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 100 });
  }
  afterEach(() => server.close());

  const post = (query: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/journey-planner/v3/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers });
  const used = (answer: Response) => Number(answer.headers.get('rate-limit-used'));

  it('sends every caller its remaining requests, whatever the answer', async () => {
    await start();
    const name = { 'service-client-name': 'acme-app' };
    const begun = Date.now();
    const answers = [
      await post('{ lines { id } }', name),
      await post('{ nothing }', name),
      await post('{', name),
      await get('/journey-planner/v3/graphql', name),
      await get('/journey-planner/v3/nowhere', name),
      await get('/geocoder/v1/autocomplete', name),
      await get('/geocoder/v1/autocomplete?text=a', name),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 400, 400, 405, 404, 400, 200],
    );
    for (const answer of answers) {
      for (const header of HEADERS) assert.ok(answer.headers.get(header), `${answer.url} ${header}`);
      assert.equal(answer.headers.get('rate-limit-allowed'), '600');
      assert.ok(Date.parse(answer.headers.get('rate-limit-expiry-time') ?? '') > begun);
    }
    const last = await post('{ lines { id } }', name);
    // The minute may have ended meanwhile, and the count with it.
    const minutes = new Set([...answers, last].map(({ headers }) => headers.get('rate-limit-expiry-time')));
    if (minutes.size === 1) assert.equal(used(last), 8, 'each counted once, those that failed too');
  });

  it('refuses in the form of the address, and says when to come again', async () => {
    await start({ RATE_LIMIT_IDENTIFIED: '2' });
    const name = { 'ET-Client-Name': 'acme-app' };
    assert.equal((await post('{ lines { id } }', name)).status, 200);
    assert.equal((await get('/geocoder/v1/autocomplete?text=a', name)).status, 200);
    const [graphql, geocoder] = [await post('{ lines { id } }', name), await get('/geocoder/v1/reverse', name)];
    for (const { status, headers } of [graphql, geocoder]) {
      const seconds = Number(headers.get('retry-after'));
      assert.ok(status === 429 && seconds >= 1 && seconds <= 60, `${status} ${seconds}`);
      assert.deepEqual([headers.get('rate-limit-available'), headers.get('rate-limit-used')], ['0', '2']);
    }
    const { errors } = (await graphql.json()) as { errors: { extensions: { code: string } }[] };
    assert.equal(errors[0]?.extensions.code, 'RATE_LIMITED');
    assert.equal(geocoder.headers.get('content-type'), 'application/problem+json');
    assert.equal(((await geocoder.json()) as { code: string }).code, 'RATE_LIMITED');
    assert.equal((await post('{ lines { id } }', { 'ET-Client-Name': 'other-app' })).status, 200);
  });

  it('counts searches of callers without a name apart, each alias one', async () => {
    await start({ RATE_LIMIT_TRIPS_PER_SECOND: '100', RATE_LIMIT_TRIPS_PER_MINUTE: '4' });
    const first = await post(TRIP);
    assert.deepEqual([first.headers.get('rate-limit-allowed'), used(first)], ['4', 1]);
    const three = TRIP.replace('{ trip', '{ a: trip').replace(/}$/, '') + TRIP.slice(1).replace('trip', 'b: trip');
    assert.equal(used(await post(three, { 'service-client-name': 'malformed' })), 3);
    const five = await post(`{ ${[1, 2].map((at) => TRIP.slice(1, -1).replace('trip', `t${at}: trip`)).join(' ')} }`);
    assert.equal(five.status, 429);
    assert.equal((await post('{ lines { id } }')).status, 200, 'other requests have a count of their own');
  });

  it('does not serve blocked names', async () => {
    await start({ BLOCKED_CLIENT_NAMES: 'acme-app' });
    const name = { 'service-client-name': 'Acme-App' };
    const graphql = await post('{ lines { id } }', name);
    assert.equal(graphql.status, 403);
    assert.match(await graphql.text(), /"errors":\[.*CLIENT_BLOCKED/);
    const geocoder = await get('/geocoder/v1/autocomplete?text=a', name);
    assert.deepEqual([geocoder.status, ((await geocoder.json()) as { code: string }).code], [403, 'CLIENT_BLOCKED']);
    assert.equal((await get('/health/live', name)).status, 200);
  });

  it('believes a proxy that is trusted, and no other', async () => {
    await start({ RATE_LIMIT_IDENTIFIED: '1' });
    const from = (address: string) => ({ 'service-client-name': 'acme-app', 'x-forwarded-for': address });
    assert.equal((await post('{ lines { id } }', from('192.0.2.1'))).status, 200);
    assert.equal((await post('{ lines { id } }', from('192.0.2.2'))).status, 200);
    assert.equal((await post('{ lines { id } }', from('192.0.2.2'))).status, 429);
    await server.close();
    await start({ RATE_LIMIT_IDENTIFIED: '1', TRUSTED_PROXIES: '10.0.0.1' });
    assert.equal((await post('{ lines { id } }', from('192.0.2.1'))).status, 200);
    assert.equal((await post('{ lines { id } }', from('192.0.2.2'))).status, 429);
  });
});
