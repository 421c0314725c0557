/** Quotas of uploads over HTTP: refused before the body is read, with 429 and when to come again. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { UPLOAD_QUOTAS } from '../../../activities/timetable/upload-quota-model.ts';
import { until } from '../../support/until.ts';
import { writeZip } from '../../support/zip-writer.ts';
import { form, PROVIDER, startTimetable, type TimetableServer } from './support.ts';

const QUOTA = {
  atOnce: 2,
  bytesPerHour: 400_000,
  bytesPerDay: 400_000,
  unpackedPerHour: 3_000_000,
  unpackedPerDay: 6_000_000,
};
const ARCHIVE_BYTES = 100_000;
const OTHER = PROVIDER.replace('provider', 'other');

describe('Quotas of uploads', () => {
  let server: TimetableServer;

  beforeEach(async () => {
    server = await startTimetable({ quota: QUOTA });
  });
  afterEach(async () => {
    await server.close();
  });

  const upload = async (sizeBytes = ARCHIVE_BYTES, token = PROVIDER) =>
    await server.upload(form([{ bytes: randomBytes(sizeBytes) }]), { token });
  const running = async () =>
    (await UPLOAD_QUOTAS.open(server.connection).findOne({ _id: 'provider' }))?.running.length ?? 0;

  /** Begins an upload whose body does not end. */
  async function hold() {
    const { headers, body } = form([{ bytes: randomBytes(ARCHIVE_BYTES) }]);
    const url = `${server.url}/timetable/v1/timetable-management/datasets/dem`;
    const outgoing = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': body.length, authorization: `Bearer ${PROVIDER}` },
    });
    outgoing.on('error', () => {});
    outgoing.write(body.subarray(0, 1_000));
    return outgoing;
  }

  it('refuse with 429 more uploads at once than they allow, and no other client', async () => {
    const before = await running();
    const held = [await hold(), await hold()];
    await until(async () => (await running()) === before + held.length);
    const refused = await upload();
    assert.deepEqual([refused.status, refused.headers['retry-after'], refused.json.code], [429, '10', 'RATE_LIMITED']);
    assert.match(refused.json.detail, /2 uploads/);
    assert.equal((await upload(ARCHIVE_BYTES, OTHER)).status, 200);
    for (const each of held) each.destroy();
    await until(async () => (await running()) === 0);
    assert.equal((await upload()).status, 200);
  });

  it('refuse with 429 archives that unpack to more than they allow, and keep nothing of them', async () => {
    const archive = (name: string) => writeZip([{ name, data: Buffer.alloc(2_000_000, 'letters') }]);
    const send = async (name: string, token = PROVIDER) =>
      await server.upload(form([{ bytes: archive(name) }]), { token });
    assert.equal((await send('a.xml')).status, 200);
    const refused = await send('b.xml');
    assert.deepEqual([refused.status, refused.json.code], [429, 'RATE_LIMITED']);
    assert.match(refused.json.detail, /unpack to 3000000 bytes in an hour/);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    assert.equal(await server.countImports(), 1);
    assert.equal((await send('b.xml', OTHER)).status, 200);
  });

  it('refuse with 429 more bytes than they allow, of failed uploads too', async () => {
    assert.equal((await upload()).status, 200);
    const { headers, body } = form([{ bytes: randomBytes(ARCHIVE_BYTES) }, { bytes: randomBytes(ARCHIVE_BYTES) }]);
    assert.equal((await server.upload({ headers, body })).status, 400, 'two files');
    const refused = await upload(2 * ARCHIVE_BYTES);
    assert.deepEqual([refused.status, refused.json.code], [429, 'RATE_LIMITED']);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    assert.equal(await server.countImports(), 1);
  });
});
