/** A ticket is signed after it was written, or in the very write that makes it. Pure. */
import type { TicketDistributionId } from '../../shared/ids.ts';
import { type TicketChange, withTickets } from './ticket-change.ts';
import type { Distribution, SignedTicket, TicketGroup } from './ticket-group.ts';
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

/** Of a key that signs tickets, as the operator's file has it. */
export interface KeyValidity {
  readonly issuerCode: number;
  readonly keyId: number;
  readonly validFrom: Date;
  readonly validTo: Date;
}

/**
 * Inspectors refuse the ticket: its key ends before it. No key signs such a ticket, so the key was withdrawn since. A key that is
 * not listed says nothing: another worker may have a newer file. Where the key of a ticket is not known, each key that was valid
 * at its issue may have signed it.
 */
export function isOfWithdrawnKey(
  { signed, issuedAt, endOfValidity }: Pick<Distribution, 'signed' | 'issuedAt' | 'endOfValidity'>,
  keys: readonly KeyValidity[],
  now: Date,
): boolean {
  if (!signed || endOfValidity <= now) return false;
  const { signingKeyId, signingIssuerCode } = signed;
  const hasSigned = ({ issuerCode, keyId, validFrom, validTo }: KeyValidity) => {
    if (signingKeyId === undefined) return validFrom <= issuedAt && issuedAt < validTo;
    // Two issuers may have a key of this number.
    return keyId === signingKeyId && (signingIssuerCode ?? issuerCode) === issuerCode;
  };
  return keys.some((key) => hasSigned(key) && key.validTo < endOfValidity);
}

export function pdfKeyOf(
  { orderId, orderVersion }: Pick<TicketGroup, 'orderId' | 'orderVersion'>,
  id: TicketDistributionId,
): string {
  return `tickets/${orderId}/v${orderVersion}/${id}.pdf`;
}
