/**
 * Every operation on a payment, credit or invoice, asked by another organisation: the answer is that of one which does not
 * exist. With the right to every organisation it is that of the owner.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { loadDocument } from '../../../api/shared/openapi-document.ts';
import type { CreditId, OrganisationId } from '../../../workflows/shared/ids.ts';
import { OPERATOR, OTHER, type PaymentsServer, paymentOf, REDIRECT, startPayments, VISA } from './support.ts';

const { operations } = loadDocument(new URL('../../../api/payments/openapi.yaml', import.meta.url), 'Service');
/** Reports of providers have no token. */
const OPERATIONS = operations.filter(({ path, scopes }) => path.includes('{') && scopes !== undefined);
const ABSENT = { paymentId: '1', transactionId: '1', creditId: '1', invoiceId: randomUUID() };
type Ids = Readonly<Record<keyof typeof ABSENT, string>>;
const MONEY = { amount: '349.00', ...VISA };

/** Bodies that are right in form, so that only the resource is at fault. */
const BODIES: Readonly<Record<string, unknown>> = {
  resolveCredit: { resolution: 'GIVEN_UP', reason: 'CUSTOMER_AGREED' },
  patchPayment: { active: false },
  addTransaction: MONEY,
  importTransaction: { ...MONEY, transactionConfirmedAt: '2026-01-01T00:00:00Z', rrn: 'R' },
  openTerminal: REDIRECT,
  openAppClaim: { ...REDIRECT, phoneNumber: '+4799999999', description: 'x' },
};

describe('payments of another organisation', () => {
  let server: PaymentsServer;
  let ours: Ids;
  let untouched: string;

  const read = async () => (await server.call(`/v1/payments/${ours.paymentId}`)).text;

  before(async () => {
    server = await startPayments();
    const { paymentId, transactionId, place } = await paymentOf(server);
    const work = { workId: randomUUID(), correlationId: randomUUID(), clientId: 'web' };
    const { credit } = await server.dependencies.credits.create(1 as OrganisationId, work, (id: CreditId) => ({
      ...{ id, organisationId: place.organisationId, orderId: place.orderId, orderVersion: 1, currency: 'NOK' },
      ...{ distributionChannelId: 'TST:DistributionChannel:App' as never, reason: 'COMPENSATION' as const },
      parts: [{ paymentId: place.paymentId, transactionId: place.transactionId, amountMinor: 100, ...VISA }],
    }));
    const invoice = await server.call('/v1/penalty-fare-invoices', {
      body: {
        ...{ customerIdentificationNumber: '1', externalInvoiceNumber: 'X', amount: '1.00' },
        ...{ dueDate: '2027-01-01', reason: 'x' },
      },
    });
    ours = {
      ...{ paymentId: String(paymentId), transactionId: String(transactionId), creditId: String(credit.id) },
      invoiceId: invoice.json.invoiceId,
    };
    untouched = await read();
  });
  after(async () => await server.close());

  const ask = async (operation: (typeof OPERATIONS)[number], ids: Ids, token: string, body: unknown) => {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: keyof Ids) => ids[name]);
    const answer = await server.call(path, { method: operation.method, token, ...(body !== undefined && { body }) });
    const { status, code, title, detail } = answer.json ?? {};
    return { http: answer.status, status, code, title, detail };
  };

  it('are asked for by every operation', () => assert.ok(OPERATIONS.length > 12));

  for (const operation of OPERATIONS) {
    const right = BODIES[operation.operationId];
    for (const [what, body] of [
      ['a right body', right],
      ['a wrong body', { colour: 'red' }],
    ] as const) {
      if (what === 'a wrong body' && right === undefined) continue;
      it(`are absent for ${operation.method} ${operation.path} with ${what}`, async () => {
        const foreign = await ask(operation, ours, OTHER, body);
        assert.deepEqual([foreign.status, foreign.code], [404, 'NOT_FOUND']);
        assert.deepEqual(foreign, await ask(operation, ABSENT, OTHER, body));
      });
    }
  }

  it('have not changed', async () => assert.equal(await read(), untouched));

  it('are in no search', async () => {
    for (const path of ['/v1/payments', '/v1/credits', '/v1/penalty-fare-invoices']) {
      assert.equal((await server.call(path, { token: OTHER })).json.totalItems, 0, path);
      assert.ok((await server.call(path, { token: OPERATOR })).json.totalItems > 0, path);
    }
  });

  it('are open to a caller with the right to every organisation', async () => {
    for (const operation of OPERATIONS.filter(({ method }) => method === 'GET')) {
      assert.equal((await ask(operation, ours, OPERATOR, undefined)).http, 200, operation.path);
    }
  });

  it('need the scope of the operation', async () => {
    for (const operation of OPERATIONS) {
      const { status, code } = await ask(operation, ours, 'web/1/orders:read', BODIES[operation.operationId]);
      assert.deepEqual([status, code], [403, 'INSUFFICIENT_SCOPE'], operation.operationId);
    }
  });
});
