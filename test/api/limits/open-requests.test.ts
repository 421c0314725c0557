/**
 * Open requests of one caller are limited, also behind a trusted proxy, whatever way they end; slots and probes of
 * others stay free. Real servers; `X-Forwarded-For` distinguishes callers behind the proxy.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { Registry } from 'prom-client';
import { OpenRequests } from '../../../api/shared/open-requests.ts';
import type { Operation } from '../../../api/shared/operation.ts';
import { parseProxies } from '../../../api/shared/trusted-proxies.ts';
import { until } from '../../support/until.ts';
import { RawCaller } from '../forwarding/support.ts';
import { startParcels, type TestServer, TOKEN } from '../support/parcels.ts';

const LIMIT = 3;
const [ATTACKER, OTHER] = ['198.51.100.1', '198.51.100.2'];

describe('Open requests', () => {
  let server: TestServer;
  let registry: Registry;
  let waiting: PromiseWithResolvers<void>[];
  let sent: ClientRequest[];

  /** Answers when the test lets it. */
  const open: Operation = async () => {
    const answer = Promise.withResolvers<void>();
    waiting.push(answer);
    await answer.promise;
    return { status: 200, json: {} };
  };

  beforeEach(async () => {
    waiting = [];
    sent = [];
    registry = new Registry();
    server = await startParcels({
      registry,
      replaced: { open },
      openRequests: new OpenRequests({ perAddress: LIMIT, trustedProxies: parseProxies('127.0.0.1') }),
      graceMs: 100,
    });
  });
  afterEach(async () => {
    for (const each of waiting) each.resolve();
    for (const each of sent) each.destroy();
    await server.close();
  });

  function send(address: string, path = '/v1/open', method = 'GET'): ClientRequest {
    const headers = { 'x-forwarded-for': address, 'content-type': 'application/json', ...TOKEN };
    const outgoing = request(`${server.url}${path}`, { method, headers, agent: false }).on('error', () => {});
    sent.push(outgoing);
    outgoing.flushHeaders();
    return outgoing;
  }

  async function answerOf(outgoing: ClientRequest) {
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    return { status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString() };
  }

  /** As many as a caller may have. */
  async function fill(address: string): Promise<ClientRequest[]> {
    const before = waiting.length;
    const held = Array.from({ length: LIMIT }, () => send(address));
    await until(() => waiting.length === before + LIMIT, { what: 'requests to wait' });
    return held;
  }
  async function isLetIn(address: string): Promise<boolean> {
    const before = waiting.length;
    let isRefused = false;
    answerOf(send(address)).then(
      ({ status }) => {
        isRefused = status === 429;
      },
      () => {},
    );
    await until(() => isRefused || waiting.length > before, { what: 'the request to be handled or refused' });
    return !isRefused;
  }

  it('of one caller behind a trusted proxy are limited; those of others are served', async () => {
    await fill(ATTACKER);
    assert.equal(await isLetIn(ATTACKER), false);
    const { status, headers, text } = await answerOf(send(ATTACKER));
    assert.deepEqual([status, headers['retry-after']], [429, '1']);
    assert.equal(headers['content-type'], 'application/problem+json');
    assert.equal(JSON.parse(text).code, 'RATE_LIMITED');
    assert.equal(waiting.length, LIMIT, 'the refused one was not handled');
    assert.equal(await isLetIn(OTHER), true);
    const refused =
      'http_request_duration_seconds_count{operation="tooManyOpenRequests",method="GET",status="429",route=""} 2';
    assert.ok((await registry.metrics()).includes(refused));
  });

  it('of one IPv6 /64 count together', async () => {
    await fill('2001:db8:0:1::1');
    assert.equal(await isLetIn('2001:db8:0:1:ffff::2'), false);
    assert.equal(await isLetIn('2001:db8:0:2::1'), true);
  });

  it('end with their answers', async () => {
    const held = await fill(ATTACKER);
    const answers = Promise.all(held.map(answerOf));
    for (const each of waiting) each.resolve();
    assert.deepEqual(
      (await answers).map(({ status }) => status),
      [200, 200, 200],
    );
    await fill(ATTACKER);
    assert.equal(await isLetIn(ATTACKER), false);
  });

  it('end with a failure of the handler', async () => {
    const held = await fill(ATTACKER);
    const answers = Promise.all(held.map(answerOf));
    for (const each of waiting) each.reject(new Error('it fails'));
    assert.deepEqual(
      (await answers).map(({ status }) => status),
      [500, 500, 500],
    );
    assert.equal(await isLetIn(ATTACKER), true);
  });

  it('end when the caller disconnects', async () => {
    for (const each of await fill(ATTACKER)) each.destroy();
    await until(async () => (await registry.metrics()).includes('http_requests_running 0'), {
      what: 'requests to end',
    });
    await fill(ATTACKER);
    assert.equal(await isLetIn(ATTACKER), false);
  });

  it('end while their bodies arrive', async () => {
    const isRunning = async (count: number) => (await registry.metrics()).includes(`http_requests_running ${count}\n`);
    const uploads = Array.from({ length: LIMIT }, () => send(ATTACKER, '/v1/parcels', 'POST'));
    for (const upload of uploads) upload.write('{');
    await until(() => isRunning(LIMIT), { what: 'bodies to arrive' });
    assert.equal(await isLetIn(ATTACKER), false);
    for (const upload of uploads) upload.destroy();
    await until(() => isRunning(0), { what: 'requests to end' });
    assert.equal(await isLetIn(ATTACKER), true);
  });

  it('count one by one on a connection that sends several before the first is answered', async () => {
    const caller = new RawCaller(server.url);
    const head = `GET /v1/open HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${ATTACKER}\r\nAuthorization: ${TOKEN.authorization}\r\n\r\n`;
    caller.socket.write(head.repeat(LIMIT + 5));
    await until(() => waiting.length === LIMIT, { what: 'requests to wait' });
    assert.equal(await isLetIn(ATTACKER), false);
    caller.socket.destroy();
    await until(async () => (await registry.metrics()).includes('http_requests_running 0'), {
      what: 'requests to end',
    });
    await fill(ATTACKER);
    assert.equal(waiting.length, 2 * LIMIT);
  });

  it('of health and metrics are neither counted nor refused', async () => {
    await fill(ATTACKER);
    for (const path of ['/health/live', '/health/ready', '/metrics'])
      assert.equal((await answerOf(send(ATTACKER, path))).status, 200);
  });
});
