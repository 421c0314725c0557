/**
 * The terms of a search as filters of the database. Terms on tickets hold where one ticket meets all of them, so that two bounds
 * make a range. Each field has its index (ticket-group-indexes.ts). Pure.
 */
import type { mongo } from 'mongoose';
import { type SearchTerm, toMongoFilter } from '../../platform/mongo/search-filter.ts';
import type { TicketGroupDocument } from './ticket-group-document.ts';

/** Where a field stands in the group. Times are dates: the caller converts. */
export const GROUP_SEARCH_MEMBERS = {
  id: 'groupId',
  orderId: 'orderId',
  orderVersion: 'orderVersion',
  orderLineId: 'orderLineId',
  orderOwnerCustomerId: 'orderOwnerCustomerId',
  distributionHolderCustomerId: 'distributionHolderCustomerId',
  organisationId: 'organisationId',
  customers: 'customers',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
} as const;

/** Where a field stands in a ticket. */
export const TICKET_SEARCH_MEMBERS = {
  ticketDistributionId: 'id',
  distributionStatus: 'status',
  startOfValidity: 'startOfValidity',
  endOfValidity: 'endOfValidity',
} as const;

export type TicketSearchField = keyof typeof GROUP_SEARCH_MEMBERS | keyof typeof TICKET_SEARCH_MEMBERS;
export interface TicketSearchTerm extends Pick<SearchTerm, 'operator'> {
  readonly field: TicketSearchField;
  readonly values: readonly (string | number | Date)[];
}

type Terms = readonly TicketSearchTerm[];

/** Groups with a ticket that meets the terms. `owned` names the organisations. */
export function toGroupFilter(owned: object, terms: Terms): mongo.Filter<TicketGroupDocument> {
  const { ofGroup, ofTicket } = parted(terms);
  const negative = ofTicket.filter(isNegative);
  const positive = ofTicket.filter((term) => !isNegative(term));
  const prefixed = membersOf(TICKET_SEARCH_MEMBERS, 'ticketDistributions.');
  return {
    $and: [
      owned,
      ...ofGroup.map((term) => filterOf([term], GROUP_SEARCH_MEMBERS)),
      // No ticket may meet what is negated.
      ...negative.map((term) => filterOf([term], prefixed)),
      ...(positive.length > 0
        ? [{ ticketDistributions: { $elemMatch: filterOf(positive, TICKET_SEARCH_MEMBERS) } }]
        : []),
    ],
  } as mongo.Filter<TicketGroupDocument>;
}

/** Groups that may have such a ticket, and what the ticket itself must meet once it stands alone. */
export function toTicketFilters(owned: object, terms: Terms) {
  const { ofGroup, ofTicket } = parted(terms);
  const positive = ofTicket.filter((term) => !isNegative(term));
  return {
    groups: toGroupFilter(owned, [...ofGroup, ...positive]),
    tickets: filterOf(ofTicket, membersOf(TICKET_SEARCH_MEMBERS, 'ticketDistributions.')),
  };
}

function parted(terms: Terms) {
  const ofTicket = terms.filter(({ field }) => field in TICKET_SEARCH_MEMBERS);
  return { ofTicket, ofGroup: terms.filter((term) => !ofTicket.includes(term)) };
}

function isNegative({ operator }: TicketSearchTerm): boolean {
  return operator === 'ne' || operator === 'nin';
}

function membersOf(members: Readonly<Record<string, string>>, prefix: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(members).map(([field, member]) => [field, `${prefix}${member}`]));
}

function filterOf(terms: Terms, members: Readonly<Record<string, string>>): object {
  const stored = Object.fromEntries(Object.entries(members).map(([field, member]) => [field, { member }]));
  return toMongoFilter(terms as readonly SearchTerm[], stored);
}
