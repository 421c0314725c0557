/** Search of receipts and copies, within limits of pages and time. Caller: the operation of the API. */
import type { Connection, mongo } from 'mongoose';
import { type SearchRequest, toMongoFilter } from '../../platform/mongo/search-filter.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { findPage } from '../shared/bounded-page.ts';
import { RECEIPT_DOCUMENTS, type ReceiptCollection, type ReceiptDocument } from './receipt-document.ts';
import { type StoredReceipt, toStored } from './receipt-members.ts';
import type { Tenancy } from './receipt-store.ts';

const FIELDS = {
  orderId: { member: 'orderId' },
  orderVersion: { member: 'orderVersion' },
  receiptType: { member: 'receiptType' },
  createdAt: { member: 'recordedAt', toStored: (text: unknown) => new Date(String(text)) },
} as const;

export interface FoundReceipts {
  readonly items: readonly StoredReceipt[];
  readonly totalItems: number;
}

export class ReceiptSearch {
  readonly #collection: ReceiptCollection;

  constructor(connection: Connection) {
    this.#collection = RECEIPT_DOCUMENTS.open(connection);
  }

  async search(tenancy: Tenancy, { terms, page, perPage, sortBy }: SearchRequest): Promise<FoundReceipts> {
    const direction = sortBy === 'asc' ? 1 : -1;
    const owned = { organisationId: tenancy === 'ANY' ? { $in: await this.#organisations() } : tenancy };
    const filter = { $and: [owned, toMongoFilter(terms, FIELDS)] } as mongo.Filter<ReceiptDocument>;
    const sort = { recordedAt: direction, _id: direction } as const;
    const { documents, totalItems } = await findPage(this.#collection, filter, { page, perPage, sort });
    return { items: documents.map((document) => toStored(document as unknown as ReceiptDocument)), totalItems };
  }

  async #organisations(): Promise<readonly OrganisationId[]> {
    return await this.#collection.distinct('organisationId');
  }
}
