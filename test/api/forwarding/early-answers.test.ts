/** Answers before the body has ended, upgrades, slow bodies: what is left of one request never reaches the next. */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { type ForwardingPair, RawCaller, startForwarding } from './support.ts';

const PATH = '/journey-planner/v3/graphql';
const HIDDEN = 'GET /journey-planner/hidden HTTP/1.1\r\nHost: x\r\n\r\n';
const LARGE_BYTES = 1_000_000;
const BODY_TIMEOUT_MS = 300;

const post = (headers: string, body = '') => `POST ${PATH} HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`;

describe('Forwarding of bodies that are not read or do not come', () => {
  let pair: ForwardingPair;
  let sockets: Socket[];

  beforeEach(async () => {
    pair = await startForwarding(BODY_TIMEOUT_MS);
    sockets = [];
    pair.behind.on('connection', (socket: Socket) => sockets.push(socket));
  });
  afterEach(async () => {
    await pair.close();
  });

  /** The first connection to the process behind. */
  async function firstClosed(): Promise<void> {
    const [first] = sockets;
    assert.ok(first);
    if (!first.closed) await new Promise((resolve) => first.once('close', resolve));
  }

  async function assertNextIsServed(): Promise<void> {
    const urls: string[] = [];
    pair.handle = (request, response) => {
      urls.push(request.url ?? '');
      response.end(request.url);
    };
    for (let at = 0; at < 10; at += 1) {
      const path = `/geocoder/v1?number=${at}`;
      assert.equal(await (await fetch(`${pair.url}${path}`)).text(), path);
    }
    assert.equal(urls.length, 10);
  }

  it('does not use a connection again whose request was answered before its body had ended', async () => {
    pair.handle = (request, response) => {
      request.resume();
      response.writeHead(413, { 'content-length': '3' }).end('too');
    };
    const caller = new RawCaller(pair.url);
    caller.socket.write(post(`Content-Length: ${LARGE_BYTES}\r\n`, 'x'.repeat(LARGE_BYTES / 2)));
    assert.deepEqual(await caller.answers(1), [413]);
    await firstClosed();
    await assertNextIsServed();
    assert.ok(sockets.length > 1);
    caller.socket.destroy();
  });

  it('closes the connection of a caller that goes on sending after its answer', async () => {
    pair.handle = (_request, response) => response.end('enough');
    const caller = new RawCaller(pair.url);
    caller.socket.write(post('Transfer-Encoding: chunked\r\n', `30000\r\n${'x'.repeat(0x30000)}\r\n`));
    const trickle = setInterval(() => caller.socket.write('1\r\nx\r\n'), 50);
    await caller.closed;
    clearInterval(trickle);
    assert.deepEqual(caller.statuses, [200]);
  });

  it('serves the next request of a caller whose body ended after its answer', async () => {
    pair.handle = (request, response) => void response.end(request.resume().url);
    const caller = new RawCaller(pair.url);
    caller.socket.write(post(`Content-Length: ${LARGE_BYTES}\r\n`, 'x'.repeat(LARGE_BYTES / 2)));
    await caller.answers(1);
    caller.socket.write('x'.repeat(LARGE_BYTES / 2));
    caller.socket.write('GET /geocoder/v1?after HTTP/1.1\r\nHost: x\r\n\r\n');
    assert.deepEqual(await caller.answers(2), [200, 200]);
    caller.socket.destroy();
    await assertNextIsServed();
  });

  it('refuses a slow body with 408, without a connection to the process behind', async () => {
    const callers = Array.from({ length: 20 }, () => new RawCaller(pair.url));
    for (const { socket } of callers) socket.write(post(`Content-Length: ${HIDDEN.length}\r\n`, HIDDEN.slice(0, 10)));
    for (const caller of callers) {
      await caller.closed;
      assert.deepEqual(caller.statuses, [408]);
    }
    assert.equal(sockets.length, 0);
    await assertNextIsServed();
  });

  it('closes both connections when the rest of a large body does not come', async () => {
    pair.handle = (request) => void request.resume();
    const caller = new RawCaller(pair.url);
    caller.socket.write(post(`Content-Length: ${LARGE_BYTES}\r\n`, 'x'.repeat(LARGE_BYTES / 2)));
    await caller.closed;
    assert.deepEqual(caller.statuses, []);
    await firstClosed();
    await assertNextIsServed();
  });

  it('ends the request to the process behind when the caller leaves in the middle of a body', async () => {
    const begun = new Promise<void>((resolve) => {
      pair.handle = (request) => void request.once('data', () => resolve());
    });
    const caller = new RawCaller(pair.url);
    caller.socket.write(post(`Content-Length: ${LARGE_BYTES}\r\n`, 'x'.repeat(LARGE_BYTES / 2)));
    await begun;
    caller.socket.destroy();
    await firstClosed();
    await assertNextIsServed();
  });

  it('forwards no upgrade, and closes the connection when the process behind switches protocols', async () => {
    let upgrade: string | undefined;
    pair.handle = (request) => {
      upgrade = request.headers.upgrade;
      request.socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n');
      request.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhidden');
    };
    const caller = new RawCaller(pair.url);
    caller.socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    await caller.closed;
    assert.equal(upgrade, undefined);
    assert.equal(caller.text, '');
    await assertNextIsServed();
  });

  it('refuses an answer with two readings, and does not use its connection again', async () => {
    for (const framing of [
      'Content-Length: 2\r\nContent-Length: 80',
      'Content-Length: 2\r\nTransfer-Encoding: chunked',
      'Content-Length: 2\nX-A: b',
    ]) {
      pair.handle = (request) => {
        request.socket.write(
          `HTTP/1.1 200 OK\r\n${framing}\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhidden`,
        );
      };
      const caller = new RawCaller(pair.url);
      caller.socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\n\r\n`);
      assert.deepEqual(await caller.answers(1), [503]);
      caller.socket.destroy();
      await assertNextIsServed();
    }
  });

  it('closes the connection of a caller that asks for it', async () => {
    pair.handle = (_request, response) => void response.end('ok');
    const caller = new RawCaller(pair.url);
    caller.socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await caller.closed;
    assert.match(caller.text, /^connection: close\r$/im);
  });
});
