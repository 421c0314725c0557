/**
 * Search of tickets and their groups by the fields that the contract names, within limits of pages and time. Caller: the
 * handlers of the API.
 */
import type { Connection } from 'mongoose';
import type { SearchRequest } from '../../platform/mongo/search-filter.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { findPage, findUnwoundPage } from '../shared/bounded-page.ts';
import { GROUP_SEARCH_MEMBERS, type TicketSearchTerm, toGroupFilter, toTicketFilters } from './ticket-filter.ts';
import { TICKET_GROUPS, type TicketGroupCollection, type TicketGroupDocument } from './ticket-group-document.ts';
import { toStored } from './ticket-members.ts';
import type { StoredGroup, StoredTicket, Tenancy } from './ticket-types.ts';

export type TicketSortField = 'id' | 'createdAt' | 'updatedAt' | 'orderVersion';

export interface TicketSearchRequest extends Pick<SearchRequest, 'page' | 'perPage' | 'sortBy'> {
  readonly terms: readonly TicketSearchTerm[];
  /** Default: by creation. */
  readonly orderBy?: TicketSortField;
}

export interface Found<Item> {
  readonly items: readonly Item[];
  readonly totalItems: number;
}

const PROJECTION = { outbox: 0, workIds: 0 };

export class TicketSearch {
  readonly #collection: TicketGroupCollection;

  constructor(connection: Connection) {
    this.#collection = TICKET_GROUPS.open(connection);
  }

  async searchGroups(tenancy: Tenancy, request: TicketSearchRequest): Promise<Found<StoredGroup>> {
    const { page, perPage } = request;
    const filter = toGroupFilter(await this.#ownedBy(tenancy), request.terms);
    const wanted = { page, perPage, sort: sortOf(request), projection: PROJECTION };
    const { documents, totalItems } = await findPage(this.#collection, filter, wanted);
    return { items: documents.map((document) => toStored(document as unknown as TicketGroupDocument)), totalItems };
  }

  /** Each ticket with its group, of which it is the only ticket shown. */
  async searchTickets(tenancy: Tenancy, request: TicketSearchRequest): Promise<Found<StoredTicket>> {
    const { page, perPage } = request;
    const { groups, tickets } = toTicketFilters(await this.#ownedBy(tenancy), request.terms);
    // A group lists its tickets as they were issued.
    const order = { sort: sortOf(request), isReversed: request.sortBy !== 'asc' };
    const wanted = { page, perPage, ...order, projection: PROJECTION, unwind: 'ticketDistributions', items: tickets };
    const { documents, totalItems } = await findUnwoundPage(this.#collection, groups, wanted);
    return { items: documents.map(toStoredTicket), totalItems };
  }

  /** Indexes begin with the organisation: a search over all of them names each. */
  async #ownedBy(tenancy: Tenancy): Promise<object> {
    if (tenancy !== 'ANY') return { organisationId: tenancy };
    const all: OrganisationId[] = await this.#collection.distinct('organisationId');
    return { organisationId: { $in: all } };
  }
}

function sortOf({ orderBy = 'createdAt', sortBy }: TicketSearchRequest) {
  const direction = sortBy === 'asc' ? 1 : -1;
  return { [GROUP_SEARCH_MEMBERS[orderBy]]: direction, _id: direction } as const;
}

/** The member holds the one ticket instead of the list. */
function toStoredTicket(document: object): StoredTicket {
  const { ticketDistributions: ticket, ...group } = document as {
    readonly ticketDistributions: StoredTicket['ticket'];
  };
  const whole = { ...group, ticketDistributions: [ticket] } as unknown as TicketGroupDocument;
  return { ...toStored(whole), ticket };
}
