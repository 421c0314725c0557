/** Makes the adapter of Stripe from the configuration of a process. Caller: the list of adapters. */
import type { MakeProvider } from '../provider-base.ts';
import { stripeAccessOf, stripeShape } from './stripe-config.ts';
import { StripeProvider } from './stripe-provider.ts';

export const makeStripe: MakeProvider = ({ readConfig, eventEnvironment }) =>
  new StripeProvider(stripeAccessOf(readConfig(stripeShape), eventEnvironment));
