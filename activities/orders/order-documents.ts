/** What the parts of the store share: the documents of orders on the aggregate kit. Callers: the store and its parts. */
import type { Place } from '../../platform/aggregate/aggregate-types.ts';
import { Aggregates } from '../../platform/aggregate/aggregates.ts';
import type { NewDataKey } from '../../platform/personal/subject-keys.ts';
import type { OrderEvent } from '../../workflows/orders/rules/order-events.ts';
import type { OrderId } from '../../workflows/shared/ids.ts';
import { ORDERS_COLLECTION, type OrderCollection, type OrderDocument } from './order-document.ts';
import { ORDER_EVENTS } from './order-family.ts';
import { ID_INDEX } from './order-indexes.ts';
import { toOrder } from './order-members.ts';
import { busy } from './order-refusals.ts';
import { OrderSeats } from './order-seats.ts';
import { readTexts, sealWith } from './order-texts.ts';
import type { OrderStoreOptions, SealText, StoredOrder, Tenancy } from './order-types.ts';
import { OrderVersions } from './order-versions.ts';

export class OrderDocuments {
  readonly collection: OrderCollection;
  readonly aggregates: Aggregates<OrderDocument, OrderEvent>;
  readonly versions: OrderVersions;
  readonly keys: OrderStoreOptions['keys'];
  readonly now: () => Date;
  readonly #seats: OrderSeats;

  constructor(options: OrderStoreOptions) {
    const { connection, environment, keys, now = () => new Date() } = options;
    this.collection = ORDERS_COLLECTION.open(connection);
    this.aggregates = new Aggregates<OrderDocument, OrderEvent>({
      collection: this.collection,
      family: ORDER_EVENTS,
      environment,
      busy,
      now,
    });
    this.versions = new OrderVersions(connection);
    this.keys = keys;
    this.now = now;
    this.#seats = new OrderSeats(options);
  }

  /** After a write: tells the seat keeper, and shows the order. */
  async finish(document: OrderDocument): Promise<StoredOrder> {
    await this.#seats.tryToSettle(document);
    return await this.show(document);
  }

  async show(document: OrderDocument): Promise<StoredOrder> {
    return { order: toOrder(document), revision: document.revision, texts: await readTexts(this.keys, document) };
  }
}

/** With the index of the organisation a foreign order costs what an absent one costs. */
export function placeOf(tenancy: Tenancy, orderId: OrderId): Place<OrderDocument> {
  return tenancy === 'ANY'
    ? { filter: () => ({ _id: orderId }), hint: '_id_' }
    : { filter: () => ({ _id: orderId, organisationId: tenancy }), hint: ID_INDEX };
}

export function sealerOf(key: NewDataKey | undefined): SealText {
  if (key) return sealWith(key);
  return () => {
    throw new Error('A change that seals texts says so in its options');
  };
}
