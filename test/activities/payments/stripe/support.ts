/** What the tests of Stripe's adapter share. */
import type { SessionRequest } from '../../../../activities/payments/provider/payment-provider.ts';
import type { StripeAccess } from '../../../../activities/payments/provider/stripe/stripe-config.ts';

export const ACCESS: StripeAccess = {
  secretKey: 'sk_test_0123456789',
  webhookSecret: 'whsec_of_the_test',
  apiBase: new URL('http://127.0.0.1:1'),
  timeoutMs: 5_000,
};

export function request(): SessionRequest {
  return {
    key: 'auth-2-1',
    reference: '1/2',
    amountMinor: 34_900,
    currency: 'NOK',
    methods: ['VISA', 'MASTERCARD'],
    returnUrl: 'https://shop.example/back?paymentId=1',
    callbackUrl: 'https://api.example/v1/provider-callbacks/stripe',
    language: 'nob',
  };
}
