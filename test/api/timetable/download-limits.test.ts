/** Readers that do not read hold their own slots, and neither the object store nor the downloads of others. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { reportKey } from '../../../activities/timetable/object-keys.ts';
import type { CorrelationId } from '../../../workflows/shared/ids.ts';
import { until } from '../../support/until.ts';
import { RawCaller } from '../forwarding/support.ts';
import { DEM, PROVIDER, STRANGER, type StartOptions, startTimetable, type TimetableServer } from './support.ts';

const LATEST = '/timetable/v1/timetable-data/datasets/dem/latest';
const PER_CLIENT = 8;
const IN_ALL = 64;
/** More than the system buffers of a connection, so that an unread one stays open. */
const ARCHIVE = randomBytes(11_000_000);

describe('Downloads at the same time', () => {
  let server: TimetableServer;
  let correlationId: CorrelationId;
  let readers: RawCaller[] = [];

  async function start(options?: StartOptions): Promise<void> {
    server = await startTimetable(options);
    ({ correlationId } = await server.publish(ARCHIVE));
  }
  const running = async (count: number) => await until(() => server.downloads.running === count);
  const tokenOf = (client: number) => `reader-${client}/dem/timetable:read`;
  const get = async (token: string, headers: Record<string, string> = {}, method = 'GET') =>
    await server.call(LATEST, { token, headers, method });

  function openUnread(token: string): RawCaller {
    const reader = new RawCaller(server.url);
    reader.socket.pause();
    reader.socket.write(`GET ${LATEST} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    readers.push(reader);
    return reader;
  }

  afterEach(async () => {
    for (const { socket } of readers) socket.destroy();
    readers = [];
    await running(0);
    await server.close();
  });

  it('of one client have a limit that others do not feel', async () => {
    await start();
    for (let at = 0; at < PER_CLIENT; at += 1) openUnread(STRANGER);
    await running(PER_CLIENT);
    const refused = await get(STRANGER);
    assert.deepEqual([refused.status, refused.json.code], [429, 'RATE_LIMITED']);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    assert.ok((await get(PROVIDER)).bytes.equals(ARCHIVE));
    // Neither needs the object store.
    const head = await get(STRANGER, {}, 'HEAD');
    assert.equal(head.status, 200);
    assert.equal((await get(STRANGER, { 'if-none-match': String(head.headers.etag) })).status, 304);
    readers[0]?.socket.destroy();
    await running(PER_CLIENT - 1);
    assert.equal((await get(STRANGER)).status, 200);
  });

  it('that are refused look nothing up, so not even what is missing', async () => {
    await start();
    const missing = [LATEST.replace('dem', 'zzz'), `/timetable/v1/timetable-events/report/dem/${randomUUID()}`];
    const ask = async () =>
      await Promise.all(missing.map(async (path) => (await server.call(path, { token: PROVIDER })).status));
    for (let at = 0; at < PER_CLIENT; at += 1) openUnread(PROVIDER);
    await running(PER_CLIENT);
    assert.deepEqual(await ask(), [429, 429]);
    readers[0]?.socket.destroy();
    await running(PER_CLIENT - 1);
    assert.deepEqual(await ask(), [404, 404]);
  });

  it('count reports too', async () => {
    await start();
    const report = { summary: {}, findings: [] };
    await server.objects.put(reportKey(DEM, correlationId), gzipSync(JSON.stringify(report)), 'application/json');
    const path = `/timetable/v1/timetable-events/report/dem/${correlationId}`;
    const ask = async (method = 'GET') => (await server.call(path, { token: PROVIDER, method })).status;
    for (let at = 0; at < PER_CLIENT; at += 1) openUnread(PROVIDER);
    await running(PER_CLIENT);
    assert.equal(await ask(), 429);
    readers[0]?.socket.destroy();
    await running(PER_CLIENT - 1);
    for (const method of ['GET', 'HEAD', 'GET']) {
      assert.equal(await ask(method), 200);
      await running(PER_CLIENT - 1);
    }
  });

  it('give their slot back when there is nothing to send', async () => {
    await start();
    for await (const { key } of server.objects.list('')) await server.objects.delete(key);
    for (let at = 0; at <= PER_CLIENT; at += 1) assert.notEqual((await get(STRANGER)).status, 429);
    assert.equal(server.downloads.running, 0);
  });

  it('have a limit in all, at which the service stays ready and takes uploads', async () => {
    await start();
    for (let at = 0; at < IN_ALL; at += 1) openUnread(tokenOf(at % (IN_ALL / PER_CLIENT)));
    await running(IN_ALL);
    const refused = await get(PROVIDER);
    assert.deepEqual([refused.status, refused.json.code], [503, 'UNAVAILABLE']);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    const ready = await server.call('/health/ready');
    assert.deepEqual([ready.status, ready.json.dependencies.objectStore], [200, 'up']);
    await server.publish(randomBytes(1_000));
    assert.equal(server.downloads.running, IN_ALL);
  });

  it('are cut when their caller stops reading, and give their slot back', async () => {
    await start({ downloadLimits: { perClient: 1 }, readProgress: { windowMs: 300, windowBytes: 1_000 } });
    const reader = openUnread(STRANGER);
    await running(1);
    assert.equal((await get(STRANGER)).status, 429);
    await running(0);
    reader.socket.resume();
    await reader.closed;
    assert.ok(reader.text.length < ARCHIVE.length);
    assert.ok((await get(STRANGER)).bytes.equals(ARCHIVE));
  });
});
