/** Confirming an order: its draft becomes the version that is sold. Pure. */
import { formatAmount } from '../../shared/money.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { balanceMinor, heldMinor } from './amounts.ts';
import { assertNotDue, assertWritable, invalidState, mayStillConfirm } from './guards.ts';
import { alreadyUsed, changedLineIds, reservationEvent } from './lines.ts';
import { moveOfSold } from './moved-start.ts';
import type { Order, OrderContent, OrderLine } from './order.ts';
import { type Commanded, type OrderChange, type OrderCommand, unchanged } from './order-change.ts';
import { withSeatEffects } from './seat-effects.ts';

export interface Confirmation {
  readonly orderVersion: number;
}

/** Whether a negative balance is paid back: as the caller says, else as the last change of lines has preset. */
export function paysBack({ creditBalance: preset }: Order, asked: boolean | undefined): boolean {
  return asked ?? preset ?? false;
}

/**
 * Confirming a confirmed version changes nothing. The caller credits a negative balance first. The lock of the workflow
 * that confirms ends with it. Throws
 * ORDER_VERSION_MISMATCH, ORDER_EMPTY, TICKET_ALREADY_USED, SEAT_UNAVAILABLE, ORDER_NOT_BALANCED, ORDER_EXPIRED; INVALID_STATE while
 * money of the draft is paid back.
 */
export const confirmOrder: OrderCommand<Confirmation> = (order, command, now) => {
  if (order.status === 'CONFIRMED' && order.version === command.orderVersion) return unchanged(order);
  assertConfirmable(order, command, now);
  return confirmedAs(order, now);
};

/** The draft becomes what is sold. The caller has asked whether it may. Throws ORDER_NOT_BALANCED. */
export function confirmedAs(order: Order, now: Date): OrderChange {
  if (balanceMinor(order) !== 0) throw notBalanced(order);
  const content = confirmedContent(order, now);
  const { expireAt: _expireAt, expireAtSet: _set, creditBalance: _credit, ...settled } = order;
  const { lock: _lock, withdrawal: _withdrawal, ...rest } = settled;
  const confirmed = { version: order.version, confirmedAt: now, ...content };
  const paidMinor = heldMinor(order.money);
  const after: Order = { ...rest, ...content, status: 'CONFIRMED', lastConfirmedAt: now, confirmed, paidMinor };
  const kept = new Set(content.reservations);
  const freed = order.reservations.filter((reservation) => !kept.has(reservation));
  return {
    order: withSeatEffects(order, after),
    events: [
      ...freed.map((reservation) => reservationEvent('ReservationRemoved', order.version, reservation)),
      { type: 'OrderConfirmed', orderVersion: order.version },
    ],
  };
}

/** Asked before money is paid back. Throws ORDER_NOT_BALANCED where nobody wants it any more. */
export function assertPaysBack(order: Order, asked: boolean | undefined): void {
  if (balanceMinor(order) < 0 && !paysBack(order, asked)) throw notBalanced(order);
}

/** Everything but the balance: also asked before money is taken or paid back. */
export function assertConfirmable(order: Order, command: Confirmation & Commanded, now: Date): void {
  assertWritable(order, command);
  if (order.version !== command.orderVersion || order.status !== 'DRAFT') throw versionMismatch(order, command);
  if (order.lock?.compensation !== undefined) throw invalidState('Money of the draft is being paid back.');
  if (!mayStillConfirm(order, command)) assertNotDue(order, now);
  const { orderLines, fees } = order;
  if (orderLines.length + fees.length === 0) throw new ServiceError('ORDER_EMPTY', 'An order has a line or a fee.');
  if (isSpent(order)) throw alreadyUsed();
  for (const line of orderLines) {
    const legId = line.status === 'DRAFT' ? legWithoutSeat(order, line) : undefined;
    if (legId !== undefined) throw seatMissing(line, legId);
  }
}

/**
 * What it changes or cancels was travelled on. A use counts no more that is told after the ticket was withdrawn unused: its money may be
 * paid back by then.
 */
export function isSpent(order: Order): boolean {
  const { orderLines, withdrawal } = order;
  const changed = new Set(changedLineIds(order));
  return orderLines.some(({ id, usedAt }) => usedAt && changed.has(id) && !withdrawal?.doneIds.includes(id));
}

/** No request gives a seat to a line by hand: an offer brings it. */
function seatMissing({ id, travelSpecification: { legs } }: OrderLine, legId: string): ServiceError {
  const journey = legs.find((leg) => leg.legId === legId)?.datedServiceJourneyId;
  const ride = `${legId}${journey === undefined ? '' : ` (${journey})`}`;
  return new ServiceError(
    'SEAT_UNAVAILABLE',
    `The line ${id} lacks a seat on its ride ${ride}, where each traveller must have one. Search offers for that ` +
      'ride and exchange the line for one with POST /v1/update-order, or remove the line.',
  );
}

function notBalanced(order: Order): ServiceError {
  const balance = balanceMinor(order);
  const next =
    balance > 0
      ? 'Pay that amount, then confirm.'
      : 'It is owed to the customer: confirm with `creditBalance` to pay it back. To keep what was sold, reset the draft.';
  const amount = `${formatAmount(balance, order.currency)} ${order.currency}`;
  return new ServiceError('ORDER_NOT_BALANCED', `The order is not paid exactly: its balance is ${amount}. ${next}`);
}

function versionMismatch({ version }: Order, { orderVersion }: Confirmation): ServiceError {
  const why =
    version === orderVersion
      ? `Version ${version} of the order is confirmed already.`
      : `The version of the order is ${version}.`;
  return new ServiceError('ORDER_VERSION_MISMATCH', why);
}

/** The first ride on which a traveller lacks a compulsory seat. */
function legWithoutSeat({ reservations }: Order, line: OrderLine): string | undefined {
  const { compulsoryLegIds = [], travellers, reservationIds } = line;
  const held = new Set(
    reservations
      .filter(({ id, orderLineId }) => orderLineId === line.id && reservationIds.includes(id))
      .map(({ legId, travellerId }) => `${legId}/${travellerId}`),
  );
  return compulsoryLegIds.find((legId) => travellers.some(({ travellerId }) => !held.has(`${legId}/${travellerId}`)));
}

function confirmedContent({ orderLines, reservations, travellers, fees }: Order, now: Date): OrderContent {
  const lines = orderLines.map((line): OrderLine => {
    if (line.status === 'DRAFT') return soldLine(line, now);
    return line.status === 'CANCELLATION_DRAFT' ? { ...line, status: 'CANCELLED', reservationIds: [] } : line;
  });
  const sold = new Set(lines.filter(({ status }) => status === 'CONFIRMED').map(({ id }) => id));
  return {
    travellers,
    fees,
    orderLines: lines,
    reservations: reservations.filter(({ orderLineId }) => sold.has(orderLineId)),
  };
}

function soldLine({ movedStart, ...line }: OrderLine, confirmedAt: Date): OrderLine {
  const moved = movedStart && { movedStart: moveOfSold(line, movedStart) };
  return { ...line, status: 'CONFIRMED', confirmedAt, ...moved };
}
