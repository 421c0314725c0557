/** Whether all of an order that was paid on a page was sent in the end, by whichever mailing. Pure. */
import type { TicketGroup } from './ticket-group.ts';
import type { Mailing } from './ticket-mailing.ts';
import { isLive } from './ticket-states.ts';

/** `mailings`: of the order and that page. Tickets that were withdrawn or replaced need no mail any more. */
export function isAllSent(
  mailings: readonly Pick<Mailing, 'receipt'>[],
  groups: readonly Pick<TicketGroup, 'ticketDistributions'>[],
): boolean {
  const tickets = groups.flatMap(({ ticketDistributions }) => ticketDistributions).filter(isLive);
  const areSent = tickets.length > 0 && tickets.every(({ status }) => status === 'DISTRIBUTED');
  return areSent && mailings.every(({ receipt }) => receipt?.state !== 'FAILED' && receipt?.state !== 'DUE');
}
