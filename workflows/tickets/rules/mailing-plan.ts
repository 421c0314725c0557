/** Which tickets a mailing sends, and to whom. Pure. */
import type { CustomerNumber, TicketDistributionId } from '../../shared/ids.ts';
import { isBegunBy, isDoneFor, isTaken, type Sender } from './mailing.ts';
import type { Distribution, TicketGroup } from './ticket-group.ts';
import type { MailedTicket, Mailing, MailingWish, Recipient, TicketMail } from './ticket-mailing.ts';

export interface PlanningFacts {
  /** The mailing. */
  readonly id: string;
  readonly wish: MailingWish;
  readonly groups: readonly TicketGroup[];
  /** The mailing of a later version sends what nobody was sent yet. */
  readonly isFollowed: boolean;
  /** Customers that have an e-mail address. */
  readonly reachable: ReadonlySet<CustomerNumber>;
  /** Tickets in mails of other mailings that are due. */
  readonly onTheirWay: ReadonlySet<TicketDistributionId>;
  /** Tickets that another mailing has begun to send, and is about to write down, or that it has sent since the groups were read. */
  readonly taken: ReadonlySet<TicketDistributionId>;
  /** Tickets that the address that a call has named has had, or is about to get. */
  readonly hadThere: ReadonlySet<TicketDistributionId>;
  /** How many mails of other mailings have the ticket: part of the Message-ID, so that two plans of one moment make the same. */
  readonly earlierMails: ReadonlyMap<TicketDistributionId, number>;
  readonly now: Date;
}

export interface MailingPlan {
  readonly mails: readonly TicketMail[];
  /** Tickets that are to be sent, and reach nobody. */
  readonly unaddressed: readonly MailedTicket[];
}

interface Wanted {
  readonly ticket: MailedTicket;
  readonly recipients: readonly Recipient[];
}

/** One mail for each recipient, in the order of the tickets. */
export function planMails(facts: PlanningFacts): MailingPlan {
  const wanted = facts.groups.flatMap((group) =>
    group.ticketDistributions
      .filter((ticket) => isWanted(facts, group, ticket))
      .map(
        (ticket): Wanted => ({
          ticket: { groupId: group.id, ticketId: ticket.id },
          recipients: recipientsOf(facts, group, ticket),
        }),
      ),
  );
  const recipients = [...new Set(wanted.flatMap((each) => each.recipients))];
  return {
    mails: recipients.map((recipient) => {
      const tickets = wanted.filter((each) => each.recipients.includes(recipient)).map(({ ticket }) => ticket);
      return mailOf(recipient, tickets, facts);
    }),
    unaddressed: wanted.filter((each) => each.recipients.length === 0).map(({ ticket }) => ticket),
  };
}

/** Whether a mail is to be written for the ticket. */
function isWanted(facts: PlanningFacts, group: TicketGroup, ticket: Distribution): boolean {
  const { wish, isFollowed, onTheirWay, taken, hadThere } = facts;
  const { id, status, distributionDetails: details } = ticket;
  if (status === 'DISABLED' || status === 'REPLACED') return false;
  if (isFollowed && !isBegunBy(ticket, facts.id) && status !== 'DISTRIBUTED' && status !== 'FAILED') return false;
  if (wish.kind === 'REISSUED' && (wish.groupId !== group.id || !wasMailed(group, ticket))) return false;
  if (wish.kind === 'RESTORED') {
    if (wish.groupId !== group.id || details.channel !== 'EMAIL') return false;
    // Its mail went without it, even if that is not written in the mail yet.
    if (status === 'GENERATED') return !taken.has(id);
  }
  if (wish.kind === 'ASKED' && wish.resend) return true;
  // Others may have it: the caller asks for another reader.
  if (wish.kind === 'ASKED' && wish.isGiven) return !hadThere.has(id);
  if (status === 'DISTRIBUTED' || onTheirWay.has(id) || taken.has(id)) return false;
  return status !== 'FAILED' || wish.kind === 'ASKED';
}

/**
 * A successor goes the way of the tickets before it. The one that it replaces may itself be a successor that was replaced before
 * its mail was written down.
 */
function wasMailed({ ticketDistributions }: TicketGroup, { replaces }: Distribution): boolean {
  const byId = new Map(ticketDistributions.map((each) => [each.id, each]));
  let earlier = replaces === undefined ? undefined : byId.get(replaces);
  if (!earlier) return true;
  while (earlier) {
    if (earlier.distributionDetails.channel === 'EMAIL') return true;
    earlier = earlier.replaces === undefined ? undefined : byId.get(earlier.replaces);
  }
  return false;
}

