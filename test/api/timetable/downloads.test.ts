import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { attachment } from '../../../api/timetable/downloads/content-disposition.ts';
import { OPERATOR, PROVIDER, STRANGER, startTimetable, type TimetableServer } from './support.ts';

const DATASETS = '/timetable/v1/timetable-data/datasets';
const LATEST = `${DATASETS}/dem/latest`;

describe('download of datasets', () => {
  let server: TimetableServer;
  before(async () => {
    server = await startTimetable();
  });
  after(async () => {
    await server.close();
  });

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    server.call(path, { method, token: STRANGER, headers });

  it('answers 404 at first', async () => {
    for (const path of [LATEST, `${DATASETS}/dem/version/dem_2026-01-01T00_00_00.000`]) {
      const answer = await get(path);
      assert.equal(answer.status, 404);
      assert.equal(answer.json.code, 'NOT_FOUND');
    }
    assert.deepEqual((await get(`${DATASETS}/dem/versions`)).json, []);
  });

  it('answers 404 for a codespace that was never put', async () => {
    for (const path of ['latest', 'versions', 'version/zzz_2026-01-01T00_00_00.000']) {
      assert.equal((await get(`${DATASETS}/zzz/${path}`)).status, 404);
    }
  });

  it('answers problems in their own media type for any Accept', async () => {
    const headers = { accept: 'application/zip' };
    const absent = await get(`${DATASETS}/zzz/latest`, headers);
    assert.deepEqual([absent.status, absent.headers['content-type']], [404, 'application/problem+json']);
    const token = 'provider/dem/timetable:write';
    assert.equal((await server.call(LATEST, { token, headers: { accept: 'text/html' } })).status, 403);
  });

  it('requires a token and the scope, but no grant', async () => {
    assert.equal((await server.call(LATEST)).status, 401);
    assert.equal((await server.call(LATEST, { token: 'provider/dem/timetable:write' })).status, 403);
  });

  describe('of a published one', () => {
    const bytes = randomBytes(7_000_000);
    const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
    const digest = createHash('sha256').update(bytes).digest('base64');
    let importKey: string;
    let lastModified: string;
    before(async () => {
      ({ importKey } = await server.publish(bytes, 'Vår "rute" 2026.zip'));
      lastModified = String((await get(LATEST, {}, 'HEAD')).headers['last-modified']);
    });

    it('returns the original bytes with digests and ETag, as latest and by its key', async () => {
      for (const path of [LATEST, `${DATASETS}/dem/version/${importKey}`]) {
        const answer = await get(path);
        assert.equal(answer.status, 200);
        assert.ok(bytes.equals(answer.bytes));
        const { headers } = answer;
        assert.equal(headers['content-type'], 'application/zip');
        assert.equal(headers['content-length'], String(bytes.length));
        assert.equal(
          headers['content-disposition'],
          `attachment; filename="Var _rute_ 2026.zip"; filename*=UTF-8''V%C3%A5r%20_rute_%202026.zip`,
        );
        assert.equal(headers.etag, etag);
        assert.equal(headers.digest, `sha-256=${digest}`);
        assert.equal(headers['repr-digest'], `sha-256=:${digest}:`);
        assert.equal(headers['accept-ranges'], 'bytes');
        assert.ok(!Number.isNaN(Date.parse(lastModified)));
      }
    });

    it('answers HEAD like GET, without the bytes', async () => {
      const [head, whole] = [await get(LATEST, {}, 'HEAD'), await get(LATEST)];
      assert.equal(head.status, 200);
      assert.equal(head.bytes.length, 0);
      for (const name of ['content-length', 'content-type', 'etag', 'last-modified', 'digest', 'content-disposition']) {
        assert.equal(head.headers[name], whole.headers[name]);
      }
    });

    const size = 7_000_000;
    const ranges: Record<string, readonly [number, number]> = {
      'bytes=0-0': [0, 1],
      'bytes=0-99': [0, 100],
      'bytes=5242870-5242890': [5_242_870, 5_242_891],
      'bytes=6999990-': [6_999_990, size],
      'bytes=6999990-99999999': [6_999_990, size],
      'bytes=-10': [size - 10, size],
      'bytes=-99999999': [0, size],
      'Bytes = 3 - 4': [3, 5],
    };
    for (const [range, [from, to]] of Object.entries(ranges)) {
      it(`returns the part that "${range}" names`, async () => {
        const answer = await get(LATEST, { range });
        assert.equal(answer.status, 206);
        assert.equal(answer.headers['content-range'], `bytes ${from}-${to - 1}/${size}`);
        assert.equal(answer.headers['content-length'], String(to - from));
        assert.equal(answer.headers.etag, etag);
        assert.ok(bytes.subarray(from, to).equals(answer.bytes));
      });
    }

    for (const range of ['bytes=7000000-', 'bytes=8000000-9000000', 'bytes=-0']) {
      it(`answers 416 to "${range}"`, async () => {
        const answer = await get(LATEST, { range });
        assert.equal(answer.status, 416);
        assert.equal(answer.headers['content-range'], `bytes */${size}`);
        assert.equal(answer.json.code, 'RANGE_NOT_SATISFIABLE');
      });
    }

    for (const range of ['bytes=0-1,5-6', 'bytes=5-3', 'bytes=x-y', 'bytes=-', 'lines=1-2', '0-5']) {
      it(`sends all bytes for "${range}"`, async () => {
        const answer = await get(LATEST, { range });
        assert.equal(answer.status, 200);
        assert.equal(answer.bytes.length, size);
      });
    }

    it('ignores a range of HEAD, since ranges are defined for GET only', async () => {
      for (const range of ['bytes=0-1', 'bytes=9999999-']) {
        const answer = await get(LATEST, { range }, 'HEAD');
        assert.deepEqual([answer.status, answer.headers['content-length']], [200, String(size)]);
      }
    });

    it('answers conditional requests in the order of RFC 9110', async () => {
      const later = new Date(Date.parse(lastModified) + 60_000).toUTCString();
      const earlier = new Date(Date.parse(lastModified) - 60_000).toUTCString();
      const weak = `W/${etag}`;
      const cases: ReadonlyArray<readonly [number, Record<string, string>]> = [
        [304, { 'if-none-match': etag }],
        [304, { 'if-none-match': weak }],
        [304, { 'if-none-match': `"other", ${etag}` }],
        [304, { 'if-none-match': '*' }],
        [200, { 'if-none-match': '"other"' }],
        [304, { 'if-modified-since': lastModified }],
        [304, { 'if-modified-since': later }],
        [200, { 'if-modified-since': earlier }],
        [200, { 'if-modified-since': 'yesterday' }],
        [200, { 'if-none-match': '"other"', 'if-modified-since': later }],
        [200, { 'if-match': etag }],
        [200, { 'if-match': '*' }],
        [412, { 'if-match': '"other"' }],
        [412, { 'if-match': weak }],
        [412, { 'if-match': '"other"', 'if-none-match': etag }],
        [200, { 'if-unmodified-since': lastModified }],
        [412, { 'if-unmodified-since': earlier }],
        [200, { 'if-match': etag, 'if-unmodified-since': earlier }],
        [206, { range: 'bytes=0-1', 'if-range': etag }],
        [206, { range: 'bytes=0-1', 'if-range': lastModified }],
        [200, { range: 'bytes=0-1', 'if-range': '"other"' }],
        [200, { range: 'bytes=0-1', 'if-range': weak }],
        [200, { range: 'bytes=0-1', 'if-range': later }],
        [200, { range: 'bytes=9999999-', 'if-range': '"other"' }],
        [304, { range: 'bytes=0-1', 'if-none-match': etag }],
      ];
      for (const [status, headers] of cases) {
        const answer = await get(LATEST, headers, headers.range === undefined ? 'HEAD' : 'GET');
        assert.equal(answer.status, status, JSON.stringify(headers));
        if (status === 304) assert.equal(answer.headers.etag, etag);
      }
    });

    it('answers 412 and 304 in their formats', async () => {
      const conflict = await get(LATEST, { 'if-match': '"other"' });
      assert.equal(conflict.json.code, 'REVISION_CONFLICT');
      const unchanged = await get(LATEST, { 'if-none-match': etag });
      assert.equal(unchanged.bytes.length, 0);
      assert.equal(unchanged.headers['content-type'], undefined);
    });

    it('serves the archive for any Accept', async () => {
      for (const accept of ['application/json', 'text/html', 'application/zip;q=0', 'x']) {
        for (const path of [LATEST, `${DATASETS}/dem/version/${importKey}`]) {
          const answer = await get(path, { accept });
          assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'application/zip'], accept);
          assert.ok(bytes.equals(answer.bytes));
        }
      }
    });
  });

  describe('of versions', () => {
    it('lists them newest first; after a withdrawal the previous one is the latest', async () => {
      const first = await server.publish(Buffer.from('first'));
      const second = await server.publish(Buffer.from('second'));
      const listed = (await get(`${DATASETS}/dem/versions`)).json;
      assert.deepEqual(
        listed.slice(0, 2).map((version: { importKey: string }) => version.importKey),
        [second.importKey, first.importKey],
      );
      const instant = second.importKey.slice('dem_'.length);
      assert.equal(listed[0].creationDate, `${instant.replaceAll('_', ':')}Z`);
      assert.deepEqual(Object.keys(listed[0]), ['importKey', 'creationDate']);

      const path = `/timetable/v1/timetable-management/datasets/dem/version/${second.importKey}`;
      const withdraw = (token: string) => server.call(path, { method: 'DELETE', token });
      assert.equal((await withdraw(STRANGER)).json.code, 'CODESPACE_FORBIDDEN');
      assert.equal((await withdraw('provider/dem/timetable:read')).json.code, 'INSUFFICIENT_SCOPE');
      assert.equal((await withdraw(PROVIDER)).status, 202);
      assert.equal((await withdraw(PROVIDER)).status, 202);
      assert.equal((await get(LATEST)).bytes.toString(), 'first');
      assert.equal((await get(`${DATASETS}/dem/version/${second.importKey}`)).status, 404);
      assert.ok((await server.listObjects()).includes(`uploads/dem/${second.correlationId}.zip`));
    });

    it('neither lists nor serves unpublished ones', async () => {
      const count = (await get(`${DATASETS}/dem/versions`)).json.length;
      const { correlationId } = await server.publish(Buffer.from('visible'));
      assert.equal((await get(`${DATASETS}/dem/versions`)).json.length, Math.min(10, count + 1));
      const imports = await server.call('/timetable/v1/timetable-management/datasets/dem/imports?state=in:FAILED,OK', {
        token: OPERATOR,
      });
      assert.equal(imports.json.items[0].correlationId, correlationId);
    });
  });
});

describe('names of downloads', () => {
  const names: Record<string, string> = {
    'rut.zip': 'attachment; filename="rut.zip"',
    'a b.zip': 'attachment; filename="a b.zip"',
    'æøå.zip': `attachment; filename="__a.zip"; filename*=UTF-8''%C3%A6%C3%B8%C3%A5.zip`,
    '50%.zip': `attachment; filename="50_.zip"; filename*=UTF-8''50%25.zip`,
    "it's (1).zip": `attachment; filename="it's (1).zip"`,
    '列車.zip': `attachment; filename="__.zip"; filename*=UTF-8''%E5%88%97%E8%BB%8A.zip`,
  };
  for (const [name, header] of Object.entries(names)) {
    it(`such as ${name} are written so that every client reads them`, () => {
      assert.equal(attachment(name), header);
    });
  }
});
