/**
 * Tests the forwarding of requests to the planner: headers and bodies, and answers while the planner is unavailable.
 */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../../api/shared/app.ts';
import { createForwarding, type Forwarding } from '../../../api/shared/forward.ts';
import { type RunningServer, serve } from '../../../api/shared/serve.ts';
import { parseProxies } from '../../../api/shared/trusted-proxies.ts';
import { silentLog } from '../support/parcels.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

describe('Forwarding to the planner', () => {
  let other: Server;
  let handle: Handler;
  let connections = 0;
  let forwarding: Forwarding;
  let front: RunningServer;

  const listen = (port: number) => new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  const portOfOther = () => (other.address() as AddressInfo).port;

  before(async () => {
    other = createServer((incoming, response) => handle(incoming, response));
    other.on('connection', () => {
      connections += 1;
    });
    await listen(0);
    const url = `http://127.0.0.1:${portOfOther()}`;
    forwarding = createForwarding({
      url,
      prefixes: ['/journey-planner', '/geocoder'],
      name: 'planner',
      trustedProxies: parseProxies(''),
    });
    const app = createApp({ areas: [], log: silentLog, routers: [forwarding.router] });
    front = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 500 });
  });
  after(async () => {
    await front.close();
    forwarding.close();
    other.closeAllConnections();
    other.close();
  });

  it('forwards path, query, headers and body, and returns answer and headers', async () => {
    let seen: IncomingMessage | undefined;
    handle = (incoming, response) => {
      seen = incoming;
      incoming.pipe(response.writeHead(201, { 'x-made': 'yes', 'content-type': 'text/plain' }));
    };
    const body = 'question '.repeat(50_000);
    const answer = await fetch(`${front.url}/journey-planner/v3/graphql?a=%20b`, {
      method: 'POST',
      body,
      headers: { 'et-client-name': 'me-app', 'x-forwarded-for': '10.0.0.9', 'x-forwarded-proto': 'https' },
    });
    assert.equal(answer.status, 201);
    assert.equal(await answer.text(), body);
    assert.equal(answer.headers.get('x-made'), 'yes');
    assert.equal(seen?.url, '/journey-planner/v3/graphql?a=%20b');
    assert.equal(seen?.headers['et-client-name'], 'me-app');
    assert.equal(seen?.headers['x-forwarded-for'], '10.0.0.9, 127.0.0.1');
    assert.equal(seen?.headers['x-forwarded-proto'], 'http', 'what a caller states about itself is not believed');
    assert.equal(seen?.headers['x-forwarded-host'], new URL(front.url).host);
    assert.equal(seen?.headers['x-correlation-id'], answer.headers.get('x-correlation-id'));
  });

  it('forwards no headers of one connection, in either direction', async () => {
    let seen: IncomingMessage | undefined;
    handle = (incoming, response) => {
      seen = incoming;
      response.writeHead(200, { connection: 'x-private', 'x-private': '1', 'x-open': '2' }).end('{}');
    };
    const headers = { connection: 'close, x-mine', 'x-mine': 'secret', te: 'trailers', 'x-yours': 'ok' };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${front.url}/geocoder/v1/autocomplete`, { headers }, resolve).once('error', reject).end();
    });
    answer.resume();
    assert.deepEqual(
      [seen?.headers['x-mine'], seen?.headers.te, seen?.headers['x-yours']],
      [undefined, undefined, 'ok'],
    );
    assert.deepEqual([answer.headers['x-private'], answer.headers['x-open']], [undefined, '2']);
  });

  it('reuses its connections', async () => {
    handle = (incoming, response) => void incoming.resume().on('end', () => response.end('ok'));
    const before = connections;
    for (let at = 0; at < 20; at++) {
      await (await fetch(`${front.url}/geocoder/v1`, { method: 'POST', body: 'x' })).text();
    }
    assert.ok(connections - before <= 1, `${connections - before} new connections`);
  });

  it('leaves every other path to this process', async () => {
    handle = () => assert.fail('not its business');
    assert.equal((await fetch(`${front.url}/journey-plannerx`)).status, 404);
    assert.equal((await fetch(`${front.url}/health/live`)).status, 200);
  });

  it('answers 503 while the planner is unavailable, and forwards again when it is back', async () => {
    const port = portOfOther();
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
    const answer = await fetch(`${front.url}/journey-planner/v3/graphql`, { method: 'POST', body: '{}' });
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
    assert.equal(answer.headers.get('retry-after'), '2');
    assert.equal(((await answer.json()) as { code: string }).code, 'UNAVAILABLE');
    await listen(port);
    handle = (_, response) => response.end('back');
    assert.equal(await (await fetch(`${front.url}/journey-planner/v3/ide`)).text(), 'back');
  });

  it('closes the connection when an answer breaks off, so that it does not look complete', async () => {
    handle = (_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      setImmediate(() => response.destroy());
    };
    await assert.rejects(async () => await (await fetch(`${front.url}/geocoder/v1`)).text());
  });

  it('ends the request to the planner when the caller closes the connection', async () => {
    const left = new Promise<void>((resolve) => {
      handle = (_, response) => void response.once('close', resolve);
    });
    const caller = new AbortController();
    const asked = fetch(`${front.url}/geocoder/v1`, { signal: caller.signal });
    asked.catch(() => undefined);
    setTimeout(() => caller.abort(), 50);
    await left;
    await assert.rejects(asked);
  });

  it('answers 100 Continue to a caller that waits for it', async () => {
    handle = (incoming, response) => void incoming.pipe(response);
    const answer = await new Promise<string>((resolve, reject) => {
      const asking = request(`${front.url}/geocoder/v1`, {
        method: 'POST',
        headers: { expect: '100-continue', 'content-length': 4 },
      });
      asking.once('continue', () => asking.end('body'));
      asking.once('response', (incoming) => {
        let text = '';
        incoming.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        incoming.on('end', () => resolve(text));
      });
      asking.once('error', reject);
      asking.flushHeaders();
    });
    assert.equal(answer, 'body');
  });
});
