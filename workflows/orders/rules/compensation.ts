/**
 * What the refund of money that a draft cannot use writes on its order. Who has asked for it holds the lock and ends the draft. When
 * an operator must decide, the refund takes the lock over, and ends the draft after the decision. Pure.
 */
import type { OrderId, RefundId } from '../../shared/ids.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { excessMinor } from './amounts.ts';
import { confirmedAs } from './confirmation.ts';
import { endLockedDraft } from './due-draft.ts';
import { dropDraft, hasNoOpenTransactions } from './endings.ts';
import { invalidState } from './guards.ts';
import type { Fee, Order } from './order.ts';
import { combine, type OrderChange, type OrderCommand, unchanged } from './order-change.ts';
import { lockOrder, takeOverLock, unlockOrder } from './order-lock.ts';

const OWNER = /^compensation\/[A-Z2-9]{8}\/([0-9a-f-]{36})$/;

/** Apart from the locks of other refunds: tickets of the version that was sold stay as they are. */
export function compensationOwner({ orderId, refundId }: { readonly orderId: OrderId; readonly refundId: RefundId }) {
  return `compensation/${orderId}/${refundId}`;
}

/** The refund that holds the draft, perhaps for days. Inverse of {@link compensationOwner}. */
export function findCompensation({ lock }: Pick<Order, 'lock'>): RefundId | undefined {
  return lock && compensationIn(lock.owner);
}

export function compensationIn(owner: string): RefundId | undefined {
  return OWNER.exec(owner)?.[1] as RefundId | undefined;
}

export interface CompensatedDraft {
  readonly orderVersion: number;
  readonly askedBy: string;
}

interface Holding {
  readonly orderVersion: number;
  readonly owner: string;
  /** Whose locks may be taken over. */
  readonly owners: readonly string[];
}

/** Repeatable by its owner. Without an effect where the draft has ended. Throws ORDER_LOCKED where others hold the lock. */
export const holdCompensated: OrderCommand<Holding> = (order, command, now) => {
  const { orderVersion, owners, owner } = command;
  if (order.status !== 'DRAFT' || order.version !== orderVersion) return unchanged(order);
  const isTakenOver = order.lock !== undefined && owners.includes(order.lock.owner);
  return isTakenOver ? takeOverLock(order, owner, now) : lockOrder(order, { owner }, now);
};

export interface EndedCompensation {
  readonly orderVersion: number;
  readonly refundId: RefundId;
  /** That is not paid back: an operator has decided so. */
  readonly givenUpMinor: number;
}

/**
 * Ends the draft and the lock. What is left after a credit may pay the draft: then it is confirmed. A draft that has other money is
 * unlocked: its expiry ends it. Without an effect where the owner does not hold the lock: then this has happened. Throws INVALID_STATE
 * where money is given up and transactions are open.
 */
export const endCompensated: OrderCommand<EndedCompensation> = (order, command, now) => {
  const { lockOwner: owner, orderVersion, refundId, givenUpMinor } = command;
  if (owner === undefined || order.lock?.owner !== owner) return unchanged(order);
  const keptMinor = excessMinor(order);
  const isDraft = order.status === 'DRAFT' && order.version === orderVersion;
  if (isDraft && givenUpMinor === 0) return endOrUnlock(order, orderVersion, owner, now);
  if (!isDraft || keptMinor > givenUpMinor) return unlockOrder(order, { owner }, now);
  if (!hasNoOpenTransactions(order)) throw invalidState('Transactions of the draft are open.');
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

/** A sold order stays balanced: what is kept is a fee, of a version of its own. Nothing was delivered for it, so it has no tax. */
function withKept(
  sold: Order,
  { refundId: id, keptMinor }: { readonly refundId: RefundId; readonly keptMinor: number },
  now: Date,
): OrderChange {
  const version = sold.highestVersion + 1;
  const price = { amountMinor: keptMinor, taxMinor: 0 };
  const fee: Fee = { id, type: 'REFUNDING', price, orderLineIds: [], orderVersion: version };
  const fees = [...sold.fees, fee];
  const confirmed = confirmedAs({ ...sold, status: 'DRAFT', version, highestVersion: version, fees }, now);
  const added = { type: 'FeeAdded' as const, orderVersion: version, feeId: fee.id, feeType: fee.type };
  return { order: confirmed.order, events: [added, ...confirmed.events] };
}
