/** Payments beside the books of their providers. Caller: the reconciliation, by PAYMENT_BOOKS. */
import { randomUUID } from 'node:crypto';
import type { Difference, MovedMoney, Movement } from '../../workflows/books/rules/difference.ts';
import type { Payment } from '../../workflows/payments/rules/payment.ts';
import type { CreditId, PaymentId, TransactionId } from '../../workflows/shared/ids.ts';
import type { PaymentBooks } from '../shared/payment-books.ts';
import type { PaymentStore } from './payment-store.ts';
import type { PaymentWorkflows } from './payment-workflows.ts';
import type { Providers } from './provider/providers.ts';

export interface ProviderBooksParts {
  readonly payments: Pick<PaymentStore, 'listByIds'>;
  readonly workflows: Pick<PaymentWorkflows, 'wake' | 'startCredit'>;
  readonly openProviders: () => Promise<Providers>;
}

export class ProviderBooks implements PaymentBooks {
  readonly #payments: Pick<PaymentStore, 'listByIds'>;
  readonly #workflows: Pick<PaymentWorkflows, 'wake' | 'startCredit'>;
  readonly #openProviders: () => Promise<Providers>;
  #opened: Promise<Providers> | undefined;

  /** Providers are opened with the first question: most processes ask none. */
  constructor({ payments, workflows, openProviders }: ProviderBooksParts) {
    this.#payments = payments;
    this.#workflows = workflows;
    this.#openProviders = openProviders;
  }

  async providers(): Promise<readonly string[]> {
    return (await this.#providers()).list().map(({ name }) => name);
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

  async ask(
    payment: Payment,
    { transactionId, creditId }: Pick<Difference, 'transactionId' | 'creditId'>,
  ): Promise<void> {
    const { organisationId, orderId, id: paymentId } = payment;
    const correlationId = randomUUID();
    if (creditId !== undefined) {
      await this.#workflows.startCredit({ organisationId, orderId, creditId: creditId as CreditId, correlationId });
      return;
    }
    const place = { organisationId, orderId, paymentId, transactionId: transactionId as TransactionId };
    await this.#workflows.wake(place, correlationId);
  }

  async #providers(): Promise<Providers> {
    this.#opened ??= this.#openProviders().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return await this.#opened;
  }
}
