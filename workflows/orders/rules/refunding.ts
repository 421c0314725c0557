/**
 * What refunds write on an order: they lock it, and then confirm a version without what was given back. The rules of
 * workflows/refunds say what that is; money moves between the two writes. Pure.
 */
import type { OrderLineId, TravellerId } from '../../shared/ids.ts';
import { sumOf } from '../../shared/money.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { balanceMinor } from './amounts.ts';
import { assertConfirmable, confirmedAs } from './confirmation.ts';
import { assertWritable, invalidState } from './guards.ts';
import { linesNamed, reservationEvent } from './lines.ts';
import type { Fee, Order, OrderLine, TravelSpecification } from './order.ts';
import { combine, inWireOrder, type OrderChange, type OrderCommand, unchanged } from './order-change.ts';
import { lineRef } from './order-events.ts';
import { lockOrder } from './order-lock.ts';
import { isRefund } from './refund-locks.ts';
import { isFeeOfChange } from './reserving/change-fees.ts';
import { feePrice } from './reserving/change-terms.ts';
import { withSeatEffects } from './seat-effects.ts';
import { isBeingWithdrawn } from './ticket-withdrawal.ts';

/** A part of a line that is given back. Without legs and travellers: all that is left of it. */
export interface RefundedLine {
  readonly orderLineId: OrderLineId;
  /** Of the line's price. */
  readonly shareMinor: number;
  /** Paid back; the rest of the share is kept as a fee. */
  readonly refundMinor: number;
  readonly legIds?: readonly string[];
  readonly travellerIds?: readonly TravellerId[];
  readonly feeId: string;
}

export interface Refunding {
  /** The confirmed version, or the draft whose cancelled lines are refunded. */
  readonly orderVersion: number;
  readonly lines: readonly RefundedLine[];
}

/**
 * A refund, or a confirmation that pays back, may take the line back. The lock of an older build names no lines: then every line may be
 * meant.
 */
export function isUnderRefund(order: Pick<Order, 'lock' | 'withdrawal'>, orderLineId: OrderLineId): boolean {
  const { lock } = order;
  if (isBeingWithdrawn(order, orderLineId)) return true;
  return lock !== undefined && isRefund(lock.owner) && (lock.orderLineIds?.includes(orderLineId) ?? true);
}

/** The version that the refund makes. Nobody else begins one while the order is locked. */
export function refundedVersion({ status, version, highestVersion }: Order): number {
  return status === 'DRAFT' ? version : highestVersion + 1;
}

/**
 * Repeatable by its owner. Throws ORDER_VERSION_MISMATCH where the order has changed, INVALID_STATE where it owes or is owed
 * more, ORDER_LOCKED, UNKNOWN_ORDER_LINE; of a draft also what its confirmation throws.
 */
export const lockForRefund: OrderCommand<Refunding & { readonly owner: string }> = (order, command, now) => {
  if (order.lock?.owner === command.owner) return unchanged(order);
  assertWritable(order, {});
  if (order.version !== command.orderVersion) throw changedSince();
  const lines = linesNamed(
    order,
    command.lines.map(({ orderLineId }) => orderLineId),
  );
  const status = order.status === 'DRAFT' ? 'CANCELLATION_DRAFT' : 'CONFIRMED';
  if (lines.some((line) => line.status !== status)) throw changedSince();
  if (order.status === 'DRAFT') assertConfirmable(order, command, now);
  assertSettled(order, command.lines);
  return lockOrder(order, { owner: command.owner, orderLineIds: lines.map(({ id }) => id) }, now);
};

/** Throws INVALID_STATE where the order owes, or is owed, something beside the refund of these lines. */
export function assertSettled(order: Order, lines: readonly Pick<RefundedLine, 'orderLineId' | 'shareMinor'>[]): void {
  // Of a cancelled line, the draft already owes the whole share to the customer.
  const owedMinor = order.status === 'DRAFT' ? sumOf(lines.map(({ shareMinor }) => shareMinor)) : 0;
  if (balanceMinor(withoutFeesOfCancellation(order, lines).order) + owedMinor === 0) return;
  throw invalidState('The order owes, or is owed, something beside its refund: settle that first.');
}

/** The refund brings the fees of its own rules in place of those that the draft has set when it cancelled the lines. */
function withoutFeesOfCancellation(order: Order, lines: readonly Pick<RefundedLine, 'orderLineId'>[]): OrderChange {
  if (order.status !== 'DRAFT') return unchanged(order);
  const ids = new Set<string>(lines.map(({ orderLineId }) => orderLineId));
  const dropped = order.fees.filter((fee) => fee.type === 'REFUNDING' && isFeeOfChange(fee, ids, order.version));
  return {
    order: { ...order, fees: order.fees.filter((fee) => !dropped.includes(fee)) },
    events: dropped.map(({ id, type }) => ({
      ...{ type: 'FeeRemoved' as const, orderVersion: order.version, feeId: id, feeType: type },
    })),
  };
}

/**
 * Confirms the version without what was given back, and unlocks the order. The money was paid back and noted before. Without an
 * effect where the order is not locked by the owner: then this has happened.
 */
