/**
 * Search of orders by the fields that the contract names. A term on lines holds where one line meets all terms of its
 * field, so that two bounds make a range. Caller: the handler of the API.
 */
import type { mongo } from 'mongoose';
import { type SearchRequest, type SearchTerm, toMongoFilter } from '../../platform/mongo/search-filter.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { ORDERS_COLLECTION, type OrderCollection, type OrderDocument } from './order-document.ts';
import { toOrder } from './order-members.ts';
import { keyOf } from './order-subject.ts';
import { openTexts } from './order-texts.ts';
import type { OrderStoreOptions, StoredOrder, Tenancy } from './order-types.ts';

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
export const ORDER_SORT_FIELDS = [
  'id',
  'createdAt',
  'lastConfirmedAt',
  'status',
  'version',
  'totalAmount',
  'balance',
] as const;
export type OrderSortField = (typeof ORDER_SORT_FIELDS)[number];

export interface OrderSearchTerm extends Pick<SearchTerm, 'operator'> {
  readonly field: OrderSearchField;
  readonly values: readonly (string | number | Date)[];
}

export interface OrderSearchRequest extends Pick<SearchRequest, 'page' | 'perPage' | 'sortBy'> {
  readonly terms: readonly OrderSearchTerm[];
  /** Default: by creation. */
  readonly orderBy?: OrderSortField;
}

export interface FoundOrders {
  readonly items: readonly StoredOrder[];
  readonly totalItems: number;
}

type Filter = mongo.Filter<OrderDocument>;

export class OrderSearch {
  readonly #collection: OrderCollection;
  readonly #keys: OrderStoreOptions['keys'];

  constructor({ connection, keys }: Pick<OrderStoreOptions, 'connection' | 'keys'>) {
    this.#collection = ORDERS_COLLECTION.open(connection);
    this.#keys = keys;
  }

  async search(tenancy: Tenancy, request: OrderSearchRequest): Promise<FoundOrders> {
    const { page, perPage, sortBy, orderBy = 'createdAt' } = request;
    const filter = { $and: [await this.#ownedBy(tenancy), ...filtersOf(request.terms)] } as Filter;
    const direction = sortBy === 'asc' ? 1 : -1;
    const [documents, totalItems] = await Promise.all([
      this.#collection
        .find(filter, { promoteBuffers: true, projection: { outbox: 0, workIds: 0 } })
        .sort({ [ORDER_SEARCH_MEMBERS[orderBy]]: direction, _id: direction })
        .skip((page - 1) * perPage)
        .limit(perPage)
        .toArray(),
      this.#collection.countDocuments(filter),
    ]);
    return { items: await this.#show(documents as unknown as readonly OrderDocument[]), totalItems };
  }

  /** Indexes begin with the organisation: a search over all of them names each. */
  async #ownedBy(tenancy: Tenancy): Promise<object> {
    if (tenancy !== 'ANY') return { organisationId: tenancy };
    const all: OrganisationId[] = await this.#collection.distinct('organisationId');
    return { organisationId: { $in: all } };
  }

  /** One query for the keys of the page. */
  async #show(documents: readonly OrderDocument[]): Promise<readonly StoredOrder[]> {
    const named = documents.flatMap((document) =>
      document.keyId === undefined ? [] : [{ ...document, keyId: document.keyId }],
    );
    const sealings = (await this.#keys?.findMany(named.map(keyOf))) ?? [];
    const byOrder = new Map(named.map(({ _id }, index) => [_id, sealings[index]]));
    return documents.map((document) => ({
      order: toOrder(document),
      revision: document.revision,
      texts: openTexts(document, byOrder.get(document._id)),
    }));
  }
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
