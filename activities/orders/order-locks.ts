/** Lists orders that have been locked for long: the workflow that locked them may be lost. Caller: order-money.ts. */
import type { Connection } from 'mongoose';
import type { HeldLock } from '../shared/orders.ts';
import { ORDERS_COLLECTION, type OrderCollection } from './order-document.ts';
import { LOCKS_INDEX } from './order-indexes.ts';

export class OrderLocks {
  readonly #collection: OrderCollection;

  constructor(connection: Connection) {
    this.#collection = ORDERS_COLLECTION.open(connection);
  }

  /** Longest first. */
  async list(before: Date, limit: number): Promise<readonly HeldLock[]> {
    const options = { projection: { organisationId: 1, 'lock.owner': 1 }, hint: LOCKS_INDEX, limit };
    const found = this.#collection.find({ 'lock.since': { $lte: before } } as object, options);
    const locked = await found.sort({ 'lock.since': 1 }).toArray();
    return locked.flatMap(({ _id: orderId, organisationId, lock }) =>
      lock ? [{ organisationId, orderId, owner: lock.owner }] : [],
    );
  }
}
