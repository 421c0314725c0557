/** Successors of tickets: the old ones are REPLACED and revoked in the same write. Pure. */
import { ServiceError } from '../../shared/service-error.ts';
import { disabledEvent, generatedEvent, type TicketChange } from './ticket-change.ts';
import type { TicketEvent } from './ticket-events.ts';
import type { Distribution, TicketGroup } from './ticket-group.ts';
import { nextStates } from './ticket-states.ts';

/** A document grows by some kilobytes with each ticket. */
export const MAX_TICKETS_OF_GROUP = 200;

export interface Successor {
  readonly ticket: Distribution;
  /** What it replaces; absent where the line has more tickets than before. */
  readonly of?: Distribution | undefined;
}

/** `replaced` are all live tickets that end, also those without a successor. By default successors have the event of generated ones. */
export function succeed(
  group: TicketGroup,
  successors: readonly Successor[],
  replaced: readonly Distribution[],
  now: Date,
  eventOf: (group: TicketGroup, successor: Successor) => TicketEvent = (after, { ticket }) =>
    generatedEvent(after, ticket),
): TicketChange {
  if (group.ticketDistributions.length + successors.length > MAX_TICKETS_OF_GROUP) throw tooMany();
  const byEarlier = new Map(successors.flatMap(({ ticket, of }) => (of ? [[of.id, ticket.id] as const] : [])));
  const ended = group.ticketDistributions.map((ticket): Distribution => {
    const states = replaced.includes(ticket) ? nextStates(ticket, 'REPLACE') : undefined;
    if (!states) return ticket;
    const replacedBy = byEarlier.get(ticket.id);
    const next = replacedBy === undefined ? {} : { replacedBy };
    return { ...ticket, ...states, ...next, revokedAt: now, revocationReason: 'REPLACED' };
  });
  const added = successors.map(({ ticket, of }) => ({ of, ticket: of ? { ...ticket, replaces: of.id } : ticket }));
  const tickets = [...ended, ...added.map(({ ticket }) => ticket)];
  const after = { ...group, updatedAt: now, ticketDistributions: tickets };
  const endedIds = new Set(replaced.map(({ id }) => id));
  return {
    group: after,
    events: [
      ...ended.filter(({ id }) => endedIds.has(id)).map((ticket) => disabledEvent(after, ticket, 'REPLACED')),
      ...added.map((successor) => eventOf(after, successor)),
    ],
  };
}

function tooMany(): ServiceError {
  return new ServiceError(
    'INVALID_STATE',
    `A line has at most ${MAX_TICKETS_OF_GROUP} tickets, with those that were replaced.`,
  );
}
