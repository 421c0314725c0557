/** Lists orders that have been locked for long: the party that has locked them may be lost. Callers: order-money.ts, order-refunds.ts. */
import type { Connection } from 'mongoose';
import type { HeldLock, LockKind } from '../shared/orders.ts';
import { ORDERS_COLLECTION, type OrderCollection, type OrderDocument } from './order-document.ts';
import { LOCKS_INDEX } from './order-indexes.ts';

const PAGE = 200;

export class OrderLocks {
  readonly #collection: OrderCollection;

  constructor(connection: Connection) {
    this.#collection = ORDERS_COLLECTION.open(connection);
  }

  /** All, in pages: locks that are held rightly for days hide no other. `kind`: how the owner begins. */
  async *pages(kind: LockKind, before: Date): AsyncIterable<readonly HeldLock[]> {
    let page: HeldLock[] = [];
    for await (const order of this.#find(kind, before)) {
      page.push(...heldOf(order));
      if (page.length < PAGE) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }

  /** By a range, which the index answers: the character after `/` is `0`. */
  #find(kind: LockKind, before: Date) {
    const held = { 'lock.since': { $lte: before }, 'lock.owner': { $gte: `${kind}/`, $lt: `${kind}0` } };
    return this.#collection.find(held as object, {
      projection: { organisationId: 1, 'lock.owner': 1 },
      hint: LOCKS_INDEX,
    });
  }
}

function heldOf({ _id: orderId, organisationId, lock }: OrderDocument): HeldLock[] {
  return lock ? [{ organisationId, orderId, owner: lock.owner }] : [];
}
