/**
 * Lists orders that have been locked for long: the party that has locked them may be lost. Callers: order-money.ts, order-refunds.ts,
 * lost-requests.ts.
 */
import type { Connection } from 'mongoose';
import { batchesOf } from '../../platform/batches.ts';
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
  pages(kind: LockKind, before: Date): AsyncIterable<readonly HeldLock[]> {
    return this.#pages(ownedBy(kind), before);
  }

  /** Of the kinds, since before this time. */
  async count(kinds: readonly LockKind[], before: Date): Promise<number> {
    const which = { $or: kinds.map(ownedBy), 'lock.since': { $lte: before }, 'lock.compensation': { $exists: false } };
    return await this.#collection.countDocuments(which as object, { hint: LOCKS_INDEX });
  }

  /** Locks of drafts whose money is paid back. Looks at every lock: few orders are locked. */
  pagesOfCompensated(before: Date): AsyncIterable<readonly HeldLock[]> {
    return this.#pages({ 'lock.compensation': { $exists: true } }, before);
  }

  async *#pages(which: object, before: Date): AsyncIterable<readonly HeldLock[]> {
    for await (const page of batchesOf(this.#find(which, before), { count: PAGE })) yield page.flatMap(heldOf);
  }

  #find(which: object, before: Date) {
    return this.#collection.find({ 'lock.since': { $lte: before }, ...which } as object, {
      projection: { organisationId: 1, 'lock.owner': 1, 'lock.compensation': 1 },
      hint: LOCKS_INDEX,
    });
  }
}

/** By a range, which the index answers: the character after `/` is `0`. */
function ownedBy(kind: LockKind): object {
  return { 'lock.owner': { $gte: `${kind}/`, $lt: `${kind}0` } };
}

function heldOf({ _id: orderId, organisationId, lock }: OrderDocument): HeldLock[] {
  if (!lock) return [];
  const { owner, compensation } = lock;
  return [{ organisationId, orderId, owner, ...(compensation !== undefined && { compensation }) }];
}
