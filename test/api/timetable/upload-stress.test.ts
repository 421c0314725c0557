/**
 * Runs many uploads at once, of odd sizes and from differently behaving senders. Each stored object must equal its
 * upload. Chunks, parts and buffers are shared and reused, so faults appear only when uploads overlap.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { uploadKey } from '../../../activities/timetable/object-keys.ts';
import type { CorrelationId } from '../../../workflows/shared/ids.ts';
import { DEM, type Form, form, PROVIDER, startTimetable, type TimetableServer, uploadPath } from './support.ts';

/** Sends a body; the caller has sent the head. */
type Send = (socket: Socket, body: Buffer) => Promise<void>;

const write = async (socket: Socket, bytes: Uint8Array) => {
  if (!socket.write(bytes)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
};

const fast: Send = async (socket, body) => await write(socket, body);

/** Sends the last line of the form separately, while the server still processes the end of the file. */
const lateEnd: Send = async (socket, body) => {
  const [tail, end] = [body.length - 40_000, body.length - 30];
  await write(socket, body.subarray(0, tail));
  await delay(200);
  await write(socket, body.subarray(tail, end));
  await delay(5);
  await write(socket, body.subarray(end));
};

const slow: Send = async (socket, body) => {
  for (let at = 0; at < body.length; ) {
    const piece = body.subarray(at, at + 20_000 + Math.floor(Math.random() * 200_000));
    at += piece.length;
    await write(socket, piece);
    await delay(3);
  }
};

const cut: Send = async (socket, body) => {
  await write(socket, body.subarray(0, Math.floor(body.length * Math.random())));
  socket.destroy();
};

describe('simultaneous uploads', () => {
  let server: TimetableServer;
  before(async () => {
    server = await startTimetable({ uploadLimitBytes: 30_000_000 });
  });
  after(async () => {
    await server.close();
  });

  const head = ({ headers, body }: Form) =>
    `POST ${uploadPath('dem')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${PROVIDER}\r\n` +
    `Content-Type: ${headers['content-type']}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;

  function open(): Socket {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    return socket.on('error', () => {});
  }

  /** Returns the receipt, or undefined when the connection was cut. */
  async function upload(bytes: Buffer, send: Send): Promise<CorrelationId | undefined> {
    const sent = form([{ bytes }]);
    const socket = open();
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    const closed = once(socket, 'close');
    socket.write(head(sent));
    await send(socket, sent.body);
    await closed;
    if (answer === '') return undefined;
    assert.match(answer, /^HTTP\/1\.1 200 /);
    return JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)).correlationId;
  }

  async function sha256OfStored(correlationId: CorrelationId): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of await server.objects.get(uploadKey(DEM, correlationId))) hash.update(chunk);
    return hash.digest('hex');
  }

  it('store exactly the bytes of each, and nothing of interrupted ones', async () => {
    const sizes = [100_003, 5_242_879, 25_000_001, 5_242_881, 12_345_677, 333_333, 10_485_760, 1_048_583, 7_777_777];
    const senders = [fast, slow, lateEnd];
    const whole = sizes.map((sizeBytes, index) => ({
      bytes: randomBytes(sizeBytes),
      send: senders[index % senders.length] ?? fast,
    }));
    const broken = [6_000_000, 900_000, 15_000_000].map((sizeBytes) => upload(randomBytes(sizeBytes), cut));
    const receipts = await Promise.all(whole.map(async ({ bytes, send }) => await upload(bytes, send)));
    assert.deepEqual(await Promise.all(broken), [undefined, undefined, undefined]);
    for (const [index, { bytes }] of whole.entries()) {
      const correlationId = receipts[index];
      assert.ok(correlationId);
      const sent = createHash('sha256').update(bytes).digest('hex');
      assert.equal(await sha256OfStored(correlationId), sent, `upload ${index} of ${bytes.length} bytes`);
      const { sha256, sizeBytes } = await server.imports.get(DEM, correlationId);
      assert.deepEqual([sha256, sizeBytes], [sent, bytes.length]);
    }
    await until(async () => (await server.countImports()) === whole.length);
    assert.equal((await server.listObjects()).length, whole.length);
  });

  it('keep the end of a file whose form ends while it is being stored', async () => {
    const partBytes = 5 * 1024 * 1024;
    for (const restBytes of [1, 1_000, 10_000, 30_000]) {
      const bytes = randomBytes(partBytes + restBytes);
      const correlationId = await upload(bytes, lateEnd);
      assert.ok(correlationId);
      assert.equal(await sha256OfStored(correlationId), createHash('sha256').update(bytes).digest('hex'));
    }
  });

  it('may be interrupted before the file is read', async () => {
    const before = await server.countImports();
    const sent = form([{ bytes: Buffer.alloc(100_000) }]);
    for (let count = 0; count < 60; count += 1) {
      const socket = open();
      socket.write(head(sent));
      if (count % 2 === 0) await delay(10);
      socket.write(sent.body.subarray(0, 300));
      if (count % 3 === 0) socket.end();
      else socket.resetAndDestroy();
    }
    assert.ok(await upload(randomBytes(1_000), fast));
    await until(async () => (await server.countImports()) === before + 1);
  });

  it('are downloaded as they were sent', async () => {
    const files = [2_000_003, 9_999_991].map((sizeBytes) => randomBytes(sizeBytes));
    const versions = await Promise.all(files.map(async (bytes) => await server.publish(bytes)));
    const downloads = await Promise.all(
      versions.map(({ importKey }) =>
        server.call(`/timetable/v1/timetable-data/datasets/dem/version/${importKey}`, { token: PROVIDER }),
      ),
    );
    for (const [index, { bytes }] of downloads.entries()) assert.ok(files[index]?.equals(bytes));
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('It did not come to pass');
    await delay(10);
  }
}
