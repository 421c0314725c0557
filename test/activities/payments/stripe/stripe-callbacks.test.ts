/** Events of Stripe: signatures over bytes and time, and what a verified event reports. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProviderUnknown } from '../../../../activities/payments/provider/payment-provider.ts';
import { StripeProvider } from '../../../../activities/payments/provider/stripe/stripe-provider.ts';
import { ACCESS } from './support.ts';

/**
 * Known pairs of a secret, a signed text and its signature, by the published scheme: HMAC-SHA256 of `<time>.<body>`.
 * Made with `openssl dgst -sha256 -hmac`, not with the library under test.
 */
const VECTORS = [
  {
    secret: 'whsec_of_the_test',
    at: 1_700_000_000,
    body: '{"id":"evt_1","object":"event","livemode":false,"type":"product.created","data":{"object":{}}}',
    v1: '45d7194fe5609e46ba4e0520b9e6b3c65933c67c7b719669b6546ebba57d7180',
  },
  {
    secret: 'whsec_of_the_test',
    at: 1_700_000_000,
    body: '{"id":"evt_2","object":"event","livemode":false,"type":"product.created","data":{"object":{"name":"Trøndelag – å"}}}',
    v1: '341d8c859c6ca2443078c959aaba68bf5f158cea338d95763b8a21cba12b8be4',
  },
] as const;
const AT = 1_700_000_000;

