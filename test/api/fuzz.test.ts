/** The HTTP base must answer any request without 5xx or HTML, and errors as problem details. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { startParcels, type TestServer, TOKEN } from './support/parcels.ts';

const RUNS = 300;

describe('HTTP base under random requests', () => {
  let server: TestServer;

  before(async () => {
    server = await startParcels();
  });
  after(async () => {
    await server.close();
  });

  const paths = fc.oneof(
    fc.constantFrom(
      '/v1/parcels',
      '/v1/parcels/abc',
      '/v1/parcels/abc/photo',
      '/v1/open',
      '/health/ready',
      '/api-docs/parcels',
    ),
    fc.webPath(),
    fc.stringMatching(/^\/v1\/parcels\/[!-~]{0,12}$/).map((path) => path.replaceAll('#', '')),
  );
  const queries = fc.oneof(
    fc.constant(''),
    fc.webQueryParameters().map((query) => `?${query}`),
    fc
      .stringMatching(/^\?(place|weight|at|page|perPage|orderBy)=[a-z]{0,4}:?[!-~]{0,8}$/)
      .map((query) => query.replaceAll('#', '')),
  );
  const headers = fc.record(
    {
      accept: fc.constantFrom('*/*', 'text/html', 'application/json', 'x', 'a/b;q=2', ''),
      'content-type': fc.constantFrom(
        'application/json',
        'application/merge-patch+json',
        'image/png',
        'x',
        'text/html; a',
      ),
      authorization: fc.oneof(fc.constant(TOKEN.authorization), fc.stringMatching(/^[!-~]{0,20}$/)),
      'idempotency-key': fc.stringMatching(/^[ -~]{0,20}$/),
      'x-correlation-id': fc.oneof(fc.uuid(), fc.stringMatching(/^[!-~]{1,40}$/)),
      'service-settlement-id': fc.stringMatching(/^[0-9a]{0,20}$/),
    },
    { requiredKeys: [] },
  );
  const bodies = fc.oneof(
    fc.constant(undefined),
    fc.string(),
    fc.json(),
    fc
      .record({ place: fc.jsonValue(), weight: fc.jsonValue(), lines: fc.jsonValue() }, { requiredKeys: [] })
      .map((value) => JSON.stringify(value)),
  );
  const methods = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS');

  it(`answers ${RUNS} of them without 5xx`, async () => {
    const property = fc.asyncProperty(
      methods,
      paths,
      queries,
      headers,
      bodies,
      async (method, path, query, head, body) => {
        const bodiless = method === 'GET' || method === 'HEAD';
        const init = { method, headers: head, ...(bodiless || body === undefined ? {} : { body }) };
        const response = await fetch(`${server.url}${path}${query}`, init);
        const text = await response.text();
        assert.ok(response.status < 500, `${method} ${path}${query}: ${response.status} ${text}`);
        assert.match(response.headers.get('x-correlation-id') ?? '', /^[0-9a-f-]{36}$/);
        if (response.status < 400 || method === 'HEAD') return;
        assert.equal(response.headers.get('content-type'), 'application/problem+json');
        assert.equal((JSON.parse(text) as { status: number }).status, response.status);
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  });
});
