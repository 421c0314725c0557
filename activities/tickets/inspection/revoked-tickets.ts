/** The tickets that inspectors must refuse although their signature is right. Caller: the maker of the inspection file. */
import type { Connection } from 'mongoose';
import { TICKET_GROUPS, type TicketGroupCollection } from '../ticket-group-document.ts';
import { REVOKED_BY_END_INDEX, REVOKED_INDEX } from '../ticket-group-indexes.ts';

/** Some 5 MB of numbers. More would mean that something revokes tickets without end; the alert InspectionFileFull comes at half. */
const MOST = 500_000;

export interface RevokedList {
  /** Rising. */
  readonly numbers: readonly number[];
  /** With those that found no room. */
  readonly count: number;
}

export class RevokedTickets {
  readonly #groups: TicketGroupCollection;

  readonly #most: number;

  constructor(connection: Connection, most = MOST) {
    this.#groups = TICKET_GROUPS.open(connection);
    this.#most = most;
  }

  /** Another after each revocation, and after each restored ticket that was revoked since `since`. */
  async fingerprint(since: Date): Promise<string> {
    const revokedSince = { $gte: ['$$ticket.revokedAt', since] };
    const tickets = { $filter: { input: '$ticketDistributions', as: 'ticket', cond: revokedSince } };
    const found = this.#groups.aggregate<{ readonly count: number; readonly newest: Date | null }>(
      [
        { $match: { 'ticketDistributions.revokedAt': { $gte: since } } },
        { $project: { times: { $map: { input: tickets, as: 'ticket', in: '$$ticket.revokedAt' } } } },
        { $group: { _id: null, count: { $sum: { $size: '$times' } }, newest: { $max: { $max: '$times' } } } },
      ],
      { hint: REVOKED_INDEX },
    );
    const [{ count, newest } = { count: 0, newest: null }] = await found.toArray();
    return `${count}:${newest?.getTime() ?? 0}`;
  }

  /**
   * Of all organisations: tickets whose validity has not ended. Where they are too many, those that end first are left out: without a
   * file no device would refuse any of them.
   */
  async list(now: Date): Promise<RevokedList> {
    const found = this.#groups.find(
      // One filter over both would hide from the database that the index of revoked tickets serves it.
      { 'ticketDistributions.endOfValidity': { $gt: now }, 'ticketDistributions.revokedAt': { $exists: true } },
      {
        hint: REVOKED_BY_END_INDEX,
        projection: {
          'ticketDistributions.id': 1,
          'ticketDistributions.endOfValidity': 1,
          'ticketDistributions.revokedAt': 1,
        },
      },
    );
    const revoked: { readonly id: number; readonly endMs: number }[] = [];
    for await (const { ticketDistributions } of found) {
      for (const { id, endOfValidity, revokedAt } of ticketDistributions) {
        if (revokedAt && endOfValidity > now) revoked.push({ id, endMs: endOfValidity.getTime() });
      }
    }
    const count = revoked.length;
    if (count > this.#most) revoked.sort((a, b) => b.endMs - a.endMs).splice(this.#most);
    return { numbers: revoked.map(({ id }) => id).sort((a, b) => a - b), count };
  }
}
