/** Every call and answer against Stripe's published contract, by Stripe's own mock. */
import assert from 'node:assert/strict';
import { StripeProvider } from '../../../../activities/payments/provider/stripe/stripe-provider.ts';
import { sessionParams } from '../../../../activities/payments/provider/stripe/stripe-sessions.ts';
import { findStripeMock, StripeMock } from '../../../support/stripe-mock.ts';
import { ACCESS, request } from './support.ts';

describe('the contract of Stripe', () => {
  let mock: StripeMock;
  let provider: StripeProvider;
  const money = { authorisationId: 'pi_1', amountMinor: 34_900, currency: 'NOK' };

  before(async function () {
    const command = findStripeMock();
    if (command === undefined) return this.skip();
    mock = await StripeMock.start(command);
    provider = new StripeProvider({ ...ACCESS, apiBase: mock.address });
  });
  after(async () => await mock?.stop());

  it('refuses what it does not know: the tests below can fail', async () => {
    const body = new URLSearchParams({ mode: 'payment', no_such_parameter: '1' });
    const headers = { authorization: `Bearer ${ACCESS.secretKey}` };
    const answer = await fetch(new URL('/v1/checkout/sessions', mock.address), { method: 'POST', headers, body });
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /additional properties are not allowed/);
  });

  it('takes sessions of all methods and languages, also with a challenge', async () => {
    const all = ['VISA', 'MASTERCARD', 'AMEX', 'MOBILEPAY'];
    for (const methods of [all, ['VISA'], ['AMEX', 'VIPPS'], ['MOBILEPAY']])
      for (const language of ['nob', 'nno', 'eng', 'fra']) {
        const { terminalUri } = await provider.openSession({ ...request(), methods, language, challenge: true });
        assert.match(terminalUri, /^https:\/\//);
      }
  });

  it('takes every other call', async () => {
    const { sessionId } = await provider.openSession(request());
    assert.equal((await provider.session(sessionId)).status, 'OPEN');
    await provider.cancelSession(sessionId, 'void-2');
    // What the mock answers is an example of the shape, not an outcome.
    const outcomes = [
      await provider.capture({ ...money, key: 'cap-2-1' }),
      await provider.void({ ...money, key: 'void-2' }),
      await provider.refund({ ...money, key: 'cr-8-2' }),
      await provider.outcomeOf('cap-2-1', money),
      await provider.outcomeOf('cr-8-2', money),
    ];
    assert.ok(outcomes.every(({ outcome }) => typeof outcome === 'string'));
    await Array.fromAsync(provider.movements(new Date(0), new Date(1_000_000)));
  });

  it('authorises by hand-made capture, in the currency of the sale, with the reference of the transaction', () => {
    const params = sessionParams(request());
    assert.deepEqual(params.payment_intent_data, { capture_method: 'manual', metadata: { reference: '1/2' } });
    assert.deepEqual(params.adaptive_pricing, { enabled: false });
    assert.equal(params.line_items?.[0]?.price_data?.unit_amount, 34_900);
    assert.equal(params.success_url, 'https://shop.example/back?paymentId=1&responseCode=OK');
    assert.equal(params.cancel_url, 'https://shop.example/back?paymentId=1&responseCode=CANCEL');
    assert.equal('expires_at' in params, false, 'a repeat would have another time');
    assert.deepEqual(sessionParams(request()), params);
  });

  it('blocks the brands that the customer may not use', () => {
    const blocked = (methods: string[]) =>
      sessionParams({ ...request(), methods }).payment_method_options?.card?.restrictions?.brands_blocked;
    assert.deepEqual(blocked(['VISA', 'MASTERCARD']), ['american_express', 'discover_global_network']);
    assert.deepEqual(blocked(['AMEX']), ['visa', 'mastercard', 'discover_global_network']);
    assert.equal(blocked(['MOBILEPAY']), undefined);
  });

  it('refuses methods and apps that it does not have', () => {
    const app = { phoneNumber: '+4799999999', description: 'x' };
    assert.throws(() => sessionParams({ ...request(), methods: ['VIPPS'] }), { code: 'PSP_ERROR' });
    assert.throws(() => sessionParams({ ...request(), app }), { code: 'PSP_ERROR' });
  });
});
