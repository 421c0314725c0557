/** Gives tickets back and unlocks the order of a refund that fails. Repeatable. Callers: the activities and sweeps of this folder. */
import { refundWorkflowId } from '../../workflows/refunds/messages.ts';
import type { Refund } from '../../workflows/refunds/rules/refund.ts';
import type { OrderRefundAccess } from '../shared/orders.ts';
import type { TicketAccess } from '../shared/tickets.ts';
import { linesOf } from './refund-tickets.ts';

export interface Releasing {
  readonly orders: () => Pick<OrderRefundAccess, 'unlock' | 'pagesOfLocked'>;
  readonly tickets: () => Pick<TicketAccess, 'restore'>;
}

const CLIENT = 'refunds';

/** The lock ends last: until then the sweep finds what a crash has left. */
export async function releaseRefund(
  { orders, tickets }: Releasing,
  refund: Refund,
  correlationId: string,
): Promise<void> {
  const lockOwner = refundWorkflowId({ orderId: refund.orderId, refundId: refund.id });
  const work = { correlationId, clientId: CLIENT };
  await tickets().restore(linesOf(refund), lockOwner, work);
  await orders().unlock(refund.organisationId, refund.orderId, { ...work, lockOwner });
}
