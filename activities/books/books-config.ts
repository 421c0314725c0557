/** The variables that the role `books-worker` reads. Callers: the manifest, the role. */
import { z } from 'zod';
import { reconciliationShape } from './reconciliation-schedule.ts';

const text = z.string().optional();

/**
 * Of payment providers: their adapters read and check them when the books are compared for the first time. Named here, because a
 * process gets the variables that its roles name and no others.
 */
const providerVariables = {
  PAYMENT_PROVIDERS: text,
  PAYMENT_SIMULATOR_URL: text,
  PAYMENT_SIMULATOR_SECRET: text,
  PAYMENT_SIMULATOR_TIMEOUT_MS: text,
  STRIPE_SECRET_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  STRIPE_API_BASE: text,
  STRIPE_TIMEOUT_MS: text,
};

export const booksShape = { ...reconciliationShape, ...providerVariables };
