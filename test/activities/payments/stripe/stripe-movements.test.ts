/** What Stripe has booked, as movements: pages, kinds, directions, currencies. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProviderUnknown } from '../../../../activities/payments/provider/payment-provider.ts';
import { StripeProvider } from '../../../../activities/payments/provider/stripe/stripe-provider.ts';
import { ACCESS } from './support.ts';

const INTENT = { id: 'pi_1', metadata: { reference: '1/2', capture_key: 'cap-2-1' } };
const CHARGE = { id: 'ch_1', object: 'charge', amount_captured: 34_900, currency: 'nok', payment_intent: INTENT };
const REFUND = { id: 're_1', object: 'refund', amount: 10_000, currency: 'nok', payment_intent: INTENT };
const DISPUTE = { id: 'dp_1', object: 'dispute', amount: 34_900, currency: 'nok', payment_intent: 'pi_1' };

describe('movements at Stripe', () => {
  let server: Server;
  let provider: StripeProvider;
  let booked: readonly { id: string; type: string; created: number; amount?: number; source: object | null }[];
  let asked: URL[];

  before(async () => {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://stripe');
      asked.push(url);
      const answer = url.pathname.startsWith('/v1/payment_intents/') ? INTENT : page(url);
      response.writeHead(booked.length === 0 ? 502 : 200, { 'content-type': 'application/json' });
      response.end(booked.length === 0 ? '<html>Bad gateway</html>' : JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const apiBase = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    provider = new StripeProvider({ ...ACCESS, apiBase });
  });
  after(() => server.close());
  beforeEach(() => {
    asked = [];
  });

  /** Pages of two. */
  function page({ searchParams }: URL) {
    const of = booked.filter(({ type }) => type === searchParams.get('type'));
    const after = of.findIndex(({ id }) => id === searchParams.get('starting_after')) + 1;
    return { object: 'list', data: of.slice(after, after + 2), has_more: after + 2 < of.length };
  }

  const listed = (from = new Date(0), until = new Date(2_000_000_000_000)) =>
    Array.fromAsync(provider.movements(from, until));
  const common = { reference: '1/2', currency: 'NOK', at: new Date(100_000) };

  it('names captures and refunds by the keys of our calls', async () => {
    booked = [
      { id: 'txn_1', type: 'charge', created: 100, source: CHARGE },
      { id: 'txn_2', type: 'refund', created: 100, source: { ...REFUND, metadata: { credit_key: 'cr-8-2' } } },
      { id: 'txn_3', type: 'refund', created: 100, source: { ...REFUND, id: 're_by_hand', metadata: {} } },
      { id: 'txn_4', type: 'refund_failure', created: 100, source: { ...REFUND, metadata: { credit_key: 'cr-8-2' } } },
    ];
    assert.deepEqual(await listed(), [
      { ...common, kind: 'CAPTURE', amountMinor: 34_900, key: 'cap-2-1' },
      { ...common, kind: 'REFUND', amountMinor: 10_000, key: 'cr-8-2' },
      { ...common, kind: 'REFUND', amountMinor: 10_000, key: 're_by_hand' },
      { ...common, kind: 'REFUND', amountMinor: -10_000, key: 'cr-8-2' },
    ]);
  });

  it('tells disputes that took money from those that gave it back', async () => {
    booked = [
      { id: 'txn_1', type: 'adjustment', created: 100, amount: -36_400, source: DISPUTE },
      { id: 'txn_2', type: 'adjustment', created: 100, amount: 34_900, source: DISPUTE },
      { id: 'txn_3', type: 'adjustment', created: 100, amount: 5, source: null },
    ];
    assert.deepEqual(await listed(), [
      { ...common, kind: 'DISPUTE', amountMinor: 34_900, key: 'dp_1' },
      { ...common, kind: 'DISPUTE', amountMinor: -34_900, key: 'dp_1' },
    ]);
  });

  it('counts what is not ours, without a reference', async () => {
    const foreign = { ...CHARGE, payment_intent: { id: 'pi_9', metadata: {} } };
    booked = [{ id: 'txn_1', type: 'charge', created: 100, source: foreign }];
    assert.deepEqual(await listed(), [{ ...common, reference: '', kind: 'CAPTURE', amountMinor: 34_900, key: 'pi_9' }]);
  });

  it('reads every page, of exactly the time', async () => {
    booked = [1, 2, 3, 4, 5].map((number) => ({ id: `t${number}`, type: 'charge', created: 100, source: CHARGE }));
    assert.equal((await listed(new Date(99_001), new Date(200_500))).length, 5);
    const [first] = asked;
    assert.equal(first?.searchParams.get('created[gte]'), '100');
    assert.equal(first?.searchParams.get('created[lt]'), '201');
  });

  it('says so when Stripe does not answer', async () => {
    booked = [];
    await assert.rejects(listed(), ProviderUnknown);
  });
});
