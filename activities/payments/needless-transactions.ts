/**
 * Wakes open transactions of an order that can take nothing for it any more: each cancels itself, and gives back what the customer
 * has authorised (capture/capture-activities.ts). Callers: whoever has confirmed an order by its money, again with each repeat.
 */
import type { Logger } from '../../platform/log.ts';
import { hasNoOpenTransactions } from '../../workflows/orders/rules/endings.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { isNeedless } from '../../workflows/payments/rules/cancelling.ts';
import type { PaymentStore } from './payment-store.ts';
import type { PaymentWorkflows } from './payment-workflows.ts';
import { placesOf } from './transaction-places.ts';

export interface NeedlessTransactionsOptions {
  readonly payments: Pick<PaymentStore, 'listOfOrder'>;
  readonly workflows: Pick<PaymentWorkflows, 'wake'>;
  readonly log: Logger;
}

export class NeedlessTransactions {
  readonly #options: NeedlessTransactionsOptions;

  constructor(options: NeedlessTransactionsOptions) {
    this.#options = options;
  }

  /** Returns before they have ended. An order that knows of no open transaction costs no read. */
  async wake(order: Order, correlationId: string): Promise<void> {
    if (hasNoOpenTransactions(order)) return;
    const { payments, workflows } = this.#options;
    for (const stored of await payments.listOfOrder(order.organisationId, order.id)) {
      const places = placesOf(stored, (transaction) => isNeedless(stored.payment, transaction, order));
      for (const place of places) await workflows.wake(place, correlationId);
    }
  }

  /** For a caller who waits: what fails is left to the half hour after which every open transaction ends. */
  async tryToWake(order: Order, correlationId: string): Promise<void> {
    try {
      await this.wake(order, correlationId);
    } catch (err) {
      this.#options.log.warn({ err, orderId: order.id }, 'transactions of a confirmed order are still open');
    }
  }
}
