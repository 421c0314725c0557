/**
 * What confirmations and imports mean in the ledger, made again from what is stored. The same at any later time: a confirmed
 * version never changes. Provided to the reconciliation by the manifest.
 */
import { importedEntry, soldEntry } from '../../workflows/orders/rules/postings.ts';
import type { OrderId } from '../../workflows/shared/ids.ts';
import type { OrderBooks, SoldVersion } from '../shared/orders.ts';
import type { SoldOrders } from '../shared/sold-orders.ts';

export class StoredOrderBooks implements OrderBooks {
  readonly #sold: SoldOrders;

  constructor(sold: SoldOrders) {
    this.#sold = sold;
  }

  async findSold(orderId: OrderId, versionNumber: number): Promise<SoldVersion | undefined> {
    const sold = await this.#sold.findSold('ANY', orderId, versionNumber);
    if (!sold) return undefined;
    const { order, version, before } = sold;
    const isImport = order.importedAt !== undefined && versionNumber === 1;
    const entry = isImport ? importedEntry({ ...order, confirmed: version }) : soldEntry(order, before, version);
    return { organisationId: order.organisationId, ...(entry && { entry }) };
  }
}
