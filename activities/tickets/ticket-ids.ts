/** Makes the numbers of tickets and their groups. Pure. */
import { createHash } from 'node:crypto';
import type { OrderId, OrderLineId, TicketDistributionId, TicketGroupId } from '../../workflows/shared/ids.ts';

/** Two different tickets get one number in one of 2⁵² cases: the next attempt makes another one then. */
export const MAX_ID_ATTEMPTS = 5;
const ID_BITS = 52n;

/** 1 to 2⁵² − 1: the same for every repeat. `attempt` counts from 0: something else may have the number already. */
function numberOf(name: string, attempt: number): number {
  const first = createHash('sha256').update(`${attempt}/${name}`).digest().readBigUInt64BE();
  return Number(first >> (64n - ID_BITS)) || 1;
}

/** A line has one group. */
export function ticketGroupIdOf(orderId: OrderId, orderLineId: OrderLineId, attempt: number): TicketGroupId {
  return numberOf(`ticket-group/${orderId}/${orderLineId}`, attempt) as TicketGroupId;
}

/** `position` counts the tickets that the line has ever had. */
export function ticketIdOf(
  orderId: OrderId,
  orderLineId: OrderLineId,
  position: number,
  attempt: number,
): TicketDistributionId {
  return numberOf(`ticket/${orderId}/${orderLineId}/${position}`, attempt) as TicketDistributionId;
}
