/**
 * What confirmations and imports mean in the ledger, made again from what is stored. The same at any later time: a confirmed
 * version never changes. Provided to the reconciliation by the manifest.
 */
import type { Connection, mongo } from 'mongoose';
import type { ConfirmedVersion, Order } from '../../workflows/orders/rules/order.ts';
import { importedEntry, soldEntry } from '../../workflows/orders/rules/postings.ts';
import type { OrderId } from '../../workflows/shared/ids.ts';
import type { OrderBooks, SoldVersion } from '../shared/orders.ts';
import { ORDER_VERSIONS, ORDERS_COLLECTION, type OrderCollection, type VersionDocument } from './order-document.ts';
import { toOrder } from './order-members.ts';

const NO_TEXTS = { 'fees.reason': 0 } as const;

export class StoredOrderBooks implements OrderBooks {
  readonly #orders: OrderCollection;
  readonly #versions: mongo.Collection<VersionDocument>;

  constructor(connection: Connection) {
    this.#orders = ORDERS_COLLECTION.open(connection);
    this.#versions = ORDER_VERSIONS.open(connection);
  }

  async findSold(orderId: OrderId, version: number): Promise<SoldVersion | undefined> {
    const document = await this.#orders.findOne({ _id: orderId }, { projection: NO_TEXTS });
    if (!document) return undefined;
    const order = toOrder(document);
    const confirmed = await this.#findVersion(order, version);
    if (!confirmed) return undefined;
    const isImport = order.importedAt !== undefined && version === 1;
    const entry = isImport
      ? importedEntry({ ...order, confirmed })
      : soldEntry(order, await this.#findBefore(order, version), confirmed);
    return { organisationId: order.organisationId, ...(entry && { entry }) };
  }

  /** The document has the last one; those before it are kept beside it. */
  async #findVersion({ id, confirmed }: Order, version: number): Promise<ConfirmedVersion | undefined> {
    if (confirmed?.version === version) return confirmed;
    return (await this.#versions.findOne({ _id: `${id}/${version}` }, { projection: NO_TEXTS })) ?? undefined;
  }

  /** Versions that were reset have no number here. */
  async #findBefore({ id }: Order, version: number): Promise<ConfirmedVersion | undefined> {
    const earlier = { orderId: id, version: { $lt: version } };
    const found = await this.#versions.findOne(earlier, { sort: { version: -1 }, projection: NO_TEXTS });
    return found ?? undefined;
  }
}
