/** Search of refunds, within limits of pages and time. Caller: the operation of the API. */
import type { Connection, mongo } from 'mongoose';
import { type SearchRequest, type StoredField, toMongoFilter } from '../../platform/mongo/search-filter.ts';
import type { Refund } from '../../workflows/refunds/rules/refund.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { plainUuid } from '../../workflows/shared/uuid.ts';
import { findPage } from '../shared/bounded-page.ts';
import { REFUNDS_COLLECTION, type RefundCollection, type RefundDocument } from './refund-document.ts';
import { type Tenancy, toRefund } from './refund-store.ts';

/** Each has an index. */
export const REFUND_FIELDS: Readonly<Record<string, StoredField>> = {
  refundId: { member: '_id', toStored: (id) => plainUuid(String(id)) },
  orderId: { member: 'orderId' },
  creditId: { member: 'creditId' },
  status: { member: 'status' },
  createdAt: { member: 'createdAt', toStored: (text) => new Date(String(text)) },
};

export class RefundSearch {
  readonly #collection: RefundCollection;

  constructor(connection: Connection) {
    this.#collection = REFUNDS_COLLECTION.open(connection);
  }

  async search(tenancy: Tenancy, { terms, page, perPage, sortBy }: SearchRequest) {
    const direction = sortBy === 'asc' ? 1 : -1;
    const owned = { organisationId: tenancy === 'ANY' ? { $in: await this.#organisations() } : tenancy };
    const filter = { $and: [owned, toMongoFilter(terms, REFUND_FIELDS)] } as mongo.Filter<RefundDocument>;
    const sort = { createdAt: direction, _id: direction } as const;
    const projection = { outbox: 0, workIds: 0 };
    const { documents, totalItems } = await findPage(this.#collection, filter, { page, perPage, sort, projection });
    return { items: documents.map((each): Refund => toRefund(each as unknown as RefundDocument)), totalItems };
  }

  async #organisations(): Promise<readonly OrganisationId[]> {
    return await this.#collection.distinct('organisationId');
  }
}
