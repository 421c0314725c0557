/**
 * Reports to an order that the start of its tickets was moved: windows for refunds and changes count from there. Callers: the call that
 * moves a start, right after its write; the activity of reissues, which does it where that call has died.
 */
import type { TicketGroup } from '../../workflows/tickets/rules/ticket-group.ts';
import type { OrderUseAccess, ProcessWork } from '../shared/orders.ts';

export type MovedStartOrders = Pick<OrderUseAccess, 'noteMovedStart'>;

/** Repeatable. `group`: as it is after a move; the order knows which one is the last. */
export async function reportMovedStart(
  orders: MovedStartOrders,
  { organisationId, orderId, orderLineId, movedStart, reissues: reissue }: TicketGroup,
  work: ProcessWork,
): Promise<void> {
  if (!movedStart) return;
  const report = { orderLineId, movedStart: { ...movedStart, reissue } };
  await orders.noteMovedStart(organisationId, orderId, report, work);
}
