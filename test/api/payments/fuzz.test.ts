/** The operations of payments must answer any request without 5xx, and errors as problem details. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { loadDocument, type OperationEntry } from '../../../api/shared/openapi-document.ts';
import { resolve, toJson } from '../../../api/shared/openapi-reference.ts';
import { authorisedOf, type PaymentsServer, paymentOf, startPayments } from './support.ts';

const RUNS = 400;
const DOCUMENT = new URL('../../../api/payments/openapi.yaml', import.meta.url);
const { root, operations: all } = loadDocument(DOCUMENT, 'Service');
/** Reports of providers are bytes that they have signed. */
const operations = all.filter(({ scopes }) => scopes !== undefined);

interface Named {
  readonly paymentId: string;
  readonly transactionId: string;
  readonly orderId: string;
}

describe('payments under random requests', () => {
  let server: PaymentsServer;
  let known: readonly Named[];

  before(async () => {
    server = await startPayments();
    const made = [await paymentOf(server), await authorisedOf(server)];
    known = made.map(({ paymentId, transactionId, orderId }) => ({
      ...{ paymentId: String(paymentId), transactionId: String(transactionId), orderId },
    }));
  });
  after(async () => await server.close());

  it(`answers ${RUNS} of them without 5xx`, async () => {
    const property = fc.asyncProperty(requests(), async ({ operation, at, other, body, query }) => {
      const named: Record<string, string> = { ...known[at] };
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(other ?? named[name] ?? '7a0f5b1e-0d39-4a49-9d55-3f2f5f5c1c11'),
      );
      const [type] = operation.body.keys();
      const sent = withOrder(body, named.orderId);
      const { status, headers, json, text } = await server.call(`${path}${query}`, {
        method: operation.method,
        ...(type !== undefined && { body: JSON.stringify(sent), headers: { 'content-type': type } }),
      });
      assert.ok(status < 500, `${operation.method} ${path}${query} ${JSON.stringify(sent)}: ${text}`);
      if (status < 400) return;
      assert.equal(headers.get('content-type'), 'application/problem+json');
      assert.equal(json.status, status);
    });
    await fc.assert(property, { numRuns: RUNS });
  });
});

/** The order of the example does not exist. */
function withOrder(body: unknown, orderId: string | undefined): unknown {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return isObject && 'orderId' in body && body.orderId === 'K7PM2XQA' ? { ...body, orderId } : body;
}

/** Requests with members of the document, with valid and invalid values. */
function requests() {
  return fc.constantFrom(...operations).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      at: fc.constantFrom(0, 1),
      other: fc.option(fc.string({ minLength: 1, maxLength: 17 }), { nil: undefined, freq: 4 }),
      body: fc.oneof({ arbitrary: bodies(operation), weight: 4 }, { arbitrary: fc.jsonValue(), weight: 1 }),
      query: queries(operation),
    }),
  );
}

function bodies(operation: OperationEntry): fc.Arbitrary<unknown> {
  const [pointer] = operation.body.values();
  if (pointer === undefined) return fc.constant(undefined);
  const [schema] = resolve(root, { $ref: `#${pointer}` }, pointer);
  const names = Object.keys(toJson(schema.properties ?? {}, pointer));
  const media = toJson(resolve(root, { $ref: `#${pointer.replace(/\/schema$/, '')}` }, pointer)[0], pointer);
  const example = toJson(media.example, pointer);
  return fc
    .dictionary(fc.constantFrom(...names, 'other'), values(), { maxKeys: 2 })
    .map((changed) => ({ ...example, ...changed }));
}

function values(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(
      null,
      '',
      '$where',
      { $gt: '' },
      '2026-02-30',
      1e21,
      2 ** 53 - 1,
      '0.00',
      '999999999999999.99',
      '0.01',
    ),
    fc.constantFrom(
      'http://127.0.0.1/',
      'https://[::1]/',
      'https://shop.example/a?b=c',
      'javascript:alert(1)',
      'EUR',
      'JPY',
    ),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.string({ unit: 'grapheme', maxLength: 120 }),
  );
}

function queries(operation: OperationEntry): fc.Arbitrary<string> {
  const names = operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  if (names.length === 0) return fc.constant('');
  const operators = fc.constantFrom('', 'eq:', 'ne:', 'gt:', 'lte:', 'in:', 'nin:', 'xx:');
  const texts = fc.oneof(fc.string(), fc.constantFrom('1', 'OPEN', 'CREDITED', '10.00', '2026-01-01T00:00:00Z', 'a,b'));
  return fc
    .dictionary(
      fc.constantFrom(...names),
      fc.tuple(operators, texts).map((parts) => parts.join('')),
      { maxKeys: 3 },
    )
    .map((query) => `?${new URLSearchParams(query)}`);
}
