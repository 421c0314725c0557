/** Whether all of an order that was paid on a page was sent in the end, by whichever mailing. Pure. */
import type { OrderLine } from '../../orders/rules/order.ts';
import type { TicketGroup } from './ticket-group.ts';
import type { Mailing } from './ticket-mailing.ts';
import { isLive } from './ticket-states.ts';

/**
 * `mailings`: of the order and that page. `lines`: of the version that is sold. A line that is refused, or that a refund holds, has no
 * group: it lacks its tickets as long as it is sold. Tickets that were withdrawn or replaced need no mail any more.
 */
export function isAllSent(
  mailings: readonly Pick<Mailing, 'receipt' | 'held'>[],
  groups: readonly Pick<TicketGroup, 'orderLineId' | 'ticketDistributions'>[],
  lines: readonly Pick<OrderLine, 'id' | 'status'>[],
): boolean {
  const tickets = groups.flatMap(({ ticketDistributions }) => ticketDistributions).filter(isLive);
  const areSent = tickets.length > 0 && tickets.every(({ status }) => status === 'DISTRIBUTED');
  const made = new Set(groups.map(({ orderLineId }) => orderLineId));
  const areMade = lines.every(({ id, status }) => status !== 'CONFIRMED' || made.has(id));
  return areSent && areMade && mailings.every(isSettled);
}

function isSettled({ receipt, held = [] }: Pick<Mailing, 'receipt' | 'held'>): boolean {
  return held.length === 0 && receipt?.state !== 'FAILED' && receipt?.state !== 'DUE';
}
