/**
 * Penalty fare invoices: created, read, searched. Missing and foreign ones are indistinguishable. Callers: the handlers of
 * the API, the erasure.
 */
import type { Connection, mongo } from 'mongoose';
import type { Place } from '../../platform/aggregate/aggregate-types.ts';
import { Aggregates } from '../../platform/aggregate/aggregates.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import { type SearchRequest, toMongoFilter } from '../../platform/mongo/search-filter.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import type { InvoiceId, OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { findPage } from '../shared/bounded-page.ts';
import {
  INVOICE_ID_INDEX,
  INVOICE_NUMBER_INDEX,
  INVOICES_COLLECTION,
  type Invoice,
  type InvoiceCollection,
  type InvoiceDocument,
} from './invoice-document.ts';
import { busy, notFound } from './payment-refusals.ts';
import type { PaymentWork, Tenancy } from './payment-types.ts';

const FIELDS = {
  invoiceId: { member: '_id' },
  externalInvoiceNumber: { member: 'externalInvoiceNumber' },
  orderId: { member: 'orderId' },
  paymentId: { member: 'paymentId' },
  customerNumber: { member: 'customerNumber' },
  dueDate: { member: 'dueDate' },
  createdAt: { member: 'createdAt', toStored: (value: unknown) => new Date(String(value)) },
} as const;

export class InvoiceStore {
  readonly #collection: InvoiceCollection;
  readonly #invoices: Aggregates<InvoiceDocument>;

  constructor(connection: Connection) {
    this.#collection = INVOICES_COLLECTION.open(connection);
    this.#invoices = new Aggregates({ collection: this.#collection, busy });
  }

  /** Repeated with the same work id it answers the invoice of the first attempt. Throws DUPLICATE_INVOICE. */
  async create({ id, ...content }: Invoice, work: PaymentWork): Promise<Invoice> {
    try {
      const { document } = await this.#invoices.create({ _id: id, ...content } as never, work, {});
      if (document.organisationId !== content.organisationId) throw notFound('invoice');
      return toInvoice(document);
    } catch (error) {
      throw isDuplicateKey(error, INVOICE_NUMBER_INDEX) ? duplicateInvoice() : error;
    }
  }

  /** The invoice that this work has created. */
  async findCreated(
    organisationId: OrganisationId,
    { workId }: Pick<PaymentWork, 'workId'>,
  ): Promise<Invoice | undefined> {
    const found = await this.#invoices.find({
      filter: () => ({ creationId: workId, organisationId }),
      hint: 'creations',
    });
    return found && toInvoice(found.document);
  }

  async findByNumber(
    organisationId: OrganisationId,
    externalInvoiceNumber: string,
  ): Promise<Pick<Invoice, 'paymentId' | 'orderId'> | undefined> {
    const filter = { organisationId, externalInvoiceNumber };
    return (await this.#collection.findOne(filter, { projection: { paymentId: 1, orderId: 1 } })) ?? undefined;
  }

  /** Those of the orders that an invoice was issued for. */
  async listIssuedFor(orders: readonly Pick<Order, 'organisationId' | 'id'>[]): Promise<ReadonlySet<OrderId>> {
    const organisationIds = [...new Set(orders.map(({ organisationId }) => organisationId))];
    const filter = { organisationId: { $in: organisationIds }, orderId: { $in: orders.map(({ id }) => id) } };
    const found = await this.#collection.find(filter, { projection: { orderId: 1 } }).toArray();
    return new Set(found.map(({ orderId }) => orderId));
  }

  /** Throws NOT_FOUND. */
  async get(tenancy: Tenancy, id: InvoiceId): Promise<Invoice> {
    const found = await this.#invoices.find(placeOf(tenancy, id));
    if (!found) throw notFound('invoice');
    return toInvoice(found.document);
  }

  async search(tenancy: Tenancy, { terms, page, perPage, sortBy, orderBy = 'createdAt' }: SearchRequest) {
    const owned = tenancy === 'ANY' ? {} : { organisationId: tenancy };
    const filter = { $and: [owned, toMongoFilter(terms, FIELDS)] } as mongo.Filter<InvoiceDocument>;
    const direction = sortBy === 'asc' ? 1 : -1;
    const { documents, totalItems } = await findPage(this.#collection, filter, {
      page,
      perPage,
      sort: { [orderBy]: direction, _id: direction },
      projection: { outbox: 0, workIds: 0 },
    });
    return { items: documents.map((document) => toInvoice(document as unknown as InvoiceDocument)), totalItems };
  }
}

function toInvoice(document: InvoiceDocument): Invoice {
  const { _id, revision, sequence, outbox, creationId, workIds, pendingStart, pendingSince, ...content } = document;
  return { id: _id, ...content };
}

/** With the index of the organisation a foreign invoice costs what an absent one costs. */
function placeOf(tenancy: Tenancy, id: InvoiceId): Place<InvoiceDocument> {
  return tenancy === 'ANY'
    ? { filter: () => ({ _id: id }), hint: '_id_' }
    : { filter: () => ({ _id: id, organisationId: tenancy }), hint: INVOICE_ID_INDEX };
}

export function duplicateInvoice(): ServiceError {
  return new ServiceError('DUPLICATE_INVOICE', 'The organisation has an invoice with this `externalInvoiceNumber`.');
}
