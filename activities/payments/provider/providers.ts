/**
 * The payment providers of a process, by the name that the catalogue gives them. `PAYMENT_PROVIDERS` says which are used;
 * BOOK always is. An adapter is loaded, and reads its own variables, only where it is used. Callers: the role
 * `sales-payments-worker`, which moves money, and the API, which verifies what providers report.
 */
import { z } from 'zod';
import { ConfigError } from '../../../platform/config.ts';
import { BOOK } from '../../../workflows/payments/rules/book.ts';
import { BookProvider } from './book-provider.ts';
import type { PaymentProvider } from './payment-provider.ts';
import type { MakeProvider, ProviderBase } from './provider-base.ts';

export const SIMULATOR = 'SIMULATOR';

/** An adapter is one line here: its name in the catalogue, and where its code is. */
const ADAPTERS: Readonly<Record<string, () => Promise<MakeProvider>>> = {
  SIMULATOR: async () => (await import('./make-simulator.ts')).makeSimulator,
  STRIPE: async () => (await import('./stripe/make-stripe.ts')).makeStripe,
};

export const providersShape = {
  /** Names of the payment providers that are used, comma-separated, as the catalogue's payment methods name them. */
  PAYMENT_PROVIDERS: z
    .string()
    .default('')
    .transform((text) => [...new Set(text.split(',').map((each) => each.trim()))].filter((name) => name !== '')),
};

export class Providers {
  readonly #byName: ReadonlyMap<string, PaymentProvider>;

  constructor(providers: readonly PaymentProvider[]) {
    this.#byName = new Map(providers.map((provider) => [provider.name, provider]));
  }

  /** All but BOOK have books of their own. */
  list(): readonly PaymentProvider[] {
    return [...this.#byName.values()].filter(({ name }) => name !== BOOK);
  }

  /** The same with those of {@link list} made into others. */
  map(change: (provider: PaymentProvider) => PaymentProvider): Providers {
    const changed = [...this.#byName.values()].map((each) => (each.name === BOOK ? each : change(each)));
    return new Providers(changed);
  }

  find(name: string): PaymentProvider | undefined {
    return this.#byName.get(name);
  }

  /** Throws: what the provider holds stays as it is until the configuration names it again. */
  get(name: string): PaymentProvider {
    const found = this.#byName.get(name);
    if (!found) throw new Error(`PAYMENT_PROVIDERS does not name ${name}, and a transaction needs it`);
    return found;
  }
}

/** Throws ConfigError. */
export async function openProviders(
  base: ProviderBase,
  adapters: Readonly<Record<string, () => Promise<MakeProvider>>> = ADAPTERS,
): Promise<Providers> {
  const { PAYMENT_PROVIDERS: names } = base.readConfig(providersShape);
  const opened = names.map(async (name): Promise<PaymentProvider> => {
    const load = Object.hasOwn(adapters, name) ? adapters[name] : undefined;
    if (!load) {
      throw new ConfigError([`PAYMENT_PROVIDERS: there is no ${name}, only ${Object.keys(adapters).join(', ')}`]);
    }
    if (name === SIMULATOR && base.eventEnvironment === 'production') {
      throw new ConfigError(['PAYMENT_PROVIDERS: the simulator moves no money, and is refused in production']);
    }
    return await (await load())(base);
  });
  const given = await Promise.all(opened);
  return new Providers([...given.filter(({ name }) => name !== BOOK), new BookProvider()]);
}
