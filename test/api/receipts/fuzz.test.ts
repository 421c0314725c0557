/** The operations of receipts must answer any request without 5xx, and errors as problem details. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ReceiptsServer, startReceipts } from './support.ts';

const RUNS = 200;
const ODD = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(null, '', '$where', { $gt: '' }, 2 ** 53 - 1, -1, 1.5, '1-2026-1', '1-0000-99999999999', 'eng', true),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
);
const OPERATORS = fc.constantFrom('', 'eq:', 'ne:', 'gt:', 'in:', 'nin:', 'xx:');
const TEXTS = fc.oneof(fc.string(), fc.constantFrom('1', 'SALE', 'SALE,REFUND', '2026-01-01T00:00:00Z', 'K7PM2XQA'));

describe('receipts under random requests', () => {
  let server: ReceiptsServer;
  let known: { readonly reference: string; readonly orderId: string };
  before(async () => {
    server = await startReceipts('receipts-fuzz', { sends: false });
    known = (await server.world.fixture.issue(await server.world.fixture.soldOrder())).receipt;
  });
  after(async () => await server.close());

  const queryOf = (...names: string[]) =>
    fc
      .dictionary(
        fc.constantFrom(...names),
        fc.tuple(OPERATORS, TEXTS).map((parts) => parts.join('')),
        { maxKeys: 3 },
      )
      .map((query) => `?${new URLSearchParams(query)}`);
  const bodies = () => {
    const names = ['orderVersion', 'distribution', 'receiptLanguage', 'serialNumber', 'copyReceipt', 'other'];
    const right = { orderId: known.orderId, orderVersion: 1, distribution: { email: 'kari@example.org' } };
    const changed = fc
      .dictionary(fc.constantFrom(...names), ODD, { maxKeys: 2 })
      .map((more) => ({ ...right, ...more }));
    return fc.oneof({ arbitrary: changed, weight: 4 }, { arbitrary: fc.jsonValue(), weight: 1 });
  };
  const ids = () => fc.oneof(fc.constant(known.reference), fc.uuid(), fc.string({ minLength: 1, maxLength: 40 }));

  it(`answers ${RUNS} of them without 5xx`, async () => {
    const requests = fc.oneof(
      fc.record({ path: queryOf('receiptType').map((query) => `/send${query}`), body: bodies() }),
      fc.record({ path: queryOf('orderId', 'orderVersion', 'receiptType', 'createdAt', 'page', 'perPage', 'sortBy') }),
      fc.record({ path: queryOf('orderId', 'orderVersion').map((query) => `/type${query}`) }),
      fc.record({ path: ids().map((id) => `/${encodeURIComponent(id)}`) }),
      fc.record({ path: ids().map((id) => `/${encodeURIComponent(id)}/pdf`) }),
    );
    const property = fc.asyncProperty(requests, async (request) => {
      const body = 'body' in request ? { body: JSON.stringify(request.body) } : {};
      const { status, headers, json, text } = await server.call(`/v1/receipts${request.path}`, body);
      assert.ok(status < 500, `${request.path} ${JSON.stringify(body)}: ${text}`);
      if (status < 400) return;
      assert.equal(headers.get('content-type'), 'application/problem+json');
      assert.equal(json.status, status);
    });
    await fc.assert(property, { numRuns: RUNS });
  });
});
