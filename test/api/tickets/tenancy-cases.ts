/**
 * Every operation below an order or a ticket, asked by another organisation: the answer is that of one which does not exist.
 * Inspectors alone reach tickets of every organisation.
 */
import assert from 'node:assert/strict';
import { loadDocument } from '../../../api/shared/openapi-document.ts';
import { INSPECTOR, OPERATOR, OTHER, type SoldTickets, type TicketsServer } from './tickets-server.ts';

const { operations: all } = loadDocument(new URL('../../../api/tickets/openapi.yaml', import.meta.url), 'Service');
const OPERATIONS = all.filter(({ path }) => path.includes('{'));
const ABSENT = { orderId: 'ABCDEFGH', ticketDistributionId: '4711' };
const VALIDATION = 'recordValidation';

type Ids = typeof ABSENT;
type Asked = (typeof OPERATIONS)[number];

export function describeTenancy(useServer: () => TicketsServer): void {
  describe('tickets of another organisation', () => {
    let server: TicketsServer;
    let sold: SoldTickets;
    let ours: Ids;

    const read = async () => (await server.call(`/v1/ticket-distribution-groups?orderId=${sold.orderId}`)).text;
    const ask = async (operation: Asked, ids: Ids, token: string, body?: unknown) => {
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: keyof Ids) => ids[name]);
      const answer = await server.call(path, { method: operation.method, token, ...(body !== undefined && { body }) });
      const { status, code, title, detail } = answer.json ?? {};
      return { http: answer.status, status, code, title, detail };
    };

    before(async () => {
      server = useServer();
      sold = await server.sell({ products: ['FLEX'] });
      ours = { orderId: sold.orderId, ticketDistributionId: String(sold.tickets[0]?.id) };
    });

    it('are asked for by every operation', () => assert.ok(OPERATIONS.length >= 9));

    for (const operation of OPERATIONS.filter(({ operationId }) => operationId !== VALIDATION)) {
      const bodies = operation.body.size > 0 ? [undefined, { colour: 'red' }] : [undefined];
      for (const body of bodies) {
        const what = body ? 'with a wrong body' : 'in the right form';
        it(`are absent for ${operation.method} ${operation.path} ${what}`, async () => {
          const before = await read();
          const foreign = await ask(operation, ours, OTHER, body);
          assert.deepEqual([foreign.http, foreign.code], [404, 'NOT_FOUND']);
          assert.deepEqual(foreign, await ask(operation, ABSENT, OTHER, body));
          assert.equal(await read(), before);
        });
      }
    }

    it('are open to a caller with the right to every organisation', async () => {
      for (const operation of OPERATIONS.filter(({ operationId }) => operationId !== VALIDATION)) {
        const { http } = await ask(operation, ours, OPERATOR);
        assert.ok(http === 200 || http === 202, `${operation.path} ${http}`);
      }
    });

    it('are checked by inspectors, and by nobody else', async () => {
      const [operation] = OPERATIONS.filter(({ operationId }) => operationId === VALIDATION) as [Asked];
      const body = { validatedAt: new Date().toISOString() };
      assert.equal((await ask(operation, ours, INSPECTOR, body)).http, 201);
      assert.equal((await ask(operation, ABSENT, INSPECTOR, body)).code, 'NOT_FOUND');
      assert.equal((await ask(operation, ABSENT, INSPECTOR, { colour: 'red' })).code, 'NOT_FOUND');
    });

    it('need the scope of the operation, and a token', async () => {
      for (const operation of all.filter(({ scopes }) => scopes !== undefined)) {
        const { http, code } = await ask(operation, ours, 'web/1/orders:read,orders:write');
        assert.deepEqual([http, code], [403, 'INSUFFICIENT_SCOPE'], operation.operationId);
        const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: keyof Ids) => ours[name]);
        const bare = await server.call(path, { method: operation.method, token: null });
        assert.equal(bare.json.code, 'MISSING_TOKEN', operation.operationId);
      }
    });
  });
}
