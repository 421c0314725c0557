/**
 * Ends what confirmations and resets have begun whose request died, or whose caller has given up: money that is paid confirms the draft,
 * else the tickets are given back and the draft is unlocked. Every process may sweep at any time; each write asks whether the lock is
 * still left. Caller: the worker `sales-orders-worker`, every few seconds.
 */
import type { Logger } from '../../platform/log.ts';
import { balanceMinor } from '../../workflows/orders/rules/amounts.ts';
import { confirmOrder } from '../../workflows/orders/rules/confirmation.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { type OrderChange, unchanged } from '../../workflows/orders/rules/order-change.ts';
import { ABANDONED_MS, isAbandoned, settlingOwner } from '../../workflows/orders/rules/settling-lock.ts';
import { takeUpGivingBack } from '../../workflows/orders/rules/ticket-withdrawal.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { OrderPayments } from '../shared/order-payments.ts';
import type { HeldLock } from '../shared/orders.ts';
import type { OrderLocks } from './order-locks.ts';
import type { OrderStore } from './order-store.ts';
import { workOfProcess } from './process-work.ts';
import { type GivingBack, goOnGivingBack } from './withdrawing.ts';

export interface LostRequestDependencies extends Pick<GivingBack, 'tickets'> {
  readonly orders: Pick<OrderStore, 'get' | 'change'>;
  readonly locks: Pick<OrderLocks, 'pages' | 'count'>;
  /** Absent: no area provides payments, so no request locks. */
  readonly payments: () => OrderPayments | undefined;
  readonly log: Logger;
  readonly now?: () => Date;
}

const KINDS = ['order-confirmation', 'order-reset'] as const;
/** By then the sweep has ended them, unless a credit has no outcome yet. */
const LATE_AFTER_MS = 10 * 60_000;

/** Throws after all have been tried, when one has failed. */
export async function sweepLostRequests(dependencies: LostRequestDependencies): Promise<void> {
  const payments = dependencies.payments();
  if (!payments) return;
  const before = timeBefore(dependencies, ABANDONED_MS);
  const failures: unknown[] = [];
  for (const kind of KINDS) {
    for await (const page of dependencies.locks.pages(kind, before)) {
      for (const held of page) {
        await endOne(held, payments, dependencies).catch((error: unknown) => failures.push(error));
      }
    }
  }
  if (failures.length > 0) throw failures[0];
}

export async function countLostRequests(dependencies: LostRequestDependencies): Promise<number> {
  return await dependencies.locks.count(KINDS, timeBefore(dependencies, LATE_AFTER_MS));
}

function timeBefore({ now }: LostRequestDependencies, ms: number): Date {
  return new Date((now?.() ?? new Date()).getTime() - ms);
}

async function endOne(held: HeldLock, payments: OrderPayments, dependencies: LostRequestDependencies): Promise<void> {
  const { organisationId, orderId, owner, compensation } = held;
  // Credits and refunds of drafts have sweeps of their own; afterwards this one comes again.
  if (compensation !== undefined || (await payments.isCrediting(held))) return;
  const { orders, tickets, log } = dependencies;
  const changeIfLost = async (decide: (order: Order, now: Date) => OrderChange) => {
    let isLost = false;
    const { order } = await orders.change(organisationId, orderId, workOfProcess(), (before, now) => {
      isLost = before.lock?.owner === owner && isAbandoned(before, now);
      return isLost ? decide(before, now) : unchanged(before);
    });
    return { order, isLost };
  };
  await changeIfLost(confirmedIfPaid);
  const { order, isLost } = await changeIfLost((before, now) => takeUpGivingBack(before, { owner }, now));
  if (!isLost) return;
  if (order.withdrawal) await goOnGivingBack({ orders, payments, tickets, step: () => workOfProcess() }, order);
  log.info({ orderId, owner }, 'a lost request was ended');
}

/** What the expiry of the draft does. */
function confirmedIfPaid(order: Order, now: Date): OrderChange {
  const { lock, version } = order;
  const lockOwner = settlingOwner('confirmation', order);
  if (lock?.owner !== lockOwner || balanceMinor(order) !== 0) return unchanged(order);
  try {
    return confirmOrder(order, { orderVersion: version, lockOwner }, now);
  } catch (error) {
    if (error instanceof ServiceError) return unchanged(order);
    throw error;
  }
}
