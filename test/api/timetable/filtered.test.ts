/** Tests the download of private datasets: authorisation, the served version, and replacement during a download. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { privateDatasetKey } from '../../../activities/timetable/object-keys.ts';
import type { CorrelationId } from '../../../workflows/shared/ids.ts';
import { DEM, form, startTimetable, type TimetableServer } from './support.ts';

const FILTERED = '/timetable/v1/timetable-management/datasets/dem/filtered';
const PARTNER = 'provider/dem/timetable:read-private';

describe('download of private datasets', () => {
  let server: TimetableServer;
  before(async () => {
    server = await startTimetable();
  });
  after(async () => {
    await server.close();
  });

  const get = (headers: Record<string, string> = {}, method = 'GET') =>
    server.call(FILTERED, { method, token: PARTNER, headers });

  /** Publishes a version whose later steps are still open. */
  async function publishRunning(): Promise<CorrelationId> {
    const { json } = await server.upload(form([{ bytes: randomBytes(400) }]));
    const id = json.correlationId as CorrelationId;
    await server.imports.recordAction(DEM, id, 'VALIDATION', { state: 'OK' });
    await server.imports.publish(DEM, id);
    return id;
  }

  /** Stores a private dataset as the pipeline does. */
  async function show(correlationId: CorrelationId, day: string, bytes: Uint8Array | undefined): Promise<string> {
    const sha256 = createHash('sha256')
      .update(bytes ?? '')
      .digest('hex');
    const exportId = `${day}_test_${sha256.slice(0, 8)}`;
    if (bytes) await server.objects.put(privateDatasetKey(DEM, correlationId, exportId), bytes, 'application/zip');
    const made = { exportId, day, empty: !bytes, sizeBytes: bytes?.length ?? 0, sha256 };
    assert.equal(await server.privateDatasets.show(DEM, correlationId, made, {}), 'SHOWN');
    return `"${sha256}"`;
  }

  it('requires the scope and the grant', async () => {
    const status = async (token?: string) => (await server.call(FILTERED, token === undefined ? {} : { token })).status;
    assert.equal(await status(), 401);
    assert.equal(await status('provider/dem/timetable:read,timetable:write'), 403);
    const stranger = await server.call(FILTERED, { token: 'stranger/oth/timetable:read-private' });
    assert.deepEqual([stranger.status, stranger.json.code], [403, 'CODESPACE_FORBIDDEN']);
    assert.equal(await status('operator/*/timetable:read-private'), 404);
    await server.publish(randomBytes(50));
    const later = await server.call(FILTERED, { token: 'stranger/oth/timetable:read-private' });
    assert.deepEqual([later.status, later.json.detail], [403, stranger.json.detail], 'another client learns nothing');
  });

  it('answers 403 and 404 before 406', async () => {
    const headers = { accept: 'application/json' };
    const stranger = await server.call(FILTERED, { token: 'stranger/oth/timetable:read-private', headers });
    assert.deepEqual([stranger.status, stranger.json.code], [403, 'CODESPACE_FORBIDDEN']);
    assert.deepEqual([(await get(headers)).status, (await get({ accept: 'text/html' })).status], [404, 404]);
  });

  it('answers 404 with the reason before one is made', async () => {
    const { correlationId } = await server.publish(randomBytes(100));
    const answer = await get();
    assert.deepEqual([answer.status, answer.json.code], [404, 'NOT_FOUND']);
    assert.match(answer.json.detail, /coming night/);
    const running = await publishRunning();
    assert.match((await get()).json.detail, /is being made/);
    await show(running, '2026-01-05', undefined);
    assert.match((await get()).json.detail, /every journey of the latest version is in the past/);
    assert.notEqual(running, correlationId);
  });

  describe('of the latest version', () => {
    const monday = randomBytes(3_000_000);
    const tuesday = randomBytes(2_000_000);
    let correlationId: CorrelationId;
    let etag: string;
    before(async () => {
      ({ correlationId } = await server.publish(randomBytes(200)));
      etag = await show(correlationId, '2026-01-05', monday);
    });

    it('has digests, and a file name with codespace and day', async () => {
      const { status, headers, bytes } = await get();
      assert.equal(status, 200);
      assert.ok(monday.equals(bytes));
      const digest = createHash('sha256').update(monday).digest('base64');
      assert.equal(headers['content-type'], 'application/zip');
      assert.equal(headers['content-disposition'], 'attachment; filename="dem_private_2026-01-05.zip"');
      assert.deepEqual([headers.etag, headers.digest], [etag, `sha-256=${digest}`]);
      assert.ok(!Number.isNaN(Date.parse(String(headers['last-modified']))));
    });

    it('serves ranges, conditions and HEAD, like the original', async () => {
      const part = await get({ range: 'bytes=10-19' });
      assert.equal(part.status, 206);
      assert.ok(monday.subarray(10, 20).equals(part.bytes));
      assert.equal((await get({ 'if-none-match': etag })).status, 304);
      assert.equal((await get({ 'if-match': '"other"' })).status, 412);
      const head = await get({}, 'HEAD');
      assert.deepEqual([head.status, head.headers['content-length']], [200, String(monday.length)]);
    });

    it('is replaced at once, and a range request for the old one gets the new one or 412', async () => {
      const reading = server.objects.get(privateDatasetKey(DEM, correlationId, `2026-01-05_test_${etag.slice(1, 9)}`));
      await show(correlationId, '2026-01-06', tuesday);
      assert.ok(tuesday.equals((await get()).bytes));
      assert.equal((await get({ range: 'bytes=10-19', 'if-match': etag })).status, 412);
      assert.equal((await get({ range: 'bytes=10-19', 'if-range': etag })).status, 200);
      const chunks: Buffer[] = [];
      for await (const chunk of await reading) chunks.push(chunk as Buffer);
      assert.ok(monday.equals(Buffer.concat(chunks)), 'a running download continues');
    });

    it('answers 404 once no journey is left', async () => {
      await show(correlationId, '2026-01-07', undefined);
      const { status, json } = await get();
      assert.equal(status, 404);
      assert.match(json.detail, /every journey of the latest version is in the past/);
    });
  });

  it('has its step among the events of the import', async () => {
    const id = await publishRunning();
    await server.imports.recordAction(DEM, id, 'PRIVATE_EXPORT', { state: 'STARTED' });
    await server.imports.noteDetails(DEM, id, 'PRIVATE_EXPORT', {
      errorCode: 'DATASET_INVALID',
      rules: ['LINE_2'],
      tries: 1,
    });
    const token = 'provider/dem/timetable:read';
    const base = `/timetable/v1/timetable-events/status/dem/${id}`;
    assert.equal((await server.call(base, { token })).json.state, 'IN_PROGRESS');
    const { items } = (await server.call(`${base}/events`, { token })).json;
    const { action, state, details } = items.at(-1);
    assert.deepEqual([action, state, details.rules], ['PRIVATE_EXPORT', 'STARTED', ['LINE_2']]);
    const latest = await server.call('/timetable/v1/timetable-data/datasets/dem/latest', { token });
    assert.equal(latest.bytes.length, 400);
  });
});
