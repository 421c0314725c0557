/** Search of credits by the fields that the contract names, within limits of pages and time. Caller: the handler of the API. */
import type { Connection, mongo } from 'mongoose';
import { type SearchRequest, type SearchTerm, toMongoFilter } from '../../platform/mongo/search-filter.ts';
import type { Credit } from '../../workflows/payments/rules/credit.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { findPage } from '../shared/bounded-page.ts';
import { CREDITS_COLLECTION, type CreditCollection, type CreditDocument } from './credit-document.ts';
import { toCredit } from './credit-store.ts';
import type { Tenancy } from './payment-types.ts';

const FIELDS = {
  creditId: { member: 'creditId' },
  orderId: { member: 'orderId' },
  orderVersion: { member: 'orderVersion' },
  status: { member: 'status' },
  customerNumber: { member: 'customerNumber' },
  settlementId: { member: 'settlementId' },
} as const;
const NEGATIVE = new Set(['ne', 'nin']);

export class CreditSearch {
  readonly #collection: CreditCollection;

  constructor(connection: Connection) {
    this.#collection = CREDITS_COLLECTION.open(connection);
  }

  async search(tenancy: Tenancy, { terms, page, perPage, sortBy, orderBy = 'createdAt' }: SearchRequest) {
    const direction = sortBy === 'asc' ? 1 : -1;
    const filter = { $and: [await this.#ownedBy(tenancy), ...filtersOf(terms)] } as mongo.Filter<CreditDocument>;
    const sort = { [orderBy]: direction, _id: direction } as const;
    const options = { page, perPage, sort, projection: { outbox: 0, workIds: 0 } };
    const { documents, totalItems } = await findPage(this.#collection, filter, options);
    return {
      items: documents.map((document): Credit => toCredit(document as unknown as CreditDocument)),
      totalItems,
    };
  }

  async #ownedBy(tenancy: Tenancy): Promise<object> {
    if (tenancy !== 'ANY') return { organisationId: tenancy };
    const all: OrganisationId[] = await this.#collection.distinct('organisationId');
    return { organisationId: { $in: all } };
  }
}

/** One part of the credit meets all terms on its reference that are not negative. */
function filtersOf(terms: readonly SearchTerm[]): readonly object[] {
  const ofParts = terms.filter(({ field }) => field === 'rrn');
  const positive = ofParts.filter(({ operator }) => !NEGATIVE.has(operator));
  const others = terms.filter((term) => !positive.includes(term));
  return [
    ...others.map((term) => toMongoFilter([term], { ...FIELDS, rrn: { member: 'parts.rrn' } })),
    ...(positive.length > 0 ? [{ parts: { $elemMatch: toMongoFilter(positive, { rrn: { member: 'rrn' } }) } }] : []),
  ];
}
