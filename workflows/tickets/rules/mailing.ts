/** What the mails of a ticket do to it. Pure. */
import type { TicketDistributionId } from '../../shared/ids.ts';
import { ofTicket, type TicketChange, unchanged, withTickets } from './ticket-change.ts';
import type { TicketEvent } from './ticket-events.ts';
import type { Distribution, DistributionDetails, TicketGroup } from './ticket-group.ts';
import type { MailingWish } from './ticket-mailing.ts';
import { nextStates } from './ticket-states.ts';

/**
 * DISTRIBUTED: a mail was taken; `code` is of another one that was refused. TRIED: a mail was not taken, and another one may bring the
 * ticket. FAILED: all are given up. `code` is that of SMTP. DROPPED: the ticket was not valid when its last mail went.
 */
export type MailingOutcome =
  | { readonly kind: 'DISTRIBUTED'; readonly at: Date; readonly code?: string }
  | { readonly kind: 'TRIED'; readonly code: string }
  | { readonly kind: 'FAILED'; readonly code: string }
  | { readonly kind: 'DROPPED' };

export interface MailingNote {
  readonly ticketIds: readonly TicketDistributionId[];
  readonly outcome: MailingOutcome;
}

/** Of a mailing that is about to send tickets. */
export interface Sender {
  readonly mailing: string;
  /** Mailings that write no mails down any more. */
  readonly settled: ReadonlySet<string>;
}

export interface Beginning extends Sender {
  readonly ticketIds: readonly TicketDistributionId[];
  readonly wish: MailingWish;
}

/**
 * The mailing is about to write down mails of these tickets. Of two that want one ticket at the same moment the first has it: see
 * `sentBy`. Tickets that are not valid any more stay as they are, and ones that another mailing has sent or given up meanwhile,
 * unless somebody has asked for them.
 */
export function beginMailing(group: TicketGroup, beginning: Beginning, now: Date): TicketChange {
  const { ticketIds, mailing, settled, wish } = beginning;
  const begun = withTickets(group, now, (ticket) => {
    if (!ticketIds.includes(ticket.id) || isDoneFor(ticket, wish)) return ticket;
    const isFree = ticket.status === 'DISTRIBUTING' && isGivenUp(ticket, settled);
    const states = isFree ? { status: ticket.status } : nextStates(ticket, 'SEND');
    if (!states) return ticket;
    const { lastFailure: _failure, ...details } = ticket.distributionDetails;
    return { ...ticket, ...states, distributionDetails: { ...details, channel: 'EMAIL', sentBy: mailing } };
  });
  return { group: begun, events: [] };
}

/** Another mailing has sent the ticket, or has given it up, and the wish sends no such tickets. */
export function isDoneFor({ status, statusBefore }: Distribution, wish: MailingWish): boolean {
  const reached = statusBefore ?? status;
  if (reached === 'FAILED') return wish.kind !== 'ASKED';
  return reached === 'DISTRIBUTED' && (wish.kind !== 'ASKED' || !(wish.resend || wish.isGiven));
}

/** The mailing that has begun with it has ended before it wrote its mails down, or was of an older build. */
function isGivenUp({ distributionDetails: { sentBy } }: Distribution, settled: ReadonlySet<string>): boolean {
  return sentBy === undefined || settled.has(sentBy);
}

export function isBegunBy({ status, distributionDetails: { sentBy } }: Distribution, mailing: string): boolean {
  return status === 'DISTRIBUTING' && sentBy === mailing;
}

/** Another mailing is about to write its mails down. */
export function isTaken(ticket: Distribution, { mailing, settled }: Sender): boolean {
  const { status, statusBefore, distributionDetails: details } = ticket;
  const isBegun = (statusBefore ?? status) === 'DISTRIBUTING';
  return isBegun && details.sentBy !== mailing && !isGivenUp(ticket, settled);
}

/** A valid ticket was to be sent, and its last mail went without it: a refund had disabled it then, and has failed since. */
export function hasLostMail({ ticketDistributions }: Pick<TicketGroup, 'ticketDistributions'>): boolean {
  return ticketDistributions.some(
    ({ status, distributionDetails: { channel } }) => status === 'GENERATED' && channel === 'EMAIL',
  );
}

/** An attempt and its outcome. The caller notes each attempt once: see the work id of the store. */
export function noteMailing(group: TicketGroup, { ticketIds, outcome }: MailingNote, now: Date): TicketChange {
  const noted = group.ticketDistributions.filter(({ id }) => ticketIds.includes(id));
  if (noted.length === 0) return unchanged(group);
  const events: TicketEvent[] = [];
  const after = withTickets(group, now, (ticket) => {
    if (!noted.includes(ticket)) return ticket;
    const states = outcome.kind === 'TRIED' ? undefined : nextStates(ticket, triggerOf(outcome));
    if (states?.status === 'DISTRIBUTED' && outcome.kind === 'DISTRIBUTED') {
      const distributedAt = outcome.at.toISOString();
      events.push({ type: 'TicketDistributionDistributed', ...ofTicket(group, ticket), distributedAt });
    }
    return { ...ticket, ...states, distributionDetails: attempted(ticket.distributionDetails, outcome) };
  });
  return { group: after, events };
}

function triggerOf({ kind }: MailingOutcome): 'ARRIVE' | 'GIVE_UP' | 'DROP' {
  if (kind === 'DROPPED') return 'DROP';
  return kind === 'DISTRIBUTED' ? 'ARRIVE' : 'GIVE_UP';
}

function attempted(details: DistributionDetails, outcome: MailingOutcome): DistributionDetails {
  if (outcome.kind === 'DROPPED') return details;
  const { lastFailure: _failure, ...rest } = details;
  const attempts = details.attempts + 1;
  if (outcome.kind !== 'DISTRIBUTED') return { ...rest, attempts, lastFailure: outcome.code };
  const failure = outcome.code === undefined ? {} : { lastFailure: outcome.code };
  return { ...rest, ...failure, attempts, distributedAsPdf: true, distributedAt: outcome.at };
}
