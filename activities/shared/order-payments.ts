/**
 * What orders ask of payments. Without an area that provides it, orders have no transactions. Types, and the key of the
 * interface.
 */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import type { OrderId, OrganisationId, SettlementId } from '../../workflows/shared/ids.ts';
import type { OrderWork } from './orders.ts';

export interface DraftOfOrder {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly version: number;
  /** Counts what is credited; of the order's organisation. */
  readonly settlementId?: SettlementId;
}

export interface LockedDraft extends DraftOfOrder {
  /** Who holds the order's lock meanwhile: payments write under it, and leave it. */
  readonly lockOwner: string;
}

export interface OrderPayments {
  /** Asks each open transaction of the order to cancel, and answers how many may still capture. Repeatable. */
  endOpenTransactions(draft: DraftOfOrder): Promise<number>;
  /**
   * Has each open transaction ended that the order, confirmed or ended as it is, can take nothing of any more. Returns before that is
   * done, and throws nothing: half an hour later it ends anyhow. Repeatable.
   */
  endNeedless(order: Order, correlationId: string): Promise<void>;
  /**
   * Has in full paid back, by a refund, what the draft has captured and no confirmation can use, and notes it on the order. May
   * return before that is done: what runs is joined. On disputed money, which no provider pays back, an operator decides. Without an
   * effect where the caller does not hold the lock, and while another credit of the order runs. Repeatable.
   */
  creditDraft(draft: LockedDraft): Promise<void>;
  /** A credit of the order has no outcome yet, whatever its reason: the order's money is not settled. */
  isCrediting(order: Pick<DraftOfOrder, 'organisationId' | 'orderId'>): Promise<boolean>;
  /**
   * Credits a negative balance and notes it on the order, which the caller has locked. Returns when the balance is 0. A credit of the
   * order that has no outcome yet is waited for: none begins beside it. Throws UNAVAILABLE when that takes too long, and goes on. What
   * it throws below 500 means that nothing is credited. Repeatable.
   */
  creditBalance(draft: DraftOfOrder, work: OrderWork): Promise<void>;
}

export const ORDER_PAYMENTS = interfaceKey<OrderPayments>('order-payments');
