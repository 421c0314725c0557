/** What an adapter is made of. Apart from the list of adapters, which imports each of them. */
import type { StoreBase } from '../../../platform/area.ts';
import type { PaymentProvider } from './payment-provider.ts';

export type ProviderBase = Pick<StoreBase, 'log' | 'readConfig' | 'eventEnvironment'>;
/** Throws ConfigError. */
export type MakeProvider = (base: ProviderBase) => PaymentProvider | Promise<PaymentProvider>;
