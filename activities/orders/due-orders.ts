/** Lists drafts whose time is over. Caller: the sweep. */
import type { Connection } from 'mongoose';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { ORDERS_COLLECTION, type OrderCollection, type OrderDocument } from './order-document.ts';
import { DUE_INDEX } from './order-indexes.ts';
import { toOrder } from './order-members.ts';

export class DueOrders {
  readonly #collection: OrderCollection;

  constructor(connection: Connection) {
    this.#collection = ORDERS_COLLECTION.open(connection);
  }

  /** Those that have been due for longest first. */
  async *each(now: Date): AsyncGenerator<Order> {
    const options = { hint: DUE_INDEX, promoteBuffers: true, projection: { outbox: 0, workIds: 0 } };
    const found = this.#collection.find({ status: 'DRAFT', expireAt: { $lte: now } }, options).sort({ expireAt: 1 });
    for await (const document of found) yield toOrder(document as unknown as OrderDocument);
  }

  /** Drafts that should have ended before this time. The refund that holds one has an alert of its own. */
  async count(before: Date): Promise<number> {
    const due = { status: 'DRAFT', expireAt: { $lte: before }, 'lock.owner': { $not: /^compensation\// } } as const;
    return await this.#collection.countDocuments(due as object, { hint: DUE_INDEX });
  }
}
