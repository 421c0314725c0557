/**
 * Tells the seat keeper which seats an order's writes have sold and given up. The document remembers them until that is
 * done, so a crash after the write loses nothing: the sweep tells again. Callers: the store after its write, the sweep.
 */
import type { Logger } from '../../platform/log.ts';
import type { OrderId } from '../../workflows/shared/ids.ts';
import {
  ORDERS_COLLECTION,
  type OrderCollection,
  type OrderDocument,
  type StoredPendingSeats,
} from './order-document.ts';
import { PENDING_SEATS_INDEX } from './order-indexes.ts';
import type { OrderStoreOptions } from './order-types.ts';

export interface SeatsToSettle {
  readonly orderId: OrderId;
  readonly pendingSeats: StoredPendingSeats;
}

/** Within this time the writer tells the seat keeper itself. */
const WRITER_TIME_MS = 2_000;

export class OrderSeats {
  readonly #options: Pick<OrderStoreOptions, 'seats' | 'now'>;
  readonly #collection: OrderCollection;
  readonly #log: Logger;

  constructor(options: Pick<OrderStoreOptions, 'connection' | 'seats' | 'log' | 'now'>) {
    this.#options = options;
    this.#collection = ORDERS_COLLECTION.open(options.connection);
    this.#log = options.log;
  }

  /** After a write. Never throws: the sweep does within seconds what failed here. */
  async tryToSettle({ _id, pendingSeats }: OrderDocument): Promise<void> {
    if (!pendingSeats || !this.#options.seats) return;
    try {
      await this.settle({ orderId: _id, pendingSeats });
    } catch (error) {
      this.#log.warn({ orderId: _id, err: error }, 'seats of an order are not settled yet; the sweep tries again');
    }
  }

  /** Repeatable. Later seats keep waiting. */
  async settle({ orderId, pendingSeats }: SeatsToSettle): Promise<void> {
    const seats = this.#options.seats?.();
    if (!seats) throw new Error('This process knows no seat keeper');
    const { confirm, release, revision } = pendingSeats;
    // What cannot be sold must not keep others from being freed.
    const told = await Promise.allSettled([
      confirm.length > 0 && seats.confirm(orderId, confirm),
      release.length > 0 && seats.release(orderId, release),
    ]);
    for (const outcome of told) if (outcome.status === 'rejected') throw outcome.reason;
    // Raises no revision: what a caller has read of the order is still true.
    await this.#collection.updateOne({ _id: orderId, 'pendingSeats.revision': revision }, {
      $unset: { pendingSeats: '' },
    } as never);
  }

  /** Orders whose seats wait since before this time. */
  async count(before: Date): Promise<number> {
    const waiting = { 'pendingSeats.since': { $lt: before } };
    return await this.#collection.countDocuments(waiting, { hint: PENDING_SEATS_INDEX });
  }

  /** Orders whose writer has died, or whose seat keeper was away. */
  async sweep(): Promise<void> {
    const before = new Date((this.#options.now?.() ?? new Date()).getTime() - WRITER_TIME_MS);
    const found = this.#collection
      .find({ 'pendingSeats.since': { $lt: before } }, { projection: { pendingSeats: 1 }, hint: PENDING_SEATS_INDEX })
      .sort({ 'pendingSeats.since': 1 });
    const failures: unknown[] = [];
    // All of them: those that fail again and again stay the oldest.
    for await (const { _id, pendingSeats } of found) {
      // One order that cannot be settled holds up no other.
      if (pendingSeats) await this.settle({ orderId: _id, pendingSeats }).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}
