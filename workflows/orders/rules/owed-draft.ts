/**
 * What an operator's decision writes on a draft that owes money back, which its provider has refused to pay: it locks the draft, then
 * confirms it. Pure.
 */
import { balanceMinor } from './amounts.ts';
import { assertConfirmable, confirmOrder } from './confirmation.ts';
import { invalidState } from './guards.ts';
import { keptFee, keptFeeAdded } from './kept-fee.ts';
import type { Order } from './order.ts';
import { type Commanded, combine, type OrderCommand, unchanged } from './order-change.ts';
import { lockOrder } from './order-lock.ts';

export interface OwedDraft {
  readonly orderVersion: number;
  /** Exactly what the decision is about. */
  readonly owedMinor: number;
}

/** Throws what a confirmation throws apart from the balance; INVALID_STATE where the draft owes another amount. */
export function assertOwes(order: Order, command: OwedDraft & Commanded, now: Date): void {
  assertConfirmable(order, command, now);
  const { owedMinor } = command;
  if (owedMinor > 0 && -balanceMinor(order) === owedMinor) return;
  throw invalidState('The draft does not owe what the credit was refused for. Confirm it again with `creditBalance`.');
}

/** Before money counts. Repeatable by its owner. Throws what `assertOwes` throws: nothing is locked then. */
export const lockOwed: OrderCommand<OwedDraft & { readonly owner: string }> = (order, { owner, ...owed }, now) => {
  assertOwes(order, { ...owed, lockOwner: owner }, now);
  return lockOrder(order, { owner }, now);
};

export interface DecidedDraft {
  readonly orderVersion: number;
  /** Absent: the money counts as credited. */
  readonly givenUp?: { readonly feeId: string; readonly amountMinor: number };
}

/** Ends the draft and the lock. Without an effect where the owner does not hold the lock: it has ended before. */
export const confirmDecided: OrderCommand<DecidedDraft> = (order, { lockOwner, orderVersion, givenUp }, now) => {
  if (lockOwner === undefined || order.lock?.owner !== lockOwner) return unchanged(order);
  return combine(order, [
    (before) => {
      // All of it may have been paid meanwhile.
      if (!givenUp || givenUp.amountMinor === 0) return unchanged(before);
      const fee = keptFee(givenUp.feeId, givenUp.amountMinor, orderVersion);
      return { order: { ...before, fees: [...before.fees, fee] }, events: [keptFeeAdded(fee)] };
    },
    (before) => confirmOrder(before, { orderVersion, lockOwner }, now),
  ]);
};
