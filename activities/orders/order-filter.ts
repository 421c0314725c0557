/**
 * The terms of a search as a filter of the database. A term on lines holds where one line meets all terms of its field,
 * so that two bounds make a range. Each field has its index (order-indexes.ts). Pure.
 */
import type { mongo } from 'mongoose';
import { type SearchTerm, toMongoFilter } from '../../platform/mongo/search-filter.ts';
import type { OrderDocument } from './order-document.ts';
import { ID_INDEX } from './order-indexes.ts';
import type { Tenancy } from './order-types.ts';

/** Where a field stands in the document. Amounts are in minor units, times are dates: the caller converts. */
export const ORDER_SEARCH_MEMBERS = {
  id: '_id',
  status: 'status',
  version: 'version',
  balance: 'balanceMinor',
  totalAmount: 'totalAmountMinor',
  currency: 'currency',
  createdAt: 'createdAt',
  lastConfirmedAt: 'lastConfirmedAt',
  organisationId: 'organisationId',
  contact: 'contact',
  createdBy: 'createdBy',
  externalReference: 'externalReference',
  reservationId: 'reservations.id',
  fromStopPlaceId: 'fromStopPlaceIds',
  toStopPlaceId: 'toStopPlaceIds',
  distributionChannelId: 'distributionChannelId',
  pos: 'pos',
} as const;

/** Where a field stands in a line. */
export const LINE_SEARCH_MEMBERS = {
  orderLineId: 'id',
  orderLineExternalReference: 'externalReference',
  fareProductId: 'fareProducts.id',
  serviceJourneyId: 'travelSpecification.legs.serviceJourneyId',
  datedServiceJourneyId: 'travelSpecification.legs.datedServiceJourneyId',
  startTime: 'travelSpecification.startOfValidity',
  endTime: 'travelSpecification.endOfValidity',
} as const;

export type OrderSearchField = keyof typeof ORDER_SEARCH_MEMBERS | keyof typeof LINE_SEARCH_MEMBERS;
export interface OrderSearchTerm extends Pick<SearchTerm, 'operator'> {
  readonly field: OrderSearchField;
  readonly values: readonly (string | number | Date)[];
}

type Filter = mongo.Filter<OrderDocument>;

/** `owned` names the organisations. */
export function toOrderFilter(owned: object, terms: readonly OrderSearchTerm[]): Filter {
  return { $and: [owned, ...filtersOf(terms)] } as Filter;
}

/** By the id alone the database would read the order of another organisation before it leaves it out. */
export function hintOf(tenancy: Tenancy, terms: readonly OrderSearchTerm[]): { readonly hint?: string } {
  const isById = terms.some(({ field, operator }) => field === 'id' && (operator === 'eq' || operator === 'in'));
  return isById && tenancy !== 'ANY' ? { hint: ID_INDEX } : {};
}

function filtersOf(terms: readonly OrderSearchTerm[]): readonly object[] {
  const ofOrder = terms.filter(({ field }) => field in ORDER_SEARCH_MEMBERS);
  const ofLines = terms.filter(({ field }) => field in LINE_SEARCH_MEMBERS);
  const byField = [...Map.groupBy(ofLines, ({ field }) => field).values()];
  return [...ofOrder.map((term) => filterOf([term], ORDER_SEARCH_MEMBERS)), ...byField.flatMap(lineFilters)];
}

/** No line may meet a negative term; one line must meet all others. */
function lineFilters(terms: readonly OrderSearchTerm[]): readonly object[] {
  const negative = terms.filter(({ operator }) => operator === 'ne' || operator === 'nin');
  const positive = terms.filter((term) => !negative.includes(term));
  const ofLine = Object.fromEntries(
    Object.entries(LINE_SEARCH_MEMBERS).map(([field, member]) => [field, `orderLines.${member}`]),
  );
  return [
    ...negative.map((term) => filterOf([term], ofLine)),
    ...(positive.length > 0 ? [{ orderLines: { $elemMatch: filterOf(positive, LINE_SEARCH_MEMBERS) } }] : []),
  ];
}

function filterOf(terms: readonly OrderSearchTerm[], members: Readonly<Record<string, string>>): object {
  const stored = Object.fromEntries(Object.entries(members).map(([field, member]) => [field, { member }]));
  return toMongoFilter(terms as readonly SearchTerm[], stored);
}
