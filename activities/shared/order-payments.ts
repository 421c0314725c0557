/**
 * What orders ask of payments. Without an area that provides it, orders have no transactions. Types, and the key of the
 * interface.
 */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { OrderId, OrganisationId, SettlementId } from '../../workflows/shared/ids.ts';
import type { OrderWork } from './orders.ts';

export interface DraftOfOrder {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly version: number;
  /** Who holds the order's lock meanwhile: payments write under it, and leave it. */
  readonly lockOwner?: string;
  /** Counts what is credited; of the order's organisation. */
  readonly settlementId?: SettlementId;
}

export interface OrderPayments {
  /** Asks each open transaction of the order to cancel, and answers how many may still capture. Repeatable. */
  endOpenTransactions(draft: DraftOfOrder): Promise<number>;
  /**
   * Credits in full what the draft has captured and no confirmation can use, and notes it on the order. May return before
   * that is done. Repeatable.
   */
  creditDraft(draft: DraftOfOrder): Promise<void>;
  /**
   * Credits a negative balance and notes it on the order, which the caller has locked. Returns when the balance is 0; throws
   * UNAVAILABLE when that takes too long, and goes on. What it throws below 500 means that nothing is credited. Repeatable under the same work id.
   */
  creditBalance(draft: DraftOfOrder, work: OrderWork): Promise<void>;
}

export const ORDER_PAYMENTS = interfaceKey<OrderPayments>('order-payments');
