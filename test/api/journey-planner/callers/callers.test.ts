/** Tests names, addresses and limits of callers: the rules, and the planner process that applies them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import fc from 'fast-check';
import { parse } from 'graphql';
import type { Connection } from 'mongoose';
import pino from 'pino';
import { Call } from '../../../../api/journey-planner/callers/call.ts';
import { networksOf } from '../../../../api/journey-planner/callers/caller-networks.ts';
import { readClientName } from '../../../../api/journey-planner/callers/client-name.ts';
import { countTrips } from '../../../../api/journey-planner/callers/count-trips.ts';
import { type CountedRequests, RateLimitStore } from '../../../../api/journey-planner/callers/rate-limit-store.ts';
import { type Caller, RateLimits } from '../../../../api/journey-planner/callers/rate-limits.ts';
import { SharedCounts } from '../../../../api/journey-planner/callers/shared-counts.ts';
import { readPlannerConfig } from '../../../../api/journey-planner/config.ts';
import { callerAddress, networkOf, parseProxies } from '../../../../api/shared/trusted-proxies.ts';
import { connectMongo } from '../../../../platform/mongo/mongo.ts';
import { PLANNER_PUBLIC_KEYS } from '../../../support/planner-keys.ts';
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
    PLANNER_PUBLIC_KEYS,
  });

const callerAt = (address: string, name?: string): Caller => ({ name, ...networksOf(address) });
const ANYBODY = callerAt('192.0.2.1');
const NAMED = callerAt('192.0.2.1', 'acme-app');

describe('Callers: names', () => {
  const HEADERS = ['service-client-name', 'et-client-name'];
  const nameOf = (value: string) => readClientName({ 'et-client-name': value }, HEADERS, new Set(['bad-app'])).name;

  it('consist of a company and an application', () => {
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

  it('come from the first header with a valid one, and are blocked if any header has a blocked one', () => {
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

  it('are read from trusted proxies only, from the end', () => {
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

  it('are read from the last twenty only', () => {
    assert.equal(addressOf('127.0.0.1', `198.51.100.1${', 10.1.2.3'.repeat(19)}`), '198.51.100.1');
    assert.equal(addressOf('127.0.0.1', `198.51.100.1, 10.1.9.9${', 10.1.2.3'.repeat(19)}`), '10.1.9.9');
  });

  it('of version 6 count by network', () => {
    assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
    assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0::/64');
    assert.equal(networkOf('::1'), '0:0:0:0::/64');
    assert.equal(networkOf('2001:db8:1::ffff:192.0.2.1'), '2001:db8:1:0::/64');
    assert.equal(networkOf('fe80::1%eth0'), 'fe80:0:0:0::/64');
    assert.equal(networkOf('192.0.2.1'), '192.0.2.1');
    assert.equal(networkOf(''), '');
  });

  it('are in a network of neighbours: a /24 of version 4, a /48 of version 6', () => {
    assert.deepEqual(networksOf('192.0.2.1'), { address: '192.0.2.1', network: '192.0.2.0/24' });
    assert.deepEqual(networksOf('2001:db8:1:2::3'), { address: '2001:db8:1:2::/64', network: '2001:db8:1::/48' });
    assert.deepEqual(networksOf('fe80::1%eth0'), { address: 'fe80:0:0:0::/64', network: 'fe80:0:0::/48' });
    assert.deepEqual(networksOf(''), { address: '', network: '' });
  });

  it('are read in each form that Node takes for an address', () => {
    assert.equal(networkOf('::1.2.3.4'), '0:0:0:0::/64');
    assert.equal(networkOf('64:ff9b::1.2.3.4'), '64:ff9b:0:0::/64');
    assert.equal(networksOf('64:ff9b:0:1::1.2.3.4').network, '64:ff9b:0::/48');
    assert.equal(addressOf('127.0.0.1', '64:ff9b::1.2.3.4'), '64:ff9b::102:304');
    assert.equal(addressOf('127.0.0.1', '::1.2.3.4%eth0'), '::102:304');
    const written = fc.record({ address: fc.ipV6(), zone: fc.constantFrom('', '%1', '%eth0') });
    fc.assert(
      fc.property(written, ({ address, zone }) => {
        const text = `${address}${zone}`;
        fc.pre(isIP(text) !== 0);
        const read = addressOf('127.0.0.1', text);
        assert.notEqual(isIP(read), 0, text);
        assert.equal(addressOf(text), read);
        assert.equal(networkOf(text), networkOf(read));
        assert.equal(networksOf(text).address, networkOf(read));
        assert.deepEqual(networksOf(text), networksOf(read));
      }),
      { numRuns: 2000 },
    );
  });

  it('must be valid in the configuration', () => {
    for (const text of ['proxy', '10', 'loopback', '10.0.0.0/33', '10.0.0.0/x', '0.0.0.0/0'])
      assert.throws(() => parseProxies(text), /neither/, text);
  });
});

describe('Callers: trips of a document', () => {
  const tripsOf = (text: string, name?: string) => countTrips(parse(text))(name);

  it('are its root fields, also through aliases and fragments', () => {
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

  it('allow a named caller 600 queries of any kind a minute', () => {
    const limits = limitsWith();
    for (let count = 0; count < 300; count++) {
      assert.ok(limits.take(NAMED, 'trip', 1).accepted);
      assert.ok(limits.take(NAMED, 'other', 1).accepted);
    }
    const refused = limits.take(NAMED, 'other', 1);
    assert.deepEqual([refused.accepted, refused.used, refused.allowed, refused.range], [false, 600, 600, 'per-minute']);
    assert.ok(limits.take(callerAt('192.0.2.2', 'acme-app'), 'trip', 1).accepted, 'another address');
    assert.ok(limits.take({ ...NAMED, name: 'other-app' }, 'trip', 1).accepted, 'another name');
    nowMs += 60_000;
    assert.deepEqual(limits.take(NAMED, 'trip', 1).used, 1);
  });

  it('allow other callers two searches a second and thirty a minute', () => {
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

  it('allow all or none of several searches', () => {
    const limits = limitsWith();
    assert.equal(limits.take(ANYBODY, 'trip', 3).accepted, false);
    assert.equal(limits.take(ANYBODY, 'trip', 2).accepted, true);
  });

  /** Requests let in of one from each caller. */
  const letIn = (limits: RateLimits, callers: readonly Caller[], kind: 'trip' | 'other' = 'trip') =>
    callers.filter((caller) => limits.take(caller, kind, 1).accepted).length;
  const range = <Item>(length: number, make: (at: number) => Item) => Array.from({ length }, (_, at) => make(at));

  it('hold for an address, whatever names it sends and with none', () => {
    const limits = limitsWith();
    const names = range(60_000, (at) => callerAt('192.0.2.1', `acme-${at}`));
    assert.equal(letIn(limits, names), 1_800);
    const refused = limits.take(callerAt('192.0.2.1', 'acme-new'), 'other', 1);
    assert.deepEqual([refused.accepted, refused.of, refused.allowed, refused.used], [false, 'address', 1_800, 1_800]);
    assert.equal(limits.reserve(ANYBODY, limits.kindWithRoom(ANYBODY), 1), 0);
    assert.equal(letIn(limits, [callerAt('192.0.2.2', 'acme-0')]), 1, 'its neighbour has a limit of its own');
    nowMs += 60_000;
    assert.equal(letIn(limits, names), 1_800);
  });

  it('hold for an IPv6 /64 and for a /48 or a /24, whatever the addresses within', () => {
    const limits = limitsWith();
    const hosts = range(10_000, (at) => callerAt(`2001:db8:1:2::${at.toString(16)}`, 'acme-app'));
    assert.equal(letIn(limits, hosts), 600, 'of one /64 and one name');
    const subnets = range(10_000, (at) => callerAt(`2001:db8:2:${at.toString(16)}::1`, `acme-${at}`));
    assert.equal(letIn(limits, subnets), 6_000, 'of one /48');
    const neighbours = range(10_000, (at) => callerAt(`198.51.100.${at % 256}`, `acme-${at}`));
    assert.equal(letIn(limits, neighbours), 6_000, 'of one /24');
    const refused = limits.take(callerAt('198.51.100.7', 'acme-new'), 'trip', 1);
    assert.deepEqual([refused.accepted, refused.of, refused.allowed], [false, 'network', 6_000]);
    assert.equal(letIn(limits, [callerAt('198.51.101.7', 'acme-app'), callerAt('2001:db8:3::1', 'acme-app')]), 2);
  });

  function callOf(limits: RateLimits, caller: Caller) {
    const response = Object.assign(new EventEmitter(), { headersSent: true });
    const call = new Call(caller, limits, {} as IncomingMessage, response as unknown as ServerResponse);
    return { call, end: () => response.emit('close') };
  }
  /** Takes turns until the call is refused one, or has had them all. */
  function takeTurns(call: Call, turns: number): number {
    for (let turn = 1; turn <= turns; turn += 1) if (call.noteTurn(turn)) return turn;
    return turns;
  }

  it('count the work of a long answer too, when it ends', () => {
    const limits = limitsWith();
    const [short, long] = [callOf(limits, NAMED), callOf(limits, NAMED)];
    short.call.count('other');
    assert.equal(takeTurns(short.call, 4), 4);
    short.end();
    assert.equal(limits.look(NAMED, 'other').used, 1);
    long.call.count('other');
    assert.equal(takeTurns(long.call, 5), 5);
    assert.equal(limits.look(NAMED, 'other').used, 2 + 8, 'reserved while it runs');
    takeTurns(long.call, 47);
    long.end();
    assert.equal(limits.look(NAMED, 'other').used, 2 + 10);
    long.call.noteTurn(55);
    assert.equal(limits.look(NAMED, 'other').used, 2 + 11, 'work for nobody');
  });

  it('refuse long answers begun at once when what they may take is reserved', () => {
    const limits = limitsWith({ RATE_LIMIT_IDENTIFIED: '40' });
    const calls = Array.from({ length: 20 }, () => callOf(limits, NAMED));
    for (const { call } of calls) assert.ok(call.begin() && call.count('other').accepted);
    const given = calls.map(({ call }) => takeTurns(call, 5) === 5 && !call.noteTurn(10));
    assert.equal(given.filter(Boolean).length, 3, 'of 20 requests left: 8, 8, and 4');
    for (const { end } of calls) end();
    // Each that reached five turns counts for them, also when it was refused then.
    assert.ok(limits.look(NAMED, 'other').used <= 40 + calls.length);
  });

  it('count requests from their beginning, once, whenever the minute ends', () => {
    const limits = limitsWith({ RATE_LIMIT_IDENTIFIED: '2' });
    const calls = Array.from({ length: 3 }, () => callOf(limits, NAMED));
    assert.deepEqual(
      calls.map(({ call }) => call.begin()),
      [true, true, false],
    );
    assert.equal(limits.look(NAMED, 'other').used, 2);
    nowMs += 60_000;
    assert.equal(limits.look(NAMED, 'other').used, 2, 'they still run');
    assert.ok(calls[0]?.call.count('trip').accepted);
    for (const { end } of calls) end();
    assert.equal(limits.look(NAMED, 'other').used, 2);
    nowMs += 60_000;
    assert.equal(limits.look(NAMED, 'other').used, 0);
  });

  it('grow with the limit of a caller unless they are set', () => {
    const raised = limitsWith({ RATE_LIMIT_IDENTIFIED: '1000' });
    assert.equal(
      letIn(
        raised,
        range(4_000, (at) => callerAt('192.0.2.1', `acme-${at}`)),
      ),
      3_000,
    );
    const set = limitsWith({ RATE_LIMIT_ADDRESS: '5', RATE_LIMIT_NETWORK: '7' });
    assert.equal(
      letIn(
        set,
        range(10, (at) => callerAt('192.0.2.1', `acme-${at}`)),
      ),
      5,
    );
    assert.equal(
      letIn(
        set,
        range(10, (at) => callerAt('192.0.2.2', `acme-${at}`)),
      ),
      2,
    );
  });

  it('let newcomers in when many networks have filled the table, and keep those that ask much', () => {
    const limits = limitsWith({ RATE_LIMIT_MAX_CALLERS: '1000' });
    assert.equal(letIn(limits, new Array<Caller>(600).fill(NAMED)), 600);
    const networks = range(500, (at) => `10.${at >> 8}.${at & 255}.1`);
    for (const address of networks)
      letIn(
        limits,
        range(100, (at) => callerAt(address, `acme-${at}`)),
        'other',
      );
    const newcomers = range(200, (at) => callerAt(`203.0.${at}.1`, at % 2 === 0 ? 'acme-app' : undefined));
    assert.equal(letIn(limits, newcomers), newcomers.length);
    assert.equal(limits.take(NAMED, 'trip', 1).accepted, false, 'it has used what it may');
  });

  it('never count a caller too low, however many others come between its requests', () => {
    const limits = limitsWith({ RATE_LIMIT_MAX_CALLERS: '100' });
    let accepted = 0;
    for (let at = 0; at < 1_000; at += 1) {
      accepted += letIn(limits, [NAMED]);
      letIn(
        limits,
        range(50, (other) => callerAt(`10.${other}.${at & 255}.1`, `acme-${at}`)),
      );
    }
    assert.ok(accepted <= 600, `${accepted}`);
  });
});

describe('Callers: counts shared through MongoDB', () => {
  let connection: Connection;
  before(async () => {
    connection = await connectMongo((await useMongo()).uri(`limits_${randomUUID().slice(0, 8)}`));
  });
  after(() => connection.close());

  it('include the requests of all processes, each once', async () => {
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

  it('leave out callers that ask little, so that names at will make no documents at will', async () => {
    const added: string[] = [];
    const store = {
      add: async (counts: readonly CountedRequests[]) => {
        added.push(...counts.map(({ key }) => key));
        return [];
      },
      read: async () => new Map<string, number>(),
    };
    const limits = new RateLimits(config());
    const shared = new SharedCounts({ limits, store, everyMs: 60_000, log: pino({ level: 'silent' }) });
    shared.start();
    for (let at = 0; at < 1_000; at += 1) limits.take(callerAt('192.0.2.1', `acme-${at}`), 'trip', 1);
    for (let at = 0; at < 60; at += 1) limits.take(NAMED, 'trip', 1);
    await shared.stop();
    assert.deepEqual(added.toSorted(), ['address 192.0.2.1', 'name 192.0.2.1 acme-app', 'network 192.0.2.0/24']);
  });

  it('are kept by each process while the database is unavailable', async () => {
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
