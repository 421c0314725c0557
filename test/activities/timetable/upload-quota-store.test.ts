/** Quotas of uploads: admitted by one write, so that concurrent uploads cannot pass together. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { UPLOAD_QUOTAS } from '../../../activities/timetable/upload-quota-model.ts';
import { type Admission, QUOTA_LEASE_MS, UploadQuotaStore } from '../../../activities/timetable/upload-quota-store.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { useMongo } from '../../support/stack.ts';

const HOUR_MS = 3_600_000;
/** A quarter past an hour. */
const START = 1_000 * HOUR_MS + HOUR_MS / 4;
const QUOTA = { atOnce: 3, bytesPerHour: 1_000, bytesPerDay: 2_500, unpackedPerHour: 5_000, unpackedPerDay: 8_000 };
const ADMITTED: Admission = { admitted: true };

describe('Quotas of uploads', () => {
  let connection: Connection;
  let nowMs: number;
  let store: UploadQuotaStore;

  before(async () => {
    connection = await connectMongo((await useMongo()).uri(`quota-${randomUUID().slice(0, 8)}`));
  });
  after(async () => {
    await connection.dropDatabase();
    await connection.close();
  });
  beforeEach(async () => {
    nowMs = START;
    store = new UploadQuotaStore(connection, QUOTA, () => new Date(nowMs));
    await UPLOAD_QUOTAS.open(connection).deleteMany({});
    await store.ensureIndexes();
  });

  const begin = (uploadId: string, bytes = 10, clientId = 'a') => store.begin({ clientId, uploadId, bytes });
  const refused = (exceeded: string, retryAfterSeconds: number) => ({ admitted: false, exceeded, retryAfterSeconds });

  it('admit no more at once than they say, however many begin together', async () => {
    const stores = Array.from({ length: 5 }, () => new UploadQuotaStore(connection, QUOTA, () => new Date(nowMs)));
    await begin('first');
    await store.end('a', 'first', 10);
    const begun = await Promise.all(
      Array.from({ length: 60 }, async (_, at) => {
        return await stores[at % stores.length]?.begin({ clientId: 'a', uploadId: `${at}`, bytes: 10 });
      }),
    );
    assert.equal(begun.filter((admission) => admission?.admitted).length, QUOTA.atOnce);
    assert.deepEqual(
      begun.find((admission) => !admission?.admitted),
      refused('AT_ONCE', 10),
    );
    assert.deepEqual(await begin('other', 10, 'b'), ADMITTED);
  });

  it('admit the next when one has ended, or when its process has died', async () => {
    for (const id of ['1', '2', '3']) assert.deepEqual(await begin(id), ADMITTED);
    assert.deepEqual(await begin('4'), refused('AT_ONCE', 10));
    await store.end('a', '2', 10);
    assert.deepEqual(await begin('4'), ADMITTED);
    nowMs += QUOTA_LEASE_MS - 1;
    await store.renew('a', '4');
    nowMs += 2;
    for (const id of ['5', '6']) assert.deepEqual(await begin(id), ADMITTED);
    assert.deepEqual(await begin('7'), refused('AT_ONCE', 10));
  });

  it('count what arrived in the hour, and what is announced', async () => {
    assert.deepEqual(await begin('1', 900), ADMITTED);
    assert.deepEqual(await begin('2', 101), refused('BYTES_PER_HOUR', 2_700));
    await store.end('a', '1', 500);
    assert.deepEqual(await begin('2', 500), ADMITTED);
    assert.deepEqual(await begin('3', 1), refused('BYTES_PER_HOUR', 2_700));
    await store.end('a', '2', 500);
    nowMs += 2_700_000;
    assert.deepEqual(await begin('3', 1_000), ADMITTED);
  });

  it('count what arrived in 24 hours', async () => {
    for (const id of ['1', '2']) {
      await begin(id, 1_000);
      await store.end('a', id, 1_000);
      nowMs += HOUR_MS;
    }
    assert.deepEqual(await begin('3', 501), refused('BYTES_PER_DAY', 22 * 3_600 - 900));
    assert.deepEqual(await begin('3', 500), ADMITTED);
    await store.end('a', '3', 0);
    nowMs += 22 * HOUR_MS;
    assert.deepEqual(await begin('4', 1_000), ADMITTED);
  });

  it('count what archives unpack to, in the hour and in 24 hours', async () => {
    await begin('1');
    const all = await Promise.all(Array.from({ length: 10 }, () => store.countUnpacked('a', 1_000)));
    assert.equal(all.filter(({ admitted }) => admitted).length, 5, 'no two pass together');
    assert.deepEqual(await store.countUnpacked('a', 1), refused('UNPACKED_PER_HOUR', 2_700));
    await begin('1', 10, 'b');
    assert.deepEqual(await store.countUnpacked('b', 1), ADMITTED);
    nowMs += HOUR_MS;
    assert.deepEqual(await store.countUnpacked('a', 3_000), ADMITTED);
    assert.deepEqual(await store.countUnpacked('a', 1), refused('UNPACKED_PER_DAY', 23 * 3_600 - 900));
    nowMs += 23 * HOUR_MS;
    assert.deepEqual(await store.countUnpacked('a', 5_000), ADMITTED);
  });

  it('count an upload that failed, and one that was sent in pieces of the same hour', async () => {
    for (let at = 0; at < 10; at += 1) {
      assert.deepEqual(await begin(`${at}`, 100), ADMITTED);
      await store.end('a', `${at}`, 100);
    }
    assert.deepEqual(await begin('more', 1), refused('BYTES_PER_HOUR', 2_700));
    const stored = await UPLOAD_QUOTAS.open(connection).findOne({ _id: 'a' });
    assert.equal(stored?.received.length, 1);
  });
});
