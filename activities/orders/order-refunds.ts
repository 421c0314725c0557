/** What refunds write on orders. Each write removes its own condition, so it may be repeated. Provided by the manifest. */
import type { Connection } from 'mongoose';
import type { Order } from '../../workflows/orders/rules/order.ts';
import type { OrderChange } from '../../workflows/orders/rules/order-change.ts';
import { unlockOrder } from '../../workflows/orders/rules/order-lock.ts';
import { lockForRefund, type Refunding, refundedVersion, refundLines } from '../../workflows/orders/rules/refunding.ts';
import type { OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import type { HeldLock, LockedWork, OrderRefundAccess } from '../shared/orders.ts';
import { OrderLocks } from './order-locks.ts';
import type { OrderStore } from './order-store.ts';

export class OrderRefundWriter implements OrderRefundAccess {
  readonly #orders: Pick<OrderStore, 'change'>;

  readonly #locks: OrderLocks;

  constructor(orders: Pick<OrderStore, 'change'>, connection: Connection) {
    this.#orders = orders;
    this.#locks = new OrderLocks(connection);
  }

  pagesOfLocked(before: Date): AsyncIterable<readonly HeldLock[]> {
    return this.#locks.pages('refund', before);
  }

  async lockForRefund(
    organisationId: OrganisationId,
    orderId: OrderId,
    refunding: Refunding,
    work: LockedWork,
  ): Promise<number> {
    const locked = await this.#change(organisationId, orderId, work, (order, now) =>
      lockForRefund(order, { ...refunding, owner: work.lockOwner }, now),
    );
    return refundedVersion(locked);
  }

  async unlock(organisationId: OrganisationId, orderId: OrderId, work: LockedWork): Promise<void> {
    await this.#change(organisationId, orderId, work, (order, now) =>
      unlockOrder(order, { owner: work.lockOwner }, now),
    );
  }

  async refundLines(
    organisationId: OrganisationId,
    orderId: OrderId,
    refunding: Refunding,
    work: LockedWork,
  ): Promise<void> {
    await this.#change(organisationId, orderId, work, (order, now) =>
      refundLines(order, { ...refunding, lockOwner: work.lockOwner }, now),
    );
  }

  async #change(
    organisationId: OrganisationId,
    orderId: OrderId,
    { correlationId, clientId, causationId }: LockedWork,
    decide: (order: Order, now: Date) => OrderChange,
  ): Promise<Order> {
    const work = { correlationId, clientId, ...(causationId !== undefined && { causationId }) };
    return (await this.#orders.change(organisationId, orderId, work, decide)).order;
  }
}
