/** Requests to make tickets while the PDFs of others are read: some wait, more are refused. */
import assert from 'node:assert/strict';
import { createDistributionOperations } from '../../../api/tickets/distributing.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { groupOf, soldOrder } from '../../support/sample-tickets.ts';

const AT_ONCE = 8;
const WAITING = 100;

describe('requests to make tickets', () => {
  it('wait for the PDFs of others up to a number, and are refused beyond', async () => {
    const order = soldOrder();
    const group = groupOf(order);
    const reading = Promise.withResolvers<Uint8Array>();
    const dependencies = {
      orders: { get: async () => order },
      calls: { generate: async () => undefined },
      tickets: { listOfOrder: async () => [{ group, revision: 1, isPending: false }] },
      barcodes: { openAll: async () => new Map() },
      pdfs: { read: async () => await reading.promise },
    };
    const { generateTickets } = createDistributionOperations(dependencies as never);
    const context = {
      ...{ path: { orderId: order.id }, query: {}, headers: {}, accepted: 'application/json', correlationId: 'c' },
      caller: { organisationId: order.organisationId, scopes: new Set<string>(), clientId: 'partner' },
      idempotency: { claim: async () => ({ workId: 'w' }) },
    };
    const send = async () => await generateTickets(context as never).catch((error: unknown) => error);
    const refused: unknown[] = [];
    const all = Array.from({ length: AT_ONCE + WAITING + 2 }, async () => {
      const answer = await send();
      if (answer instanceof ServiceError) refused.push(answer);
      return answer;
    });
    await Promise.race(all);
    assert.equal((refused[0] as ServiceError).code, 'UNAVAILABLE');
    reading.resolve(new Uint8Array([1]));
    const answers = await Promise.all(all);
    assert.equal(refused.length, 2);
    assert.equal(answers.filter((answer) => !(answer instanceof Error)).length, AT_ONCE + WAITING);
  });
});
