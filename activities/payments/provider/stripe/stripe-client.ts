/** Makes the client of Stripe's API. Loads the library, which takes some 40 MB: only where Stripe is configured. */
import { Stripe } from 'stripe';
import type { StripeAccess } from './stripe-config.ts';

/** Answers keep this shape whatever version the account has. It is raised with the library, never by itself. */
export const STRIPE_API_VERSION = '2026-08-26.dahlia';

export function createStripeClient({ secretKey, apiBase, timeoutMs }: StripeAccess): Stripe {
  const protocol = apiBase.protocol === 'http:' ? 'http' : 'https';
  return new Stripe(secretKey, {
    apiVersion: STRIPE_API_VERSION,
    host: apiBase.hostname,
    port: apiBase.port || (protocol === 'http' ? 80 : 443),
    protocol,
    timeout: timeoutMs,
    // The workflow repeats calls, with its own pauses and the same keys. One whose connection was closed the library repeats once.
    maxNetworkRetries: 0,
    telemetry: false,
  });
}
