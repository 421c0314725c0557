/** Tests the guard of all answers of a planner process over HTTP: headers, refusals and the counting of searches. */
import assert from 'node:assert/strict';
import { getIntrospectionQuery } from 'graphql';
import { Registry } from 'prom-client';
import { createCallerGuard } from '../../../../api/journey-planner/callers/caller-guard.ts';
import { readPlannerConfig } from '../../../../api/journey-planner/config.ts';
import { createPlannerRouters } from '../../../../api/journey-planner/routers.ts';
import { createApp } from '../../../../api/shared/app.ts';
import { type RunningServer, serve } from '../../../../api/shared/serve.ts';
import { PLANNER_PUBLIC_KEYS } from '../../../support/planner-keys.ts';
import { RawCaller } from '../../forwarding/support.ts';
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
      PLANNER_PUBLIC_KEYS,
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

  it('sends every caller its remaining requests with any answer', async () => {
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
    // The minute, and the count with it, may have ended meanwhile.
    const minutes = new Set([...answers, last].map(({ headers }) => headers.get('rate-limit-expiry-time')));
    if (minutes.size === 1) assert.equal(used(last), 8, 'each counted once, those that failed too');
  });

  it('refuses in the format of the endpoint, with Retry-After', async () => {
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

  it('counts searches of callers without a name separately, each alias as one', async () => {
    await start({ RATE_LIMIT_TRIPS_PER_SECOND: '100', RATE_LIMIT_TRIPS_PER_MINUTE: '4' });
    const first = await post(TRIP);
    assert.deepEqual([first.headers.get('rate-limit-allowed'), used(first)], ['4', 1]);
    const three = TRIP.replace('{ trip', '{ a: trip').replace(/}$/, '') + TRIP.slice(1).replace('trip', 'b: trip');
    assert.equal(used(await post(three, { 'service-client-name': 'malformed' })), 3);
    const five = await post(`{ ${[1, 2].map((at) => TRIP.slice(1, -1).replace('trip', `t${at}: trip`)).join(' ')} }`);
    assert.equal(five.status, 429);
    assert.equal((await post('{ lines { id } }')).status, 200, 'other requests have a count of their own');
  });

  it('counts an introspection that is not kept as ten requests, one that is as one', async () => {
    await start();
    const name = { 'service-client-name': 'acme-app' };
    const uses: number[] = [];
    const standard = getIntrospectionQuery();
    for (const query of [standard, standard, `# again\n${standard}`, '{ a: __schema { queryType { name } } }']) {
      const answer = await post(query, name);
      assert.equal(answer.status, 200);
      await answer.text();
      uses.push(used(answer));
    }
    // The minute may have ended meanwhile, and the count with it.
    if (uses.every((count, at) => at === 0 || count > (uses[at - 1] ?? 0))) assert.deepEqual(uses, [10, 11, 12, 22]);
    const anybody = await Promise.all(
      Array.from({ length: 10 }, (_, at) => post(`{ a${at}: __schema { queryType { name } } }`)),
    );
    assert.ok(anybody.some(({ status }) => status === 429));
  });

  it('counts a request from its beginning, also while its body arrives', async () => {
    await start({ RATE_LIMIT_IDENTIFIED: '2' });
    const head = `POST /journey-planner/v3/graphql HTTP/1.1\r\nHost: x\r\nET-Client-Name: acme-app\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`;
    const callers = Array.from({ length: 3 }, () => new RawCaller(server.url));
    for (const { socket } of callers) socket.write(head);
    await Promise.any(callers.map((caller) => caller.answers(1)));
    for (const { socket } of callers) socket.destroy();
    await Promise.all(callers.map(({ closed }) => closed));
    assert.deepEqual(
      callers.flatMap(({ statuses }) => statuses),
      [429],
    );
  });

  it('lets no more long answers begin at once than one after the other', async () => {
    // Every list ends a turn: an answer of many counts as several requests.
    const environment = { RATE_LIMIT_IDENTIFIED: '30', GRAPHQL_SLICE_MS: '0' };
    const long = `{ ${Array.from({ length: 6 }, (_, at) => `l${at}: lines { id quays { id } }`).join(' ')} }`;
    const name = { 'ET-Client-Name': 'acme-app' };
    const all = Array.from({ length: 20 });
    const minuteOf = (answer: Response | undefined) => answer?.headers.get('rate-limit-expiry-time');
    const served = (answers: readonly Response[]) => answers.filter(({ status }) => status === 200).length;
    await start(environment);
    const inTurn: Response[] = [];
    for (const _ of all) inTurn.push(await post(long, name));
    await server.close();
    await start(environment);
    const atOnce = await Promise.all(all.map(() => post(long, name)));
    for (const answer of atOnce.filter(({ status }) => status !== 200)) {
      assert.equal(answer.status, 429);
      assert.ok(Number(answer.headers.get('retry-after')) >= 1);
      const { errors, data } = (await answer.json()) as { errors: { extensions: { code: string } }[]; data?: unknown };
      assert.deepEqual([errors[0]?.extensions.code, data], ['RATE_LIMITED', undefined]);
    }
    // Another minute may have begun meanwhile, and each has its requests.
    if (minuteOf(inTurn[0]) !== minuteOf(inTurn.at(-1)) || minuteOf(atOnce[0]) !== minuteOf(atOnce.at(-1))) return;
    const figures = `${served(atOnce)} at once, ${served(inTurn)} one after the other`;
    assert.ok(served(inTurn) > 1 && served(inTurn) < 20, figures);
    assert.ok(served(atOnce) >= 1 && served(atOnce) <= served(inTurn), figures);
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

  it('trusts the headers of a trusted proxy only, and by default of nobody', async () => {
    await start({ RATE_LIMIT_IDENTIFIED: '1', TRUSTED_PROXIES: '127.0.0.1' });
    const from = (address: string) => ({ 'service-client-name': 'acme-app', 'x-forwarded-for': address });
    assert.equal((await post('{ lines { id } }', from('192.0.2.1'))).status, 200);
    assert.equal((await post('{ lines { id } }', from('192.0.2.2'))).status, 200);
    assert.equal((await post('{ lines { id } }', from('192.0.2.2'))).status, 429);
    for (const proxies of [{ TRUSTED_PROXIES: '10.0.0.1' }, {}]) {
      await server.close();
      await start({ RATE_LIMIT_IDENTIFIED: '1', ...proxies });
      assert.equal((await post('{ lines { id } }', from('192.0.2.1'))).status, 200);
      assert.equal((await post('{ lines { id } }', from('192.0.2.2'))).status, 429);
    }
  });
});
