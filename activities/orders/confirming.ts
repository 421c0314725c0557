/**
 * Confirms an order for a caller. A negative balance is credited first, when the caller or an earlier change has asked
 * for it: payments do that under the order's lock, and note it on the order. Caller: the handler of the API.
 */
import { balanceMinor } from '../../workflows/orders/rules/amounts.ts';
import { assertConfirmable, confirmOrder } from '../../workflows/orders/rules/confirmation.ts';
import type { OrderId } from '../../workflows/shared/ids.ts';
import type { OrderPayments } from '../shared/order-payments.ts';
import type { OrderWork } from '../shared/orders.ts';
import type { OrderStore } from './order-store.ts';
import type { ChangeOptions, StoredOrder, Tenancy } from './order-types.ts';

export interface ConfirmingOptions {
  readonly orders: Pick<OrderStore, 'get' | 'change'>;
  /** Absent: no area provides payments, so nothing can be credited. */
  readonly payments: () => OrderPayments | undefined;
  readonly now?: () => Date;
}

export interface ConfirmRequest extends Pick<ChangeOptions, 'ifMatch'> {
  readonly orderVersion: number;
  readonly creditBalance?: boolean;
}

/** Throws what the rule throws; repeatable under the same work id. */
export async function confirmFor(
  { orders, payments, now = () => new Date() }: ConfirmingOptions,
  tenancy: Tenancy,
  orderId: OrderId,
  work: OrderWork,
  { orderVersion, creditBalance = false, ifMatch }: ConfirmRequest,
): Promise<StoredOrder> {
  const { order, revision } = await orders.get(tenancy, orderId);
  const owes = order.status === 'DRAFT' && order.version === orderVersion && balanceMinor(order) < 0;
  const provided = owes && (creditBalance || order.creditBalance) ? payments() : undefined;
  if (!provided) {
    return await orders.change(tenancy, orderId, work, (before, at) => confirmOrder(before, { orderVersion }, at), {
      ifMatch,
    });
  }
  ifMatch?.({ version: order.version, revision });
  // No money is paid back for an order that is refused afterwards.
  assertConfirmable(order, { orderVersion }, now());
  await provided.creditBalance({ organisationId: order.organisationId, orderId, version: orderVersion }, work);
  // The credit has raised the revision that the caller has read.
  return await orders.change(tenancy, orderId, work, (before, at) => confirmOrder(before, { orderVersion }, at));
}
