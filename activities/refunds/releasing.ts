/** The lock of a refund. Gives tickets back and unlocks the order of one that ends. Repeatable. Callers: the activities and sweeps of this folder. */
import { compensationOwner } from '../../workflows/orders/rules/refund-locks.ts';
import { refundWorkflowId } from '../../workflows/refunds/messages.ts';
import type { Refund } from '../../workflows/refunds/rules/refund.ts';
import type { LockedWork, OrderRefundAccess } from '../shared/orders.ts';
import type { TicketAccess } from '../shared/tickets.ts';
import { linesOf } from './refund-tickets.ts';

export interface Releasing {
  readonly orders: () => Pick<OrderRefundAccess, 'unlock' | 'releaseCompensated'>;
  readonly tickets: () => Pick<TicketAccess, 'restore' | 'release'>;
}

const CLIENT = 'refunds';

export function lockOf({ id: refundId, orderId, compensation }: Refund, correlationId: string): LockedWork {
  const place = { orderId, refundId };
  const lockOwner = compensation ? compensationOwner(place) : refundWorkflowId(place);
  return { correlationId, clientId: CLIENT, lockOwner };
}

/** The lock ends last: until then the sweep finds what a crash has left. */
export async function releaseRefund(
  { orders, tickets }: Releasing,
  refund: Refund,
  correlationId: string,
): Promise<void> {
  const { organisationId, orderId, id } = refund;
  const lock = lockOf(refund, correlationId);
  if (refund.compensation) return await orders().releaseCompensated(organisationId, orderId, id, lock);
  await tickets().restore(linesOf(refund), lock.lockOwner, { correlationId, clientId: CLIENT });
  await orders().unlock(organisationId, orderId, lock);
  await tickets().release(linesOf(refund));
}
