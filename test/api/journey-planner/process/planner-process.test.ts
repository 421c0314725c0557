/**
 * Tests the planner process on a real database and object store: start without a snapshot, swaps under load, damaged
 * snapshots, restart without the object store.
 */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import {
  PLANNER_POINTER,
  type PlannerPointer,
  plannerSnapshotKey,
} from '../../../../activities/shared/planner-snapshot.ts';
import { signSnapshot } from '../../../../activities/shared/snapshot-signature.ts';
import { readPlannerConfig } from '../../../../api/journey-planner/config.ts';
import { startPlanner } from '../../../../api/journey-planner/start-planner.ts';
import { createTripPlanner } from '../../../../planner/index.ts';
import { formatPublicKeys, parseSigningKeys } from '../../../../platform/keys/signing-keys.ts';
import { connectMongo } from '../../../../platform/mongo/mongo.ts';
import { ObjectStore } from '../../../../platform/object-store/object-store.ts';
import type { Started } from '../../../../platform/process/run-process.ts';
import { createNetwork } from '../../../planner/support/network.ts';
import { temporaryDirectory } from '../../../support/folders.ts';
import {
  FOREIGN_KEYS,
  PLANNER_PUBLIC_KEYS,
  PLANNER_SIGNING_KEYS,
  SIGNING_KEYS,
} from '../../../support/planner-keys.ts';
import { type TestObjectStore, useMongo, useObjectStore } from '../../../support/stack.ts';
import { until } from '../../../support/until.ts';
import { RawCaller } from '../../forwarding/support.ts';
import { silentLog } from '../../support/parcels.ts';

/** The name of the stop identifies the snapshot. */
function snapshotNamed(name: string): { bytes: Uint8Array; snapshotId: string } {
  const network = createNetwork({ from: '2026-11-23' });
  network.stops('A 59.900 10.700', 'B 59.950 10.750');
  network.line(name, ['A 08:00 - B 08:30', 'A 09:00 - B 09:30']);
  return network.build();
}

type Forge = (pointer: PlannerPointer, foreign: () => Promise<PlannerPointer>) => object | Promise<object>;

/** Pointers that an attacker with access to the collection, but without a key, may write. */
const FORGERIES: readonly (readonly [string, Forge])[] = [
  ['no signature', ({ signature: _, ...pointer }) => pointer],
  ['the signature of another key', (_, foreign) => foreign()],
  ['an unknown key', (pointer) => ({ ...pointer, keyId: 'other' })],
  ['a number that would hide all later builds', (pointer) => ({ ...pointer, build: 9e15 })],
  ['a signed number that would do so', (pointer) => signSnapshot(SIGNING_KEYS, { ...pointer, build: 9e15 })],
  ['a number that is none', (pointer) => ({ ...pointer, build: Number.NaN })],
  ['the id of a file elsewhere', (pointer) => ({ ...pointer, snapshotId: '../../uploads/dem/evil' })],
  ['a signed id of that kind', (pointer) => signSnapshot(SIGNING_KEYS, { ...pointer, snapshotId: '../x' })],
  ['the hash of another object', (pointer) => ({ ...pointer, sha256: '0'.repeat(64) })],
  ['another size', (pointer) => ({ ...pointer, sizeBytes: 2 ** 40 })],
  ['values of other types', (pointer) => ({ ...pointer, sha256: { $ne: '' }, signature: 7 })],
  ['another input', (pointer) => ({ ...pointer, inputHash: 'another' })],
];

