/** What refunds write on orders. Each write removes its own condition, so it may be repeated. Provided by the manifest. */
import type { Connection } from 'mongoose';
import { orderExpiryWorkflowId } from '../../workflows/orders/messages.ts';
import {
  type EndedCompensation,
  endCompensated,
  holdCompensated,
  markCompensated,
  releaseCompensated,
} from '../../workflows/orders/rules/compensation.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import type { OrderChange } from '../../workflows/orders/rules/order-change.ts';
import { unlockOrder } from '../../workflows/orders/rules/order-lock.ts';
import { lockForRefund, type Refunding, refundedVersion, refundLines } from '../../workflows/orders/rules/refunding.ts';
import type { OrderId, OrganisationId, RefundId } from '../../workflows/shared/ids.ts';
import type { HeldLock, LockedWork, LockKind, OrderRefundAccess } from '../shared/orders.ts';
import { OrderLocks } from './order-locks.ts';
import type { OrderStore } from './order-store.ts';

type HeldDraft = Parameters<OrderRefundAccess['markCompensated']>;

export class OrderRefundWriter implements OrderRefundAccess {
  readonly #orders: Pick<OrderStore, 'change'>;

  readonly #locks: OrderLocks;

  constructor(orders: Pick<OrderStore, 'change'>, connection: Connection) {
    this.#orders = orders;
    this.#locks = new OrderLocks(connection);
  }

  pagesOfLocked(kind: LockKind, before: Date): AsyncIterable<readonly HeldLock[]> {
    return this.#locks.pages(kind, before);
  }

  pagesOfCompensated(before: Date): AsyncIterable<readonly HeldLock[]> {
    return this.#locks.pagesOfCompensated(before);
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

  async markCompensated(...held: HeldDraft): Promise<void> {
    await this.#hold(markCompensated, held);
  }

  async releaseCompensated(
    organisationId: OrganisationId,
    orderId: OrderId,
    refundId: RefundId,
    work: LockedWork,
  ): Promise<void> {
    await this.#change(organisationId, orderId, work, (order, now) =>
      releaseCompensated(order, { refundId, owner: work.lockOwner }, now),
    );
  }

  async holdCompensated(...held: HeldDraft): Promise<void> {
    await this.#hold(holdCompensated, held);
  }

  async endCompensated(
    organisationId: OrganisationId,
    orderId: OrderId,
    ended: EndedCompensation,
    work: LockedWork,
  ): Promise<void> {
    await this.#change(organisationId, orderId, work, (order, now) =>
      endCompensated(order, { ...ended, lockOwner: work.lockOwner }, now),
    );
  }

  /** A draft whose caller has given up is held by its expiry. */
  async #hold(command: typeof markCompensated, [organisationId, orderId, draft, work]: HeldDraft): Promise<void> {
    const { orderVersion, askedBy, refundId } = draft;
    const owners = [askedBy, orderExpiryWorkflowId({ orderId, version: orderVersion })];
    const holding = { orderVersion, refundId, owners, owner: work.lockOwner };
    await this.#change(organisationId, orderId, work, (order, now) => command(order, holding, now));
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
