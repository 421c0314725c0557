/**
 * The document of each operation must contain every error of the HTTP base under its status, although no area writes
 * them.
 */
import assert from 'node:assert/strict';
import { type Json, toJson } from '../../api/shared/openapi-reference.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { startParcels, type TestServer, TOKEN } from './support/parcels.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const PARCEL = JSON.stringify({ place: 'here', weight: 1 });
const SLOW_MS = 50;

describe('the errors of the HTTP base', () => {
  let server: TestServer;
  let document: Json;

  before(async () => {
    server = await startParcels({
      bodyTimeoutMs: SLOW_MS,
      finds: {
        patchParcel: async () => {
          throw new ServiceError('NOT_FOUND', 'No parcel.');
        },
      },
      replaced: {
        createLabel: async () => {
          throw new Error('broken');
        },
        searchLabels: async () => {
          throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
        },
      },
    });
    document = toJson(await (await fetch(`${server.url}/api-docs/parcels`)).json(), 'document');
  });
  after(async () => {
    await server.close();
  });

  const create = (headers: Record<string, string>, body = PARCEL) =>
    fetch(`${server.url}/v1/parcels`, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body });

  /** The statuses that the document has for `path` and `method`. */
  function describedAt(path: string, method: string): readonly string[] {
    const item = toJson(toJson(document.paths, 'paths')[path], path);
    return Object.keys(toJson(toJson(item[method], method).responses, 'responses'));
  }

  const CASES: Readonly<Record<string, readonly [path: string, method: string, send: () => Promise<Response>]>> = {
    400: ['/v1/parcels', 'post', () => create(TOKEN, '{')],
    401: ['/v1/parcels', 'post', () => create({})],
    403: ['/v1/parcels', 'post', () => create({ authorization: 'Bearer reader/1/parcels:read' })],
    404: [
      '/v1/parcels/{parcelId}',
      'patch',
      () => fetch(`${server.url}/v1/parcels/abc`, { method: 'PATCH', headers: { ...TOKEN, ...JSON_TYPE }, body: '{' }),
    ],
    405: ['/v1/parcels', 'post', () => fetch(`${server.url}/v1/parcels`, { method: 'PUT', headers: TOKEN })],
    406: ['/v1/parcels', 'post', () => create({ ...TOKEN, accept: 'image/png' })],
    408: ['/v1/parcels', 'post', () => sendSlowly()],
    413: ['/v1/parcels', 'post', () => create(TOKEN, `"${'x'.repeat(262_144)}"`)],
    415: ['/v1/parcels', 'post', () => create({ ...TOKEN, 'content-type': 'text/plain' })],
    500: [
      '/v1/labels',
      'post',
      () =>
        fetch(`${server.url}/v1/labels`, {
          method: 'POST',
          headers: { ...TOKEN, ...JSON_TYPE },
          body: '{"content":1}',
        }),
    ],
    503: ['/v1/labels', 'get', () => fetch(`${server.url}/v1/labels`, { headers: TOKEN })],
  };

  /** Sends a body without an end. */
  async function sendSlowly(): Promise<Response> {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{')) });
    return await fetch(`${server.url}/v1/parcels`, {
      method: 'POST',
      headers: { ...TOKEN, ...JSON_TYPE },
      body,
      duplex: 'half',
    } as RequestInit);
  }

  for (const [status, [path, method, send]] of Object.entries(CASES)) {
    it(`include ${status} where it is answered`, async () => {
      assert.equal((await send()).status, Number(status));
      assert.ok(describedAt(path, method).includes(status));
    });
  }

  it('include the refusals of an idempotency key where one is accepted', () => {
    for (const status of ['409', '422']) {
      assert.ok(describedAt('/v1/parcels', 'post').includes(status));
      assert.ok(!describedAt('/v1/parcels', 'get').includes(status));
    }
  });

  it('include no status that cannot be answered', () => {
    assert.ok(!describedAt('/v1/open', 'get').includes('401'));
    assert.ok(!describedAt('/v1/open', 'get').includes('404'));
    assert.ok(!describedAt('/v1/parcels', 'get').includes('415'));
  });
});
