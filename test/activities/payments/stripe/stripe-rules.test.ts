/** Amounts, configuration, states and books of Stripe's adapter, without Stripe. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Stripe } from 'stripe';
import { ProviderUnknown } from '../../../../activities/payments/provider/payment-provider.ts';
import { fromStripeAmount, toStripeAmount } from '../../../../activities/payments/provider/stripe/stripe-amounts.ts';
import { stripeAccessOf, stripeShape } from '../../../../activities/payments/provider/stripe/stripe-config.ts';
import { asked } from '../../../../activities/payments/provider/stripe/stripe-errors.ts';
import { parseConfig } from '../../../../platform/config.ts';
import { createLog } from '../../../../platform/log.ts';
import { fractionDigits } from '../../../../workflows/shared/money.ts';

describe("Stripe's amounts", () => {
  for (const [currency, amountMinor, amount] of [
    ['NOK', 34_900, 34_900],
    ['JPY', 500, 500],
    // Stripe counts hundredths of a króna, of which it takes whole hundreds.
    ['ISK', 500, 50_000],
    ['UGX', 500, 50_000],
    ['VND', 500, 500],
    // Stripe has no hundredths of an ariary.
    ['MGA', 50_000, 500],
    ['KWD', 5_120, 5_120],
  ] as const)
    it(`${amountMinor} smallest units of ${currency} are ${amount} at Stripe, and back`, () => {
      assert.equal(toStripeAmount(amountMinor, currency), amount);
      assert.equal(fromStripeAmount(amount, currency.toLowerCase()), amountMinor);
    });

  it('refuses amounts that Stripe cannot take exactly', () => {
    for (const [amountMinor, currency] of [
      [50_010, 'MGA'],
      // The card networks round the third digit.
      [5_125, 'KWD'],
      [1.5, 'NOK'],
    ] as const)
      assert.throws(() => toStripeAmount(amountMinor, currency), { code: 'PSP_ERROR' }, `${amountMinor} ${currency}`);
    assert.throws(() => fromStripeAmount(50_010, 'ISK'), RangeError);
  });

  it('comes back unchanged in every currency', () => {
    const currencies = [...'NOK SEK EUR USD JPY ISK KRW VND UGX MGA BHD JOD KWD OMR TND XOF HUF TWD'.split(' ')];
    const property = fc.property(fc.constantFrom(...currencies), fc.nat(100_000_000), (currency, units) => {
      const amountMinor = units * 10 ** fractionDigits(currency);
      assert.equal(fromStripeAmount(toStripeAmount(amountMinor, currency), currency), amountMinor);
    });
    fc.assert(property);
  });
});

describe('the configuration of Stripe', () => {
  const given = { STRIPE_SECRET_KEY: 'sk_test_0123456789', STRIPE_WEBHOOK_SECRET: 'whsec_abc' };
  const read = (variables: Record<string, string>, environment: 'dev' | 'staging' | 'production') =>
    stripeAccessOf(parseConfig(stripeShape, variables), environment);

  it('keeps test keys out of production, and live keys out of everything else', () => {
    assert.equal(read(given, 'staging').secretKey, given.STRIPE_SECRET_KEY);
    assert.throws(() => read(given, 'production'), /needs a live key/);
    const live = { ...given, STRIPE_SECRET_KEY: 'rk_live_0123456789' };
    assert.ok(read(live, 'production'));
    assert.throws(() => read(live, 'staging'), /a test key is needed/);
  });

  it('refuses halves, other keys and plain HTTP, without showing a value', () => {
    for (const wrong of [
      {},
      { STRIPE_SECRET_KEY: given.STRIPE_SECRET_KEY },
      { STRIPE_WEBHOOK_SECRET: given.STRIPE_WEBHOOK_SECRET },
      { ...given, STRIPE_SECRET_KEY: 'pk_test_0123456789' },
      { ...given, STRIPE_WEBHOOK_SECRET: 'abcdefgh' },
      { ...given, STRIPE_API_BASE: 'http://stripe.example' },
    ])
      assert.throws(
        () => read(wrong, 'staging'),
        (error: Error) => !/0123456789|abc/.test(error.message),
      );
    const mock = { ...given, STRIPE_API_BASE: 'http://127.0.0.1:12111' };
    assert.equal(read(mock, 'dev').apiBase.port, '12111');
  });

  it('never reaches the log', () => {
    let text = '';
    const log = createLog({ level: 'info', name: 'test', destination: { write: (line) => (text += line) } });
    log.info(given, `the key is ${given.STRIPE_SECRET_KEY}, the other ${given.STRIPE_WEBHOOK_SECRET}`);
    log.info({ nested: { text: `${given.STRIPE_SECRET_KEY}?` } }, 'rk_live_0123456789');
    assert.doesNotMatch(text, /0123456789|whsec_abc/);
  });
});

describe('an error of Stripe', () => {
  const raised = (statusCode: number, type: string, code = 'a_code') =>
    asked(() => Promise.reject(Stripe.errors.generateV1Error({ ...raw, statusCode, type, code } as never)));
  const raw = {
    message: 'No such address: https://shop.example/back?token=SECRET',
    requestId: 'req_1',
    payment_intent: { client_secret: 'SECRET', receipt_email: 'SECRET' },
  };

  it('leaves the outcome open when Stripe has not decided', async () => {
    for (const status of [401, 403, 409, 429, 500, 502, 503])
      await assert.rejects(raised(status, status < 500 ? 'invalid_request_error' : 'api_error'), ProviderUnknown);
    const closed = asked(() => Promise.reject(new Stripe.errors.StripeConnectionError({ message: 'x' } as never)));
    await assert.rejects(closed, ProviderUnknown);
  });

  it('is a refusal when Stripe has understood the call', async () => {
    for (const status of [400, 402, 404]) await assert.rejects(raised(status, 'invalid_request_error'), isRefusal);
    const wanted = { name: 'StripeRefusal', isDecline: true, needsAuthentication: true };
    await assert.rejects(raised(402, 'card_error', 'authentication_required'), wanted);
    await assert.rejects(raised(402, 'card_error', 'card_declined'), { ...wanted, needsAuthentication: false });
  });

  it('carries nothing of the customer, of the call or of keys', async () => {
    for (const status of [400, 402, 500]) {
      const error = await raised(status, 'card_error').then(assert.fail, (each: Error) => each);
      assert.match(error.message, /a_code.*req_1/);
      const shown = JSON.stringify({ ...error, cause: error.cause }) + error.message + error.stack;
      assert.doesNotMatch(shown, /SECRET|shop\.example/);
    }
  });

  it('is not made of a fault of our own', async () => {
    const fault = new TypeError('x');
    await assert.rejects(
      asked(() => Promise.reject(fault)),
      fault,
    );
  });

  const isRefusal = (error: Error) => error.name === 'StripeRefusal';
});
