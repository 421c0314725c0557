/**
 * Orders: created, read and changed. The rules of workflows/orders decide; each change is one conditional write that
 * carries its events, and repeated under the same work id it changes nothing. Missing and foreign orders are
 * indistinguishable.
 *
 * Callers: the handlers of the API, the sweeps and activities of this folder.
 */
import type { Place } from '../../platform/aggregate/aggregate-types.ts';
import { Aggregates } from '../../platform/aggregate/aggregates.ts';
import { hasWorkId } from '../../platform/aggregate/work-ids.ts';
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { NewDataKey } from '../../platform/personal/subject-keys.ts';
import { totalAmountMinor } from '../../workflows/orders/rules/amounts.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { hasEffect } from '../../workflows/orders/rules/order-change.ts';
import type { OrderEvent } from '../../workflows/orders/rules/order-events.ts';
import type { OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { OrderWork } from '../shared/orders.ts';
import { ORDERS_COLLECTION, type OrderCollection, type OrderDocument } from './order-document.ts';
import { ORDER_EVENTS } from './order-family.ts';
import { orderIdOf } from './order-id.ts';
import { changedMembers, newMembers, toOrder } from './order-members.ts';
import { busy, notFound } from './order-refusals.ts';
import { OrderSeats } from './order-seats.ts';
import { openToSeal, readTexts, sealWith } from './order-texts.ts';
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
import { droppedVersion, OrderVersions, orderAt } from './order-versions.ts';

/** Ids are one of 32⁸: even a second attempt is rare. */
const MAX_ATTEMPTS = 20;

/** A write would drop a confirmed version that is not kept yet. */
class UnkeptVersion extends Error {
  readonly order: Order;

  constructor(order: Order) {
    super('A confirmed version must be kept first');
    this.order = order;
  }
}

export class OrderStore {
  readonly #options: OrderStoreOptions;
  readonly #collection: OrderCollection;
  readonly #orders: Aggregates<OrderDocument, OrderEvent>;
  readonly #versions: OrderVersions;
  readonly #seats: OrderSeats;
  readonly #now: () => Date;

  constructor(options: OrderStoreOptions) {
    const { connection, environment, now } = options;
    this.#options = options;
    this.#collection = ORDERS_COLLECTION.open(connection);
    this.#orders = new Aggregates<OrderDocument, OrderEvent>({
      collection: this.#collection,
      family: ORDER_EVENTS,
      environment,
      busy,
      ...(now && { now }),
    });
    this.#versions = new OrderVersions(connection);
    this.#seats = new OrderSeats(options);
    this.#now = now ?? (() => new Date());
  }

  /**
   * `make` gets the id that the order is to have, and is called again where another order has it. Repeated with the same
   * work id it answers the order that the first attempt has created, as it is now.
   */
  async create(
    organisationId: OrganisationId,
    work: OrderWork,
    make: (id: OrderId, now: Date, seal: SealText) => Decided,
    { seals }: Pick<ChangeOptions, 'seals'> = {},
  ): Promise<StoredOrder> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const id = orderIdOf(work.workId, attempt);
      const created = await this.insert(organisationId, work, id, (now, seal) => make(id, now, seal), {
        ...(seals && { seals }),
      });
      if (created) return created;
    }
    throw new ServiceError('UNAVAILABLE', 'No order number was found; try again.', { headers: { 'retry-after': '1' } });
  }

  /** With this id: {@link orderIdOf} makes it. Undefined when another order has it. */
  async insert(
    organisationId: OrganisationId,
    work: OrderWork,
    id: OrderId,
    make: (now: Date, seal: SealText) => Decided,
    { seals }: Pick<ChangeOptions, 'seals'> = {},
  ): Promise<StoredOrder | undefined> {
    const earlier = await this.findCreated(organisationId, work);
    if (earlier) return earlier;
    const now = this.#now();
    const place = { _id: id, organisationId } as OrderDocument;
    // No key is made for an order of another organisation.
    if (seals && (await this.#collection.findOne({ _id: id }, { projection: { _id: 1 } }))) return undefined;
    const key = seals ? await openToSeal(this.#options.keys, place) : undefined;
    const { order, events, pendingStart } = make(now, sealerOf(key));
    const content = { ...newMembers(order, { revision: 1, since: now }), _id: id, ...(key && { keyId: key.keyId }) };
    try {
      const { document } = await this.#orders.create(content as never, work, {
        events,
        ...(pendingStart !== undefined && { pendingStart }),
      });
      // The record of a repeat may name the order of another organisation when it was changed by hand.
      if (document.organisationId !== organisationId) throw notFound();
      return await this.#finish(document);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // Another order took the id in between, so no order names this key.
      if (key) await this.#options.keys?.discard(key.keyId);
      return undefined;
    }
  }

  /** The order that this work has created. */
  async findCreated(
    organisationId: OrganisationId,
    { workId }: Pick<OrderWork, 'workId'>,
  ): Promise<StoredOrder | undefined> {
    const filter = () => ({ creationId: workId, organisationId });
    const found = await this.#orders.find({ filter, hint: 'creations' });
    return found && (await this.#show(found.document));
  }

  async find(tenancy: Tenancy, orderId: OrderId): Promise<StoredOrder | undefined> {
    const found = await this.#orders.find(placeOf(tenancy, orderId));
    return found && (await this.#show(found.document));
  }

  /** Throws NOT_FOUND. */
  async get(tenancy: Tenancy, orderId: OrderId): Promise<StoredOrder> {
    const found = await this.find(tenancy, orderId);
    if (!found) throw notFound();
    return found;
  }

  /** One indexed read, to check that the order exists before the body is checked. Throws NOT_FOUND. */
  async require(tenancy: Tenancy, orderId: OrderId): Promise<void> {
    if (!(await this.#orders.find({ ...placeOf(tenancy, orderId), projection: { _id: 1 } }))) throw notFound();
  }

  /** Events that have yet to be moved to the event log, and the number of all. Throws NOT_FOUND. */
  async getOutbox(
    tenancy: Tenancy,
    orderId: OrderId,
  ): Promise<{ readonly outbox: readonly OutboxEvent[]; readonly sequence: number }> {
    const found = await this.#orders.find({ ...placeOf(tenancy, orderId), projection: { outbox: 1, sequence: 1 } });
    if (!found) throw notFound();
    const { outbox = [], sequence = 0 } = found.document;
    return { outbox, sequence };
  }

  /** Whether this work has changed the order already; then it holds what the work has made. Throws NOT_FOUND. */
  async isDone(tenancy: Tenancy, orderId: OrderId, { workId }: Pick<OrderWork, 'workId'>): Promise<boolean> {
    const found = await this.#orders.find({ ...placeOf(tenancy, orderId), projection: { workIds: 1 } });
    if (!found) throw notFound();
    return hasWorkId(found.document.workIds, workId, this.#now());
  }

  /** A confirmed version, or the draft itself. Throws NOT_FOUND, also for a version that was reset. */
  async getVersion(tenancy: Tenancy, orderId: OrderId, version: number): Promise<StoredOrder> {
    const found = await this.#orders.find(placeOf(tenancy, orderId));
    if (!found) throw notFound();
    const order = toOrder(found.document);
    const { confirmed, status } = order;
    // A cancellation ends the order, and leaves the version that was confirmed.
    const isNow = order.version === version && !(status === 'CANCELLED' && confirmed);
    if (isNow) return await this.#show(found.document);
    const earlier = confirmed?.version === version ? confirmed : await this.#versions.find(order, version);
    if (!earlier) throw notFound();
    const then = orderAt(order, earlier, totalAmountMinor(earlier));
    const texts = await readTexts(this.#options.keys, { ...found.document, fees: then.fees });
    return { order: then, revision: found.document.revision, texts };
  }

  /** Throws NOT_FOUND, REVISION_CONFLICT, and what `decide` throws. Answers the order as it is after the change. */
  async change(
    tenancy: Tenancy,
    orderId: OrderId,
    work: ChangeWork,
    decide: Decide,
    options: ChangeOptions = {},
  ): Promise<StoredOrder> {
    const kept = new Set<number>();
    const { keys } = this.#options;
    const open = async (document: OrderDocument) => ({ key: options.seals && (await openToSeal(keys, document)) });
    for (;;) {
      try {
        const place = { ...placeOf(tenancy, orderId), open };
        const changed = await this.#orders.change(place, work, ({ document, opened: { key } }) =>
          this.#step(document, key, { decide, options, kept }),
        );
        if (!changed) throw notFound();
        return await this.#finish(changed.document);
      } catch (error) {
        if (!(error instanceof UnkeptVersion)) throw error;
        await this.#versions.keep(error.order);
        kept.add(error.order.confirmed?.version ?? 0);
      }
    }
  }

  #step(
    document: OrderDocument,
    key: NewDataKey | undefined,
    { decide, options, kept }: { decide: Decide; options: ChangeOptions; kept: ReadonlySet<number> },
  ) {
    const { revision } = document;
    const before = toOrder(document);
    options.ifMatch?.({ version: before.version, revision });
    const now = this.#now();
    const decided = decide(before, now, sealerOf(key));
    const { order: after, events, pendingStart, textsErased = false } = decided;
    const isErased = textsErased && document.keyId !== undefined;
    if (!hasEffect(before, decided) && pendingStart === undefined && !isErased) return undefined;
    const dropped = droppedVersion(before, after);
    if (dropped !== undefined && !kept.has(dropped)) throw new UnkeptVersion(before);
    const members = changedMembers(before, after, { revision: revision + 1, since: now });
    const set = {
      ...members,
      ...(key && key.keyId !== document.keyId && { keyId: key.keyId }),
      ...(isErased && { keyId: undefined, textsErasedAt: now }),
    };
    return { set, events, ...(pendingStart !== undefined && { pendingStart }) };
  }

  async #finish(document: OrderDocument): Promise<StoredOrder> {
    await this.#seats.tryToSettle(document);
    return await this.#show(document);
  }

  async #show(document: OrderDocument): Promise<StoredOrder> {
    const texts = await readTexts(this.#options.keys, document);
    return { order: toOrder(document), revision: document.revision, texts };
  }
}

function sealerOf(key: NewDataKey | undefined): SealText {
  if (key) return sealWith(key);
  return () => {
    throw new Error('A change that seals texts says so in its options');
  };
}

/** With the index of the organisation a foreign order costs what an absent one costs. */
function placeOf(tenancy: Tenancy, orderId: OrderId): Place<OrderDocument> {
  return tenancy === 'ANY'
    ? { filter: () => ({ _id: orderId }), hint: '_id_' }
    : { filter: () => ({ _id: orderId, organisationId: tenancy }), hint: 'organisation_and_id' };
}
