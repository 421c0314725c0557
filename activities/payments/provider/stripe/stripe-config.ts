/** How processes reach Stripe. Callers: the processes that call payment providers, and their tests. */
import { z } from 'zod';
import { ConfigError } from '../../../../platform/config.ts';

const SECRET_KEY = /^(?:sk|rk)_(?:test|live)_\w{8,}$/;

export const stripeShape = {
  /** A secret or restricted key. */
  STRIPE_SECRET_KEY: z.string().regex(SECRET_KEY, 'must be a secret or restricted key: sk_… or rk_…').optional(),
  /** Of the endpoint that Stripe sends its events to. */
  STRIPE_WEBHOOK_SECRET: z.string().startsWith('whsec_').optional(),
  STRIPE_API_BASE: z.url({ protocol: /^https?$/ }).default('https://api.stripe.com'),
  /** Below the time of an activity, so that the activity learns that there was no answer. */
  STRIPE_TIMEOUT_MS: z.coerce.number().int().min(1_000).max(25_000).default(20_000),
};

export type StripeConfig = z.infer<z.ZodObject<typeof stripeShape>>;

export interface StripeAccess {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly apiBase: URL;
  readonly timeoutMs: number;
}

/**
 * Real money moves in production alone, and nowhere else: a key of the other
 * mode is refused. Throws ConfigError.
 */
export function stripeAccessOf(config: StripeConfig, environment: 'dev' | 'staging' | 'production'): StripeAccess {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE } = config;
  if (secretKey === undefined || webhookSecret === undefined)
    throw new ConfigError(['STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET: set both or neither']);
  if (isLive(secretKey) !== (environment === 'production'))
    throw new ConfigError([
      `STRIPE_SECRET_KEY: ${environment === 'production' ? 'production needs a live key' : 'a test key is needed outside production'}`,
    ]);
  const apiBase = new URL(STRIPE_API_BASE);
  if (apiBase.protocol !== 'https:' && environment !== 'dev')
    throw new ConfigError(['STRIPE_API_BASE: must be https outside development']);
  return { secretKey, webhookSecret, apiBase, timeoutMs: config.STRIPE_TIMEOUT_MS };
}

export function isLive(secretKey: string): boolean {
  return secretKey.startsWith('sk_live_') || secretKey.startsWith('rk_live_');
}
