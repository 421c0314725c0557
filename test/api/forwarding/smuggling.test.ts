/**
 * Requests that two servers could end at different places, sent byte by byte. None becomes a second request on the
 * connection to the process behind, and other callers get their own answers.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:http';
import { type ForwardingPair, RawCaller, startForwarding } from './support.ts';

const PATH = '/journey-planner/v3/graphql';
const HIDDEN = 'GET /journey-planner/hidden HTTP/1.1\r\nHost: x\r\n\r\n';
const CHUNKED_HIDDEN = `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`;
const OTHERS = 30;

const post = (headers: string, body = '') => `POST ${PATH} HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`;
const length = `Content-Length: ${HIDDEN.length}\r\n`;
const chunked = 'Transfer-Encoding: chunked\r\n';

/** Refused with 400. */
const REFUSED: Readonly<Record<string, string>> = {
  'Connection names the length': post(`${length}Connection: content-length\r\n`, HIDDEN),
  'Connection names the length among others': post(`${length}Connection: keep-alive, Content-LENGTH\r\n`, HIDDEN),
  'a second Connection header names the length': post(
    `Connection: keep-alive\r\n${length}Connection: ,content-length ,\r\n`,
    HIDDEN,
  ),
  'Connection names the coding': post(`${chunked}Connection: transfer-encoding\r\n`, CHUNKED_HIDDEN),
  'Connection names the host': post(`${length}Connection: host\r\n`, HIDDEN),
  'length and chunks': post(`${length}${chunked}`, CHUNKED_HIDDEN),
  'chunks and length': post(`${chunked}${length}`, CHUNKED_HIDDEN),
  'two lengths': post(`Content-Length: 0\r\n${length}`, HIDDEN),
  'the same length twice': post(`${length}${length}`, HIDDEN),
  'a list of lengths': post(`Content-Length: 0, ${HIDDEN.length}\r\n`, HIDDEN),
  'a signed length': post(`Content-Length: +${HIDDEN.length}\r\n`, HIDDEN),
  'a hexadecimal length': post('Content-Length: 0x2f\r\n', HIDDEN),
  'a second coding': post('Transfer-Encoding: gzip, chunked\r\n', CHUNKED_HIDDEN),
  'the coding twice': post(`${chunked}${chunked}`, CHUNKED_HIDDEN),
  'an unknown coding': post('Transfer-Encoding: xchunked\r\n', CHUNKED_HIDDEN),
  'chunks that are not the last coding': post('Transfer-Encoding: chunked, identity\r\n', CHUNKED_HIDDEN),
  'a space before the colon': post('Transfer-Encoding : chunked\r\n', CHUNKED_HIDDEN),
  'chunks in HTTP/1.0': post(chunked, CHUNKED_HIDDEN).replace('HTTP/1.1', 'HTTP/1.0'),
  'bare line feeds': post(length, HIDDEN).replaceAll('\r\n', '\n'),
  'a bare line feed in one header': post(`X-A: b\nContent-Length: 0\r\n${length}`, HIDDEN),
  'a bare line feed at the end of the head': `POST ${PATH} HTTP/1.1\r\nHost: x\r\n${length}\n${HIDDEN}`,
  'a bare carriage return': post(`X-A: b\rContent-Length: 0\r\n${length}`, HIDDEN),
  'a folded header': post(`X-A: b\r\n Content-Length: 0\r\n${length}`, HIDDEN),
  'a folded coding': post('Transfer-Encoding:\r\n chunked\r\n', CHUNKED_HIDDEN),
  'a header without a name': post(`: b\r\n${length}`, HIDDEN),
  'a chunk size with a sign': post(chunked, `+${CHUNKED_HIDDEN}`),
  'a chunk size with a prefix': post(chunked, `0x${CHUNKED_HIDDEN}`),
  'a chunk size that overflows': post(chunked, `1${'0'.repeat(16)}\r\n${HIDDEN}`),
  'a chunk that is longer than its size': post(chunked, `1\r\n${HIDDEN}\r\n0\r\n\r\n`),
  'a bare line feed after a chunk size': post(chunked, CHUNKED_HIDDEN.replace('\r\n', '\n')),
  'a bare line feed in a chunk extension': post(chunked, CHUNKED_HIDDEN.replace('\r\n', ';a\nb\r\n')),
  'a bare line feed after the last chunk': post(chunked, CHUNKED_HIDDEN.replace('\r\n0\r\n\r\n', '\r\n0\n\n')),
  'two hosts': post(`Host: y\r\n${length}`, HIDDEN),
  'an address that is no URL': post(length, HIDDEN).replace(PATH, `http://a:b@x:99999${PATH}`),
  'a trailer that names a length': post(chunked, CHUNKED_HIDDEN.replace('0\r\n\r\n', '0\r\nContent-Length: 5\r\n\r\n')),
};

