/**
 * Confirms an order for a caller. A negative balance is credited first, when the caller or an earlier change has asked
 * for it: payments do that under the order's lock, and note it on the order. Caller: the handler of the API.
 */
import { balanceMinor } from '../../workflows/orders/rules/amounts.ts';
import { assertConfirmable, confirmOrder } from '../../workflows/orders/rules/confirmation.ts';
import { settlingOwner } from '../../workflows/orders/rules/settling-lock.ts';
import type { OrderId, SettlementId } from '../../workflows/shared/ids.ts';
import type { OrderPayments } from '../shared/order-payments.ts';
import type { OrderWork } from '../shared/orders.ts';
import type { OrderStore } from './order-store.ts';
import type { ChangeOptions, StoredOrder, Tenancy } from './order-types.ts';
import { settleUnderLock } from './settling.ts';

export interface ConfirmingOptions {
  readonly orders: Pick<OrderStore, 'get' | 'change'>;
  /** Absent: no area provides payments, so nothing can be credited. */
  readonly payments: () => OrderPayments | undefined;
}

export interface ConfirmRequest extends Pick<ChangeOptions, 'ifMatch'> {
  readonly orderVersion: number;
  readonly creditBalance?: boolean;
  /** Counts what is credited. */
  readonly settlementId?: SettlementId;
}

/** Throws what the rule throws; repeatable under the same work id. */
export async function confirmFor(
  { orders, payments }: ConfirmingOptions,
  tenancy: Tenancy,
  orderId: OrderId,
  work: OrderWork,
  { orderVersion, creditBalance = false, settlementId, ifMatch }: ConfirmRequest,
): Promise<StoredOrder> {
  const { order, revision } = await orders.get(tenancy, orderId);
  const owner = settlingOwner('confirmation', order);
  const isBegun = order.lock?.owner === owner;
  const owes = order.status === 'DRAFT' && order.version === orderVersion && balanceMinor(order) < 0;
  const provided = isBegun || (owes && (creditBalance || order.creditBalance)) ? payments() : undefined;
  if (!provided) {
    return await orders.change(tenancy, orderId, work, (before, at) => confirmOrder(before, { orderVersion }, at), {
      ifMatch,
    });
  }
  return await settleUnderLock(orders, { order, revision }, work, {
    owner,
    ifMatch,
    // No money is paid back for an order that is refused afterwards.
    assertMay: (before, at) =>
      assertConfirmable(before, { orderVersion, ...(before.lock?.owner === owner && { lockOwner: owner }) }, at),
    credit: async (draft) =>
      await provided.creditBalance({ ...draft, ...(settlementId !== undefined && { settlementId }) }, work),
    end: (before, at) => confirmOrder(before, { orderVersion, lockOwner: owner }, at),
  });
}
