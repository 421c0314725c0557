/** What a command on the tickets of an order line answers. Pure. */
import { ServiceError } from '../../shared/service-error.ts';
import type { TicketEvent } from './ticket-events.ts';
import type { Distribution, TicketGroup } from './ticket-group.ts';

export interface TicketChange {
  readonly group: TicketGroup;
  readonly events: readonly TicketEvent[];
  /** True: the workflow that sends successors must be started. */
  readonly pendingStart?: boolean;
}

type EventOf<Type extends TicketEvent['type']> = Extract<TicketEvent, { readonly type: Type }>;

export function unchanged(group: TicketGroup): TicketChange {
  return { group, events: [] };
}

export function hasEffect(before: TicketGroup, { group, events, pendingStart }: TicketChange): boolean {
  return group !== before || events.length > 0 || pendingStart !== undefined;
}

/** Replaces the tickets that `change` answers another one for. The group itself when there is none. */
export function withTickets(
  group: TicketGroup,
  now: Date,
  change: (ticket: Distribution) => Distribution,
): TicketGroup {
  const ticketDistributions = group.ticketDistributions.map(change);
  if (ticketDistributions.every((ticket, at) => ticket === group.ticketDistributions[at])) return group;
  return { ...group, updatedAt: now, ticketDistributions };
}

/** The members that every event of a ticket has. */
export function ofTicket(
  { orderVersion, orderLineId, id: ticketDistributionGroupId }: TicketGroup,
  { id }: Pick<Distribution, 'id'>,
) {
  return { orderVersion, orderLineId, ticketDistributionGroupId, ticketDistributionId: id };
}

export function generatedEvent(group: TicketGroup, ticket: Distribution): EventOf<'TicketDistributionGenerated'> {
  return {
    type: 'TicketDistributionGenerated',
    ...ofTicket(group, ticket),
    startOfValidity: ticket.startOfValidity.toISOString(),
    endOfValidity: ticket.endOfValidity.toISOString(),
    ...(ticket.replaces !== undefined && { replaces: ticket.replaces }),
  };
}

/** Of a ticket that inspectors must not accept any more, whatever the reason. */
export function disabledEvent(
  group: TicketGroup,
  ticket: Distribution,
  reason: EventOf<'TicketDistributionDisabled'>['reason'],
): EventOf<'TicketDistributionDisabled'> {
  const { replacedBy } = ticket;
  const next = replacedBy === undefined ? {} : { replacedBy };
  return { type: 'TicketDistributionDisabled', ...ofTicket(group, ticket), reason, ...next };
}

/** Of one that is valid again. */
export function enabledEvent(group: TicketGroup, ticket: Distribution): EventOf<'TicketDistributionEnabled'> {
  return { type: 'TicketDistributionEnabled', ...ofTicket(group, ticket), status: ticket.status };
}

/** Of all tickets that the line has ever had: an inspector without a network tells of a use after the ticket was replaced. */
export function isUsed({ ticketDistributions }: Pick<TicketGroup, 'ticketDistributions'>): boolean {
  return ticketDistributions.some((ticket) => firstUse(ticket) !== undefined);
}

/** While it was valid. A validation of a revoked ticket is no use of what the order sells: anybody may still show its barcode. */
export function firstUse({ usedAt, revokedAt }: Pick<Distribution, 'usedAt' | 'revokedAt'>): Date | undefined {
  return usedAt && revokedAt && usedAt >= revokedAt ? undefined : usedAt;
}

export function alreadyUsed(): ServiceError {
  return new ServiceError('TICKET_ALREADY_USED', 'The ticket has been used.');
}