describe('callbacks of Stripe', () => {
  let objects: Server;
  let provider: StripeProvider;
  let answers: Record<string, object>;
  let now: Date;

  before(async () => {
    // Disputes and refunds as Stripe's books hold them.
    objects = createServer(({ url = '' }, response) => {
      const found = answers[new URL(url, 'http://stripe').pathname];
      response.writeHead(found ? 200 : 500, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found ?? { error: { type: 'api_error' } }));
    });
    await new Promise<void>((resolve) => objects.listen(0, '127.0.0.1', resolve));
    const apiBase = new URL(`http://127.0.0.1:${(objects.address() as AddressInfo).port}`);
    provider = new StripeProvider({ ...ACCESS, apiBase }, () => now);
  });
  after(() => objects.close());
  beforeEach(() => {
    answers = {};
    now = new Date(AT * 1_000);
  });

  const verify = (text: string, signature: string | undefined) =>
    provider.verifyCallback({ body: Buffer.from(text), headers: { 'stripe-signature': signature } });
  const signed = (text: string, { at = AT, secret = ACCESS.webhookSecret } = {}) =>
    `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${text}`).digest('hex')}`;
  const event = (type: string, object: object, livemode = false) =>
    JSON.stringify({ id: 'evt_7', object: 'event', livemode, type, data: { object } });
  const reported = (text: string) => verify(text, signed(text));

  it('accepts the signatures of the vectors, and no other byte', async () => {
    for (const { body, at, v1 } of VECTORS) {
      assert.equal(await verify(body, `t=${at},v1=${v1}`), 'IRRELEVANT');
      assert.equal(await verify(`${body} `, `t=${at},v1=${v1}`), undefined);
      assert.equal(await verify(body, `t=${at + 1},v1=${v1}`), undefined, 'the time is signed, too');
    }
  });

  it('accepts one right signature among several, while a secret is being replaced', async () => {
    const [{ body, at, v1 }] = VECTORS;
    assert.equal(await verify(body, `t=${at},v1=${'0'.repeat(64)},v1=${v1}`), 'IRRELEVANT');
    assert.equal(await verify(body, `t=${at},v0=${v1}`), undefined, 'a signature of another scheme');
  });

  it('refuses what is missing, malformed, of another secret, or too old', async () => {
    const [{ body, at, v1 }] = VECTORS;
    for (const signature of [undefined, '', 'v1', `v1=${v1}`, `t=,v1=${v1}`, signed(body, { secret: 'whsec_other' })])
      assert.equal(await verify(body, signature), undefined, String(signature));
    assert.equal(await verify('no JSON', signed('no JSON')), undefined);
    now = new Date((at + 300) * 1_000);
    assert.equal(await verify(body, `t=${at},v1=${v1}`), 'IRRELEVANT');
    now = new Date((at + 301) * 1_000);
    assert.equal(await verify(body, `t=${at},v1=${v1}`), undefined);
  });

  it('reports the transaction whose session has changed', async () => {
    const expected = { id: 'evt_7', paymentId: 12, transactionId: 9_007_199_254_740_991 };
    const metadata = { reference: '12/9007199254740991' };
    for (const type of ['checkout.session.completed', 'checkout.session.expired', 'payment_intent.canceled'])
      assert.deepEqual(await reported(event(type, { metadata })), expected, type);
  });

  it('leaves out other payments of the account, other modes and other events', async () => {
    const completed = 'checkout.session.completed';
    for (const reference of [undefined, '', '1', '1/2/3', '0/1', '12/9007199254740992', 'x/y', '1/-2'])
      assert.equal(await reported(event(completed, { metadata: { reference } })), 'IRRELEVANT', reference);
    assert.equal(await reported(event(completed, { metadata: null })), 'IRRELEVANT');
    assert.equal(await reported(event(completed, { metadata: { reference: '1/2' } }, true)), 'IRRELEVANT');
    assert.equal(await reported(event('invoice.paid', { metadata: { reference: '1/2' } })), 'IRRELEVANT');
  });

  it('reports a dispute as the books hold it, not as the event says', async () => {
    const payment_intent = { id: 'pi_1', currency: 'nok', metadata: { reference: '1/2' } };
    const dispute = { id: 'dp_1', status: 'needs_response', amount: 34_900, currency: 'nok', payment_intent };
    const text = event('charge.dispute.created', { id: 'dp_1', amount: 1, status: 'won' });
    answers = { '/v1/disputes/dp_1': dispute };
    assert.deepEqual(await reported(text), {
      ...{ id: 'evt_7', paymentId: 1, transactionId: 2 },
      trouble: { kind: 'DISPUTED', amountMinor: 34_900, currency: 'NOK' },
    });
    answers = { '/v1/disputes/dp_1': { ...dispute, status: 'won' } };
    for (const type of ['charge.dispute.closed', 'charge.dispute.funds_reinstated'])
      assert.deepEqual(await reported(event(type, { id: 'dp_1', amount: 1, status: 'lost' })), {
        ...{ id: 'evt_7', paymentId: 1, transactionId: 2 },
        trouble: { kind: 'DISPUTE_WON', amountMinor: 34_900, currency: 'NOK' },
      });
    for (const status of ['warning_needs_response', 'warning_closed', 'prevented']) {
      answers = { '/v1/disputes/dp_1': { ...dispute, status } };
      assert.equal(await reported(text), 'IRRELEVANT', status);
    }
  });

  it('reports a dispute in another currency than the sale with its own', async () => {
    const payment_intent = { id: 'pi_1', currency: 'nok', metadata: { reference: '1/2' } };
    const dispute = { id: 'dp_1', status: 'needs_response', amount: 34_900, currency: 'eur', payment_intent };
    const text = event('charge.dispute.created', { id: 'dp_1' });
    answers = { '/v1/disputes/dp_1': dispute };
    assert.deepEqual(await reported(text), {
      ...{ id: 'evt_7', paymentId: 1, transactionId: 2 },
      trouble: { kind: 'DISPUTED', amountMinor: 34_900, currency: 'EUR' },
    });
    // Another payment of the account.
    const foreign = { ...payment_intent, metadata: {} };
    answers = { '/v1/disputes/dp_1': { ...dispute, payment_intent: foreign } };
    assert.equal(await reported(text), 'IRRELEVANT');
  });

  it('reports a refund that failed after it was accepted', async () => {
    const payment_intent = { id: 'pi_1', metadata: { reference: '1/2' } };
    const refund = { id: 're_1', status: 'failed', metadata: { credit_key: 'cr-8-2' }, payment_intent };
    const text = event('refund.failed', { id: 're_1', status: 'succeeded' });
    answers = { '/v1/refunds/re_1': refund };
    const trouble = { kind: 'REFUND_FAILED', key: 'cr-8-2' };
    assert.deepEqual(await reported(text), { id: 'evt_7', paymentId: 1, transactionId: 2, trouble });
    answers = { '/v1/refunds/re_1': { ...refund, status: 'succeeded' } };
    assert.equal(await reported(text), 'IRRELEVANT');
  });

  it('is asked again when Stripe does not tell what became of it', async () => {
    await assert.rejects(reported(event('refund.failed', { id: 're_9' })), ProviderUnknown);
  });
});
