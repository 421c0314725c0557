/**
 * Tests the services of the HTTP base for every operation: checks by the document, problem details, negotiation,
 * health, logs.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { createApp } from '../../api/shared/app.ts';
import type { Area } from '../../api/shared/operation.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { parcelsArea, readPlainToken, silentLog, startParcels, type TestServer, TOKEN } from './support/parcels.ts';

interface Problem {
  readonly code: string;
  readonly errors?: readonly { readonly pointer: string; readonly code: string }[];
  readonly [member: string]: unknown;
}

describe('HTTP base', () => {
  let server: TestServer;

  before(async () => {
    server = await startParcels({
      health: { mongodb: async () => {}, temporal: async () => Promise.reject(new Error('away')) },
    });
  });
  after(async () => {
    await server.close();
  });

  async function call(path: string, init: RequestInit = {}, base = server.url) {
    const response = await fetch(`${base}${path}`, { ...init, headers: { ...TOKEN, ...init.headers } });
    const text = await response.text();
    const json = /json/.test(response.headers.get('content-type') ?? '') ? (JSON.parse(text) as Problem) : undefined;
    return { status: response.status, headers: response.headers, text, json, code: json?.code };
  }

  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}, path = '/v1/parcels') =>
    call(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
  const pointers = (problem: Problem | undefined) => problem?.errors?.map(({ pointer, code }) => `${pointer} ${code}`);

  describe('errors', () => {
    it('have exactly the members of the contract', async () => {
      const correlationId = '0F9E1C9A-6C0B-4B0E-9C41-8C3C5B1D2A77';
      const { status, headers, json } = await call('/v1/nothing?secret=1', {
        headers: { 'x-correlation-id': correlationId },
      });
      assert.equal(status, 404);
      assert.equal(headers.get('content-type'), 'application/problem+json');
      assert.ok(json);
      const { timestamp, ...rest } = json;
      assert.deepEqual(rest, {
        type: 'https://service.invalid/problems/NOT_FOUND',
        title: 'Not found',
        status: 404,
        code: 'NOT_FOUND',
        detail: 'There is nothing at this address.',
        instance: '/v1/nothing',
        correlationId: correlationId.toLowerCase(),
      });
      assert.match(String(timestamp), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    });

    it('never show internal details, which the log has', async () => {
      const failing = await startParcels({
        replaced: {
          open: async () => Promise.reject(new Error('password=hunter2 for mongodb://root:pw@db failed')),
          getPhoto: async () => Promise.reject(Object.assign(new Error('x'), { name: 'MongoServerSelectionError' })),
        },
      });
      const inside = await call('/v1/open', {}, failing.url);
      assert.deepEqual([inside.status, inside.code], [500, 'INTERNAL']);
      assert.doesNotMatch(inside.text, /hunter2|root|stack|at /);
      const away = await call('/v1/parcels/abc/photo', {}, failing.url);
      assert.deepEqual([away.status, away.code, away.headers.get('retry-after')], [503, 'UNAVAILABLE', '5']);
      const lines = JSON.stringify(failing.logged);
      assert.match(lines, /the request failed/);
      assert.doesNotMatch(lines, /hunter2|root:pw/);
      await failing.close();
    });

    it('refuse a correlation id that is not a UUID, and use a new one', async () => {
      const { status, headers, json } = await call('/v1/open', { headers: { 'x-correlation-id': 'mine' } });
      assert.equal(status, 400);
      assert.deepEqual(pointers(json), ['/header/X-Correlation-Id FORMAT']);
      assert.match(headers.get('x-correlation-id') ?? '', /^[0-9a-f-]{36}$/);
    });
  });

  describe('bodies', () => {
    it('may not have unknown members at any level, and each fault has its pointer', async () => {
      const { status, json } = await post(
        JSON.stringify({ place: '', weight: 0.5, 'a/b~c': 1, lines: [{ sku: 'x' }, { sku: 1, extra: true }] }),
      );
      assert.equal(status, 400);
      assert.equal(json?.code, 'VALIDATION_FAILED');
      assert.deepEqual(pointers(json)?.sort(), [
        '/a~1b~0c UNKNOWN_PROPERTY',
        '/lines/1/extra UNKNOWN_PROPERTY',
        '/lines/1/sku TYPE',
        '/place MIN_LENGTH',
        '/weight MINIMUM',
        '/weight TYPE',
      ]);
    });

    it('treat null as absent, except in a merge patch', async () => {
      const { json } = await post('{"place":"Oslo","weight":1,"note":null}');
      assert.deepEqual(json?.body, { place: 'Oslo', weight: 1 });
      assert.deepEqual(pointers((await post('{"place":null,"weight":1}')).json), ['/place REQUIRED']);
      const patched = await call('/v1/parcels/abc', {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json' },
        body: '{"note":null}',
      });
      assert.deepEqual(patched.json?.body, { note: null });
    });

    it('are a merge patch also as application/json when the operation accepts one', async () => {
      const patched = await call('/v1/parcels/abc', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: '{"note":null}',
      });
      assert.deepEqual(patched.json?.body, { note: null });
    });

    it('keep the content of a verbatim member as sent; null itself is still absent', async () => {
      const send = (value: unknown) => post(JSON.stringify(value), {}, '/v1/labels');
      const kept = { content: { colour: null, sizes: [null, { x: null }] } };
      assert.deepEqual((await send({ ...kept, name: null })).json?.body, kept);
      assert.deepEqual(pointers((await send({ content: null })).json), ['/content REQUIRED']);
    });

    it('may contain prototype names', async () => {
      const { status, json } = await post('{"place":"Oslo","weight":1,"__proto__":{"x":1},"constructor":1}');
      assert.equal(status, 400);
      assert.deepEqual(pointers(json)?.sort(), ['/__proto__ UNKNOWN_PROPERTY', '/constructor UNKNOWN_PROPERTY']);
    });

    for (const [name, body] of Object.entries({
      'cut off': '{"place":',
      'with a comment': '{} // x',
      empty: '',
      'not UTF-8': Buffer.from([0x22, 0xff, 0x22]),
      'with a raw NUL': '{"place":"\0","weight":1}',
    })) {
      it(`get MALFORMED_JSON without a quotation when they are no JSON (${name})`, async () => {
        const { status, code, text } = await post(body);
        assert.deepEqual([status, code], [400, 'MALFORMED_JSON']);
        assert.doesNotMatch(text, /Unexpected|position/);
      });
    }

    it('are refused with an escaped NUL, a lone surrogate or absurd depth', async () => {
      assert.deepEqual(pointers((await post('{"place":"a\\u0000","weight":1}')).json), ['/place NUL']);
      assert.deepEqual(pointers((await post('{"place":"a\\ud83d","weight":1}')).json), ['/place UNICODE']);
      assert.equal((await post('{"place":"a\\ud83d\\ude89","weight":1}')).status, 200);
      const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
      assert.match(pointers((await post(deep)).json)?.[0] ?? '', /DEPTH$/);
    });

    it('have a limit of 256 KiB, with or without Content-Length', async () => {
      const fits = JSON.stringify({ place: 'Oslo', weight: 1, note: 'x'.repeat(262_144 - 40) });
      assert.equal((await post(fits)).status, 200);
      const large = JSON.stringify({ note: 'x'.repeat(262_144) });
      assert.equal((await post(large)).code, 'PAYLOAD_TOO_LARGE');
      const chunked = await call('/v1/parcels', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: new Blob([large]).stream(),
        duplex: 'half',
      } as RequestInit);
      assert.equal(chunked.code, 'PAYLOAD_TOO_LARGE');
    });

    it('get 408 when they arrive after the token expired', async () => {
      const verifyToken = async (context: Parameters<typeof readPlainToken>[0]) => ({
        ...(await readPlainToken(context)),
        tokenExpiresAtMs: Date.now(),
      });
      const late = await startParcels({ verifyToken });
      const headers = { ...TOKEN, 'content-type': 'application/json' };
      const write = await fetch(`${late.url}/v1/parcels`, {
        method: 'POST',
        headers,
        body: '{"place":"a","weight":1}',
      });
      assert.equal(write.status, 408);
      assert.equal(((await write.json()) as { code: string }).code, 'TOKEN_EXPIRED_DURING_REQUEST');
      assert.equal((await fetch(`${late.url}/v1/parcels/abc`, { headers: TOKEN })).status, 200);
      await late.close();
    });

    it('get 415 with another media type, charset or coding', async () => {
      for (const headers of [
        { 'content-type': 'text/plain' },
        { 'content-type': 'application/json; charset=iso-8859-1' },
        { 'content-type': 'application/merge-patch+json' },
        { 'content-type': 'nonsense' },
        { 'content-encoding': 'gzip' },
      ]) {
        assert.equal((await post('{}', headers as Record<string, string>)).code, 'UNSUPPORTED_MEDIA_TYPE');
      }
      const empty = await call('/v1/parcels', { method: 'POST' });
      assert.equal(empty.code, 'UNSUPPORTED_MEDIA_TYPE');
      assert.match(
        String(empty.json?.detail),
        /The request has no body: send one, with the Content-Type application\/json/,
      );
      assert.equal(
        (await post('{"place":"a","weight":1}', { 'content-type': 'Application/JSON;charset="UTF-8"' })).status,
        200,
      );
    });
  });

  describe('parameters', () => {
    it('are typed and checked by the document', async () => {
      const body = '{"place":"Oslo","weight":1}';
      assert.deepEqual((await post(body, {}, '/v1/parcels?dryRun=true')).json?.query, { dryRun: true });
      assert.deepEqual(pointers((await post(body, {}, '/v1/parcels?dryRun=yes')).json), ['/query/dryRun TYPE']);
      assert.deepEqual(pointers((await post(body, {}, '/v1/parcels?dryRun=true&dryRun=true')).json), [
        '/query/dryRun REPEATED',
      ]);
      assert.deepEqual(pointers((await post(body, {}, '/v1/parcels?dry=1')).json), ['/query/dry UNKNOWN_PARAMETER']);
      assert.deepEqual(pointers((await post(body, { 'service-settlement-id': 'x' })).json), [
        '/header/Service-Settlement-Id PATTERN',
      ]);
    });

    it('in the path get INVALID_IDENTIFIER when they cannot name anything', async () => {
      for (const path of ['/v1/parcels/abcd', '/v1/parcels/ABC', '/v1/parcels/a%2Fb', '/v1/parcels/..%2f']) {
        assert.deepEqual([(await call(path)).status, (await call(path)).code], [400, 'INVALID_IDENTIFIER'], path);
      }
    });

    it('may be followed by a slash, but paths depend on case', async () => {
      assert.equal((await call('/v1/parcels/abc/')).status, 200);
      assert.equal((await call('/v1/Parcels/abc')).status, 404);
    });
  });

  it('negotiates a media type of the document', async () => {
    const accept = async (value: string) =>
      (await call('/v1/parcels/abc', { headers: { accept: value } })).headers.get('content-type');
    assert.equal(await accept('*/*'), 'application/json');
    assert.equal(await accept('text/*'), 'text/html');
    assert.equal(await accept('text/csv, text/html;q=0.9, */*;q=0.1'), 'text/csv');
    assert.equal(await accept('application/hal+json'), 'application/json');
    assert.equal(await accept('image/png'), 'application/problem+json');
    const refused = await call('/v1/parcels/abc', { headers: { accept: 'image/png, text/html;q=0' } });
    assert.deepEqual([refused.status, refused.code], [406, 'NOT_ACCEPTABLE']);
  });

  it('marks deprecated operations with their dates and successor', async () => {
    const { headers } = await call('/v1/parcels/abc', { method: 'DELETE' });
    assert.match(headers.get('deprecation') ?? '', /^@\d+$/);
    assert.ok(Date.parse(headers.get('sunset') ?? '') > Date.now());
    assert.equal(headers.get('link'), '</v1/parcels/abc/return>; rel="successor-version"');
    assert.equal((await call('/v1/parcels/abc')).headers.get('deprecation'), null);
  });

  describe('search', () => {
    const search = (query: string) => call(`/v1/parcels?${query}`);

    it('reads operators, lists, ranges, paging and order', async () => {
      const { json } = await search(
        'place=in:Oslo,Bergen&weight=gte:2&weight=lt:9&page=3&perPage=100&orderBy=weight&sortBy=desc',
      );
      assert.deepEqual(json, {
        terms: [
          { field: 'place', operator: 'in', values: ['Oslo', 'Bergen'] },
          { field: 'weight', operator: 'gte', values: [2] },
          { field: 'weight', operator: 'lt', values: [9] },
        ],
        page: 3,
        perPage: 100,
        orderBy: 'weight',
        sortBy: 'desc',
      });
    });

    it('treats text without an operator as a plain value', async () => {
      const { json } = await search('place=NSR:StopPlace:337');
      assert.deepEqual(json?.terms, [{ field: 'place', operator: 'eq', values: ['NSR:StopPlace:337'] }]);
      assert.deepEqual([json?.page, json?.perPage, json?.orderBy, json?.sortBy], [1, 25, 'at', 'asc']);
    });

    for (const query of [
      'colour=red',
      'place=like:x',
      'weight=heavy',
      'weight=gt:-1',
      'at=eq:2026-01-01T00:00:00Z',
      'at=gt:yesterday',
      'page=0',
      'page=x',
      'perPage=101',
      'page=1&page=2',
      'orderBy=place',
      'sortBy=up',
      `place=in:${'a,'.repeat(100)}a`,
    ]) {
      it(`refuses ${query.slice(0, 30)}`, async () => {
        assert.deepEqual([(await search(query)).status, (await search(query)).code], [400, 'INVALID_SEARCH']);
      });
    }
  });

  describe('plain search', () => {
    const search = (query: string) => call(`/v1/labels?${query}`);

    it('treats each text as a plain value, with or without operators', async () => {
      const { json } = await search('text=eq:Oslo&printed=true&page=2&perPage=10');
      assert.deepEqual(json?.terms, [
        { field: 'text', operator: 'eq', values: ['eq:Oslo'] },
        { field: 'printed', operator: 'eq', values: [true] },
      ]);
      assert.deepEqual([json?.page, json?.perPage], [2, 10]);
    });

    for (const query of ['text=a&text=a', 'printed=yes', 'colour=red', 'page=0', `text=${'a'.repeat(41)}`]) {
      it(`refuses ${query.slice(0, 20)}`, async () => {
        assert.deepEqual([(await search(query)).status, (await search(query)).code], [400, 'INVALID_SEARCH']);
      });
    }
  });

  describe('header prefix', () => {
    it("is used for the operator's headers in checks, documents and handlers", async () => {
      let seen: string | undefined;
      const prefixed = await startParcels({
        headerPrefix: 'Acme',
        replaced: {
          createParcel: async (context) => {
            seen = context.headers['service-settlement-id'];
            return { status: 200, json: {} };
          },
        },
      });
      const body = { method: 'POST', body: '{"place":"a","weight":1}' };
      const send = (headers: Record<string, string>) =>
        call('/v1/parcels', { ...body, headers: { 'content-type': 'application/json', ...headers } }, prefixed.url);
      assert.deepEqual(pointers((await send({ 'acme-settlement-id': 'x' })).json), [
        '/header/Acme-Settlement-Id PATTERN',
      ]);
      assert.equal((await send({ 'acme-settlement-id': '17', 'service-settlement-id': 'x' })).status, 200);
      assert.equal(seen, '17');
      const { text } = await call('/api-docs/parcels', {}, prefixed.url);
      assert.match(text, /Acme-Settlement-Id/);
      await prefixed.close();
    });
  });

  it('serves the documents as JSON and as YAML', async () => {
    const json = await call('/api-docs/parcels');
    const yaml = await call('/api-docs/parcels', { headers: { accept: 'application/yaml' } });
    assert.equal(yaml.headers.get('content-type'), 'application/yaml');
    assert.deepEqual(parse(yaml.text), json.json);
    assert.equal((await call('/api-docs/other')).status, 404);
    assert.equal((await call('/api-docs/parcels', { headers: { accept: 'image/png' } })).status, 406);
  });

  it('reports the state of each dependency, and measures each operation', async () => {
    assert.deepEqual((await call('/health/live')).json, { status: 'up' });
    const ready = await call('/health/ready');
    assert.equal(ready.status, 503);
    assert.deepEqual(ready.json, { status: 'down', dependencies: { mongodb: 'up', temporal: 'down' } });
    await call('/v1/open');
    const { text } = await call('/metrics');
    assert.match(
      text,
      /http_request_duration_seconds_count\{operation="open",method="GET",status="200",route="\/v1\/open"\} \d+/,
    );
    assert.match(text, /http_requests_running 1/);
  });

  it('writes one line for each request, without query, credentials or key', async () => {
    server.logged.length = 0;
    await call('/v1/parcels?place=private', {
      headers: { 'idempotency-key': 'k-secret', 'service-client-name': 'acme-app', cookie: 'a=b' },
    });
    const lines = server.logged.filter((line) => line.msg === 'request');
    const [{ time: _, durationMs, requestId, ...line } = {}] = lines;
    assert.equal(lines.length, 1);
    assert.equal(typeof durationMs, 'number');
    assert.match(String(requestId), /^[0-9a-f-]{36}$/);
    assert.deepEqual(line, {
      level: 'info',
      process: 'test',
      method: 'GET',
      path: '/v1/parcels',
      operation: 'searchParcels',
      status: 200,
      organisation: 1,
      client: 'tester',
      clientName: 'acme-app',
      msg: 'request',
    });
  });

  describe('at start', () => {
    const create = (areas: Area[]) => () => createApp({ areas, log: silentLog, verifyToken: readPlainToken });

    it('refuses an operation without handler, and a handler without operation', () => {
      const area = parcelsArea();
      const { open, ...others } = area.operations;
      assert.ok(open);
      assert.throws(create([{ ...area, operations: others }]), /parcels: the operation open has no handler/);
      assert.throws(
        create([{ ...area, operations: { ...area.operations, extra: open } }]),
        /not in the document: extra/,
      );
    });

    it('refuses two areas with the same path', () => {
      assert.throws(create([parcelsArea(), { ...parcelsArea(), name: 'again' }]), /GET \/v1\/open is defined twice/);
    });

    for (const [name, change, message] of [
      ['an open request body', { type: 'object' }, /additionalProperties: false/],
      [
        'a request body with an open nested object',
        {
          type: 'object',
          additionalProperties: false,
          properties: { a: { type: 'array', items: { type: 'object' } } },
        },
        /properties\/a\/items must have additionalProperties: false/,
      ],
      ['an unknown keyword', { type: 'object', additionalProperties: false, minLenght: 1 }, /minLenght/],
      ['an unknown format', { type: 'string', format: 'nope' }, /nope/],
      ['a dangling reference', { $ref: '#/components/schemas/Nope' }, /Nope|not an object/],
    ] as const) {
      it(`refuses ${name}`, () => {
        const document = {
          openapi: '3.1.0',
          info: { title: 'x', version: '1' },
          paths: {
            '/x': { post: { operationId: 'x', requestBody: { content: { 'application/json': { schema: change } } } } },
          },
        };
        const file = join(temporaryDirectory('document'), 'openapi.yaml');
        writeFileSync(file, JSON.stringify(document));
        const url = pathToFileURL(file);
        assert.throws(
          create([{ name: 'x', document: url, operations: { x: async () => ({ status: 204 }) } }]),
          message,
        );
      });
    }

    it('refuses a sunset less than six months after the deprecation', () => {
      const deprecation = { deprecatedAt: new Date('2026-01-01'), sunsetAt: new Date('2026-06-01') };
      assert.throws(() => createApp({ areas: [], log: silentLog, deprecation }), /SUNSET_AT/);
    });
  });

  describe('graceful stop', () => {
    it('finishes running requests, accepts no new ones, and reports the stop', async () => {
      const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
      const { promise: leave, resolve: release } = Promise.withResolvers<void>();
      const stopping = await startParcels({
        graceMs: 5_000,
        replaced: {
          open: async () => {
            enter();
            await leave;
            return { status: 200, json: {} };
          },
        },
      });
      const running = call('/v1/open', {}, stopping.url);
      await entered;
      const closed = stopping.close();
      await assert.rejects(call('/health/live', {}, stopping.url));
      release();
      assert.equal((await running).status, 200);
      await closed;
    });

    it('accepts requests a moment longer behind a proxy, and closes each connection after its answer', async () => {
      const stopping = await startParcels({ listen: { drainMs: 1_000 } });
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const checkHealth = async () => {
        const request = get(`${stopping.url}/health/live`, { agent });
        const [response] = (await once(request, 'response')) as [IncomingMessage];
        response.resume();
        await once(response, 'end');
        return [response.statusCode, response.headers.connection, request.reusedSocket];
      };
      assert.deepEqual(await checkHealth(), [200, 'keep-alive', false]);
      const closed = stopping.close();
      assert.deepEqual(await checkHealth(), [200, 'close', true]);
      assert.deepEqual(await checkHealth(), [200, 'close', false]);
      await closed;
      await assert.rejects(checkHealth());
      agent.destroy();
    });

    it('closes the connection also after the answer of an earlier request', async () => {
      const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
      const { promise: leave, resolve: release } = Promise.withResolvers<void>();
      const stopping = await startParcels({
        listen: { drainMs: 1_000 },
        replaced: {
          open: async () => {
            enter();
            await leave;
            return { status: 200, json: {} };
          },
        },
      });
      const agent = new Agent({ keepAlive: true });
      const request = get(`${stopping.url}/v1/open`, { agent });
      await entered;
      const closed = stopping.close();
      release();
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      assert.deepEqual([response.statusCode, response.headers.connection], [200, 'close']);
      await closed;
      agent.destroy();
    });

    it('aborts running requests when the grace period is over', async () => {
      const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
      const stopping = await startParcels({
        graceMs: 20,
        replaced: {
          open: async (context) => {
            enter();
            await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
            throw new ServiceError('UNAVAILABLE', 'stopping');
          },
        },
      });
      const running = call('/v1/open', {}, stopping.url);
      await entered;
      await stopping.close();
      assert.equal((await running).status, 503);
    });

    it('cuts the connection of a handler that ignores the abort', async () => {
      const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
      const stopping = await startParcels({
        graceMs: 20,
        replaced: {
          open: async () => {
            enter();
            return await new Promise(() => {});
          },
        },
      });
      const running = call('/v1/open', {}, stopping.url);
      await Promise.all([assert.rejects(running), entered.then(async () => await stopping.close())]);
    });
  });
});
