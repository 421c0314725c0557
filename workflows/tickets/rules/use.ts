/** What an inspector's validation does to a ticket. Pure. */
import type { TicketDistributionId } from '../../shared/ids.ts';
import { ofTicket, type TicketChange, unchanged, withTickets } from './ticket-change.ts';
import type { Distribution, TicketGroup } from './ticket-group.ts';

export interface TicketUse {
  readonly ticketId: TicketDistributionId;
  readonly validatedAt: Date;
  /** Absent: the legs that run at that time. */
  readonly legId?: string;
}

/** Why an inspector should not have accepted the ticket. It is recorded all the same. */
export type ValidationMark = 'BEFORE_VALIDITY' | 'AFTER_VALIDITY' | 'AFTER_DISABLING';

export function marksOf(ticket: Distribution, validatedAt: Date): readonly ValidationMark[] {
  const { startOfValidity, endOfValidity, revokedAt } = ticket;
  return [
    ...(validatedAt < startOfValidity ? (['BEFORE_VALIDITY'] as const) : []),
    ...(validatedAt > endOfValidity ? (['AFTER_VALIDITY'] as const) : []),
    ...(revokedAt && validatedAt >= revokedAt ? (['AFTER_DISABLING'] as const) : []),
  ];
}

/** A ticket of the next day that is shown today is so early at most. */
const EARLIEST_USE_MS = 48 * 3_600_000;

/** Earlier nobody has travelled on it: a device or its inspector was wrong. */
export function isUse({ startOfValidity }: Pick<Distribution, 'startOfValidity'>, validatedAt: Date): boolean {
  return validatedAt.getTime() >= startOfValidity.getTime() - EARLIEST_USE_MS;
}

/**
 * A fact, which nothing refuses: the earliest use counts, whatever order validations come in. Repeated, it changes nothing.
 * Only the first one has an event. What is no use changes nothing either.
 */
export function useTicket(group: TicketGroup, { ticketId, validatedAt, legId }: TicketUse, now: Date): TicketChange {
  const ticket = group.ticketDistributions.find(({ id }) => id === ticketId);
  if (!ticket || !isUse(ticket, validatedAt)) return unchanged(group);
  const usedAt = ticket.usedAt && ticket.usedAt <= validatedAt ? ticket.usedAt : validatedAt;
  const legs = new Set([...ticket.usedLegIds, ...usedLegs(ticket, { validatedAt, legId })]);
  if (usedAt === ticket.usedAt && legs.size === ticket.usedLegIds.length) return unchanged(group);
  const used = withTickets(group, now, (each) => (each === ticket ? { ...each, usedAt, usedLegIds: [...legs] } : each));
  const event = { type: 'TicketDistributionUsed', ...ofTicket(group, ticket), usedAt: usedAt.toISOString() } as const;
  return { group: used, events: ticket.usedAt ? [] : [event] };
}

function usedLegs(
  { legs }: Distribution,
  { validatedAt, legId }: { readonly validatedAt: Date; readonly legId: string | undefined },
): readonly string[] {
  const used =
    legId === undefined
      ? legs.filter(
          (leg) => legs.length === 1 || (leg.expectedStartTime <= validatedAt && validatedAt <= leg.expectedEndTime),
        )
      : legs.filter((leg) => leg.legId === legId);
  return used.map((leg) => leg.legId);
}
