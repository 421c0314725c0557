/** Streamed answers end when their caller reads too slowly, and only then. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { sendStream } from '../../../api/shared/slow-reader.ts';
import { downloadPace, noteOtherRequest } from '../../../api/shared/stream-pace.ts';
import { until } from '../../support/until.ts';
import { RawCaller } from '../forwarding/support.ts';

/** Long enough for a busy machine to make progress in. */
const PROGRESS = { windowMs: 1_000, windowBytes: 262_144 };
const CHUNK_BYTES = 65_536;
/** More than the system buffers of a connection, on both sides. */
const MANY_CHUNKS = 400;

describe('Slow readers', () => {
  let server: Server;
  let body: Readable;
  let sent: Promise<unknown>;

  before(async () => {
    server = createServer((_request, response) => {
      sent = sendStream(body, response, PROGRESS).then(
        () => 'whole',
        (error: unknown) => error,
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  async function ask(source: Readable): Promise<RawCaller> {
    body = source;
    const caller = new RawCaller(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    caller.socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await once(server, 'request');
    return caller;
  }

  async function* chunks(count: number, pauseMs = 0) {
    for (let at = 0; at < count; at += 1) {
      if (pauseMs > 0) await delay(pauseMs);
      yield Buffer.alloc(CHUNK_BYTES, 'x');
    }
  }

  it('that stop are cut, and the source is closed', async () => {
    const caller = await ask(Readable.from(chunks(MANY_CHUNKS)));
    caller.socket.pause();
    const error = await sent;
    assert.match(String(error), /read the answer too slowly/);
    assert.ok(body.destroyed);
    caller.socket.resume();
    await caller.closed;
    assert.ok(caller.text.length < MANY_CHUNKS * CHUNK_BYTES);
  });

  it('that stop before the last bytes are cut too', async () => {
    const whole = Buffer.alloc(MANY_CHUNKS * CHUNK_BYTES);
    const caller = await ask(Readable.from([whole]));
    caller.socket.pause();
    assert.match(String(await sent), /read the answer too slowly/);
    caller.socket.destroy();
  });

  it('may take many windows when they make progress', async () => {
    const caller = await ask(Readable.from(chunks(MANY_CHUNKS)));
    const startedAt = performance.now();
    // Each pause is shorter than a window; what is read between two is at least a window's bytes.
    let readBytes = 0;
    caller.socket.on('data', (chunk: Buffer) => {
      readBytes += chunk.length;
      if (readBytes < 2_000_000) return;
      readBytes = 0;
      caller.socket.pause();
      setTimeout(() => caller.socket.resume(), PROGRESS.windowMs / 4);
    });
    assert.equal(await sent, 'whole');
    await caller.closed;
    assert.ok(performance.now() - startedAt > PROGRESS.windowMs * 2);
    assert.ok(caller.text.length > MANY_CHUNKS * CHUNK_BYTES);
  });

  it('are not blamed for a slow source', async () => {
    const caller = await ask(Readable.from(chunks(3, PROGRESS.windowMs)));
    assert.equal(await sent, 'whole');
    await caller.closed;
    assert.ok(caller.text.length > 3 * CHUNK_BYTES);
  });

  it('share a rate with all others while other requests are served', async () => {
    downloadPace.setRate(10_000_000);
    const startedAt = performance.now();
    // Others come all the time.
    const timer = setInterval(noteOtherRequest, 100);
    noteOtherRequest();
    const callers = [await ask(Readable.from(chunks(40)))];
    const first = sent;
    callers.push(await ask(Readable.from(chunks(40))));
    assert.deepEqual(await Promise.all([first, sent]), ['whole', 'whole']);
    assert.ok(performance.now() - startedAt > (2 * 40 * CHUNK_BYTES) / 10_000 - 50);
    clearInterval(timer);
    downloadPace.setRate(Number.POSITIVE_INFINITY);
    for (const { socket } of callers) socket.destroy();
  });

  it('that disconnect close a source that has arrived whole', async () => {
    const source = createServer((_request, response) => {
      response.write('first');
      finish = () => response.end('rest');
    }).listen(0, '127.0.0.1');
    let finish: () => void = () => {};
    await once(source, 'listening');
    const outgoing = request(`http://127.0.0.1:${(source.address() as AddressInfo).port}`).end();
    const [arrived] = (await once(outgoing, 'response')) as [IncomingMessage];
    const { promise: written, resolve: onWrite } = Promise.withResolvers<void>();
    const response = new Writable({ highWaterMark: 1, write: () => onWrite() });
    const sending = sendStream(arrived, response, { windowMs: 60_000, windowBytes: 1 });
    await written;
    finish();
    await until(() => arrived.complete);
    // As the signal of the request does when its caller disconnects.
    outgoing.destroy();
    response.destroy();
    await assert.rejects(sending, /Premature close/);
    assert.ok(arrived.destroyed);
    source.close();
  });

  it('that disconnect end the source', async () => {
    const caller = await ask(Readable.from(chunks(MANY_CHUNKS)));
    caller.socket.destroy();
    assert.match(String(await sent), /Premature close/);
    assert.ok(body.destroyed);
  });
});
