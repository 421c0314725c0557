/**
 * Orders as they are read, each with the refund that holds it: its balance is not settled before that has ended. Caller: the operations
 * that read orders.
 */
import type { StoredOrder } from '../../activities/orders/order-types.ts';
import type { RefundStates } from '../../activities/shared/refund-states.ts';
import { findLockingRefund } from '../../workflows/orders/rules/refund-locks.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { presentOrder } from './present-order.ts';

export async function presentAsHeld(
  refunds: RefundStates | undefined,
  tenancy: OrganisationId | 'ANY',
  found: readonly StoredOrder[],
) {
  const held = found.map((stored) => ({ stored, refundId: findLockingRefund(stored.order) }));
  const refundIds = held.flatMap(({ refundId }) => refundId ?? []);
  const statuses = await refunds?.statusesOf(tenancy, refundIds);
  return held.map(({ stored, refundId }) => {
    const status = refundId && statuses?.get(refundId);
    return { ...presentOrder(stored), ...(status && { lockingRefund: { refundId, status } }) };
  });
}
