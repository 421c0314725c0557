/**
 * What orders ask of payments. Without an area that provides it, orders have no transactions. Types, and the key of the
 * interface.
 */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { OrderId, OrganisationId } from '../../workflows/shared/ids.ts';

export interface DraftOfOrder {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly version: number;
}

export interface OrderPayments {
  /** Asks each open transaction of the order to cancel, and answers how many may still capture. Repeatable. */
  endOpenTransactions(draft: DraftOfOrder): Promise<number>;
  /**
   * Credits in full what the draft has captured and no confirmation can use, and notes it on the order. May return before
   * that is done. Repeatable.
   */
  creditDraft(draft: DraftOfOrder): Promise<void>;
}

export const ORDER_PAYMENTS = interfaceKey<OrderPayments>('order-payments');
