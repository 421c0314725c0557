/** The operations of customers must answer any request without 5xx, and errors as problem details. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { loadDocument, type OperationEntry } from '../../../api/shared/openapi-document.ts';
import { resolve, toJson } from '../../../api/shared/openapi-reference.ts';
import { BASE, type CustomersServer, startCustomers } from './support.ts';

const RUNS = 400;
const { root, operations } = loadDocument(new URL('../../../api/customers/openapi.yaml', import.meta.url), 'Service');
/** Excluded, since later requests would find no profile. */
const ENDING = new Set(['deleteProfile', 'deleteTemporaryProfile', 'convertProfile']);
const asked = operations.filter(({ operationId }) => !ENDING.has(operationId));

describe('customers under random requests', () => {
  let server: CustomersServer;
  let numbers: readonly string[];
  before(async () => {
    server = await startCustomers();
    numbers = [await server.createProfile(), await server.createTemporary()];
  });
  after(async () => {
    await server.close();
  });

  it(`answers ${RUNS} of them without 5xx`, async () => {
    const property = fc.asyncProperty(requests(), async ({ operation, name, body, query }) => {
      const customer = name === 'permanent' ? numbers[0] : name === 'temporary' ? numbers[1] : name;
      const path = operation.path
        .slice(BASE.length)
        .replace(/\{customer\w+\}/, encodeURIComponent(customer ?? ''))
        .replace(/\{\w+\}/, '7a0f5b1e-0d39-4a49-9d55-3f2f5f5c1c11');
      const [type] = operation.body.keys();
      const { status, headers, json, text } = await server.call(`${path}${query}`, {
        method: operation.method,
        ...(type !== undefined && { body: JSON.stringify(body), headers: { 'content-type': type } }),
      });
      assert.ok(status < 500, `${operation.method} ${path}${query} ${JSON.stringify(body)}: ${text}`);
      if (status < 400) return;
      assert.equal(headers.get('content-type'), 'application/problem+json');
      assert.equal(json.status, status);
    });
    await fc.assert(property, { numRuns: RUNS });
  });
});

/** Requests with members of the document, with valid and invalid values. */
function requests() {
  return fc.constantFrom(...asked).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      name: fc.oneof(
        fc.constantFrom('permanent', 'temporary', '4837201956'),
        fc.string({ minLength: 1, maxLength: 12 }),
      ),
      body: fc.oneof(bodies(operation), fc.jsonValue()),
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
    .dictionary(fc.constantFrom(...names, 'other'), values(), { maxKeys: 3 })
    .map((changed) => ({ ...example, ...changed }));
}

function values(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(null, '', '$where', { $gt: '' }, '2026-02-30', 'a@b.no', 1e21, 2 ** 53 - 1),
    fc.emailAddress(),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.string({ unit: 'grapheme', maxLength: 120 }),
  );
}

function queries(operation: OperationEntry): fc.Arbitrary<string> {
  const names = operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  if (names.length === 0) return fc.constant('');
  return fc
    .dictionary(
      fc.constantFrom(...names),
      fc.oneof(fc.string(), fc.constantFrom('1', 'true', 'Kari', '47', '90000000')),
    )
    .map((query) => `?${new URLSearchParams(query)}`);
}
