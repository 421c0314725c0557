/**
 * Takes the tickets of what a draft changes or cancels before its money is paid back, and gives them back where the draft is not
 * confirmed. Each write of a ticket may be repeated. Callers: confirming.ts, resetting.ts, the expiry of drafts.
 */
import { batchesOf } from '../../platform/batches.ts';
import type { Order, OrderLine } from '../../workflows/orders/rules/order.ts';
import type { OrderCommand } from '../../workflows/orders/rules/order-change.ts';
import { settlingOwner } from '../../workflows/orders/rules/settling-lock.ts';
import {
  type Attempt,
  beginGivingBack,
  endGivingBack,
  type GivenBack,
  keptLineIds,
  markGivingBack,
  noteGivenBack,
  noteWithdrawn,
  WITHDRAWS_WITHIN_MS,
} from '../../workflows/orders/rules/ticket-withdrawal.ts';
import type { OrderLineId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { OrderPayments } from '../shared/order-payments.ts';
import type { TicketAccess, TicketsWork } from '../shared/tickets.ts';
import type { OrderStore } from './order-store.ts';
import type { ChangeWork } from './order-types.ts';

/** Between them the time is asked. */
const LINES_AT_ONCE = 20;

export type WithdrawnTickets = Pick<TicketAccess, 'disable' | 'restore'>;

export interface GivingBack {
  readonly orders: Pick<OrderStore, 'get' | 'change'>;
  readonly payments: Pick<OrderPayments, 'isCrediting'>;
  readonly tickets: () => Pick<WithdrawnTickets, 'restore'>;
  /** Of one write of the order. */
  readonly step: (name: string) => ChangeWork;
}

export interface Withdrawing extends GivingBack {
  readonly tickets: () => WithdrawnTickets;
  /** Under which the tickets are disabled. */
  readonly owner: string;
}

/**
 * Right after its lock, which `order` has; then the money may be paid. Throws TICKET_ALREADY_USED: the tickets are given back then. Throws
 * UNAVAILABLE where it was too slow: another attempt may have gone on.
 */
export async function withdrawTickets({ orders, tickets, step, owner }: Withdrawing, order: Order): Promise<void> {
  const attempt = attemptOf(order);
  const lateAt = performance.now() + WITHDRAWS_WITHIN_MS;
  const { organisationId, id: orderId, confirmed, withdrawal } = order;
  const left = withdrawal?.orderLineIds.filter((id) => !withdrawal.doneIds.includes(id)) ?? [];
  const reasons = Map.groupBy(left, (id) => (isCancelled(order, id) ? 'CANCELLED' : 'REFUNDED'));
  for (const [reason, ids] of reasons) {
    for await (const orderLineIds of batchesOf(ids, { count: LINES_AT_ONCE })) {
      if (performance.now() > lateAt) throw tooLate();
      const of = { reason, disabledBy: owner, unusedOnly: true, since: attempt.since } as const;
      const upTo = confirmed && { upToVersion: confirmed.version };
      await tickets().disable({ organisationId, orderId, orderLineIds }, { ...of, ...upTo }, ticketsWork(step));
    }
  }
  await orders.change(organisationId, orderId, step('withdrawn'), (before, now) => noteWithdrawn(before, attempt, now));
}

/**
 * The confirmation is refused: its lock ends, with what it has withdrawn. First the order says that nothing may be paid any more; then it
 * is seen whether something is. Throws UNAVAILABLE while another credit runs: a repeat, or the expiry of the draft, goes on.
 */
export async function giveBack(withdrawing: Withdrawing, { organisationId, id }: Pick<Order, 'organisationId' | 'id'>) {
  const { orders, step, owner } = withdrawing;
  let isOurs = false;
  const { order } = await orders.change(organisationId, id, step('refused'), (before, now) => {
    const begun = beginGivingBack(before, { owner }, now);
    isOurs = begun.order !== before;
    return begun;
  });
  if (isOurs && order.withdrawal) await goOnGivingBack(withdrawing, order);
}

/** `order` has the lock of this attempt. */
export async function goOnGivingBack(withdrawing: GivingBack, order: Order): Promise<void> {
  await restoreUnderLock(withdrawing, order, endGivingBack);
}

/**
 * Before the draft is dropped: its owner's lock stays, and other money of the draft may move next, perhaps for days. Throws UNAVAILABLE
 * while a credit runs, or where another attempt goes on.
 */
export async function returnTickets(
  withdrawing: GivingBack & Pick<Withdrawing, 'owner'>,
  { organisationId, id }: Order,
) {
  const { orders, step, owner } = withdrawing;
  const { order } = await orders.change(organisationId, id, step('returning'), (before, now) =>
    markGivingBack(before, { owner }, now),
  );
  if (order.lock?.owner !== owner || !order.withdrawal) return;
  const after = await restoreUnderLock(withdrawing, order, noteGivenBack);
  if (after.withdrawal?.isEnding) throw stillPaying();
}

/** Of all lines that are sold, but for those that are kept: what a confirmation of this draft has withdrawn. */
async function restoreUnderLock(
  { orders, payments, tickets, step }: GivingBack,
  order: Order,
  end: OrderCommand<GivenBack>,
): Promise<Order> {
  const lateAt = performance.now() + WITHDRAWS_WITHIN_MS;
  const { organisationId, id: orderId } = order;
  const attempt = attemptOf(order);
  if (await payments.isCrediting({ organisationId, orderId })) throw stillPaying();
  const { order: settled } = await orders.get(organisationId, orderId);
  // What is reported later changes nothing of what was given back.
  const keptIds = keptLineIds(settled);
  const ids = (settled.confirmed?.orderLines ?? []).map(({ id }) => id).filter((id) => !keptIds.includes(id));
  const disabledBy = settlingOwner('confirmation', order);
  // The same in each attempt of this end: what one has written down, the next one leaves.
  const since = order.withdrawal?.endingSince ?? attempt.since;
  for await (const orderLineIds of batchesOf(ids, { count: LINES_AT_ONCE })) {
    if (performance.now() > lateAt) throw tooLate();
    await tickets().restore({ organisationId, orderId, orderLineIds }, disabledBy, ticketsWork(step), since);
  }
  const ended = await orders.change(organisationId, orderId, step('given-back'), (before, now) =>
    end(before, { owner: attempt.owner, since: attempt.since, keptIds }, now),
  );
  return ended.order;
}

function ticketsWork(step: GivingBack['step']): TicketsWork {
  const { correlationId, clientId } = step('tickets');
  return { correlationId, clientId };
}

function attemptOf({ lock }: Order): Attempt {
  if (!lock) throw new RangeError('The order is not locked');
  return lock;
}

function isCancelled({ orderLines }: Order, orderLineId: OrderLineId): boolean {
  return orderLines.some(({ id, status }: OrderLine) => id === orderLineId && status === 'CANCELLATION_DRAFT');
}

function tooLate(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'It took too long. Send the request again.');
}

function stillPaying(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'Another credit of the order is running. Send the request again.', {
    headers: { 'Retry-After': '2' },
  });
}
