/**
 * Has money of a draft credited, and confirms or resets the order under the same lock. The lock is taken by a write of its
 * own: a repeat of the request finds it and goes on. What is refused unlocks; after any other failure the lock stays for
 * a repeat, and the expiry of the draft takes it over. Callers: confirming.ts, resetting.ts.
 */
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import type { OrderChange } from '../../workflows/orders/rules/order-change.ts';
import { lockOrder, unlockOrder } from '../../workflows/orders/rules/order-lock.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { LockedDraft } from '../shared/order-payments.ts';
import type { OrderWork } from '../shared/orders.ts';
import type { OrderStore } from './order-store.ts';
import type { ChangeOptions, StoredOrder } from './order-types.ts';

export interface Settling extends Pick<ChangeOptions, 'ifMatch'> {
  readonly owner: string;
  /** Refuses what must not be begun. */
  readonly assertMay: (order: Order, now: Date) => void;
  readonly credit: (draft: LockedDraft) => Promise<void>;
  readonly end: (order: Order, now: Date) => OrderChange;
}

export async function settleUnderLock(
  orders: Pick<OrderStore, 'change'>,
  { order, revision }: Pick<StoredOrder, 'order' | 'revision'>,
  work: OrderWork,
  { owner, assertMay, credit, end, ifMatch }: Settling,
): Promise<StoredOrder> {
  const { id: orderId, organisationId, version } = order;
  // Of this attempt: one that was refused has unlocked the order, and its repeat locks it again.
  const step = (name: string) => ({ ...work, workId: workItemId(work.workId, `${name}/${revision}`) });
  const lock = (before: Order, now: Date) => {
    assertMay(before, now);
    return lockOrder(before, { owner }, now);
  };
  // What is begun has raised the revision that the caller has read.
  const isBegun = order.lock?.owner === owner;
  await orders.change(organisationId, orderId, step('lock'), lock, isBegun ? {} : { ifMatch });
  try {
    await credit({ organisationId, orderId, version, lockOwner: owner });
    return await orders.change(organisationId, orderId, work, end);
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) {
      await orders.change(organisationId, orderId, step('unlock'), (before, now) =>
        unlockOrder(before, { owner }, now),
      );
    }
    throw error;
  }
}
