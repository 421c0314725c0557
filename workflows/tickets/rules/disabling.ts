/** Tickets that are taken back, and given back when a refund fails. Pure. */

import { ServiceError } from '../../shared/service-error.ts';
import {
  alreadyUsed,
  disabledEvent,
  enabledEvent,
  isUsed,
  type TicketChange,
  unchanged,
  withTickets,
} from './ticket-change.ts';
import type { Distribution, RevocationReason, TicketGroup } from './ticket-group.ts';
import { isLive, nextStates } from './ticket-states.ts';

export interface Disabling {
  readonly reason: RevocationReason;
  /** Who disables, as `refund/…`; see {@link restoreTickets}. */
  readonly disabledBy?: string;
  /** Throws TICKET_ALREADY_USED when a ticket of the line was used: decided by the very write that disables. */
  readonly unusedOnly?: boolean;
  /** Tickets of later versions of the order stay: they were issued after the plan of the party that disables. */
  readonly upToVersion?: number;
  /** When the party began. Throws UNAVAILABLE where tickets of the line were given back since: another attempt of it has gone on. */
  readonly since?: Date;
}

/** All that are live. Repeated, it changes nothing. */
export function disableTickets(
  group: TicketGroup,
  { reason, disabledBy, unusedOnly, upToVersion, since }: Disabling,
  now: Date,
): TicketChange {
  const live = group.ticketDistributions.filter(isLive);
  if (live.length === 0 || (upToVersion !== undefined && group.orderVersion > upToVersion)) return unchanged(group);
  if (since && group.givenBackSince && since.getTime() < group.givenBackSince.getTime()) throw givenBack();
  if (unusedOnly && isUsed(group)) throw alreadyUsed();
  const disabled = withTickets(group, now, (ticket) => {
    const states = nextStates(ticket, 'DISABLE');
    if (!states) return ticket;
    const by = disabledBy === undefined ? {} : { disabledBy };
    return { ...ticket, ...states, revokedAt: now, revocationReason: reason, ...by };
  });
  return { group: disabled, events: live.map((ticket) => disabledEvent(group, ticket, reason)) };
}

export interface Restoring {
  readonly disabledBy: string;
  /** When the party began to give back: attempts from before it, which may come late, disable nothing any more. */
  readonly since?: Date | undefined;
}

/**
 * Those that the same party has disabled get their state back, and leave the list of revocations. With `since` it is written down also
 * where none was disabled: the write of an attempt that has read the group before then fails.
 */
export function restoreTickets(group: TicketGroup, { disabledBy, since }: Restoring, now: Date): TicketChange {
  const noted = noteGivenBack(group, since);
  const after = withTickets(noted, now, (ticket) => restored(ticket, disabledBy));
  const given = after.ticketDistributions.filter((ticket, at) => ticket !== group.ticketDistributions[at]);
  return { group: after, events: given.map((ticket) => enabledEvent(group, ticket)) };
}

/** The line has other tickets now: none comes back that is disabled. */
export function withoutReturn(group: TicketGroup, now: Date): TicketGroup {
  return withTickets(group, now, (ticket) => {
    const { disabledBy, ...rest } = ticket;
    return disabledBy === undefined ? ticket : rest;
  });
}

function noteGivenBack(group: TicketGroup, since: Date | undefined): TicketGroup {
  const { givenBackSince } = group;
  if (!since || (givenBackSince && givenBackSince.getTime() >= since.getTime())) return group;
  return { ...group, givenBackSince: since };
}

function givenBack(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The tickets were given back meanwhile. Send the request again.');
}

function restored(ticket: Distribution, by: string): Distribution {
  const states = ticket.status === 'DISABLED' && ticket.disabledBy === by ? nextStates(ticket, 'RESTORE') : undefined;
  if (!states) return ticket;
  const { statusBefore: _before, revokedAt: _at, revocationReason: _reason, disabledBy: _by, ...rest } = ticket;
  return { ...rest, ...states };
}
