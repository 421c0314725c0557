/**
 * Confirms an order for a caller. A negative balance is credited first when the caller asks for it, or says nothing and
 * the last change of lines has asked: payments do that under the order's lock, and note it on the order. Caller: the
 * handler of the API.
 */
import { balanceMinor } from '../../workflows/orders/rules/amounts.ts';
import {
  assertConfirmable,
  assertPaysBack,
  confirmOrder,
  paysBack,
} from '../../workflows/orders/rules/confirmation.ts';
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
  /** Absent: as the last change of lines has preset. */
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
  { orderVersion, creditBalance, settlementId, ifMatch }: ConfirmRequest,
): Promise<StoredOrder> {
  const { order, revision } = await orders.get(tenancy, orderId);
  const owner = settlingOwner('confirmation', order);
  const isBegun = order.lock?.owner === owner;
  const owes = order.status === 'DRAFT' && order.version === orderVersion && balanceMinor(order) < 0;
  // A request that refuses a credit joins none that another one has begun, and may finish one that is paid back.
  const credits = isBegun ? creditBalance !== false || !owes : owes && paysBack(order, creditBalance);
  const provided = credits ? payments() : undefined;
  if (!provided) {
    return await orders.change(tenancy, orderId, work, (before, at) => confirmOrder(before, { orderVersion }, at), {
      ifMatch,
    });
  }
  return await settleUnderLock(orders, { order, revision }, work, {
    owner,
    ifMatch,
    // No money is paid back for an order that is refused afterwards.
    assertMay: (before, at) => {
      const isOurs = before.lock?.owner === owner;
      assertConfirmable(before, { orderVersion, ...(isOurs && { lockOwner: owner }) }, at);
      // A change of lines may have taken the preset back since the order was read.
      if (!isOurs) assertPaysBack(before, creditBalance);
    },
    credit: async (draft) =>
      await provided.creditBalance({ ...draft, ...(settlementId !== undefined && { settlementId }) }, work),
    end: (before, at) => confirmOrder(before, { orderVersion, lockOwner: owner }, at),
  });
}
