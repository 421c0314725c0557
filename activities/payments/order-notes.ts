/**
 * Tells orders what their payments have captured, credited and left open. The write of a payment marks what the order does
 * not know yet; the mark goes when the order has been told, and the sweep tells what a crash has left. Callers: handlers
 * and activities, right after a write; the role.
 */
import type { Connection } from 'mongoose';
import type { Logger } from '../../platform/log.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { noteOf } from '../../workflows/payments/rules/summary.ts';
import type { OrderMoneyAccess, ProcessWork } from '../shared/orders.ts';
import { PAYMENTS_COLLECTION, type PaymentCollection, type PaymentDocument } from './payment-document.ts';
import { toStored } from './payment-store.ts';
import type { StoredPayment } from './payment-types.ts';

/** By then the process that has written tells the order itself. */
const LATE_AFTER_MS = 2_000;
const TOLD_AT_ONCE = 100;

export interface OrderNotesOptions {
  readonly connection: Connection;
  readonly orders: () => Pick<OrderMoneyAccess, 'notePayment'>;
  readonly log: Logger;
  readonly now?: () => Date;
}

export class OrderNotes {
  readonly #collection: PaymentCollection;
  readonly #options: OrderNotesOptions;
  readonly #now: () => Date;

  constructor(options: OrderNotesOptions) {
    this.#collection = PAYMENTS_COLLECTION.open(options.connection);
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
  }

  /** Answers the order as it is then. Repeatable: a note that comes late, or again, changes nothing. */
  async tell({ payment, revision, isUntold }: StoredPayment, work: ProcessWork): Promise<Order> {
    const { organisationId, orderId } = payment;
    const note = { ...noteOf(payment), revision };
    const order = await this.#options.orders().notePayment(organisationId, orderId, note, work);
    if (!isUntold) return order;
    // As the mark of a pending start it goes without raising the revision, so that no other writer loses a race by it.
    await this.#collection.updateOne({ _id: String(payment.id), revision }, { $unset: { untoldSince: '' } });
    return order;
  }

  /** Where the order does not know all. What fails is left to the sweep. */
  async tryToTell(stored: StoredPayment, work: ProcessWork): Promise<void> {
    if (!stored.isUntold) return;
    try {
      await this.tell(stored, work);
    } catch (error) {
      this.#options.log.warn({ err: error, paymentId: stored.payment.id }, 'the order is told of its payment later');
    }
  }

  async sweep(work: ProcessWork): Promise<void> {
    const before = new Date(this.#now().getTime() - LATE_AFTER_MS);
    const found = this.#collection.find(
      { untoldSince: { $lte: before } },
      { promoteBuffers: true, sort: { untoldSince: 1 }, limit: TOLD_AT_ONCE },
    );
    for await (const document of found) {
      await this.tryToTell(toStored(document as unknown as PaymentDocument), work);
    }
  }
}
