/**
 * The confirmation of a draft that pays money back takes the tickets first of what it changes and cancels: else its customer could have
 * the ride and the money. The order says which, and how far that is, so that every process can go on. Pure.
 */
import type { OrderLineId } from '../../shared/ids.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { excessMinor } from './amounts.ts';
import { invalidState, locked } from './guards.ts';
import { changedLineIds } from './lines.ts';
import type { Order, OrderLock } from './order.ts';
import { type OrderCommand, unchanged } from './order-change.ts';
import { lockOrder, renewLock, unlockOrder } from './order-lock.ts';

/** What its confirmation does next. Under the lock alone. */
export type WithdrawalStep = 'WITHDRAW' | 'PAY' | 'GIVE_BACK';

export function withdrawalStep(order: Order): WithdrawalStep {
  if (order.withdrawal?.isEnding) return 'GIVE_BACK';
  return isWithdrawn(order) ? 'PAY' : 'WITHDRAW';
}

/** Nobody travels on what the draft changes or cancels: its money may be paid back. */
export function isWithdrawn(order: Order): boolean {
  const { withdrawal } = order;
  return !withdrawal?.isEnding && changedLineIds(order).every((id) => withdrawal?.doneIds.includes(id));
}

/** Its tickets are withdrawn, or about to be: none of it is signed meanwhile. */
export function isBeingWithdrawn({ withdrawal }: Pick<Order, 'withdrawal'>, orderLineId: OrderLineId): boolean {
  return withdrawal?.orderLineIds.includes(orderLineId) ?? false;
}

/**
 * One attempt at a time withdraws tickets, or gives them back. After this time it is lost, and a repeat of its request goes on. Longer
 * than {@link WITHDRAWS_WITHIN_MS}.
 */
export const ATTEMPT_LOST_MS = 30_000;
/** Of an attempt, from its lock until it writes the last ticket. */
export const WITHDRAWS_WITHIN_MS = 20_000;

/** Repeatable by its owner. Throws ORDER_LOCKED, also while another attempt of the owner is at the tickets. */
export const lockToPay: OrderCommand<{ readonly owner: string }> = (order, { owner }, now) => {
  if (order.lock?.owner === owner) {
    if (withdrawalStep(order) !== 'PAY') assertAttemptLost(order, order.lock, now);
    const { order: renewed } = renewLock(order, owner, now);
    // A build of before has locked it, which noted no withdrawal.
    return { order: order.withdrawal ? renewed : withdrawing(renewed), events: [] };
  }
  return { order: withdrawing(lockOrder(order, { owner }, now).order), events: [] };
};

/** Repeatable by its owner. Throws ORDER_LOCKED, also while another attempt of the owner gives tickets back. */
export const lockToReset: OrderCommand<{ readonly owner: string }> = (order, { owner }, now) => {
  if (order.lock?.owner !== owner) return lockOrder(order, { owner }, now);
  if (order.withdrawal?.isEnding) assertAttemptLost(order, order.lock, now);
  return renewLock(order, owner, now);
};

function assertAttemptLost(order: Order, { since }: OrderLock, now: Date): void {
  if (now.getTime() - since.getTime() < ATTEMPT_LOST_MS) throw locked(order);
}

/** Of a withdrawal that was ending, nobody knows which tickets were given back. */
function withdrawing(order: Order): Order {
  const { withdrawal } = order;
  const orderLineIds = changedLineIds(order);
  if (orderLineIds.length === 0) return order;
  return { ...order, withdrawal: { orderLineIds, doneIds: withdrawal?.isEnding ? [] : (withdrawal?.doneIds ?? []) } };
}

/** The lock of one attempt, as it has written it. */
export type Attempt = Pick<OrderLock, 'owner' | 'since'>;

/** All tickets are disabled. Throws UNAVAILABLE where another attempt has gone on. */
export const noteWithdrawn: OrderCommand<Attempt> = (order, attempt, _now) => {
  const { withdrawal } = order;
  if (!isOf(order, attempt) || !withdrawal || withdrawal.isEnding) {
    throw new ServiceError('UNAVAILABLE', 'Another request confirms the order. Send the request again.');
  }
  return { order: { ...order, withdrawal: { ...withdrawal, doneIds: withdrawal.orderLineIds } }, events: [] };
};

/**
 * Nothing is paid: the lock ends. Where tickets are withdrawn, no money may be paid from this write on; they are given back next, and
 * then {@link endGivingBack} ends it. Without an effect where another attempt gives them back.
 */
export const beginGivingBack: OrderCommand<{ readonly owner: string }> = (order, { owner }, now) => {
  const { withdrawal } = order;
  if (order.lock?.owner !== owner || withdrawal?.isEnding) return unchanged(order);
  return withdrawal ? markGivingBack(order, { owner }, now) : unlockOrder(order, { owner }, now);
};

/** As {@link beginGivingBack}, for an owner that drops the draft under the same lock. */
export const markGivingBack: OrderCommand<{ readonly owner: string }> = (order, { owner }, now) => {
  const { withdrawal } = order;
  if (order.lock?.owner !== owner || !withdrawal || withdrawal.isEnding) return unchanged(order);
  return renewLock({ ...order, withdrawal: { ...withdrawal, isEnding: true, endingSince: now } }, owner, now);
};

/** {@link beginGivingBack} where no request goes on any more: what an attempt has begun to give back is taken up. */
export const takeUpGivingBack: OrderCommand<{ readonly owner: string }> = (order, { owner }, now) => {
  if (!order.withdrawal?.isEnding) return beginGivingBack(order, { owner }, now);
  return order.lock?.owner === owner ? renewLock(order, owner, now) : unchanged(order);
};

export interface GivenBack extends Attempt {
  /** Lines whose tickets were left as they are: {@link keptLineIds} of the order before. */
  readonly keptIds: readonly OrderLineId[];
}

/**
 * The tickets are as they were before, but for those that stay with the draft, which its caller confirms later, or whose sold version is
 * paid again. Without an effect where another attempt has gone on.
 */
export const noteGivenBack: OrderCommand<GivenBack> = (order, { keptIds, ...attempt }, _now) => {
  if (!isOf(order, attempt) || !order.withdrawal?.isEnding) return unchanged(order);
  const { withdrawal: _withdrawal, ...free } = order;
  if (keptIds.length === 0) return { order: free, events: [] };
  return { order: { ...free, withdrawal: { orderLineIds: keptIds, doneIds: keptIds } }, events: [] };
};

/** {@link noteGivenBack}, and the lock ends. */
export const endGivingBack: OrderCommand<GivenBack> = (order, givenBack, now) => {
  const noted = noteGivenBack(order, givenBack, now);
  return noted.order === order ? noted : unlockOrder(noted.order, { owner: givenBack.owner }, now);
};

/**
 * Lines whose tickets stay withdrawn though the confirmation is refused: a part of their money is paid back. Only those of a withdrawal
 * that was done: before it, no money of its lines is paid.
 */
export function keptLineIds(order: Order): readonly OrderLineId[] {
  return excessMinor(order) < 0 ? (order.withdrawal?.doneIds ?? []) : [];
}

/** Throws INVALID_STATE: what was sold again needs its tickets. */
export function assertTicketsGivenBack({ withdrawal }: Order): void {
  if (withdrawal) throw invalidState('The tickets of what was sold must be given back first.');
}

function isOf({ lock }: Order, { owner, since }: Attempt): boolean {
  return lock?.owner === owner && lock.since.getTime() === since.getTime();
}
