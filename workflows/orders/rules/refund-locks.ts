/** Refunds that hold an order's lock. Pure. */
import type { OrderId, RefundId } from '../../shared/ids.ts';
import type { Order } from './order.ts';

const REFUND = 'refund/';
const OF_REFUND = /^(?:refund|compensation)\/[A-Z2-9]{8}\/([0-9a-f-]{36})$/;
const OF_COMPENSATION = /^compensation\//;

/** The owner of a lock is a refund of what was sold. */
export function isRefund(owner: string): boolean {
  return owner.startsWith(REFUND);
}

/** Apart from the locks of other refunds: tickets of the version that was sold stay as they are. */
export function compensationOwner({ orderId, refundId }: { readonly orderId: OrderId; readonly refundId: RefundId }) {
  return `compensation/${orderId}/${refundId}`;
}

/** The refund that holds the draft, perhaps for days. Inverse of {@link compensationOwner}. */
export function findCompensation({ lock }: Pick<Order, 'lock'>): RefundId | undefined {
  return lock && OF_COMPENSATION.test(lock.owner) ? refundOf(lock.owner) : undefined;
}

/** The refund that pays money of the order back, or is about to, perhaps for days: until it has ended, the balance is not settled. */
export function findLockingRefund({ lock }: Pick<Order, 'lock'>): RefundId | undefined {
  return lock && (lock.compensation ?? refundOf(lock.owner));
}

function refundOf(owner: string): RefundId | undefined {
  return OF_REFUND.exec(owner)?.[1] as RefundId | undefined;
}
