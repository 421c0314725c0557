/**
 * What the refund of money that a draft cannot use writes on its order. Before it pays, it marks the lock of the one who has asked for
 * it, who ends the draft when all is paid. When an operator must decide, the refund takes the lock over, and ends the draft after the
 * decision. Pure.
 */
import type { RefundId } from '../../shared/ids.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { excessMinor } from './amounts.ts';
import { confirmedAs } from './confirmation.ts';
import { endLockedDraft, withoutEnd } from './due-draft.ts';
import { dropDraft, hasNoOpenTransactions } from './endings.ts';
import { invalidState } from './guards.ts';
import { keptFee, keptFeeAdded } from './kept-fee.ts';
import type { Order } from './order.ts';
import { combine, type OrderChange, type OrderCommand, unchanged } from './order-change.ts';
import { lockOrder, takeOverLock, unlockOrder } from './order-lock.ts';

export interface CompensatedDraft {
  readonly orderVersion: number;
  readonly refundId: RefundId;
  readonly askedBy: string;
}

interface Holding {
  readonly orderVersion: number;
  readonly refundId: RefundId;
  readonly owner: string;
  /** Who may hold the lock before. */
  readonly owners: readonly string[];
}

/**
 * Before money moves: nobody confirms the draft until the refund has ended. Repeatable. Throws INVALID_STATE where the draft has ended, or
 * none of the owners holds its lock; UNAVAILABLE while another refund has marked it.
 */
export const markCompensated: OrderCommand<Holding> = (order, { orderVersion, refundId, owner, owners }, _now) => {
  const { lock, status, version } = order;
  const isHeld = lock !== undefined && [owner, ...owners].includes(lock.owner);
  if (status !== 'DRAFT' || version !== orderVersion || !isHeld) {
    throw invalidState('The draft has ended, or is in other hands: its money is not paid back.');
  }
  if (lock.compensation === refundId) return unchanged(order);
  if (lock.compensation !== undefined) {
    throw new ServiceError('UNAVAILABLE', 'Another refund pays money of the draft back.');
  }
  return { order: { ...order, lock: { ...lock, compensation: refundId } }, events: [] };
};

/** The refund has ended, and pays nothing any more. Repeatable. */
export const releaseCompensated: OrderCommand<{ readonly refundId: RefundId; readonly owner: string }> = (
  order,
  { refundId, owner },
  now,
) => {
  const free = withoutMark(order, refundId);
  return free.lock?.owner === owner ? unlockOrder(free, { owner }, now) : { order: free, events: [] };
};

function withoutMark(order: Order, refundId: RefundId): Order {
  if (order.lock?.compensation !== refundId) return order;
  const { compensation: _mark, ...lock } = order.lock;
  return { ...order, lock };
}

/** Repeatable by its owner. Without an effect where the draft has ended. Throws ORDER_LOCKED where others hold the lock. */
export const holdCompensated: OrderCommand<Holding> = (order, command, now) => {
  const { orderVersion, owners, owner, refundId } = command;
  if (order.status !== 'DRAFT' || order.version !== orderVersion) return unchanged(order);
  const isTakenOver = order.lock !== undefined && owners.includes(order.lock.owner);
  const held = isTakenOver ? takeOverLock(order, owner, now) : lockOrder(order, { owner }, now);
  // A worker of an older build has set no mark.
  return markCompensated(held.order, { orderVersion, refundId, owner, owners }, now);
};

export interface EndedCompensation {
  readonly orderVersion: number;
  readonly refundId: RefundId;
  /** That is not paid back: an operator has decided so. */
  readonly givenUpMinor: number;
}

/**
 * Ends the draft and the lock. What is left after a credit may pay the draft: then it is confirmed. A draft that has other money is
 * unlocked: its expiry ends it, also where tickets are to be given back. So is one that has less than the version before it costs: it
 * waits for its caller. Where the owner does not hold the lock, the mark alone goes: who holds it ends the draft. Repeatable. Throws
 * INVALID_STATE where money is given up and transactions are open.
 */
export const endCompensated: OrderCommand<EndedCompensation> = (marked, command, now) => {
  const { lockOwner: owner, orderVersion, refundId, givenUpMinor } = command;
  const order = withoutMark(marked, refundId);
  if (owner === undefined || order.lock?.owner !== owner) return { order, events: [] };
  const keptMinor = excessMinor(order);
  const isDraft = order.status === 'DRAFT' && order.version === orderVersion;
  if (isDraft && givenUpMinor === 0) return endOrUnlock(order, orderVersion, owner, now);
  if (!isDraft || keptMinor > givenUpMinor || order.withdrawal) return unlockOrder(order, { owner }, now);
  if (!hasNoOpenTransactions(order)) throw invalidState('Transactions of the draft are open.');
  if (keptMinor < 0) return withoutEnd(order);
  return combine(order, [
    (before) => dropDraft(before),
    (before) =>
      before.confirmed && keptMinor > 0 ? withKept(before, { refundId, keptMinor }, now) : unchanged(before),
  ]);
};

function endOrUnlock(order: Order, orderVersion: number, owner: string, now: Date): OrderChange {
  try {
    return endLockedDraft(order, orderVersion, owner, now);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return unlockOrder(order, { owner }, now);
  }
}

/** A sold order stays balanced: what is kept is a fee, of a version of its own. */
function withKept(
  sold: Order,
  { refundId: id, keptMinor }: { readonly refundId: RefundId; readonly keptMinor: number },
  now: Date,
): OrderChange {
  const version = sold.highestVersion + 1;
  const fee = keptFee(id, keptMinor, version);
  const fees = [...sold.fees, fee];
  const confirmed = confirmedAs({ ...sold, status: 'DRAFT', version, highestVersion: version, fees }, now);
  return { order: confirmed.order, events: [keptFeeAdded(fee), ...confirmed.events] };
}
