/**
 * Search of orders by the fields that the contract names, within limits of pages and time. Caller: the handler of the
 * API.
 */
import type { SearchRequest } from '../../platform/mongo/search-filter.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { findPage } from '../shared/bounded-page.ts';
import { ORDERS_COLLECTION, type OrderCollection, type OrderDocument } from './order-document.ts';
import { hintOf, ORDER_SEARCH_MEMBERS, type OrderSearchTerm, toOrderFilter } from './order-filter.ts';
import { toOrder } from './order-members.ts';
import { keyOf } from './order-subject.ts';
import { openTexts } from './order-texts.ts';
import type { OrderStoreOptions, StoredOrder, Tenancy } from './order-types.ts';

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

export interface OrderSearchRequest extends Pick<SearchRequest, 'page' | 'perPage' | 'sortBy'> {
  readonly terms: readonly OrderSearchTerm[];
  /** Default: by creation. */
  readonly orderBy?: OrderSortField;
}

export interface FoundOrders {
  readonly items: readonly StoredOrder[];
  readonly totalItems: number;
}

export class OrderSearch {
  readonly #collection: OrderCollection;
  readonly #keys: OrderStoreOptions['keys'];

  constructor({ connection, keys }: Pick<OrderStoreOptions, 'connection' | 'keys'>) {
    this.#collection = ORDERS_COLLECTION.open(connection);
    this.#keys = keys;
  }

  async search(tenancy: Tenancy, request: OrderSearchRequest): Promise<FoundOrders> {
    const { page, perPage, sortBy, orderBy = 'createdAt' } = request;
    const filter = toOrderFilter(await this.#ownedBy(tenancy), request.terms);
    const direction = sortBy === 'asc' ? 1 : -1;
    const { documents, totalItems } = await findPage(this.#collection, filter, {
      page,
      perPage,
      sort: { [ORDER_SEARCH_MEMBERS[orderBy]]: direction, _id: direction },
      projection: { outbox: 0, workIds: 0 },
      ...hintOf(tenancy, request.terms),
    });
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
