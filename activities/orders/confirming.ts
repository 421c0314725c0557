/**
 * Confirms an order for a caller. A negative balance is credited first when the caller asks for it, or says nothing and
 * the last change of lines has asked: the tickets of what the draft changes or cancels are withdrawn, then payments pay under the order's
 * lock, and note it on the order. Caller: the handler of the API.
 */
import { balanceMinor } from '../../workflows/orders/rules/amounts.ts';
import {
  assertConfirmable,
  assertPaysBack,
  confirmOrder,
  paysBack,
} from '../../workflows/orders/rules/confirmation.ts';
import { settlingOwner } from '../../workflows/orders/rules/settling-lock.ts';
import { lockToPay, withdrawalStep } from '../../workflows/orders/rules/ticket-withdrawal.ts';
import type { OrderId, SettlementId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { OrderPayments } from '../shared/order-payments.ts';
import type { OrderWork } from '../shared/orders.ts';
import type { OrderStore } from './order-store.ts';
import type { ChangeOptions, StoredOrder, Tenancy } from './order-types.ts';
import { settleUnderLock, stepsOf } from './settling.ts';
import { giveBack, goOnGivingBack, type WithdrawnTickets, withdrawTickets } from './withdrawing.ts';

export interface ConfirmingOptions {
  readonly orders: Pick<OrderStore, 'get' | 'change'>;
  /** Absent: no area provides payments, so nothing can be credited. */
  readonly payments: () => OrderPayments | undefined;
  readonly tickets: () => WithdrawnTickets;
}

export interface ConfirmRequest extends Pick<ChangeOptions, 'ifMatch'> {
  readonly orderVersion: number;
  /** Absent: as the last change of lines has preset. */
  readonly creditBalance?: boolean;
  /** Counts what is credited. */
  readonly settlementId?: SettlementId;
}

/** Throws what the rule throws; repeatable under the same work id. */
export async function confirmFor(
  { orders, payments, tickets }: ConfirmingOptions,
  tenancy: Tenancy,
  orderId: OrderId,
  work: OrderWork,
  { orderVersion, creditBalance, settlementId, ifMatch }: ConfirmRequest,
): Promise<StoredOrder> {
  const { order, revision } = await orders.get(tenancy, orderId);
  const owner = settlingOwner('confirmation', order);
  const isBegun = order.lock?.owner === owner;
  const owes = order.status === 'DRAFT' && order.version === orderVersion && balanceMinor(order) < 0;
  // A request that refuses a credit joins none that another one has begun, and may finish one that is paid back.
  const credits = isBegun ? creditBalance !== false || !owes : owes && paysBack(order, creditBalance);
  const provided = credits ? payments() : undefined;
  if (!provided) {
    return await orders.change(tenancy, orderId, work, (before, at) => confirmOrder(before, { orderVersion }, at), {
      ifMatch,
    });
  }
  const withdrawing = { orders, payments: provided, tickets, step: stepsOf(work, { revision }), owner };
  return await settleUnderLock(orders, { order, revision }, work, {
    owner,
    ifMatch,
    // No money is paid back for an order that is refused afterwards.
    lock: (before, at) => {
      const isOurs = before.lock?.owner === owner;
      // Of tickets that an earlier attempt has begun to withdraw, the withdrawal says whether they were used.
      const goesOn = isOurs && before.version === orderVersion && withdrawalStep(before) !== 'PAY';
      if (!goesOn) assertConfirmable(before, { orderVersion, ...(isOurs && { lockOwner: owner }) }, at);
      // A change of lines may have taken the preset back since the order was read.
      if (!isOurs) assertPaysBack(before, creditBalance);
      return lockToPay(before, { owner }, at);
    },
    credit: async (draft, locked) => {
      const next = withdrawalStep(locked);
      if (next === 'GIVE_BACK') {
        await goOnGivingBack(withdrawing, locked);
        throw new ServiceError('UNAVAILABLE', 'An earlier attempt was refused. Send the request again.');
      }
      if (next === 'WITHDRAW') await withdrawTickets(withdrawing, locked);
      await provided.creditBalance({ ...draft, ...(settlementId !== undefined && { settlementId }) }, work);
    },
    end: (before, at) => confirmOrder(before, { orderVersion, lockOwner: owner }, at),
    unlock: async (locked) => await giveBack(withdrawing, locked),
  });
}