/**
 * The holder after a transfer; else the travellers that have an address, and the order's contact for all others. Empty: nobody
 * has an address.
 */
export function recipientsOf(
  { wish, reachable }: Pick<PlanningFacts, 'wish' | 'reachable'>,
  { orderOwnerCustomerId: owner, distributionHolderCustomerId: holder }: TicketGroup,
  { travellers }: Pick<Distribution, 'travellers'>,
): readonly Recipient[] {
  if (wish.kind === 'ASKED' && wish.isGiven) return ['GIVEN'];
  const reached = (number: CustomerNumber | undefined) =>
    number !== undefined && reachable.has(number) ? [number] : [];
  if (holder !== undefined && holder !== owner) return reached(holder);
  const own = travellers.flatMap(({ customerNumber }) => reached(customerNumber));
  const all = own.length === travellers.length && own.length > 0 ? own : [...own, ...reached(owner)];
  return [...new Set(all)];
}

function mailOf(recipient: Recipient, tickets: readonly MailedTicket[], facts: PlanningFacts): TicketMail {
  const { earlierMails, now } = facts;
  const [{ ticketId }] = tickets as readonly [MailedTicket];
  const number = (earlierMails.get(ticketId) ?? 0) + 1;
  const messageId = `${ticketId}.${recipient === 'GIVEN' ? 'given' : recipient}.${number}`;
  return { messageId, recipient, tickets, state: 'DUE', attempts: 0, nextTryAt: now };
}

/** Tickets that another mailing has begun to send. */
export function takenOf(groups: readonly TicketGroup[], by: Sender): ReadonlySet<TicketDistributionId> {
  const taken = groups.flatMap(({ ticketDistributions }) => ticketDistributions.filter((each) => isTaken(each, by)));
  return new Set(taken.map(({ id }) => id));
}

/** Of tickets that a mailing has tried to begin: those that are another's now, or were by then. */
export function lostOf(
  groups: readonly TicketGroup[],
  by: Sender,
  wish: MailingWish,
): ReadonlySet<TicketDistributionId> {
  const tickets = groups.flatMap(({ ticketDistributions }) => ticketDistributions);
  return new Set(tickets.filter((each) => isTaken(each, by) || isDoneFor(each, wish)).map(({ id }) => id));
}

/** The reader of a mailing to an address that a call has named. */
export interface GivenReader {
  readonly fingerprint: string;
  /** Customers with the same address. */
  readonly customers: ReadonlySet<CustomerNumber>;
}

/** What other mailings of the order have sent, or are sending. */
export function mailedBefore(
  others: readonly Pick<Mailing, 'mails' | 'addressFingerprint'>[],
  given?: GivenReader,
): Pick<PlanningFacts, 'onTheirWay' | 'hadThere' | 'earlierMails'> {
  const mails = others.flatMap((each) => each.mails);
  const onTheirWay = mails.filter(({ state }) => state === 'DUE').flatMap(({ tickets }) => tickets);
  const earlierMails = new Map<TicketDistributionId, number>();
  for (const { ticketId } of mails.flatMap(({ tickets }) => tickets)) {
    earlierMails.set(ticketId, (earlierMails.get(ticketId) ?? 0) + 1);
  }
  const hadThere = new Set(given && others.flatMap((each) => ticketsThere(each, given)));
  return { onTheirWay: new Set(onTheirWay.map(({ ticketId }) => ticketId)), hadThere, earlierMails };
}

function ticketsThere(
  { mails, addressFingerprint }: Pick<Mailing, 'mails' | 'addressFingerprint'>,
  { fingerprint, customers }: GivenReader,
): readonly TicketDistributionId[] {
  return mails
    .filter(({ state, recipient }) => {
      const isThere = recipient === 'GIVEN' ? addressFingerprint === fingerprint : customers.has(recipient);
      return isThere && (state === 'DUE' || state === 'SENT');
    })
    .flatMap(({ tickets, omitted = [] }) =>
      tickets.flatMap(({ ticketId }) => (omitted.includes(ticketId) ? [] : [ticketId])),
    );
}

/** All that its tickets may be sent to. */
export function numbersOf(group: TicketGroup): readonly CustomerNumber[] {
  const { orderOwnerCustomerId, distributionHolderCustomerId, ticketDistributions } = group;
  const travellers = ticketDistributions.flatMap((ticket) => ticket.travellers.map((each) => each.customerNumber));
  return [orderOwnerCustomerId, distributionHolderCustomerId, ...travellers].filter((each) => each !== undefined);
}
