/** Who asks, how much he may, and what he is told: the rules, and the planner process that applies them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parse } from 'graphql';
import type { Connection } from 'mongoose';
import pino from 'pino';
import { readClientName } from '../../../../api/journey-planner/callers/client-name.ts';
import { countTrips } from '../../../../api/journey-planner/callers/count-trips.ts';
import { RateLimitStore } from '../../../../api/journey-planner/callers/rate-limit-store.ts';
import { type Caller, RateLimits } from '../../../../api/journey-planner/callers/rate-limits.ts';
import { SharedCounts } from '../../../../api/journey-planner/callers/shared-counts.ts';
import { readPlannerConfig } from '../../../../api/journey-planner/config.ts';
import { callerAddress, networkOf, parseProxies } from '../../../../api/shared/trusted-proxies.ts';
import { connectMongo } from '../../../../platform/mongo/mongo.ts';
import { useMongo } from '../../../support/stack.ts';
import { until } from '../../../support/until.ts';

const config = (environment: Record<string, string> = {}) =>
  readPlannerConfig({
    ENVIRONMENT: 'development',
    PORT: '0',
    MONGODB_URI: 'mongodb://unused.test',
    S3_ENDPOINT: 'http://unused.test',
    S3_ACCESS_KEY_ID: 'x',
    S3_SECRET_ACCESS_KEY: 'x',
    ...environment,
    PLANNER_ID_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
  });

const ANYBODY: Caller = { name: undefined, network: '192.0.2.1' };
const NAMED: Caller = { name: 'acme-app', network: '192.0.2.1' };

describe('Callers: names', () => {
  const HEADERS = ['service-client-name', 'et-client-name'];
  const nameOf = (value: string) => readClientName({ 'et-client-name': value }, HEADERS, new Set(['bad-app'])).name;

  it('have a company and an application', () => {
    for (const name of ['acme-app', 'a-b', 'Acme-app-v2', 'acme.no-my_app', 'blå-reise', `a-${'b'.repeat(98)}`]) {
      assert.equal(nameOf(name), name.toLowerCase(), name);
    }
    for (const name of [
      '',
      'acme',
      '-app',
      'acme-',
      '-',
      ' - ',
      '__-app',
      'a-b, c-d',
      `a-${'b'.repeat(99)}`,
      'a-<b>',
    ]) {
      assert.equal(nameOf(name), undefined, name);
    }
  });

  it('count from the first header that has a proper one; a blocked one in any is blocked', () => {
    const read = (one: string, other: string) =>
      readClientName({ 'service-client-name': one, 'et-client-name': other }, HEADERS, new Set(['bad-app']));
    assert.deepEqual(read('nonsense', 'acme-app'), { name: 'acme-app', blocked: false });
    assert.deepEqual(read('acme-app', 'Bad-App'), { name: 'bad-app', blocked: true });
  });
});

describe('Callers: addresses', () => {
  const trusted = parseProxies('127.0.0.0/8, ::1, 10.1.0.0/16');
  const addressOf = (remoteAddress: string | undefined, forwardedFor?: string) =>
    callerAddress(
      { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwardedFor } } as unknown as IncomingMessage,
      trusted,
    );

  it('are believed from trusted proxies only, read from the end', () => {
    assert.equal(addressOf('192.0.2.9', '198.51.100.1'), '192.0.2.9');
    assert.equal(addressOf('127.0.0.1', '198.51.100.1'), '198.51.100.1');
    assert.equal(addressOf('127.0.0.1', 'forged, 198.51.100.1'), '198.51.100.1');
    assert.equal(addressOf('::ffff:127.0.0.1', 'forged, 198.51.100.1, 10.1.2.3'), '198.51.100.1');
    assert.equal(addressOf('127.0.0.1', '::ffff:198.51.100.1, ::ffff:10.1.2.3'), '198.51.100.1');
    assert.equal(addressOf('127.0.0.1', 'not an address'), '127.0.0.1');
    assert.equal(addressOf('127.0.0.1', '198.51.100.1, not an address, 10.1.2.3'), '10.1.2.3');
    assert.equal(addressOf('127.0.0.1'), '127.0.0.1');
    assert.equal(addressOf('2001:db8::1', '198.51.100.1'), '2001:db8::1');
    assert.equal(addressOf(undefined, '198.51.100.1'), '');
  });

  it('are looked for among the last twenty only', () => {
    assert.equal(addressOf('127.0.0.1', `198.51.100.1${', 10.1.2.3'.repeat(19)}`), '198.51.100.1');
    assert.equal(addressOf('127.0.0.1', `198.51.100.1, 10.1.9.9${', 10.1.2.3'.repeat(19)}`), '10.1.9.9');
  });

  it('of version 6 count by their network', () => {
    assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
    assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0::/64');
    assert.equal(networkOf('::1'), '0:0:0:0::/64');
    assert.equal(networkOf('2001:db8:1::ffff:192.0.2.1'), '2001:db8:1:0::/64');
    assert.equal(networkOf('fe80::1%eth0'), 'fe80:0:0:0::/64');
    assert.equal(networkOf('192.0.2.1'), '192.0.2.1');
    assert.equal(networkOf(''), '');
  });

  it('must be addresses in the configuration', () => {
    for (const text of ['proxy', '10', 'loopback', '10.0.0.0/33', '10.0.0.0/x', '0.0.0.0/0'])
      assert.throws(() => parseProxies(text), /neither/, text);
  });
});

describe('Callers: trips of a document', () => {
  const tripsOf = (text: string, name?: string) => countTrips(parse(text))(name);

  it('are its root fields, by aliases and fragments too', () => {
    assert.equal(tripsOf('{ lines { id } }'), 0);
    assert.equal(tripsOf('{ trip { x } }'), 1);
    assert.equal(tripsOf('{ a: trip { x } b: viaTrip { x } ... on QueryType { c: trip { x } } }'), 3);
    assert.equal(tripsOf('{ ...F ...F } fragment F on QueryType { trip { x } lines { trip } }'), 2);
    assert.equal(tripsOf('query A { trip { x } } query B { lines { id } }', 'A'), 1);
    assert.equal(tripsOf('query A { trip { x } } query B { lines { id } }', 'B'), 0);
    assert.equal(tripsOf('{ ...F } fragment F on QueryType { ...F trip { x } }'), 1);
  });
});

describe('Callers: limits', () => {
  let nowMs: number;
  const limitsWith = (environment: Record<string, string> = {}) => new RateLimits(config(environment), () => nowMs);
  beforeEach(() => {
    nowMs = Date.parse('2026-11-23T07:00:00.500Z');
  });

  it('let a named caller ask 600 times a minute, whatever it is', () => {
    const limits = limitsWith();
    for (let count = 0; count < 300; count++) {
      assert.ok(limits.take(NAMED, 'trip', 1).accepted);
      assert.ok(limits.take(NAMED, 'other', 1).accepted);
    }
    const refused = limits.take(NAMED, 'other', 1);
    assert.deepEqual([refused.accepted, refused.used, refused.allowed, refused.range], [false, 600, 600, 'per-minute']);
    assert.ok(limits.take({ ...NAMED, network: '192.0.2.2' }, 'trip', 1).accepted, 'another address');
    assert.ok(limits.take({ ...NAMED, name: 'other-app' }, 'trip', 1).accepted, 'another name');
    nowMs += 60_000;
    assert.deepEqual(limits.take(NAMED, 'trip', 1).used, 1);
  });

  it('let others search twice a second and thirty times a minute', () => {
    const limits = limitsWith();
    const takes = (kind: 'trip' | 'other', count: number) =>
      Array.from({ length: count }, () => limits.take(ANYBODY, kind, 1)).filter(({ accepted }) => accepted).length;
    assert.equal(takes('trip', 5), 2);
    assert.equal(limits.take(ANYBODY, 'trip', 1).range, 'per-second');
    assert.equal(takes('other', 30), 20);
    for (let second = 0; second < 14; second++) {
      nowMs += 1_000;
      assert.equal(takes('trip', 3), 2);
    }
    nowMs += 1_000;
    assert.deepEqual([limits.take(ANYBODY, 'trip', 1).range, takes('trip', 3)], ['per-minute', 0]);
    assert.equal(takes('other', 30), 20, 'counted apart');
  });

  it('take several searches all or none', () => {
    const limits = limitsWith();
    assert.equal(limits.take(ANYBODY, 'trip', 3).accepted, false);
    assert.equal(limits.take(ANYBODY, 'trip', 2).accepted, true);
  });

  it('do not let one address have names without end, nor callers fill the memory', () => {
    const limits = limitsWith({ RATE_LIMIT_NAMES_PER_ADDRESS: '3', RATE_LIMIT_MAX_CALLERS: '10' });
    const names = Array.from({ length: 5 }, (_, at) => limits.admit({ name: `acme-${at}`, network: 'x' }).name);
    assert.deepEqual(names, ['acme-0', 'acme-1', 'acme-2', undefined, undefined]);
    assert.equal(limits.admit({ name: 'acme-1', network: 'x' }).name, 'acme-1');
    for (let at = 0; at < 1_000; at++) limits.note({ name: undefined, network: `n${at}` });
    assert.equal(limits.look({ name: undefined, network: 'n999' }, 'other').used > 10, true, 'they share one count');
  });
});

describe('Callers: counts shared through MongoDB', () => {
  let connection: Connection;
  before(async () => {
    connection = await connectMongo((await useMongo()).uri(`limits_${randomUUID().slice(0, 8)}`));
  });
  after(() => connection.close());

  it('are what all processes have let in, each request once', async () => {
    const store = new RateLimitStore(connection);
    await store.ensureIndexes();
    const nowMs = Date.now();
    const processes = Array.from({ length: 3 }, () => {
      const limits = new RateLimits(config(), () => nowMs);
      const shared = new SharedCounts({ limits, store, everyMs: 20, log: pino({ level: 'silent' }), now: () => nowMs });
      shared.start();
      return { limits, shared };
    });
    for (const { limits } of processes) for (let count = 0; count < 100; count++) limits.take(NAMED, 'trip', 1);
    await until(() => processes.every(({ limits }) => limits.look(NAMED, 'trip').used === 300));
    for (const { limits } of processes) for (let count = 0; count < 10; count++) limits.take(NAMED, 'trip', 1);
    await until(() => processes.every(({ limits }) => limits.look(NAMED, 'trip').used === 330));
    for (const { shared } of processes) await shared.stop();
    const [document, ...others] = await connection
      .collection('planner_rate_limits')
      .find({}, { readConcern: { level: 'local' } })
      .toArray();
    assert.deepEqual([others.length, document?.used], [0, 330]);
    assert.ok(document?.expiresAt instanceof Date);
  });

  it('are counted alone while the database is away', async () => {
    const limits = new RateLimits(config());
    const away = () => Promise.reject(new Error('away'));
    const shared = new SharedCounts({
      limits,
      store: { add: away, read: away },
      everyMs: 20,
      log: pino({ level: 'silent' }),
    });
    shared.start();
    assert.ok(limits.take(NAMED, 'trip', 1).accepted);
    await shared.stop();
    assert.ok(limits.take(NAMED, 'trip', 1).accepted);
  });
});
