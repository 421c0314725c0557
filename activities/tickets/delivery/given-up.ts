/** Gives tickets up that were to be sent, and whose holders have lost their addresses. Caller: mailing-planner.ts. */
import type { TicketGroup } from '../../../workflows/tickets/rules/ticket-group.ts';
import type { MailedTicket, Mailing } from '../../../workflows/tickets/rules/ticket-mailing.ts';
import type { TicketStore } from '../ticket-store.ts';
import type { TicketWork } from '../ticket-types.ts';

export interface Unaddressed {
  readonly unaddressed: readonly MailedTicket[];
  readonly groups: readonly TicketGroup[];
  readonly mailing: Pick<Mailing, 'id' | 'organisationId'>;
}

type Tickets = Pick<TicketStore, 'noteMailing' | 'isDone'>;

const NO_ADDRESS = 'NO_ADDRESS';

/** Answers how many tickets of the mailing reach nobody: also those that a run which died has given up already. */
export async function giveUp(tickets: Tickets, wanted: Unaddressed, work: TicketWork): Promise<number> {
  const { unaddressed, groups, mailing } = wanted;
  const { id, organisationId } = mailing;
  const noted = { ...work, workId: `${id}/unaddressed` };
  let earlier = 0;
  for (const group of groups) {
    earlier += await countEarlier(tickets, wanted, group, noted);
    const ids = group.ticketDistributions
      .filter(({ id: ticketId, status }) => status === 'DISTRIBUTING' && isIn(unaddressed, ticketId))
      .map((ticket) => ticket.id);
    if (ids.length === 0) continue;
    const note = { ticketIds: ids, outcome: { kind: 'FAILED', code: NO_ADDRESS } } as const;
    await tickets.noteMailing(organisationId, group.id, note, noted);
  }
  return unaddressed.length + earlier;
}

/** They are FAILED, and not to be sent any more. */
async function countEarlier(
  tickets: Tickets,
  { unaddressed, mailing }: Unaddressed,
  { id, ticketDistributions }: TicketGroup,
  work: { readonly workId: string },
): Promise<number> {
  const failed = ticketDistributions.filter(
    ({ id: ticketId, status, distributionDetails: { lastFailure } }) =>
      status === 'FAILED' && lastFailure === NO_ADDRESS && !isIn(unaddressed, ticketId),
  );
  if (failed.length === 0) return 0;
  return (await tickets.isDone(mailing.organisationId, id, work)) ? failed.length : 0;
}

export function isIn(tickets: readonly MailedTicket[], id: MailedTicket['ticketId']): boolean {
  return tickets.some(({ ticketId }) => ticketId === id);
}
