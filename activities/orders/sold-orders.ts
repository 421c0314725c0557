/** Orders as they were confirmed. Provided by the manifest. */
import type { Connection, mongo } from 'mongoose';
import type { ConfirmedVersion, Order } from '../../workflows/orders/rules/order.ts';
import type { CustomerNumber, OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import type { SoldOrder, SoldOrders } from '../shared/sold-orders.ts';
import {
  ORDER_VERSIONS,
  ORDERS_COLLECTION,
  type OrderCollection,
  VERSIONS_INDEX,
  type VersionDocument,
} from './order-document.ts';
import { ID_INDEX } from './order-indexes.ts';
import { toOrder } from './order-members.ts';
import { NEWEST } from './order-versions.ts';
import { ordersNaming } from './orders-naming.ts';

const NO_TEXTS = { 'fees.reason': 0 } as const;

export class StoredSoldOrders implements SoldOrders {
  readonly #orders: OrderCollection;
  readonly #versions: mongo.Collection<VersionDocument>;

  constructor(connection: Connection) {
    this.#orders = ORDERS_COLLECTION.open(connection);
    this.#versions = ORDER_VERSIONS.open(connection);
  }

  async findSold(
    organisationId: OrganisationId | 'ANY',
    orderId: OrderId,
    versionNumber: number,
  ): Promise<SoldOrder | undefined> {
    const [filter, hint] =
      organisationId === 'ANY' ? [{ _id: orderId }, '_id_'] : [{ _id: orderId, organisationId }, ID_INDEX];
    const document = await this.#orders.findOne(filter, { projection: NO_TEXTS, hint });
    if (!document) return undefined;
    const order = toOrder(document);
    const version = await this.#findVersion(order, versionNumber);
    if (!version) return undefined;
    const before = versionNumber === 1 ? undefined : await this.#findBefore(order, versionNumber);
    return { order, version, ...(before && { before }) };
  }

  async *listNaming(organisationId: OrganisationId, customerNumber: CustomerNumber): AsyncGenerator<OrderId> {
    for (const { filter, hint } of ordersNaming(organisationId, customerNumber)) {
      for await (const { _id } of this.#orders.find(filter, { hint, projection: { _id: 1 } })) yield _id;
    }
  }

  /** The document has the last one; those before it are kept beside it. */
  async #findVersion({ id, confirmed }: Order, version: number): Promise<ConfirmedVersion | undefined> {
    if (confirmed?.version === version) return confirmed;
    return await this.#findNewest({ orderId: id, version });
  }

  /** Versions that were reset have no number here. */
  async #findBefore({ id }: Order, version: number): Promise<ConfirmedVersion | undefined> {
    return await this.#findNewest({ orderId: id, version: { $lt: version } });
  }

  async #findNewest(wanted: mongo.Filter<VersionDocument>): Promise<ConfirmedVersion | undefined> {
    const options = { sort: NEWEST, hint: VERSIONS_INDEX, projection: NO_TEXTS };
    return (await this.#versions.findOne(wanted, options)) ?? undefined;
  }
}
