import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { MAX_STORE_CONNECTIONS, ObjectMissingError, ObjectStore } from '../../platform/object-store/object-store.ts';
import { type TestObjectStore, useObjectStore } from '../support/stack.ts';

const PART_BYTES = 5 * 1024 * 1024;
const ZIP = { contentType: 'application/zip' };

describe('the object store', () => {
  let config: TestObjectStore;
  let store: ObjectStore;
  let client: S3Client;
  before(async () => {
    config = await useObjectStore();
    store = await ObjectStore.open(config);
    client = new S3Client({
      endpoint: config.S3_ENDPOINT,
      region: config.S3_REGION,
      forcePathStyle: true,
      credentials: { accessKeyId: config.S3_ACCESS_KEY_ID, secretAccessKey: config.S3_SECRET_ACCESS_KEY },
    });
  });
  after(() => {
    store.close();
    client.destroy();
  });

  const openUploads = async (key: string) =>
    (await client.send(new ListMultipartUploadsCommand({ Bucket: config.S3_BUCKET, Prefix: key }))).Uploads?.length ??
    0;

  async function* inPieces(bytes: Uint8Array, pieceBytes: number, failAfterBytes = Number.POSITIVE_INFINITY) {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      if (at >= failAfterBytes) throw new Error('the source broke');
      yield bytes.subarray(at, at + pieceBytes);
    }
  }

  it('makes a missing bucket, also when two processes do at once', async () => {
    const fresh = { ...config, S3_BUCKET: `${config.S3_BUCKET.slice(0, 40)}-fresh` };
    const stores = await Promise.all([ObjectStore.open(fresh), ObjectStore.open(fresh)]);
    for (const each of stores) {
      await each.ping();
      each.close();
    }
  });

  for (const sizeBytes of [0, 1, PART_BYTES - 1, PART_BYTES, PART_BYTES + 1, 2 * PART_BYTES, 12_345_678]) {
    it(`keeps a stream of ${sizeBytes} bytes byte for byte`, async () => {
      const [key, bytes] = [`streams/${sizeBytes}`, randomBytes(sizeBytes)];
      assert.equal(await store.putStream(key, inPieces(bytes, 70_001), ZIP), sizeBytes);
      assert.equal((await store.head(key))?.sizeBytes, sizeBytes);
      assert.ok(bytes.equals(await store.getRange(key, 0, sizeBytes)));
      assert.equal(await openUploads(key), 0);
    });
  }

  it('keeps many streams at once apart', async () => {
    const all = Array.from({ length: 6 }, () => randomBytes(PART_BYTES + 100_000));
    await Promise.all(all.map((bytes, index) => store.putStream(`many/${index}`, inPieces(bytes, 65_536), ZIP)));
    for (const [index, bytes] of all.entries()) {
      assert.ok(bytes.equals(await store.getRange(`many/${index}`, 0, bytes.length)));
    }
  });

  it('keeps nothing of a stream whose source fails', async () => {
    const bytes = randomBytes(12_000_000);
    for (const failAfterBytes of [0, 1_000_000, 11_000_000]) {
      const put = store.putStream('broken', inPieces(bytes, 65_536, failAfterBytes), ZIP);
      await assert.rejects(put, { message: 'the source broke' });
      assert.equal(await store.head('broken'), undefined);
      assert.equal(await openUploads('broken'), 0);
    }
  });

  it('keeps nothing of an aborted stream, and closes its source', async () => {
    const controller = new AbortController();
    let closed = false;
    async function* endless() {
      try {
        for (let sent = 0; ; sent += 1) {
          if (sent === 100) controller.abort(new Error('enough'));
          yield randomBytes(65_536);
        }
      } finally {
        closed = true;
      }
    }
    await assert.rejects(store.putStream('aborted', endless(), { ...ZIP, signal: controller.signal }));
    assert.ok(closed);
    assert.equal(await store.head('aborted'), undefined);
    assert.equal(await openUploads('aborted'), 0);
  });

  it('does not read its source while the store is slow', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer(() => {}).on('connection', (socket) => sockets.add(socket));
    silent.listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const slow = ObjectStore.connect({
      ...config,
      S3_ENDPOINT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    });
    let readBytes = 0;
    async function* counted() {
      for (;;) {
        readBytes += 65_536;
        yield randomBytes(65_536);
      }
    }
    const controller = new AbortController();
    const put = slow.putStream('slow', counted(), { ...ZIP, signal: controller.signal });
    while (readBytes < PART_BYTES) await turn();
    for (let turns = 0; turns < 1_000; turns += 1) await turn();
    assert.equal(readBytes, PART_BYTES);
    controller.abort();
    await assert.rejects(put);
    slow.close();
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it('removes the parts that a dead process left', async () => {
    const create = { Bucket: config.S3_BUCKET, Key: 'left' };
    await client.send(new CreateMultipartUploadCommand(create));
    await client.send(new CreateMultipartUploadCommand(create));
    await client.send(new CreateMultipartUploadCommand({ ...create, Key: 'left-by-another' }));
    assert.equal(await store.abortUploads('left'), 2);
    assert.equal(await store.abortUploads('left'), 0);
    assert.equal(await openUploads('left-by-another'), 1);
  });

  it('is up while unread streams hold every connection', async () => {
    const busy = ObjectStore.connect(config);
    await store.put('unread', Buffer.from('x'), 'text/plain');
    const unread = await Promise.all(Array.from({ length: MAX_STORE_CONNECTIONS }, () => busy.get('unread')));
    const further = busy.head('unread');
    assert.equal(await Promise.race([further, busy.ping().then(() => 'up')]), 'up');
    for (const stream of unread) stream.destroy();
    assert.equal((await further)?.sizeBytes, 1);
    busy.close();
  });

  it('returns ranges, and reports an object that ends before', async () => {
    await store.put('small', Buffer.from('0123456789'), 'text/plain');
    assert.equal(Buffer.from(await store.getRange('small', 3, 4)).toString(), '3456');
    assert.equal((await store.getRange('small', 3, 0)).length, 0);
    await assert.rejects(store.getRange('small', 8, 4), RangeError);
    const chunks = await Array.fromAsync(await store.get('small', { offset: 8, lengthBytes: 2 }));
    assert.equal(Buffer.concat(chunks).toString(), '89');
  });

  it('names a missing object', async () => {
    assert.equal(await store.head('nothing'), undefined);
    await assert.rejects(store.get('nothing'), ObjectMissingError);
    await assert.rejects(store.getRange('nothing', 0, 1), ObjectMissingError);
    await store.delete('nothing');
  });

  it('lists and deletes by prefix', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => store.put(`folder/${index}`, Buffer.from('x'), 'text/plain')),
    );
    await store.put('folder-beside', Buffer.from('x'), 'text/plain');
    assert.equal((await Array.fromAsync(store.list('folder/'))).length, 12);
    assert.equal(await store.deletePrefix('folder/'), 12);
    assert.equal(await store.deletePrefix('folder/'), 0);
    assert.ok(await store.head('folder-beside'));
    await assert.rejects(store.deletePrefix(''));
  });
});
