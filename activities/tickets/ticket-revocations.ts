/**
 * Tickets that inspectors must not accept any more. They are read from the tickets themselves: a ticket is on the list from the
 * very write that disables it. Public: numbers, times and reasons alone. Caller: the API.
 */
import type { Connection } from 'mongoose';
import type { TicketDistributionId } from '../../workflows/shared/ids.ts';
import type { RevocationReason } from '../../workflows/tickets/rules/ticket-events.ts';
import { type BoundedPage, findUnwoundPage } from '../shared/bounded-page.ts';
import { TICKET_GROUPS, type TicketGroupCollection } from './ticket-group-document.ts';
import { REVOKED_INDEX } from './ticket-group-indexes.ts';

export interface Revocation {
  readonly ticketDistributionId: TicketDistributionId;
  readonly revokedAt: Date;
  readonly reason: RevocationReason;
  /** From then on the ticket is invalid anyway. */
  readonly endOfValidity: Date;
}

export interface RevocationsWanted {
  /** Revoked at this time or later. Readers ask a minute further back than they have read: clocks differ. */
  readonly since?: Date;
  readonly page: number;
  readonly perPage: number;
}

const REVOKED = 'ticketDistributions.revokedAt';
const PROJECTION = {
  'ticketDistributions.id': 1,
  [REVOKED]: 1,
  'ticketDistributions.revocationReason': 1,
  'ticketDistributions.endOfValidity': 1,
};

type Unwound = {
  readonly ticketDistributions: Omit<Revocation, 'ticketDistributionId' | 'reason'> & {
    readonly id: TicketDistributionId;
    readonly revocationReason: RevocationReason;
  };
};

export class TicketRevocations {
  readonly #collection: TicketGroupCollection;

  constructor(connection: Connection) {
    this.#collection = TICKET_GROUPS.open(connection);
  }

  /** Longest revoked first. */
  async list({ since = new Date(0), page, perPage }: RevocationsWanted) {
    const revoked = { [REVOKED]: { $gte: since } } as object;
    const found: BoundedPage = await findUnwoundPage(this.#collection, revoked, {
      page,
      perPage,
      unwind: 'ticketDistributions',
      items: revoked,
      sort: { [REVOKED]: 1, 'ticketDistributions.id': 1 },
      sortsItems: true,
      hint: REVOKED_INDEX,
      projection: PROJECTION,
    });
    return {
      items: found.documents.map((each) => toRevocation(each as unknown as Unwound)),
      totalItems: found.totalItems,
    };
  }
}

function toRevocation({
  ticketDistributions: { id, revocationReason, revokedAt, endOfValidity },
}: Unwound): Revocation {
  return { ticketDistributionId: id, revokedAt, reason: revocationReason, endOfValidity };
}
