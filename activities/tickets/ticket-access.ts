/** Tickets as other areas see them. Provided by the manifest. */
import type { TicketDistributionId } from '../../workflows/shared/ids.ts';
import { disableTickets, restoreTickets } from '../../workflows/tickets/rules/disabling.ts';
import { alreadyUsed, firstUse } from '../../workflows/tickets/rules/ticket-change.ts';
import type { TicketGroup } from '../../workflows/tickets/rules/ticket-group.ts';
import type { Disabled, LinesOfOrder, LineUse, TicketAccess, TicketsWork } from '../shared/tickets.ts';
import type { MailingStore } from './mailing-store.ts';
import { sendRestored } from './restored-mailing.ts';
import type { TicketStore } from './ticket-store.ts';
import type { StoredGroup } from './ticket-types.ts';

export class TicketAccessor implements TicketAccess {
  readonly #store: TicketStore;
  readonly #mailings: Pick<MailingStore, 'create' | 'release'>;

  constructor(store: TicketStore, mailings: Pick<MailingStore, 'create' | 'release'>) {
    this.#store = store;
    this.#mailings = mailings;
  }

  async disable(lines: LinesOfOrder, disabled: Disabled, work: TicketsWork): Promise<readonly TicketDistributionId[]> {
    const ids: TicketDistributionId[] = [];
    for (const { group } of await this.#groups(lines)) {
      const after = await this.#disabled(group, disabled, work);
      const mine = after.ticketDistributions.filter(({ disabledBy }) => disabledBy === disabled.disabledBy);
      ids.push(...mine.map(({ id }) => id));
    }
    return ids;
  }

  async restore(lines: LinesOfOrder, disabledBy: string, work: TicketsWork, since?: Date): Promise<void> {
    for (const { group } of await this.#groups(lines)) {
      const after = await this.#store.change(group.organisationId, group.id, work, (stored, now) =>
        restoreTickets(stored.group, { disabledBy, since }, now),
      );
      await sendRestored(this.#mailings, after, { cause: disabledBy, correlationId: work.correlationId });
    }
  }

  async release({ organisationId, orderId, orderLineIds }: LinesOfOrder): Promise<void> {
    await this.#mailings.release(organisationId, orderId, orderLineIds);
  }

  async assertUnused(lines: LinesOfOrder): Promise<void> {
    if ((await this.listUse(lines)).length > 0) throw alreadyUsed();
  }

  async listUse(lines: LinesOfOrder): Promise<readonly LineUse[]> {
    return (await this.#groups(lines)).flatMap(({ group }) => {
      const { orderLineId, ticketDistributions } = group;
      const used = ticketDistributions.filter((ticket) => firstUse(ticket) !== undefined);
      const times = used.flatMap(({ usedAt }) => (usedAt ? [usedAt.getTime()] : []));
      if (times.length === 0) return [];
      const usedLegIds = [...new Set(used.flatMap((ticket) => ticket.usedLegIds))];
      return [{ orderLineId, usedAt: new Date(Math.min(...times)), usedLegIds }];
    });
  }

  /** What an earlier attempt has disabled costs no second look at the store. */
  async #disabled(group: TicketGroup, disabled: Disabled, work: TicketsWork): Promise<TicketGroup> {
    if (disableTickets(group, disabled, this.#store.now).group === group) return group;
    const after = await this.#store.change(group.organisationId, group.id, work, (stored, now) =>
      disableTickets(stored.group, disabled, now),
    );
    return after.group;
  }

  async #groups({ organisationId, orderId, orderLineIds }: LinesOfOrder): Promise<readonly StoredGroup[]> {
    return await this.#store.listOfLines(organisationId, orderId, orderLineIds);
  }
}