/** Served: they have one reading. */
const SERVED: Readonly<Record<string, string>> = {
  'a length': post(length, HIDDEN),
  chunks: post(chunked, CHUNKED_HIDDEN),
  'a chunk extension': post(chunked, CHUNKED_HIDDEN.replace('\r\n', ';name=value;other="x y"\r\n')),
  'a GET with a body': post(length, HIDDEN).replace('POST', 'GET'),
  'a HEAD with a body': post(length, HIDDEN).replace('POST', 'HEAD'),
  'a DELETE with chunks': post(chunked, CHUNKED_HIDDEN).replace('POST', 'DELETE'),
  'an OPTIONS with chunks': post(chunked, CHUNKED_HIDDEN).replace('POST', 'OPTIONS'),
  'a large body in chunks': post(chunked, `30000\r\n${HIDDEN}${'x'.repeat(0x30000 - HIDDEN.length)}\r\n0\r\n\r\n`),
  'an upgrade with a body': post(`${length}Connection: upgrade\r\nUpgrade: websocket\r\n`, HIDDEN),
  'an upgrade to HTTP/2': post(
    `${length}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAM\r\n`,
    HIDDEN,
  ),
  'a length with an underscore': post(`Content_Length: 0\r\n${length}`, HIDDEN),
  'a wait for 100 Continue that is not waited for': post(`${length}Expect: 100-continue\r\n`, HIDDEN),
};

describe('Requests with two readings', () => {
  let pair: ForwardingPair;
  let seen: { readonly url: string; readonly framing: readonly string[] }[];
  const agent = new Agent({ keepAlive: true });

  before(async () => {
    pair = await startForwarding();
  });
  after(async () => {
    agent.destroy();
    await pair.close();
  });
  beforeEach(() => {
    seen = [];
    pair.handle = (incoming, response) => {
      seen.push({ url: incoming.url ?? '', framing: framingOf(incoming) });
      incoming.resume().once('end', () => response.setHeader('x-asked', incoming.url ?? '').end('answer'));
    };
  });

  const framingOf = ({ rawHeaders }: IncomingMessage) =>
    rawHeaders.filter((name, at) => at % 2 === 0 && /^(content-length|transfer-encoding)$/i.test(name));

  async function ask(path: string): Promise<string | undefined> {
    const asking = request(`${pair.url}${path}`, { agent }).end();
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    return answer.headers['x-asked'] as string | undefined;
  }

  /** Many others, one after the other, so that each could meet what the attack left behind. */
  async function assertOthersUnharmed(): Promise<void> {
    for (let at = 0; at < OTHERS; at += 1) {
      const path = `/journey-planner/other?number=${at}`;
      assert.equal(await ask(path), path);
    }
    assert.deepEqual(
      seen.filter(({ url }) => url.includes('hidden')),
      [],
    );
    for (const { framing } of seen) assert.ok(framing.length <= 1, String(framing));
  }

  for (const [name, bytes] of Object.entries(REFUSED)) {
    it(`refuses ${name}`, async () => {
      const caller = new RawCaller(pair.url);
      caller.socket.write(bytes, 'latin1');
      await caller.closed;
      assert.deepEqual(caller.statuses, [400]);
      assert.match(caller.text, /application\/problem\+json/);
      assert.deepEqual(seen, []);
      await assertOthersUnharmed();
    });
  }

  for (const [name, bytes] of Object.entries(SERVED)) {
    it(`forwards as one request ${name}`, async () => {
      const caller = new RawCaller(pair.url);
      caller.socket.write(bytes, 'latin1');
      const statuses = await caller.answers(bytes.includes('Expect') ? 2 : 1);
      assert.equal(statuses.at(-1), 200);
      await assertOthersUnharmed();
      assert.equal(seen.length, OTHERS + 1);
      assert.equal(caller.statuses.filter((status) => status >= 200).length, 1);
      caller.socket.destroy();
    });
  }

  it('handles nothing that follows an upgrade on its connection', async () => {
    const caller = new RawCaller(pair.url);
    const upgrade = `GET ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    caller.socket.write(upgrade + post(length));
    await caller.answers(1);
    caller.socket.write(HIDDEN);
    await caller.closed;
    assert.deepEqual(caller.statuses, [200]);
    assert.match(caller.text, /^connection: close\r$/im);
    await assertOthersUnharmed();
  });

  it('answers pipelined requests to their caller alone, in their order', async () => {
    const caller = new RawCaller(pair.url);
    const paths = Array.from({ length: 20 }, (_, at) => `/journey-planner/mine?number=${at}`);
    caller.socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    await Promise.all([caller.answers(paths.length), assertOthersUnharmed()]);
    assert.deepEqual(
      [...caller.text.matchAll(/^x-asked: (.*)\r$/gim)].map((match) => match[1]),
      paths,
    );
    caller.socket.destroy();
  });
});
