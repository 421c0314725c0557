/**
 * Drops the draft of an order for a caller. Its open transactions are cancelled first, so that nobody pays for it any more,
 * and what it has captured is credited. What its confirmation has withdrawn is given back. Caller: the handler of the API.
 */
import { excessMinor } from '../../workflows/orders/rules/amounts.ts';
import { hasNoOpenTransactions, isSettled, resetOrder } from '../../workflows/orders/rules/endings.ts';
import { unlockOrder } from '../../workflows/orders/rules/order-lock.ts';
import { settlingOwner } from '../../workflows/orders/rules/settling-lock.ts';
import { lockToReset } from '../../workflows/orders/rules/ticket-withdrawal.ts';
import type { OrderId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { OrderWork } from '../shared/orders.ts';
import type { ConfirmingOptions } from './confirming.ts';
import type { ChangeOptions, StoredOrder, Tenancy } from './order-types.ts';
import { settleUnderLock, stepsOf } from './settling.ts';
import { returnTickets } from './withdrawing.ts';

const RETRY_SECONDS = 2;

/** Throws what the rule throws, and UNAVAILABLE while the money is being credited: a repeat goes on. */
export async function resetFor(
  { orders, payments, tickets }: ConfirmingOptions,
  tenancy: Tenancy,
  orderId: OrderId,
  work: OrderWork,
  { ifMatch }: Pick<ChangeOptions, 'ifMatch'>,
): Promise<StoredOrder> {
  const { order, revision } = await orders.get(tenancy, orderId);
  const owner = settlingOwner('reset', order);
  const isBegun = order.lock?.owner === owner;
  const isDraft = order.status === 'DRAFT' && order.confirmed !== undefined;
  const hasMoney = isDraft && (excessMinor(order) > 0 || !hasNoOpenTransactions(order));
  const provided = hasMoney || isBegun || order.withdrawal ? payments() : undefined;
  if (!provided) {
    return await orders.change(tenancy, orderId, work, (before, now) => resetOrder(before, {}, now), { ifMatch });
  }
  const step = stepsOf(work, { revision });
  return await settleUnderLock(orders, { order, revision }, work, {
    owner,
    ifMatch,
    lock: (before, now) => lockToReset(before, { owner }, now),
    credit: async (draft, locked) => {
      // Nobody waits without a ticket for other money of the draft.
      if (locked.withdrawal) await returnTickets({ orders, payments: provided, tickets, step, owner }, locked);
      if ((await provided.endOpenTransactions(draft)) > 0) throw stillRunning();
      await provided.creditDraft(draft);
    },
    end: (before, now) => {
      if (excessMinor(before) > 0 && !isSettled(before)) throw stillRunning();
      return resetOrder(before, { lockOwner: owner }, now);
    },
    unlock: async () =>
      await orders.change(order.organisationId, orderId, step('unlock'), (before, now) =>
        unlockOrder(before, { owner }, now),
      ),
  });
}

function stillRunning(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The payments of this draft are being ended. Send the request again.', {
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  });
}
