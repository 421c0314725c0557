/**
 * Has money of a draft credited, and confirms or resets the order under the same lock. The lock is taken by a write of its
 * own: a repeat of the request finds it and goes on. What is refused unlocks; after any other failure the lock stays for
 * a repeat, the sweep of lost requests, and the expiry of the draft. Callers: confirming.ts, resetting.ts.
 */
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import type { OrderChange } from '../../workflows/orders/rules/order-change.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { LockedDraft } from '../shared/order-payments.ts';
import type { OrderWork } from '../shared/orders.ts';
import type { OrderStore } from './order-store.ts';
import type { ChangeOptions, StoredOrder } from './order-types.ts';

export interface Settling extends Pick<ChangeOptions, 'ifMatch'> {
  readonly owner: string;
  /** Refuses what must not be begun. */
  readonly lock: (order: Order, now: Date) => OrderChange;
  /** `locked`: the order as it was locked. */
  readonly credit: (draft: LockedDraft, locked: Order) => Promise<void>;
  readonly end: (order: Order, now: Date) => OrderChange;
  /** After a refusal. */
  readonly unlock: (order: Order) => Promise<unknown>;
}

/** Works of the single writes of this attempt: one that was refused has unlocked the order, and its repeat locks it again. */
export function stepsOf(work: OrderWork, { revision }: Pick<StoredOrder, 'revision'>): (name: string) => OrderWork {
  return (name) => ({ ...work, workId: workItemId(work.workId, `${name}/${revision}`) });
}

export async function settleUnderLock(
  orders: Pick<OrderStore, 'change'>,
  stored: Pick<StoredOrder, 'order' | 'revision'>,
  work: OrderWork,
  { owner, lock, credit, end, unlock, ifMatch }: Settling,
): Promise<StoredOrder> {
  const { order } = stored;
  const { id: orderId, organisationId, version } = order;
  // What is begun has raised the revision that the caller has read.
  const isBegun = order.lock?.owner === owner;
  const step = stepsOf(work, stored);
  const { order: locked } = await orders.change(
    organisationId,
    orderId,
    step('lock'),
    lock,
    isBegun ? {} : { ifMatch },
  );
  try {
    await credit({ organisationId, orderId, version, lockOwner: owner }, locked);
    return await orders.change(organisationId, orderId, work, end);
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) await unlock(locked);
    throw error;
  }
}
