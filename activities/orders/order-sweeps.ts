/**
 * Ends drafts that are due, and settles seats that a crash has left. Every process may sweep at any time; several at
 * once are harmless. Caller: the worker `sales-orders-worker`, every few seconds.
 */

import { batchesOf } from '../../platform/batches.ts';
import type { Logger } from '../../platform/log.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { orderExpiryWorkflowId } from '../../workflows/orders/messages.ts';
import { assessDue, endIfDue } from '../../workflows/orders/rules/due-draft.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { findCompensation } from '../../workflows/orders/rules/refund-locks.ts';
import type { DueOrders } from './due-orders.ts';
import { startOrderExpiry } from './order-expiry-start.ts';
import type { OrderStore } from './order-store.ts';
import { workOfProcess } from './process-work.ts';

export interface OrderSweepDependencies {
  readonly orders: Pick<OrderStore, 'change'>;
  readonly due: DueOrders;
  readonly startExpiry: (order: Order) => Promise<unknown>;
  readonly log: Logger;
  readonly now?: () => Date;
}

const ENDED_AT_ONCE = 10;
/** A workflow that has held the lock for longer is looked for: it may have been terminated, or lost. */
const LOST_AFTER_MS = 5 * 60_000;

/** Throws after all have been tried, when one has failed. */
export async function sweepDueOrders(dependencies: OrderSweepDependencies): Promise<void> {
  const now = dependencies.now?.() ?? new Date();
  const failures: unknown[] = [];
  for await (const batch of batchesOf(dependencies.due.each(now), { count: ENDED_AT_ONCE })) {
    const ended = await Promise.allSettled(batch.map((order) => endOne(order, dependencies, now)));
    for (const outcome of ended) if (outcome.status === 'rejected') failures.push(outcome.reason);
  }
  if (failures.length > 0) throw failures[0];
}

async function endOne(found: Order, { orders, startExpiry, log }: OrderSweepDependencies, now: Date): Promise<void> {
  const { id, organisationId } = found;
  if (assessDue(found, now) === 'ENDS') {
    const { order } = await orders.change(organisationId, id, workOfProcess(), endIfDue);
    log.info({ orderId: id, version: found.version, status: order.status }, 'a draft was due');
  } else if (!isBeingEnded(found, now)) {
    await startExpiry(found);
  }
}

/** By its expiry, or by the refund of its money, which has a sweep of its own. */
function isBeingEnded(order: Order, now: Date): boolean {
  const { id, version, lock } = order;
  if (!lock) return false;
  if (findCompensation(order) !== undefined) return true;
  const isExpiry = lock.owner === orderExpiryWorkflowId({ orderId: id, version });
  return isExpiry && now.getTime() - lock.since.getTime() < LOST_AFTER_MS;
}

export function expiryStarter(temporal: TemporalClient): (order: Order) => Promise<unknown> {
  return ({ organisationId, id, version }) => startOrderExpiry(temporal, { organisationId, orderId: id, version });
}
