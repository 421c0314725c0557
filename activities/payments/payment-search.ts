/**
 * Search of payments by the fields that the contract names, within limits of pages and time. Caller: the handler of the
 * API.
 */
import type { Connection } from 'mongoose';
import type { SearchRequest } from '../../platform/mongo/search-filter.ts';
import type { Payment } from '../../workflows/payments/rules/payment.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { findPage } from '../shared/bounded-page.ts';
import { PAYMENTS_COLLECTION, type PaymentCollection, type PaymentDocument } from './payment-document.ts';
import { PAYMENT_SEARCH_MEMBERS, type PaymentSearchTerm, toPaymentFilter } from './payment-filter.ts';
import { toPayment } from './payment-members.ts';
import type { Tenancy } from './payment-types.ts';

export type PaymentSortField = 'paymentId' | 'createdAt' | 'updatedAt' | 'status' | 'orderVersion' | 'totalAmount';

export interface PaymentSearchRequest extends Pick<SearchRequest, 'page' | 'perPage' | 'sortBy'> {
  readonly terms: readonly PaymentSearchTerm[];
  /** Default: by creation. */
  readonly orderBy?: PaymentSortField;
}

export class PaymentSearch {
  readonly #collection: PaymentCollection;

  constructor(connection: Connection) {
    this.#collection = PAYMENTS_COLLECTION.open(connection);
  }

  async search(tenancy: Tenancy, request: PaymentSearchRequest) {
    const { page, perPage, sortBy, orderBy = 'createdAt' } = request;
    const direction = sortBy === 'asc' ? 1 : -1;
    const filter = toPaymentFilter(await this.#ownedBy(tenancy), request.terms);
    const { documents, totalItems } = await findPage(this.#collection, filter, {
      page,
      perPage,
      sort: { [PAYMENT_SEARCH_MEMBERS[orderBy]]: direction, _id: direction },
      projection: { outbox: 0, workIds: 0 },
    });
    const items = documents.map((document): Payment => toPayment(document as unknown as PaymentDocument));
    return { items, totalItems };
  }

  /** Indexes begin with the organisation: a search over all of them names each. */
  async #ownedBy(tenancy: Tenancy): Promise<object> {
    if (tenancy !== 'ANY') return { organisationId: tenancy };
    const all: OrganisationId[] = await this.#collection.distinct('organisationId');
    return { organisationId: { $in: all } };
  }
}
