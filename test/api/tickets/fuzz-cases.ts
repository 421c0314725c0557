/** The operations on tickets must answer any request without 5xx, and errors as problem details. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { loadDocument, type OperationEntry } from '../../../api/shared/openapi-document.ts';
import { resolve, toJson } from '../../../api/shared/openapi-reference.ts';
import { OPERATOR, type TicketsServer } from './tickets-server.ts';

const RUNS = 400;
const DOCUMENT = new URL('../../../api/tickets/openapi.yaml', import.meta.url);
const { root, operations } = loadDocument(DOCUMENT, 'Service');
/** Of a process that has just begun: it says when to ask again. */
const NOT_YET = 503;

interface Named {
  readonly orderId: string;
  readonly ticketDistributionId: string;
  readonly groupId: number;
}

export function describeFuzz(useServer: () => TicketsServer): void {
  describe('tickets under random requests', () => {
    let server: TicketsServer;
    let known: readonly Named[];

    before(async () => {
      server = useServer();
      const sold = await Promise.all([server.sell({ products: ['DAY'] }), server.sell({ products: ['FLEX'] })]);
      known = sold.map(({ orderId, tickets, groupIds }) => ({
        ...{ orderId, ticketDistributionId: String(tickets[0]?.id), groupId: groupIds[0] ?? 0 },
      }));
    });

    it(`answer ${RUNS} of them without 5xx`, async () => {
      const property = fc.asyncProperty(requests(), async ({ operation, at, other, body, query, accept }) => {
        const named = known[at] as Named;
        const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: 'orderId') =>
          encodeURIComponent(other ?? named[name]),
        );
        const sent = withGroup(body, named);
        const answer = await server.call(`${path}${query}`, {
          ...{ method: operation.method, token: OPERATOR, headers: { accept } },
          ...(operation.body.size > 0 && sent !== undefined && { body: JSON.stringify(sent) }),
        });
        const { status, headers, json, text } = answer;
        const isLater = status === NOT_YET && headers.get('retry-after') !== null;
        assert.ok(status < 500 || isLater, `${operation.method} ${path}${query} ${JSON.stringify(sent)}: ${text}`);
        if (status < 400) return;
        assert.equal(headers.get('content-type'), 'application/problem+json');
        assert.equal(json.status, status);
      });
      await fc.assert(property, { numRuns: RUNS });
    });
  });
}

/** The group of the example does not exist. */
function withGroup(body: unknown, { groupId }: Named): unknown {
  const text = JSON.stringify(body);
  return text === undefined ? undefined : JSON.parse(text.replaceAll(/([[:])17([\],}])/g, `$1${groupId}$2`));
}

function requests() {
  return fc.constantFrom(...operations).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      at: fc.constantFrom(0, 1),
      other: fc.option(fc.string({ minLength: 1, maxLength: 17 }), { nil: undefined, freq: 4 }),
      body: fc.oneof({ arbitrary: bodies(operation), weight: 4 }, { arbitrary: fc.jsonValue(), weight: 1 }),
      query: queries(operation),
      accept: fc.constantFrom('*/*', 'application/json', 'application/pdf', 'text/html'),
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
    fc.constantFrom(null, '', '$where', { $gt: '' }, '2026-02-30', 1e21, 2 ** 53 - 1, true, 'kari@example.no'),
    fc.constantFrom([], [17], [17, 17], ['17'], [{ ticketDistributionGroupId: 17, startOfValidity: 'x' }]),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc
      .date({ noInvalidDate: true })
      .map((date) => [{ ticketDistributionGroupId: 17, startOfValidity: date.toISOString() }]),
    fc.string({ unit: 'grapheme', maxLength: 120 }),
  );
}

function queries(operation: OperationEntry): fc.Arbitrary<string> {
  const names = operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  if (names.length === 0) return fc.constant('');
  const operators = fc.constantFrom('', 'eq:', 'ne:', 'gt:', 'lte:', 'in:', 'nin:', 'xx:');
  const texts = fc.oneof(
    fc.string(),
    fc.constantFrom('1', '9007199254740991', 'DISABLED', '1000000001', '2026-01-01T00:00:00Z', 'a,b', 'ABCDEFGH'),
  );
  return fc
    .dictionary(
      fc.constantFrom(...names),
      fc.tuple(operators, texts).map((parts) => parts.join('')),
      { maxKeys: 3 },
    )
    .map((query) => `?${new URLSearchParams(query)}`);
}
