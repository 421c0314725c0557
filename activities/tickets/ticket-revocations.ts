/**
 * Tickets that inspectors must not accept any more. They are read from the tickets themselves: a ticket is on the list from the
 * very write that disables it. Public: numbers, times and reasons alone. Caller: the API.
 */
import type { Connection } from 'mongoose';
import type { TicketDistributionId } from '../../workflows/shared/ids.ts';
import type { RevocationReason } from '../../workflows/tickets/rules/ticket-group.ts';
import { findUnwoundPage, type WantedUnwoundPage } from '../shared/bounded-page.ts';
import { FewAtOnce } from '../shared/few-at-once.ts';
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

/** Anyone may ask, and every page sorts all that are found, in memory: so lists take turns, and none takes long. */
export const LISTS_AT_ONCE = 2;
export const LISTS_WAITING = 20;
const LONGEST_LIST_MS = 2_000;

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
  readonly #lists = new FewAtOnce({ atOnce: LISTS_AT_ONCE, waiting: LISTS_WAITING });

  constructor(connection: Connection) {
    this.#collection = TICKET_GROUPS.open(connection);
  }

  /** Longest revoked first. Throws INVALID_SEARCH, and UNAVAILABLE while too many ask or when it takes too long. */
  async list({ since = new Date(0), page, perPage }: RevocationsWanted) {
    const revoked = { [REVOKED]: { $gte: since } } as object;
    const wanted: WantedUnwoundPage = {
      page,
      perPage,
      unwind: 'ticketDistributions',
      items: revoked,
      sort: { [REVOKED]: 1, 'ticketDistributions.id': 1 },
      sortsItems: true,
      hint: REVOKED_INDEX,
      projection: PROJECTION,
      maxTimeMs: LONGEST_LIST_MS,
    };
    const found = await this.#lists.run(async () => await findUnwoundPage(this.#collection, revoked, wanted));
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
