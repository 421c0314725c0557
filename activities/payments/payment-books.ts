/** Payments beside the books of their providers. Caller: the reconciliation, by PAYMENT_BOOKS. */
import type { MovedMoney, Movement } from '../../workflows/books/rules/difference.ts';
import type { Payment } from '../../workflows/payments/rules/payment.ts';
import type { PaymentId } from '../../workflows/shared/ids.ts';
import type { PaymentBooks } from '../shared/payment-books.ts';
import type { PaymentStore } from './payment-store.ts';
import type { Providers } from './provider/providers.ts';

export class ProviderBooks implements PaymentBooks {
  readonly #payments: Pick<PaymentStore, 'listByIds'>;
  readonly #openProviders: () => Promise<Providers>;
  #opened: Promise<Providers> | undefined;

  /** Providers are opened with the first question: most processes ask none. */
  constructor(payments: Pick<PaymentStore, 'listByIds'>, openProviders: () => Promise<Providers>) {
    this.#payments = payments;
    this.#openProviders = openProviders;
  }

  async *movements(from: Date, until: Date): AsyncGenerator<Movement> {
    for (const provider of (await this.#providers()).list()) {
      for await (const { at: _at, ...movement } of provider.movements(from, until)) {
        yield { ...movement, provider: provider.name };
      }
    }
  }

  async list(ids: readonly PaymentId[]): Promise<readonly Payment[]> {
    return (await this.#payments.listByIds(ids)).map(({ payment }) => payment);
  }

  async hasMoved({ currency }: Payment, { transaction, key, amountMinor }: MovedMoney): Promise<boolean | undefined> {
    const { provider, authorisationId = '' } = transaction;
    const adapter = (await this.#providers()).find(provider);
    if (!adapter) return undefined;
    const { outcome } = await adapter.outcomeOf(key, { authorisationId, amountMinor, currency });
    return outcome === 'DONE';
  }

  async #providers(): Promise<Providers> {
    this.#opened ??= this.#openProviders().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return await this.#opened;
  }
}
