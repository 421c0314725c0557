/**
 * Sends requests that no well-behaved client sends. Each must get problem+json, never HTML, and the server must
 * survive.
 */
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { startParcels, type TestServer, TOKEN } from './support/parcels.ts';

interface RawAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

describe('odd requests', () => {
  let server: TestServer;

  before(async () => {
    server = await startParcels({ allowedOrigins: ['https://docs.test'] });
  });
  after(async () => {
    await server.close();
  });

  /** Sends bytes and reads the first answer. */
  async function raw(bytes: string | Buffer, to: TestServer = server): Promise<RawAnswer> {
    const { hostname, port } = new URL(to.url);
    const socket = connect(Number(port), hostname);
    socket.write(bytes);
    let text = '';
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      text += chunk.toString('latin1');
      if (isWhole(text)) break;
    }
    socket.destroy();
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const [line = '', ...fields] = head.split('\r\n');
    const headers = Object.fromEntries(
      fields.map((field) => [field.split(':')[0]?.toLowerCase(), field.split(': ')[1]]),
    );
    return { status: Number(line.split(' ')[1]), headers, body };
  }

  function isWhole(text: string): boolean {
    const end = text.indexOf('\r\n\r\n');
    const length = /content-length: (\d+)/i.exec(text)?.[1];
    return end >= 0 && length !== undefined && text.length >= end + 4 + Number(length);
  }

  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers });

  function assertProblem(answer: RawAnswer, status: number, code: string) {
    assert.deepEqual([answer.status, answer.headers['content-type']], [status, 'application/problem+json']);
    const problem = JSON.parse(answer.body) as Record<string, unknown>;
    assert.deepEqual([problem.status, problem.code], [status, code]);
    for (const member of ['type', 'title', 'instance', 'correlationId', 'timestamp']) {
      assert.equal(typeof problem[member], 'string', member);
    }
    assert.equal(answer.headers['x-correlation-id'], problem.correlationId);
    for (const header of ['server', 'x-powered-by']) assert.equal(answer.headers[header], undefined);
  }

  const head = (method: string, path: string, more = '') => `${method} ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

  for (const method of [...METHODS, 'get', 'Get', 'FOO', 'X-YZ']) {
    if (['GET', 'HEAD', 'POST', 'OPTIONS'].includes(method)) continue;
    it(`answers 405 with Allow to ${method}, 404 at an unknown path`, async () => {
      const answer = await raw(head(method, '/v1/parcels'));
      assertProblem(answer, 405, 'METHOD_NOT_ALLOWED');
      assert.equal(answer.headers.allow, 'GET, POST, HEAD, OPTIONS');
      assertProblem(await raw(head(method, '/nothing/here')), 404, 'NOT_FOUND');
    });
  }

  const malformed: Record<string, string> = {
    'no HTTP at all': 'hello\r\n\r\n',
    'a TLS greeting': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'HTTP/2 without asking': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'HTTP/3.0': 'GET / HTTP/3.0\r\nHost: x\r\n\r\n',
    'a space in the path': 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n',
    'a NUL in the path': 'GET /v1/\0 HTTP/1.1\r\nHost: x\r\n\r\n',
    'a NUL in a header': head('GET', '/v1/open', 'X-A: a\0b\r\n'),
    'two lengths': head('POST', '/v1/parcels', 'Content-Length: 1\r\nContent-Length: 2\r\n'),
    'length and chunks': head('POST', '/v1/parcels', 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n'),
    'a negative length': head('POST', '/v1/parcels', 'Content-Length: -1\r\n'),
    'no Host': 'GET /v1/open HTTP/1.1\r\n\r\n',
  };
  for (const [name, bytes] of Object.entries(malformed)) {
    it(`answers 400 to ${name}`, async () => {
      assertProblem(await raw(Buffer.from(bytes, 'latin1')), 400, 'VALIDATION_FAILED');
    });
  }

  for (const path of [
    '/v1/parcels/%',
    '/v1/parcels/%ff',
    '/v1/parcels/%00',
    '/%c0%af',
    '/v1/open?x=%',
    '/v1/open?x=%00',
  ]) {
    it(`answers 400 to the address ${path}`, async () => {
      assertProblem(await raw(head('GET', path)), 400, 'VALIDATION_FAILED');
    });
  }

  it('answers 431 to a header that is too large', async () => {
    assertProblem(await raw(head('GET', '/v1/open', `X-A: ${'a'.repeat(20_000)}\r\n`)), 431, 'HEADERS_TOO_LARGE');
  });

  it('answers 400 to a malformed chunk while it reads the body', async () => {
    const more = `Authorization: ${TOKEN.authorization}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n`;
    assertProblem(await raw(`${head('POST', '/v1/parcels', more)}zz\r\n`), 400, 'VALIDATION_FAILED');
  });

  it('refuses before the body is sent when the caller waits for 100 Continue', async () => {
    const more = 'Expect: 100-continue\r\nContent-Type: image/png\r\nContent-Length: 1000000\r\n';
    const refused = await raw(head('PUT', '/v1/parcels/abc/photo', more));
    assertProblem(refused, 401, 'MISSING_TOKEN');
    assert.equal(refused.headers.connection, 'close');
    const allowed = await raw(
      `${head('PUT', '/v1/parcels/abc/photo', `${more.replace('1000000', '3')}Authorization: ${TOKEN.authorization}\r\n`)}abc`,
    );
    assert.equal(allowed.status, 100);
  });

  it('delivers a refusal to a caller that is still sending', async () => {
    const more = 'Content-Type: image/png\r\nContent-Length: 50000000\r\n';
    const answer = await raw(`${head('PUT', '/v1/parcels/abc/photo', more)}${'x'.repeat(200_000)}`);
    assertProblem(answer, 401, 'MISSING_TOKEN');
  });

  it('answers HEAD like GET without a body, also for streams', async () => {
    for (const path of ['/v1/parcels/abc', '/v1/parcels/abc/photo', '/health/live', '/api-docs/parcels']) {
      const response = await fetch(`${server.url}${path}`, { method: 'HEAD', headers: TOKEN });
      assert.deepEqual([response.status, await response.text()], [200, '']);
    }
    assert.equal((await fetch(`${server.url}/v1/parcels`, { method: 'HEAD' })).status, 401);
  });

  it('answers OPTIONS with Allow, also OPTIONS *', async () => {
    const response = await fetch(`${server.url}/v1/parcels/abc`, { method: 'OPTIONS' });
    assert.deepEqual([response.status, response.headers.get('allow')], [204, 'GET, DELETE, PATCH, HEAD, OPTIONS']);
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.end('OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    assert.match(text, /^HTTP\/1\.1 204/);
  });

  it('sends CORS headers to the documentation pages, none to other sites', async () => {
    const preflight = (origin: string) =>
      fetch(`${server.url}/v1/parcels`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
      });
    const refused = await preflight('https://evil.test');
    assert.equal(refused.status, 403);
    assert.equal(((await refused.json()) as { code: string }).code, 'ORIGIN_FORBIDDEN');
    const plain = await get('/v1/open', { origin: 'https://evil.test' });
    assert.equal(plain.status, 200);
    for (const { headers } of [refused, plain]) {
      assert.deepEqual(
        [...headers.keys()].filter((name) => name.startsWith('access-control')),
        [],
      );
    }
    const allowed = await preflight('https://docs.test');
    assert.equal(allowed.status, 204);
    assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://docs.test');
    const answer = await get('/v1/open', { origin: 'https://docs.test' });
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://docs.test');
    assert.equal(answer.headers.get('vary'), 'Origin');
  });

  describe('slow callers', () => {
    let impatient: TestServer;

    before(async () => {
      const limits = { headersTimeoutMs: 50, requestTimeoutMs: 400, silenceTimeoutMs: 800, checkIntervalMs: 20 };
      impatient = await startParcels({ bodyTimeoutMs: 50, limits });
    });
    after(async () => {
      await impatient.close();
    });

    it('get 408 when the headers do not end', async () => {
      assertProblem(await raw('GET /v1/open HTTP/1.1\r\nHost: x\r\nX-A:', impatient), 408, 'REQUEST_TIMEOUT');
    });

    it('get 408 when a JSON body does not end', async () => {
      const more = `Authorization: ${TOKEN.authorization}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n`;
      assertProblem(await raw(`${head('POST', '/v1/parcels', more)}{"place":`, impatient), 408, 'REQUEST_TIMEOUT');
    });

    it('lose the connection when an upload does not end', async () => {
      const more = `Authorization: ${TOKEN.authorization}\r\nContent-Type: image/png\r\nContent-Length: 99\r\n`;
      const { status } = await raw(`${head('PUT', '/v1/parcels/abc/photo', more)}x`, impatient);
      assert.ok(status === 408 || Number.isNaN(status), String(status));
    });
  });

  it('survives callers that reset the connection at any time', async () => {
    const whole = `${head('POST', '/v1/parcels', `Authorization: ${TOKEN.authorization}\r\nContent-Type: application/json\r\nContent-Length: 27\r\n`)}{"place":"Oslo","weight":1}\n`;
    const { hostname, port } = new URL(server.url);
    for (let length = 1; length < whole.length; length += 11) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      socket.write(whole.slice(0, length), () => socket.resetAndDestroy());
    }
    assert.equal((await get('/health/live')).status, 200);
  });
});
