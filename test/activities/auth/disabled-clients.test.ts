/**
 * A process that verifies tokens must soon know of disabled clients. An attacker who only writes to the database must
 * not make it forget one: not by a record, by the list or by removing it. It keeps the last list while its sources are
 * away.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { CompactSign, createLocalJWKSet, type JWTVerifyGetKey } from 'jose';
import type { Connection } from 'mongoose';
import { Registry } from 'prom-client';
import { ClientStore } from '../../../activities/auth/client-store.ts';
import { DisabledClients } from '../../../activities/auth/disabled-clients.ts';
import { DISABLED_KEPT_MS, deriveListKey, OLD_AFTER_MS, signList } from '../../../activities/auth/disabled-list.ts';
import { DisabledListKeeper } from '../../../activities/auth/disabled-list-keeper.ts';
import { createLog } from '../../../platform/log.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { useMongo } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const RIGHTS = { name: 'Partner', organisationId: 1, codespaces: [], scopes: ['orders:read'] };
const DAY_MS = 86_400_000;

describe('disabled clients', () => {
  const secretKey = randomBytes(32);
  const getKey = createLocalJWKSet({ keys: [deriveListKey(secretKey).publicJwk] }) as JWTVerifyGetKey;
  let connection: Connection;
  let uri: string;
  let clients: ClientStore;
  let lines: string[];
  let foreign: number;
  let running: { stop(): Promise<void> }[] = [];
  const log = createLog({ level: 'info', name: 'test', destination: { write: (line) => void lines.push(line) } });
  const count = (text: string) => lines.filter((line) => line.includes(text)).length;

  before(async () => {
    uri = (await useMongo()).uri(`disabled-${randomUUID().slice(0, 8)}`);
    connection = await connectMongo(uri);
  });
  beforeEach(async () => {
    await connection.dropDatabase();
    clients = new ClientStore(connection, secretKey);
    [lines, foreign] = [[], 0];
  });
  afterEach(async () => {
    await Promise.all(running.map((each) => each.stop()));
    running = [];
  });
  after(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  const create = async () => (await clients.create(RIGHTS)).client.clientId;
  const records = () => connection.collection<{ _id: string }>('clients');
  const lists = () => connection.collection<{ _id: string; signed: string }>('disabled_clients');
  const storedList = async () => (await lists().findOne({}))?.signed ?? '';

  async function keep(more: { now?: () => Date } = {}): Promise<DisabledListKeeper> {
    const onForeign = () => {
      foreign += 1;
    };
    const keeper = await DisabledListKeeper.start({ connection, secretKey, log, onForeign, everyMs: 10, ...more });
    running.push(keeper);
    return keeper;
  }

  async function watch(more: Partial<Parameters<typeof DisabledClients.start>[0]> = {}): Promise<DisabledClients> {
    const watching = await DisabledClients.start({ connection, log, getKey, pollMs: 10, ...more });
    running.push(watching);
    return watching;
  }

  /** Resolves when the process has read the list again. */
  async function hasLookedAgain({ includes }: Pick<DisabledClients, 'includes'>): Promise<void> {
    const marker = await create();
    await clients.disable(marker);
    await until(() => includes(marker));
  }

  it('are known from the start or soon after, and forgotten when enabled', async () => {
    await keep();
    const [one, other, gone] = [await create(), await create(), await create()];
    await clients.disable(one);
    const { includes } = await watch();
    assert.deepEqual(await Promise.all([one, other, gone].map(includes)), [true, false, false]);
    await clients.disable(other);
    await clients.delete(gone);
    await clients.enable(one);
    await until(async () => (await includes(other)) && (await includes(gone)) && !(await includes(one)));
  });

  it('are not said to be deleted before they are listed, however often the deletion is repeated', async () => {
    const id = await create();
    for (const _ of [1, 2]) await assert.rejects(clients.delete(id), { code: 'UNAVAILABLE' });
    await keep();
    const { includes } = await watch();
    assert.equal(await includes(id), true);
    await assert.rejects(clients.delete(id), { code: 'NOT_FOUND' });
  });

  it('stay known when their record is removed or put back as it was', async () => {
    await keep();
    const [removed, putBack] = [await create(), await create()];
    const earlier = await records().findOne({ _id: putBack });
    for (const id of [removed, putBack]) await clients.disable(id);
    const watching = await watch();
    await records().deleteOne({ _id: removed });
    await records().replaceOne({ _id: putBack }, earlier ?? assert.fail());
    await hasLookedAgain(watching);
    const started = await watch();
    for (const { includes } of [watching, started]) {
      assert.deepEqual([await includes(removed), await includes(putBack)], [true, true]);
    }
  });

  for (const [what, left] of [
    ['nothing', {}],
    ['an operator of the database', { signed: { $x: 1 } }],
  ] as const) {
    it(`are listed again when an attacker leaves ${what} in place of the list`, async () => {
      await keep();
      const id = await create();
      await clients.disable(id);
      const watching = await watch();
      await lists().replaceOne({}, left as never);
      await until(async () => typeof (await lists().findOne({}))?.signed === 'string');
      assert.ok(foreign > 0);
      await hasLookedAgain(watching);
      assert.equal(await watching.includes(id), true);
    });
  }

  it('stay known when more records are inserted than the list has room for', async () => {
    await keep();
    const id = await create();
    await clients.disable(id);
    const watching = await watch();
    const later = new Date(Date.now() + 3_600_000);
    const many = Array.from({ length: 100_000 }, (_, index) => ({ _id: `made-up-${index}`, disabledAt: later }));
    await records().insertMany(many, { ordered: false });
    await until(() => foreign > 0);
    await hasLookedAgain(watching);
    assert.equal(await watching.includes(id), true);
  });

  it('stay known when the list is removed, put back as it was, or written by an attacker, which is reported', async () => {
    await keep();
    const id = await create();
    const { includes } = await watch();
    const before = await storedList();
    const earlier = await records().findOne({ _id: id });
    await clients.disable(id);
    await until(() => includes(id));
    await records().replaceOne({ _id: id }, earlier ?? assert.fail());
    const forged = await signList(
      { signedAt: Date.now() + DAY_MS, clients: new Map() },
      deriveListKey(randomBytes(32)),
    );
    const attacks = [
      () => lists().deleteMany({}),
      () => lists().updateOne({}, { $set: { signed: before } }),
      () => lists().updateOne({}, { $set: { signed: forged } }),
      () => lists().updateOne({}, { $set: { signed: 'no list' } }),
    ];
    for (const [index, attack] of attacks.entries()) {
      const right = await storedList();
      await attack();
      await until(async () => foreign === index + 1 && (await storedList()) !== right && (await storedList()) !== '');
      await hasLookedAgain({ includes });
      assert.equal(await includes(id), true, `attack ${index}`);
      assert.equal(await (await watch()).includes(id), true, `attack ${index}, after a start`);
    }
    assert.equal(count('is not what the service wrote'), attacks.length);
  });

  it('stay known to a process that finds no list, a forged or an earlier one, while nobody mends it', async () => {
    const keeper = await keep();
    const id = await create();
    const before = await storedList();
    await clients.disable(id);
    const { includes } = await watch();
    await keeper.stop();
    for (const [attack, reported] of [
      [() => lists().updateOne({}, { $set: { signed: before } }), 'earlier than the last one'],
      [() => lists().updateOne({}, { $set: { signed: 'no list' } }), 'wrong signature'],
      [() => lists().deleteMany({}), 'there is none'],
    ] as const) {
      await attack();
      await until(async () => count(reported) === 1);
      assert.equal(await includes(id), true, reported);
    }
  });

  it('are added to the list from their records, where it lacks them', async () => {
    const id = await create();
    await assert.rejects(clients.disable(id), { code: 'UNAVAILABLE' });
    assert.notEqual((await clients.get(id)).disabledAt, undefined);
    await keep();
    assert.equal(await (await watch()).includes(id), true);
    assert.equal(foreign, 0);
  });

  it('are all listed when they are disabled at once, by several processes', async () => {
    const keepers = [await keep(), await keep()];
    const ids = await Promise.all(Array.from({ length: 12 }, create));
    const stores = [clients, new ClientStore(connection, secretKey)];
    await Promise.all(ids.map(async (id, index) => await stores[index % 2]?.disable(id)));
    const { includes } = await watch();
    assert.deepEqual(await Promise.all(ids.map(includes)), Array(12).fill(true));
    await until(async () => keepers.every((keeper) => ids.every(keeper.includes)));
    assert.equal(foreign, 0);
  });

  it('include, for the authentication server, those whose record it did not write', async () => {
    const [enabled, changed] = [await create(), await create()];
    await records().updateOne({ _id: changed }, { $set: { scopes: ['clients:write'] } } as never);
    const { includes } = await keep();
    assert.deepEqual([includes(enabled), includes(changed)], [false, true]);
  });

  it('are listed only as long as one of their tokens may live', async () => {
    const first = await keep();
    const id = await create();
    await clients.disable(id);
    await until(async () => first.includes(id));
    await first.stop();
    const later = Date.now() + DISABLED_KEPT_MS + 1_000;
    await keep({ now: () => new Date(later) });
    assert.equal(await (await watch({ now: () => later })).includes(id), false);
  });

  it('have a list that is signed anew while nothing changes, and whose age is shown', async () => {
    let nowMs = Date.now();
    await keep({ now: () => new Date(nowMs) });
    const registry = new Registry();
    const ageOf = async () =>
      (await registry.getSingleMetric('auth_disabled_clients_age_seconds')?.get())?.values[0]?.value;
    await watch({ registry, now: () => nowMs });
    const before = await storedList();
    nowMs += 30_000;
    await until(async () => (await storedList()) !== before && (await ageOf()) === 0);
    await Promise.all(running.map((each) => each.stop()));
    nowMs += 400_000;
    assert.equal(await ageOf(), 400);
  });

  it('must be known, by a list that is not old, before the first token is accepted', async () => {
    const { includes } = await watch();
    await assert.rejects(includes('any'), (error) => error instanceof ServiceError && error.code === 'UNAVAILABLE');
    const keeper = await keep();
    // A read that began before may still find none.
    await until(() =>
      includes('any').then(
        (isDisabled) => !isDisabled,
        () => false,
      ),
    );
    await keeper.stop();
    const later = await watch({ now: () => Date.now() + OLD_AFTER_MS + 1_000 });
    await assert.rejects(later.includes('any'), { code: 'UNAVAILABLE' });
    assert.equal(await includes('any'), false);
  });

  it('are not listed by what an access token is signed with', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const kid = 'tokens';
    const published = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' };
    const payload = Buffer.from(JSON.stringify({ signedAt: Date.now(), clients: {} }));
    const header = { alg: 'RS256', typ: 'disabled-clients', kid };
    const signed = await new CompactSign(payload).setProtectedHeader(header).sign(privateKey);
    await lists().insertOne({ _id: 'list', signed });
    const keys = createLocalJWKSet({ keys: [deriveListKey(secretKey).publicJwk, published] }) as JWTVerifyGetKey;
    await assert.rejects((await watch({ getKey: keys })).includes('any'), { code: 'UNAVAILABLE' });
    assert.ok(count('wrong signature') > 0);
  });

  it('stay known while the database is unavailable, which is logged once, and are read again after', async () => {
    await keep();
    const [one, other] = [await create(), await create()];
    await clients.disable(one);
    const own = await connectMongo(uri);
    let away = false;
    let failures = 0;
    const reading = {
      collection: (name: string) => {
        const collection = own.collection(name);
        const findOne = collection.findOne.bind(collection);
        return Object.assign(Object.create(collection), {
          findOne: async (...question: Parameters<typeof findOne>) => {
            if (!away) return await findOne(...question);
            failures += 1;
            throw new Error('the database is away');
          },
        });
      },
    } as unknown as Connection;
    const { includes } = await watch({ connection: reading });
    away = true;
    await clients.disable(other);
    await until(async () => failures > 3);
    assert.deepEqual([await includes(one), await includes(other)], [true, false]);
    assert.equal(count('disabled clients cannot be read'), 1);
    away = false;
    await until(() => includes(other));
    assert.equal(count('known again'), 1);
    await Promise.all(running.map((each) => each.stop()));
    await own.close();
  });
});
