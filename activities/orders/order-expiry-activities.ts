/** The activities of `orderExpiry`, on the queue `sales-orders`. Temporal retries what fails without end. */

import type { OrderExpiryActivities, OrderExpiryRecords } from '../../workflows/orders/activities.ts';
import { type DraftEnd, type OrderExpiryInput, orderExpiryWorkflowId } from '../../workflows/orders/messages.ts';
import { endLockedDraft, needsTicketsBack } from '../../workflows/orders/rules/due-draft.ts';
import { isDue } from '../../workflows/orders/rules/guards.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { unchanged } from '../../workflows/orders/rules/order-change.ts';
import { lockOrder, takeOverLock, unlockOrder } from '../../workflows/orders/rules/order-lock.ts';
import { findCompensation } from '../../workflows/orders/rules/refund-locks.ts';
import { isAbandoned } from '../../workflows/orders/rules/settling-lock.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { LockedDraft, OrderPayments } from '../shared/order-payments.ts';
import type { OrderStore } from './order-store.ts';
import { workOfProcess } from './process-work.ts';
import { returnTickets, type WithdrawnTickets } from './withdrawing.ts';

export interface OrderExpiryDependencies {
  readonly orders: OrderStore;
  /** Absent: no area provides payments, so no transaction is open. */
  readonly payments: () => OrderPayments | undefined;
  readonly tickets: () => Pick<WithdrawnTickets, 'restore'>;
}

export function createOrderExpiryActivities({
  orders,
  payments,
  tickets,
}: OrderExpiryDependencies): OrderExpiryRecords & OrderExpiryActivities {
  const isCrediting: OrderPayments['isCrediting'] = async (order) => (await payments()?.isCrediting(order)) ?? false;
  return {
    lockDraft: async (input) => {
      const owner = orderExpiryWorkflowId(input);
      const { order } = await orders.change(input.organisationId, input.orderId, workOfProcess(), (before, now) => {
        const isOurs = isDue(before, now) && before.version === input.version;
        if (!isOurs) return unlockOrder(before, { owner }, now);
        if (isAbandoned(before, now)) return takeOverLock(before, owner, now);
        return before.lock ? unchanged(before) : lockOrder(before, { owner }, now);
      });
      if (order.lock?.owner === owner) return 'LOCKED';
      // The refund that holds the draft ends or unlocks it, perhaps after days.
      const isWaited = order.lock !== undefined && findCompensation(order) === undefined;
      return isTheDraft(order, input) && isWaited ? 'BUSY' : 'OVER';
    },

    endDraft: async (input) => {
      const owner = orderExpiryWorkflowId(input);
      // Of the confirmation whose lock was taken over, or of the refund of this draft: it would change what has ended.
      if (await isCrediting(input)) return 'UNSETTLED';
      const isHeld = (order: Order) => order.lock?.owner === owner && isTheDraft(order, input);
      const { order: held } = await orders.get(input.organisationId, input.orderId);
      // Before the write: under this lock nobody makes another end of the draft.
      if (isHeld(held) && needsTicketsBack(held, input.version, owner, new Date())) {
        await returnTickets({ orders, payments: { isCrediting }, tickets, step: () => workOfProcess(), owner }, held);
      }
      try {
        const { order } = await orders.change(input.organisationId, input.orderId, workOfProcess(), (before, at) =>
          isHeld(before) ? endLockedDraft(before, input.version, owner, at) : unchanged(before),
        );
        return endOf(order, input);
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'INVALID_STATE') return 'UNSETTLED';
        throw error;
      }
    },

    endOpenTransactions: async (input) => ({ open: (await payments()?.endOpenTransactions(withOwner(input))) ?? 0 }),

    creditDraft: async (input) => {
      const provided = payments();
      if (!provided) throw new Error('The order has captured money, and no area provides payments');
      await provided.creditDraft(withOwner(input));
    },
  };
}

function withOwner(input: OrderExpiryInput): LockedDraft {
  return { ...input, lockOwner: orderExpiryWorkflowId(input) };
}

function isTheDraft({ status, version }: Order, input: OrderExpiryInput): boolean {
  return status === 'DRAFT' && version === input.version;
}

function endOf({ status, version, confirmed }: Order, input: OrderExpiryInput): DraftEnd {
  if (status === 'EXPIRED') return 'EXPIRED';
  if (status !== 'CONFIRMED') return 'OVER';
  if (version === input.version) return 'CONFIRMED';
  return confirmed && version < input.version ? 'RESET' : 'OVER';
}