describe('The planner process', () => {
  let connection: Connection;
  let store: TestObjectStore;
  let objects: ObjectStore;
  let environment: Record<string, string>;
  let running: Started | undefined;
  let build = 0;

  beforeEach(async () => {
    const mongo = await useMongo();
    const uri = mongo.uri(`planner_${randomUUID().slice(0, 8)}`);
    connection = await connectMongo(uri);
    store = await useObjectStore();
    objects = await ObjectStore.open(store);
    build = 0;
    environment = {
      ENVIRONMENT: 'development',
      PORT: '0',
      MONGODB_URI: uri,
      ...store,
      PLANNER_ID_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
      PLANNER_PUBLIC_KEYS,
      PLANNER_CACHE_DIR: join(temporaryDirectory('planner'), 'copies'),
      PLANNER_POLL_MS: '50',
      // The test sends requests as fast as it can.
      RATE_LIMIT_IDENTIFIED: '1000000',
      SHUTDOWN_GRACE_MS: '2000',
    };
  });
  afterEach(async () => {
    await stop();
    objects.close();
    await connection.close();
  });

  async function start(): Promise<void> {
    const threads = createTripPlanner({ threads: 1, warmUpMs: 20 });
    running = await startPlanner({ config: readPlannerConfig(environment), threads, log: silentLog });
  }

  async function stop(): Promise<void> {
    const stopping = running?.stop ?? [];
    running = undefined;
    for (const step of stopping) await step();
  }

  /** Stores a snapshot and makes the pointer to it, as the planner build does. */
  async function made(name: string, keys = SIGNING_KEYS): Promise<PlannerPointer> {
    const { bytes, snapshotId } = snapshotNamed(name);
    await objects.put(plannerSnapshotKey(snapshotId), bytes, 'application/octet-stream');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    build += 1;
    const statement = { build, snapshotId, sha256, sizeBytes: bytes.length, inputHash: name };
    return { ...signSnapshot(keys, statement), publishedAt: new Date() };
  }

  async function point(pointer: object): Promise<void> {
    await PLANNER_POINTER.open(connection).replaceOne({ _id: 'current' }, pointer as never, { upsert: true });
  }

  async function publish(name: string): Promise<string> {
    const pointer = await made(name);
    await point(pointer);
    return pointer.snapshotId;
  }

  const get = (path: string) => fetch(`${running?.url}${path}`);
  const metrics = async () => await (await get('/metrics')).text();
  const isReady = async () => (await get('/health/ready')).status === 200;

  async function lines(): Promise<{ status: number; names: readonly string[]; code: unknown }> {
    const answer = await fetch(`${running?.url}/journey-planner/v3/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'et-client-name': 'test-planner' },
      body: JSON.stringify({ query: '{ lines { publicCode } }' }),
    });
    const { data, errors } = (await answer.json()) as {
      data?: { lines: { publicCode: string }[] };
      errors?: { extensions?: { code?: string } }[];
    };
    return {
      status: answer.status,
      code: errors?.[0]?.extensions?.code,
      names: data?.lines.map(({ publicCode }) => publicCode) ?? [],
    };
  }

  it('is alive but not ready without a snapshot, and ready with the first', async () => {
    await start();
    assert.equal((await get('/health/live')).status, 200);
    assert.equal((await get('/health/ready')).status, 503);
    assert.deepEqual(await lines(), { status: 503, code: 'NO_TIMETABLE', names: [] });
    const snapshotId = await publish('one');
    await until(isReady);
    assert.deepEqual(await lines(), { status: 200, code: undefined, names: ['one'] });
    const text = await metrics();
    assert.match(text, new RegExp(`planner_snapshot_info\\{snapshot="${snapshotId}",build="1"\\} 1`));
    assert.match(text, /planner_snapshot_load_seconds_count 1/);
    assert.match(text, /planner_snapshot_age_seconds \d/);
  });

  it('limits the open requests of one caller behind a proxy', async () => {
    environment.MAX_OPEN_REQUESTS_PER_ADDRESS = '2';
    environment.TRUSTED_PROXIES = '127.0.0.1';
    await start();
    const callers = ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'].map((address) => {
      const caller = new RawCaller(running?.url ?? '');
      caller.socket.write(
        `POST /journey-planner/v3/graphql HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`,
      );
      return caller;
    });
    await Promise.any(callers.slice(0, 3).map((caller) => caller.answers(1)));
    assert.equal((await get('/health/live')).status, 200);
    assert.deepEqual(
      callers.flatMap(({ statuses }) => statuses),
      [429],
    );
    for (const { socket } of callers) socket.destroy();
  });

  it('swaps snapshots while requests run, and none fails', async () => {
    await publish('one');
    await start();
    await until(isReady);
    const seen = new Set<string>();
    let asked = 0;
    let asking = true;
    const callers = Array.from({ length: 8 }, async () => {
      while (asking) {
        const { status, names } = await lines();
        asked += 1;
        assert.deepEqual([status, names.length], [200, 1]);
        seen.add(names[0] ?? '');
      }
    });
    for (const name of ['two', 'three', 'four']) {
      await publish(name);
      await until(() => seen.has(name));
    }
    asking = false;
    await Promise.all(callers);
    assert.ok(asked > 20, `only ${asked} requests`);
    assert.deepEqual([...seen], ['one', 'two', 'three', 'four']);
  });

  it('keeps its snapshot when the object of the newest was replaced, and opens the next one', async () => {
    await publish('one');
    await start();
    await until(isReady);
    const pointer = await made('two');
    // Sound in itself, and of the same length.
    const replaced = snapshotNamed('owt').bytes;
    assert.equal(replaced.length, pointer.sizeBytes);
    await objects.put(plannerSnapshotKey(pointer.snapshotId), replaced, 'application/octet-stream');
    await point(pointer);
    await until(async () => /planner_untrusted_snapshot\{part="object"\} 1/.test(await metrics()));
    assert.match(await metrics(), /planner_snapshot_load_failures_total [1-9]/);
    assert.deepEqual((await lines()).names, ['one']);
    await publish('three');
    await until(async () => (await lines()).names[0] === 'three');
    assert.match(await metrics(), /planner_untrusted_snapshot\{part="object"\} 0/);
  });

  for (const [what, forge] of FORGERIES) {
    it(`keeps its snapshot when the pointer has ${what}, and follows the next one`, async () => {
      await publish('one');
      await start();
      await until(isReady);
      await point(await forge(await made('two'), () => made('two', FOREIGN_KEYS)));
      await until(async () => /planner_untrusted_snapshot\{part="pointer"\} 1/.test(await metrics()));
      assert.deepEqual((await lines()).names, ['one']);
      await publish('three');
      await until(async () => (await lines()).names[0] === 'three');
      assert.match(await metrics(), /planner_untrusted_snapshot\{part="pointer"\} 0/);
    });
  }

  it('opens nothing that was never signed, not even as the first', async () => {
    const { keyId: _, signature: __, ...unsigned } = await made('one');
    await point(unsigned);
    await start();
    await until(async () => /planner_untrusted_snapshot\{part="pointer"\} 1/.test(await metrics()));
    assert.deepEqual(await lines(), { status: 503, code: 'NO_TIMETABLE', names: [] });
    await publish('two');
    await until(isReady);
  });

  it('follows a pointer that a second key signed', async () => {
    const second = `next:${Buffer.alloc(32, 9).toString('base64')}`;
    const both = parseSigningKeys(`${second},${PLANNER_SIGNING_KEYS}`, 'PLANNER_SIGNING_KEYS');
    environment.PLANNER_PUBLIC_KEYS = formatPublicKeys(both);
    await publish('one');
    await start();
    await until(isReady);
    await point(await made('two', both));
    await until(async () => (await lines()).names[0] === 'two');
  });

  it('restarts without the object store, from its copy', async () => {
    const snapshotId = await publish('one');
    await start();
    await until(isReady);
    await stop();
    assert.deepEqual(await readdir(environment.PLANNER_CACHE_DIR ?? ''), [`${snapshotId}.snapshot`]);
    await objects.delete(plannerSnapshotKey(snapshotId));
    await start();
    await until(isReady);
    assert.deepEqual((await lines()).names, ['one']);
  });

  it('does not trust a copy that differs from the stored snapshot', async () => {
    const snapshotId = await publish('one');
    const directory = environment.PLANNER_CACHE_DIR ?? '';
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, `${snapshotId}.snapshot`), 'something else');
    await start();
    await until(isReady);
    assert.deepEqual((await lines()).names, ['one']);
  });

  it('keeps the copy of the newest only', async () => {
    await publish('one');
    await start();
    await until(isReady);
    const snapshotId = await publish('two');
    await until(async () => (await lines()).names[0] === 'two');
    await until(async () => (await readdir(environment.PLANNER_CACHE_DIR ?? '')).join() === `${snapshotId}.snapshot`);
  });

  it('answers a running request after a signal to stop', async () => {
    await publish('one');
    await start();
    await until(isReady);
    const body = JSON.stringify({ query: '{ lines { publicCode } }' });
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const asking = request(`${running?.url}/journey-planner/v3/graphql`, { method: 'POST', headers });
    const answered = once(asking, 'response') as Promise<[IncomingMessage]>;
    asking.write(body.slice(0, 10));
    await until(async () => /http_requests_running 2/.test(await metrics()));
    const stopped = stop();
    asking.end(body.slice(10));
    const [answer] = await answered;
    assert.equal(answer.statusCode, 200);
    answer.resume();
    await stopped;
  });
});
