/** The variables of `sales-payments-worker`. Callers: the manifest, the role. */
import { z } from 'zod';
import { subjectKeysShape } from '../../platform/personal/subject-keys-config.ts';
import { paymentPageShape } from '../shared/page-links.ts';
import { providersShape } from './provider/providers.ts';
import { simulatorShape } from './provider/simulator-config.ts';
import { stripeShape } from './provider/stripe/stripe-config.ts';

export const paymentsWorkerShape = {
  ...subjectKeysShape,
  ...providersShape,
  ...simulatorShape,
  ...stripeShape,
  // Customers of payment pages come back from the terminals.
  ...paymentPageShape,
  /** Of the API, where providers report what customers and money do. */
  PAYMENT_CALLBACK_URL: z.url({ protocol: /^https?$/ }),
  /** Steps of payments that all workers together begin in a second: as many as the providers take. */
  PAYMENT_STEPS_PER_SECOND: z.coerce.number().positive().default(100),
};

export const paymentsSettingShape = {
  PAYMENT_CALLBACK_URL: paymentsWorkerShape.PAYMENT_CALLBACK_URL,
  PAYMENT_STEPS_PER_SECOND: paymentsWorkerShape.PAYMENT_STEPS_PER_SECOND,
};
