/**
 * What payments and payment pages write on orders. Each write is one conditional write whose rule finds nothing to do when
 * it comes again, so none needs a work id. Provided by the manifest.
 */
import type { Connection } from 'mongoose';
import { assertConfirmable, confirmOrder } from '../../workflows/orders/rules/confirmation.ts';
import { abandonDraft } from '../../workflows/orders/rules/endings.ts';
import { assertNotEntered } from '../../workflows/orders/rules/entered-money.ts';
import { raiseExpireAt } from '../../workflows/orders/rules/facts.ts';
import { assertNotDue, invalidState } from '../../workflows/orders/rules/guards.ts';
import type { Order, PaymentRef } from '../../workflows/orders/rules/order.ts';
import { combine, type OrderChange, unchanged } from '../../workflows/orders/rules/order-change.ts';
import { lockOrder, renewLock, unlockOrder } from '../../workflows/orders/rules/order-lock.ts';
import {
  confirmDecided,
  type DecidedDraft,
  lockOwed,
  type OwedDraft,
} from '../../workflows/orders/rules/owed-draft.ts';
import { attachPaymentPage, detachPaymentPage, notePayment } from '../../workflows/orders/rules/payment-notes.ts';
import { assertPayableAgain, lacksPayment } from '../../workflows/orders/rules/spent-draft.ts';
import type { OrderId, OrganisationId, PaymentPageId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { CaptureLock, HeldLock, LockedWork, LockKind, OrderMoneyAccess, ProcessWork } from '../shared/orders.ts';
import { OrderLocks } from './order-locks.ts';
import type { OrderStore } from './order-store.ts';

export class OrderMoneyWriter implements OrderMoneyAccess {
  readonly #orders: Pick<OrderStore, 'change'>;
  readonly #locks: OrderLocks;

  constructor(orders: Pick<OrderStore, 'change'>, connection: Connection) {
    this.#orders = orders;
    this.#locks = new OrderLocks(connection);
  }

  async lockForCapture(
    organisationId: OrganisationId,
    orderId: OrderId,
    orderVersion: number,
    work: CaptureLock,
  ): Promise<Order> {
    return await this.#change(organisationId, orderId, work, (order, now) =>
      lockedForCapture(order, orderVersion, work, now),
    );
  }

  pagesOfLocked(kind: LockKind, before: Date): AsyncIterable<readonly HeldLock[]> {
    return this.#locks.pages(kind, before);
  }

  async unlock(organisationId: OrganisationId, orderId: OrderId, work: LockedWork): Promise<void> {
    await this.#change(organisationId, orderId, work, (order, now) =>
      unlockOrder(order, { owner: work.lockOwner }, now),
    );
  }

  async notePayment(
    organisationId: OrganisationId,
    orderId: OrderId,
    payment: PaymentRef,
    work: ProcessWork,
  ): Promise<Order> {
    return await this.#change(organisationId, orderId, work, (order, now) => notePayment(order, { payment }, now));
  }

  async confirm(
    organisationId: OrganisationId,
    orderId: OrderId,
    orderVersion: number,
    work: LockedWork,
  ): Promise<Order> {
    const { lockOwner } = work;
    return await this.#change(organisationId, orderId, work, (order, now) =>
      confirmOrder(order, { orderVersion, lockOwner }, now),
    );
  }

  async lockOwed(organisationId: OrganisationId, orderId: OrderId, draft: OwedDraft, work: LockedWork): Promise<void> {
    await this.#change(organisationId, orderId, work, (order, now) =>
      lockOwed(order, { ...draft, owner: work.lockOwner }, now),
    );
  }

  async confirmDecided(
    organisationId: OrganisationId,
    orderId: OrderId,
    draft: DecidedDraft,
    work: LockedWork,
  ): Promise<void> {
    await this.#change(organisationId, orderId, work, (order, now) =>
      confirmDecided(order, { ...draft, lockOwner: work.lockOwner }, now),
    );
  }

  async abandonDraft(
    organisationId: OrganisationId,
    orderId: OrderId,
    orderVersion: number,
    work: LockedWork,
  ): Promise<Order> {
    const { lockOwner } = work;
    return await this.#change(organisationId, orderId, work, (order, now) =>
      abandonDraft(order, { orderVersion, lockOwner }, now),
    );
  }

  async raiseExpireAt(
    organisationId: OrganisationId,
    orderId: OrderId,
    expireAt: Date,
    work: ProcessWork,
  ): Promise<Order> {
    return await this.#change(organisationId, orderId, work, (order, now) =>
      order.status === 'DRAFT' ? raisedTo(order, expireAt, now) : unchanged(order),
    );
  }

  async attachPaymentPage(
    organisationId: OrganisationId,
    orderId: OrderId,
    change: { readonly pageId: PaymentPageId; readonly attached: boolean; readonly expireAt?: Date },
    work: ProcessWork,
  ): Promise<Order> {
    const { pageId, attached, expireAt } = change;
    return await this.#change(organisationId, orderId, work, (order, now) => {
      if (!attached) return detachPaymentPage(order, { paymentPageId: pageId }, now);
      if (order.paymentPageId !== undefined && order.paymentPageId !== pageId) {
        throw invalidState('Another payment page of the order is open.');
      }
      return combine(order, [
        (before) => attachPaymentPage(before, { paymentPageId: pageId }, now),
        (before) => (expireAt ? raisedTo(before, expireAt, now) : unchanged(before)),
      ]);
    });
  }

  async #change(
    organisationId: OrganisationId,
    orderId: OrderId,
    { correlationId, clientId, causationId }: ProcessWork,
    decide: (order: Order, now: Date) => OrderChange,
  ): Promise<Order> {
    const work = { correlationId, clientId, ...(causationId !== undefined && { causationId }) };
    return (await this.#orders.change(organisationId, orderId, work, decide)).order;
  }
}

const NOTHING_TAKEN = 'The order is cancelled, so no money is taken for it.';

/** What could not be confirmed is refused before money is taken. Under its own lock it has been asked before. */
function lockedForCapture(
  order: Order,
  orderVersion: number,
  { lockOwner: owner, importKey }: CaptureLock,
  now: Date,
): OrderChange {
  if (order.status === 'DRAFT' && order.version === orderVersion && order.lock?.owner === owner) {
    return importKey === undefined ? unchanged(order) : renewLock(order, owner, now);
  }
  if (importKey !== undefined) assertNotEntered(order, importKey);
  if (order.status === 'CANCELLED') throw invalidState(NOTHING_TAKEN);
  if (!lacksPayment(order)) assertConfirmable(order, { orderVersion }, now);
  else assertPayableAgain(order, { orderVersion });
  // Money of an earlier capture lets a due draft be confirmed, and none be added to it.
  assertNotDue(order, now);
  return lockOrder(order, { owner, importKey }, now);
}

function raisedTo(order: Order, expireAt: Date, now: Date): OrderChange {
  const lifeMs = expireAt.getTime() - now.getTime();
  try {
    return raiseExpireAt(order, { lifeMs }, now);
  } catch (error) {
    // A capture that runs ends the draft, or leaves its time as it is: the next call raises it.
    if (error instanceof ServiceError && error.code === 'ORDER_LOCKED') return unchanged(order);
    throw error;
  }
}