export const refundLines: OrderCommand<Refunding> = (order, command, now) => {
  if (order.lock === undefined || order.lock.owner !== command.lockOwner) return unchanged(order);
  const isCancelled = order.status === 'DRAFT';
  const version = refundedVersion(order);
  const draft: Order = { ...order, status: 'DRAFT', version, highestVersion: Math.max(version, order.highestVersion) };
  const refunded = combine(draft, [
    (current) => (isCancelled ? withoutFeesOfCancellation(current, command.lines) : unchanged(current)),
    ...command.lines.map((each) => (current: Order) => refundedPart(current, each, isCancelled)),
  ]);
  const confirmed = confirmedAs(refunded.order, now);
  return {
    order: withSeatEffects(order, confirmed.order),
    events: inWireOrder([...refunded.events, ...confirmed.events]),
  };
};

function changedSince(): ServiceError {
  const detail = 'The order has changed since the refund was asked for. Ask for its options again.';
  return new ServiceError('ORDER_VERSION_MISMATCH', detail);
}

/** `isCancelled`: its events of cancellation were told when it was marked. */
function refundedPart(draft: Order, part: RefundedLine, isCancelled: boolean): OrderChange {
  const [line] = linesNamed(draft, [part.orderLineId]) as [OrderLine];
  const { shareMinor, refundMinor } = part;
  const leftMinor = line.price.amountMinor - line.refundedShareMinor;
  if (shareMinor <= 0 || shareMinor > leftMinor || refundMinor < 0 || refundMinor > shareMinor) {
    throw new RangeError('A refund takes more of a line than is left');
  }
  const paid = {
    ...line,
    refundedShareMinor: line.refundedShareMinor + shareMinor,
    refundedAmountMinor: line.refundedAmountMinor + refundMinor,
  };
  const fee = feeOf(draft, part, line);
  const withFee = { ...draft, fees: fee ? [...draft.fees, fee] : draft.fees };
  const feeEvents = fee
    ? [{ type: 'FeeAdded' as const, orderVersion: draft.version, feeId: fee.id, feeType: fee.type }]
    : [];
  const isWhole = part.legIds === undefined && part.travellerIds === undefined;
  const after = isWhole ? wholeLine(withFee, paid, isCancelled) : partOfLine(withFee, paid, part);
  return { order: after.order, events: [...feeEvents, ...after.events] };
}

function feeOf(draft: Order, { feeId: id, shareMinor, refundMinor }: RefundedLine, line: OrderLine): Fee | undefined {
  const price = feePrice(shareMinor - refundMinor, line);
  return price && { id, type: 'REFUNDING', price, orderLineIds: [line.id], orderVersion: draft.version };
}

function wholeLine(draft: Order, line: OrderLine, isCancelled: boolean): OrderChange {
  const order = withLine(draft, { ...line, status: 'CANCELLATION_DRAFT' });
  if (isCancelled) return { order, events: [] };
  const orderVersion = draft.version;
  return {
    order,
    events: [
      { type: 'OrderLineCancelled', orderVersion, ...lineRef(line) },
      { type: 'OrderLinesCancelled', orderVersion, orderLines: [lineRef(line)] },
    ],
  };
}

/** The line goes on without the legs, or the travellers, that were given back. */
function partOfLine(draft: Order, line: OrderLine, { legIds = [], travellerIds = [] }: RefundedLine): OrderChange {
  const isFreed = (each: Order['reservations'][number]) =>
    each.orderLineId === line.id && (legIds.includes(each.legId) || travellerIds.includes(each.travellerId));
  const freed = draft.reservations.filter(isFreed);
  const freedIds = freed.map(({ id }) => id);
  const kept: OrderLine = {
    ...line,
    version: line.version + 1,
    status: 'DRAFT',
    travellers: line.travellers.filter(({ travellerId }) => !travellerIds.includes(travellerId)),
    travelSpecification: withoutLegs(line.travelSpecification, legIds),
    reservationIds: line.reservationIds.filter((id) => !freedIds.includes(id)),
    ...(line.compulsoryLegIds && { compulsoryLegIds: line.compulsoryLegIds.filter((id) => !legIds.includes(id)) }),
  };
  const orderVersion = draft.version;
  const reservations = draft.reservations.filter((each) => !isFreed(each));
  return {
    order: { ...withLine(draft, kept), reservations },
    events: [
      ...freed.map((each) => reservationEvent('ReservationRemoved', orderVersion, each)),
      { type: 'OrderLineUpdated', orderVersion, ...lineRef(kept) },
    ],
  };
}

function withoutLegs(travel: TravelSpecification, legIds: readonly string[]): TravelSpecification {
  if (legIds.length === 0) return travel;
  const legs = travel.legs.filter(({ legId }) => !legIds.includes(legId));
  const [first, last] = [legs[0], legs.at(-1)];
  return {
    ...travel,
    legs,
    ...(first && { fromStopPlaceId: first.fromStopPlaceId }),
    ...(last && { toStopPlaceId: last.toStopPlaceId }),
  };
}

function withLine(order: Order, line: OrderLine): Order {
  return { ...order, orderLines: order.orderLines.map((each) => (each.id === line.id ? line : each)) };
}
