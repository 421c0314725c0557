/**
 * The planner process on a real database and object store: from no snapshot to the first, swaps under load, what is
 * damaged, a restart without the object store.
 */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import { PLANNER_POINTER, plannerSnapshotKey } from '../../../../activities/shared/planner-snapshot.ts';
import { readPlannerConfig } from '../../../../api/journey-planner/config.ts';
import { startPlanner } from '../../../../api/journey-planner/start-planner.ts';
import { createTripPlanner } from '../../../../planner/index.ts';
import { connectMongo } from '../../../../platform/mongo/mongo.ts';
import { ObjectStore } from '../../../../platform/object-store/object-store.ts';
import type { Started } from '../../../../platform/process/run-process.ts';
import { createNetwork } from '../../../planner/support/network.ts';
import { temporaryDirectory } from '../../../support/folders.ts';
import { type TestObjectStore, useMongo, useObjectStore } from '../../../support/stack.ts';
import { until } from '../../../support/until.ts';
import { silentLog } from '../../support/parcels.ts';

/** A network whose stop says which it is. */
function snapshotNamed(name: string): { bytes: Uint8Array; snapshotId: string } {
  const network = createNetwork({ from: '2026-11-23' });
  network.stops('A 59.900 10.700', 'B 59.950 10.750');
  network.line(name, ['A 08:00 - B 08:30', 'A 09:00 - B 09:30']);
  return network.build();
}

describe('The planner process', function () {
  this.timeout(30_000);
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
      PLANNER_CACHE_DIR: join(temporaryDirectory('planner'), 'copies'),
      PLANNER_POLL_MS: '50',
      // It asks as fast as it can.
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

  /** As the planner build does, with what a test wants otherwise. */
  async function publish(name: string, other: { sha256?: string; bytes?: Uint8Array } = {}): Promise<string> {
    const { bytes, snapshotId } = snapshotNamed(name);
    await objects.put(plannerSnapshotKey(snapshotId), other.bytes ?? bytes, 'application/octet-stream');
    const sha256 = other.sha256 ?? createHash('sha256').update(bytes).digest('hex');
    build += 1;
    await PLANNER_POINTER.open(connection).updateOne(
      { _id: 'current' },
      { $set: { build, snapshotId, sha256, sizeBytes: bytes.length, publishedAt: new Date(), inputHash: name } },
      { upsert: true },
    );
    return snapshotId;
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

  it('is alive but not ready without a snapshot, answers so, and is ready with the first', async () => {
    await start();
    assert.equal((await get('/health/live')).status, 200);
    assert.equal((await get('/health/ready')).status, 503);
    assert.deepEqual(await lines(), { status: 503, code: 'NO_TIMETABLE', names: [] });
    const snapshotId = await publish('one');
    await until(isReady);
    assert.deepEqual(await lines(), { status: 200, code: undefined, names: ['one'] });
    const told = await metrics();
    assert.match(told, new RegExp(`planner_snapshot_info\\{snapshot="${snapshotId}",build="1"\\} 1`));
    assert.match(told, /planner_snapshot_load_seconds_count 1/);
    assert.match(told, /planner_snapshot_age_seconds \d/);
  });

  it('swaps while requests run, and none fails', async () => {
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

  it('goes on with what it has when the newest is damaged, and takes the one after it', async () => {
    await publish('one');
    await start();
    await until(isReady);
    await publish('two', { bytes: new Uint8Array(snapshotNamed('two').bytes.length) });
    await until(async () => /planner_snapshot_load_failures_total [1-9]/.test(await metrics()));
    assert.deepEqual((await lines()).names, ['one']);
    await publish('three');
    await until(async () => (await lines()).names[0] === 'three');
  });

  it('starts again without the object store, from its copy', async () => {
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

  it('does not trust a copy that is not what was stored', async () => {
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

  it('answers a request in progress after a signal to stop', async () => {
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
