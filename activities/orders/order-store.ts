/**
 * Orders: created, read and changed. The rules of workflows/orders decide; each change is one conditional write that
 * carries its events, and repeated under the same work id it changes nothing. Missing and foreign orders are
 * indistinguishable.
 *
 * Callers: the handlers of the API, the sweeps and activities of this folder.
 */
import { hasWorkId } from '../../platform/aggregate/work-ids.ts';
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import { totalAmountMinor } from '../../workflows/orders/rules/amounts.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import type { OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import type { OrderWork } from '../shared/orders.ts';
import { OrderChanges } from './order-changes.ts';
import { type CreateOptions, type MakeOrder, OrderCreation } from './order-creation.ts';
import { OrderDocuments, placeOf } from './order-documents.ts';
import { toOrder } from './order-members.ts';
import { notFound, versionNotFound } from './order-refusals.ts';
import { readTexts } from './order-texts.ts';
import type {
  ChangeOptions,
  ChangeWork,
  Decide,
  Decided,
  OrderStoreOptions,
  SealText,
  StoredOrder,
  Tenancy,
} from './order-types.ts';
import { orderAt } from './order-versions.ts';

export class OrderStore {
  readonly #documents: OrderDocuments;
  readonly #creation: OrderCreation;
  readonly #changes: OrderChanges;

  constructor(options: OrderStoreOptions) {
    this.#documents = new OrderDocuments(options);
    this.#creation = new OrderCreation(this.#documents);
    this.#changes = new OrderChanges(this.#documents);
  }

  /**
   * `make` gets the id that the order is to have, and is called again where another order has it. Repeated with the same
   * work id it answers the order that the first attempt has created, as it is now.
   */
  async create(
    organisationId: OrganisationId,
    work: OrderWork,
    make: (id: OrderId, now: Date, seal: SealText) => Decided,
    options: CreateOptions = {},
  ): Promise<StoredOrder> {
    return await this.#creation.create(organisationId, work, make, options);
  }

  /** The drafts that works with such ids have created. */
  async listDraftsCreated(organisationId: OrganisationId, workIdsBegin: string): Promise<readonly OrderId[]> {
    return await this.#creation.listDraftsCreated(organisationId, workIdsBegin);
  }

  /** Drafts that were made for penalty fare invoices before that time. */
  pagesOfPenalties(before: Date): AsyncIterable<readonly Pick<Order, 'organisationId' | 'id'>[]> {
    return this.#creation.pagesOfPenalties(before);
  }

  /** With an id that `orderIdOf` makes. Undefined when another order has it. */
  async insert(
    organisationId: OrganisationId,
    work: OrderWork,
    id: OrderId,
    make: MakeOrder,
    options: CreateOptions = {},
  ): Promise<StoredOrder | undefined> {
    return await this.#creation.insert(organisationId, work, id, make, options);
  }

  /** The order that this work has created. */
  async findCreated(organisationId: OrganisationId, work: Pick<OrderWork, 'workId'>): Promise<StoredOrder | undefined> {
    return await this.#creation.findCreated(organisationId, work);
  }

  /** Throws NOT_FOUND, and what `decide` and `ifMatch` throw. Answers the order as it is after the change. */
  async change(
    tenancy: Tenancy,
    orderId: OrderId,
    work: ChangeWork,
    decide: Decide,
    options: ChangeOptions = {},
  ): Promise<StoredOrder> {
    return await this.#changes.change(tenancy, orderId, work, decide, options);
  }

  async find(tenancy: Tenancy, orderId: OrderId): Promise<StoredOrder | undefined> {
    const found = await this.#documents.aggregates.find(placeOf(tenancy, orderId));
    return found && (await this.#documents.show(found.document));
  }

  /** Throws NOT_FOUND. */
  async get(tenancy: Tenancy, orderId: OrderId): Promise<StoredOrder> {
    const found = await this.find(tenancy, orderId);
    if (!found) throw notFound();
    return found;
  }

  /** One indexed read, to check that the order exists before the body is checked. Throws NOT_FOUND. */
  async require(tenancy: Tenancy, orderId: OrderId): Promise<void> {
    if (!(await this.#documents.aggregates.find({ ...placeOf(tenancy, orderId), projection: { _id: 1 } })))
      throw notFound();
  }

  /** Events that have yet to be moved to the event log, and the number of all. Throws NOT_FOUND. */
  async getOutbox(
    tenancy: Tenancy,
    orderId: OrderId,
  ): Promise<{ readonly outbox: readonly OutboxEvent[]; readonly sequence: number }> {
    const found = await this.#documents.aggregates.find({
      ...placeOf(tenancy, orderId),
      projection: { outbox: 1, sequence: 1 },
    });
    if (!found) throw notFound();
    const { outbox = [], sequence = 0 } = found.document;
    return { outbox, sequence };
  }

  /** Whether this work has changed the order already; then it holds what the work has made. Throws NOT_FOUND. */
  async isDone(tenancy: Tenancy, orderId: OrderId, { workId }: Pick<OrderWork, 'workId'>): Promise<boolean> {
    const found = await this.#documents.aggregates.find({ ...placeOf(tenancy, orderId), projection: { workIds: 1 } });
    if (!found) throw notFound();
    return hasWorkId(found.document.workIds, workId, this.#documents.now());
  }

  /** A confirmed version, or the draft itself. Throws NOT_FOUND, also for a version that was reset. */
  async getVersion(tenancy: Tenancy, orderId: OrderId, version: number): Promise<StoredOrder> {
    const found = await this.#documents.aggregates.find(placeOf(tenancy, orderId));
    if (!found) throw notFound();
    const order = toOrder(found.document);
    const { confirmed, status } = order;
    // A cancellation ends the order, and leaves the version that was confirmed.
    const isNow = order.version === version && !(status === 'CANCELLED' && confirmed);
    if (isNow) return await this.#documents.show(found.document);
    const earlier = confirmed?.version === version ? confirmed : await this.#documents.versions.find(order, version);
    if (!earlier) throw versionNotFound(version);
    const then = orderAt(order, earlier, totalAmountMinor(earlier));
    const texts = await readTexts(this.#documents.keys, { ...found.document, fees: then.fees });
    return { order: then, revision: found.document.revision, texts };
  }
}
