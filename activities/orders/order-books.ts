/**
 * What confirmations and imports mean in the ledger, made again from what is stored. The same at any later time: a confirmed
 * version never changes. And what confirmed orders cost now. Provided to the reconciliation by the manifest.
 */
import type { Connection } from 'mongoose';
import type { SettledOrder } from '../../workflows/books/rules/difference.ts';
import { importedEntry, soldEntry } from '../../workflows/orders/rules/postings.ts';
import type { OrderId } from '../../workflows/shared/ids.ts';
import type { OrderBooks, SoldVersion } from '../shared/orders.ts';
import type { SoldOrders } from '../shared/sold-orders.ts';
import { ORDERS_COLLECTION, type OrderCollection } from './order-document.ts';

export class StoredOrderBooks implements OrderBooks {
  readonly #sold: SoldOrders;
  readonly #orders: OrderCollection;

  constructor(sold: SoldOrders, connection: Connection) {
    this.#sold = sold;
    this.#orders = ORDERS_COLLECTION.open(connection);
  }

  async findSold(orderId: OrderId, versionNumber: number): Promise<SoldVersion | undefined> {
    const sold = await this.#sold.findSold('ANY', orderId, versionNumber);
    if (!sold) return undefined;
    const { order, version, before } = sold;
    const isImport = order.importedAt !== undefined && versionNumber === 1;
    const entry = isImport ? importedEntry({ ...order, confirmed: version }) : soldEntry(order, before, version);
    return { organisationId: order.organisationId, ...(entry && { entry }) };
  }

  async listSettled(orderIds: readonly OrderId[]): Promise<readonly SettledOrder[]> {
    const settled = { _id: { $in: [...orderIds] }, status: 'CONFIRMED', lock: { $exists: false } } as const;
    const projection = { organisationId: 1, currency: 1, totalAmountMinor: 1, balanceMinor: 1 } as const;
    const found = await this.#orders.find(settled, { hint: '_id_', projection }).toArray();
    return found.map(({ _id: orderId, organisationId, currency, totalAmountMinor: totalMinor, balanceMinor }) => {
      return { orderId, organisationId, currency, totalMinor, balanceMinor };
    });
  }
}
