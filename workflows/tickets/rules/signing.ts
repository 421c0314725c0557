/** A ticket is signed after it was written, or in the very write that makes it. Pure. */
import type { TicketDistributionId } from '../../shared/ids.ts';
import { type TicketChange, withTickets } from './ticket-change.ts';
import type { SignedTicket, TicketGroup } from './ticket-group.ts';
import { isLive } from './ticket-states.ts';

export type SignedTickets = ReadonlyMap<TicketDistributionId, SignedTicket>;

/** Live tickets that have no signature. The first one stays: a PDF may show it already. */
export function setSigned(group: TicketGroup, signed: SignedTickets, now: Date): TicketChange {
  const after = withTickets(group, now, (ticket) => {
    const found = ticket.signed || !isLive(ticket) ? undefined : signed.get(ticket.id);
    return found ? { ...ticket, signed: found } : ticket;
  });
  return { group: after, events: [] };
}

export function unsignedOf({ ticketDistributions }: TicketGroup) {
  return ticketDistributions.filter((ticket) => isLive(ticket) && !ticket.signed);
}

export function pdfKeyOf(
  { orderId, orderVersion }: Pick<TicketGroup, 'orderId' | 'orderVersion'>,
  id: TicketDistributionId,
): string {
  return `tickets/${orderId}/v${orderVersion}/${id}.pdf`;
}
