import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { differencesKey, reportKey } from '../../../activities/timetable/object-keys.ts';
import type { CorrelationId } from '../../../workflows/shared/ids.ts';
import { DEM, form, OPERATOR, PROVIDER, STRANGER, startTimetable, type TimetableServer } from './support.ts';

const EVENTS = '/timetable/v1/timetable-events';
const IMPORTS = '/timetable/v1/timetable-management/datasets/dem/imports';

describe('the view of a provider on its imports', () => {
  let server: TimetableServer;
  before(async () => {
    server = await startTimetable();
  });
  after(async () => {
    await server.close();
  });

  async function receive(fileName = 'a.zip'): Promise<CorrelationId> {
    return (await server.upload(form([{ bytes: randomUUID(), fileName }]))).json.correlationId;
  }
  const get = (path: string, headers: Record<string, string> = {}, token = PROVIDER) =>
    server.call(path, { token, headers });

  it('has the status', async () => {
    const correlationId = await receive('rut.zip');
    const { receivedAt } = await server.imports.get(DEM, correlationId);
    const path = `${EVENTS}/status/dem/${correlationId}`;
    const expected = { state: 'IN_PROGRESS', date: receivedAt.toISOString(), fileName: 'rut.zip' };
    assert.deepEqual((await get(path)).json, expected);
    assert.deepEqual((await get(path.toUpperCase().replace(/.*DEM/, `${EVENTS}/status/dem`))).json, expected);
    await server.imports.fail(DEM, correlationId, { action: 'VALIDATION', errorCode: 'INVALID_DATASET' });
    assert.deepEqual((await get(path)).json, { ...expected, state: 'FAILED' });
    const published = await server.publish(Buffer.from('published'));
    assert.equal((await get(`${EVENTS}/status/dem/${published.correlationId}`)).json.state, 'OK');
  });

  it('has each step with its times, and the reason of a failure', async () => {
    const correlationId = await receive();
    const events = async () => (await get(`${EVENTS}/status/dem/${correlationId}/events`)).json;
    const states = async () =>
      (await events()).items.map((item: { action: string; state: string }) => `${item.action} ${item.state}`);
    assert.deepEqual(await states(), ['FILE_TRANSFER OK', 'FILE_CLASSIFICATION PENDING']);

    await server.imports.recordAction(DEM, correlationId, 'FILE_CLASSIFICATION', {
      state: 'OK',
      details: { files: 3 },
    });
    await server.imports.recordAction(DEM, correlationId, 'VALIDATION', { state: 'STARTED' });
    assert.deepEqual(await states(), ['FILE_TRANSFER OK', 'FILE_CLASSIFICATION OK', 'VALIDATION STARTED']);

    const details = { message: 'Two files have errors.' };
    await server.imports.fail(DEM, correlationId, { action: 'VALIDATION', errorCode: 'INVALID_DATASET', details });
    const page = await events();
    assert.deepEqual([page.page, page.perPage, page.totalItems, page.totalPages], [1, 25, 3, 1]);
    const [, classification, validation] = page.items;
    assert.deepEqual(classification.details, { files: 3 });
    assert.equal(validation.state, 'FAILED');
    assert.equal(validation.errorCode, 'INVALID_DATASET');
    assert.deepEqual(validation.details, details);
    for (const item of page.items) {
      assert.match(item.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.ok(Number.isInteger(item.durationMs) && item.durationMs >= 0);
    }
    const second = (await get(`${EVENTS}/status/dem/${correlationId}/events?page=2&perPage=2`)).json;
    assert.deepEqual(second.items, [validation]);
  });

  it('shows steps as cancelled after an early end', async () => {
    const correlationId = await receive();
    await server.imports.fail(DEM, correlationId, { action: 'VALIDATION', errorCode: 'GAVE_UP' });
    const { json } = await get(`${EVENTS}/status/dem/${correlationId}/events`);
    assert.deepEqual(
      json.items.map((item: { state: string }) => item.state),
      ['OK', 'CANCELLED', 'FAILED'],
    );
  });

  describe('has the report', () => {
    const finding = {
      code: 'NETEX_ID_1',
      name: 'Duplicate id',
      severity: 'ERROR',
      message: 'The id DEM:Line:1 is used twice.',
      objectId: 'DEM:Line:1',
      fileName: 'a.xml',
      lineNumber: 3,
      columnNumber: 7,
    };
    const summary = {
      codespace: 'dem',
      correlationId: randomUUID(),
      fileName: 'a.zip',
      createdAt: '2026-01-01T00:00:00.000Z',
      valid: false,
      schemaVersions: ['1.15'],
      files: [{ name: 'a.xml', bytes: 10, kind: 'line', lines: 1, serviceJourneys: 2 }],
      findingsPerRule: { NETEX_ID_1: 1 },
    };
    let path: string;
    before(async () => {
      const correlationId = await receive();
      path = `${EVENTS}/report/dem/${correlationId}`;
      assert.equal((await get(path)).status, 404);
      const text = `${JSON.stringify(summary).slice(0, -1)},"findings":[\n${JSON.stringify(finding)}\n]}\n`;
      await server.objects.put(reportKey(DEM, correlationId), gzipSync(text), 'application/gzip');
    });

    it('as JSON', async () => {
      for (const accept of ['*/*', 'application/json']) {
        const answer = await get(path, { accept });
        assert.equal(answer.headers['content-type'], 'application/json');
        assert.deepEqual(answer.json, { ...summary, findings: [finding] });
      }
    });

    it('as rows', async () => {
      const answer = await get(path, { accept: 'text/csv' });
      assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8');
      const [heading, row] = answer.bytes.toString().split('\r\n');
      assert.match(heading ?? '', /^severity,code,/);
      assert.match(row ?? '', /^ERROR,NETEX_ID_1,/);
    });

    it("as a page in the reader's language, which runs only its own script", async () => {
      for (const [wanted, got] of [
        ['nn-NO, en;q=0.5', 'nb'],
        ['en-GB', 'en'],
        ['fr', 'en'],
      ]) {
        const answer = await get(path, { accept: 'text/html', 'accept-language': wanted ?? '' });
        assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
        assert.match(answer.bytes.toString(), new RegExp(`<html lang="${got}">`));
        const policy = String(answer.headers['content-security-policy']);
        assert.match(policy, /default-src 'none'/);
        const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1];
        assert.ok(nonce && answer.bytes.toString().includes(`<script nonce="${nonce}">`));
      }
    });

    it('as its head alone, without holding connections to the object store', async () => {
      const correlationId = await receive();
      const rows = Array.from({ length: 20_000 }, () => JSON.stringify({ ...finding, objectId: randomUUID() }));
      const text = `${JSON.stringify(summary).slice(0, -1)},"findings":[\n${rows.join(',\n')}\n]}\n`;
      await server.objects.put(reportKey(DEM, correlationId), gzipSync(text), 'application/gzip');
      const large = `${EVENTS}/report/dem/${correlationId}`;
      for (let count = 0; count < 110; count += 1) {
        const options = { method: 'HEAD', token: PROVIDER, headers: { accept: 'text/csv' } };
        assert.equal((await server.call(large, options)).status, 200);
      }
      assert.equal((await get(large)).json.findings.length, rows.length);
    });

    it('in no other format', async () => {
      assert.equal((await get(path, { accept: 'application/pdf' })).status, 406);
    });

    it('answers 403 and 404 before 406', async () => {
      const headers = { accept: 'application/pdf' };
      assert.equal((await get(`${EVENTS}/report/dem/${randomUUID()}`, headers)).status, 404);
      assert.equal((await server.call(path, { token: STRANGER, headers })).status, 403);
    });
  });

  describe('has the differences of a version', () => {
    const differences = { codespace: 'dem', lines: { added: 1 } };
    let path: string;
    before(async () => {
      const { correlationId } = await server.publish(Buffer.from('compared'));
      path = `${EVENTS}/differences/dem/${correlationId}`;
      await server.objects.put(
        differencesKey(DEM, correlationId),
        gzipSync(JSON.stringify(differences)),
        'application/json',
      );
    });

    it('as JSON, with a tag', async () => {
      const answer = await get(path);
      assert.deepEqual([answer.status, answer.json], [200, differences]);
      assert.equal(answer.headers['content-type'], 'application/json');
      const { etag = '' } = answer.headers;
      assert.equal((await get(path, { 'if-none-match': etag })).status, 304);
      assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200);
    });

    it('without holding connections to the object store', async () => {
      const { etag = '' } = (await get(path)).headers;
      for (let count = 0; count < 110; count += 1) {
        assert.equal((await get(path, { 'if-none-match': etag })).status, 304);
        assert.equal((await server.call(path, { method: 'HEAD', token: PROVIDER })).status, 200);
      }
      assert.equal((await get(path)).status, 200);
    });

    it('and says why there are none', async () => {
      const running = await get(`${EVENTS}/differences/dem/${await receive()}`);
      assert.deepEqual([running.status, /still running/.test(running.json.detail)], [404, true]);
      const { correlationId } = await server.publish(Buffer.from('the first'));
      const first = await get(`${EVENTS}/differences/dem/${correlationId}`);
      assert.deepEqual([first.status, /no version came before/.test(first.json.detail)], [404, true]);
      assert.equal((await get(`${EVENTS}/differences/dem/${randomUUID()}`)).status, 404);
    });

    it('for no other client', async () => {
      assert.equal((await server.call(path, { token: STRANGER })).status, 403);
    });
  });

  it('has the list of its imports, with search and pages', async () => {
    const ids = [await receive('one.zip'), await receive('two.zip'), await receive('three.zip')];
    await server.imports.fail(DEM, ids[1] as CorrelationId, {
      action: 'VALIDATION',
      errorCode: 'INVALID_DATASET',
      findings: { CRITICAL: 0, ERROR: 2, WARNING: 1, INFO: 0 },
    });
    const newest = (await get(`${IMPORTS}?perPage=3`)).json;
    assert.deepEqual(
      newest.items.map((item: { correlationId: string }) => item.correlationId),
      ids.toReversed(),
    );
    assert.ok(newest.totalItems >= 3);
    const { receivedAt, importKey } = await server.imports.get(DEM, ids[1] as CorrelationId);
    assert.deepEqual(newest.items[1], {
      correlationId: ids[1],
      importKey,
      state: 'FAILED',
      fileName: 'two.zip',
      date: receivedAt.toISOString(),
      bytes: 36,
      findings: { CRITICAL: 0, ERROR: 2, WARNING: 1, INFO: 0 },
    });
    const names = async (query: string) =>
      (await get(`${IMPORTS}?${query}`)).json.items.map((item: { fileName: string }) => item.fileName);
    assert.deepEqual(await names('fileName=in:one.zip,two.zip'), ['two.zip', 'one.zip']);
    assert.deepEqual(await names('fileName=in:one.zip,two.zip&sortBy=asc'), ['one.zip', 'two.zip']);
    assert.deepEqual(await names(`date=gt:${encodeURIComponent(receivedAt.toISOString())}`), ['three.zip']);
    assert.deepEqual(await names(`importKey=${importKey}`), ['two.zip']);
    assert.deepEqual(await names(`correlationId=${ids[1]?.toUpperCase()}`), ['two.zip']);
    assert.deepEqual(await names('fileName=one.zip&state=FAILED'), []);
    assert.deepEqual((await get(`${IMPORTS}?page=1000`)).json.items, []);
  });

  for (const query of [
    'color=red',
    'state=LOST',
    'date=gt:yesterday',
    'date=2026-11-21T04:43:09%2B01',
    'date=lt:2026-12-31T23:59:60Z',
    'perPage=101',
    'page=0',
    'orderBy=state',
    'fileName=like:a',
  ]) {
    it(`cannot be searched with ${query}`, async () => {
      const answer = await get(`${IMPORTS}?${query}`);
      assert.equal(answer.status, 400);
      assert.equal(answer.json.code, 'INVALID_SEARCH');
    });
  }

  it('requires the scope, a grant and a known import', async () => {
    const correlationId = await receive();
    const paths = [
      `${EVENTS}/status/dem/${correlationId}`,
      `${EVENTS}/status/dem/${correlationId}/events`,
      `${EVENTS}/report/dem/${correlationId}`,
      `${EVENTS}/differences/dem/${correlationId}`,
      IMPORTS,
    ];
    for (const path of paths) {
      assert.equal((await server.call(path)).status, 401);
      assert.equal((await get(path, {}, 'provider/dem/timetable:write')).json.code, 'INSUFFICIENT_SCOPE');
      assert.equal((await get(path, {}, STRANGER)).json.code, 'CODESPACE_FORBIDDEN');
      assert.equal((await get(path.replace('/dem', '/zzz'), {}, OPERATOR)).json.code, 'NOT_FOUND');
    }
    for (const unknown of [randomUUID(), 'not-a-uuid', '%24where']) {
      assert.equal((await get(`${EVENTS}/status/dem/${unknown}`)).status, 404);
    }
  });
});
