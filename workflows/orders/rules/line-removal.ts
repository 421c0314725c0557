/** Removing and cancelling lines. Pure. */
import type { OrderLineId } from '../../shared/ids.ts';
import { type ContentEdit, writeContent } from './content-write.ts';
import { invalidState } from './guards.ts';
import { alreadyUsed, confirmedLine, linesNamed, reservationEvent } from './lines.ts';
import type { Fee, Order, OrderLine } from './order.ts';
import { inWireOrder, type OrderCommand } from './order-change.ts';
import { lineRef } from './order-events.ts';

export interface NamedLines {
  readonly orderLineIds: readonly OrderLineId[];
}

/** Throws UNKNOWN_ORDER_LINE, and INVALID_STATE for a line that was ever confirmed. */
export const removeLines: OrderCommand<NamedLines> = (order, command, now) =>
  writeContent(order, command, now, (draft) => {
    const lines = linesNamed(draft, command.orderLineIds);
    const kept = lines.find((line) => !isNew(draft, line));
    if (kept) throw invalidState(`The line ${kept.id} has been confirmed: cancel it.`);
    return lines.length === 0 ? undefined : removeFrom(draft, lines);
  });

/**
 * Confirmed lines are cancelled when the order is confirmed; a line that never was is removed. Lines that are cancelled
 * already stay as they are. Throws UNKNOWN_ORDER_LINE, TICKET_ALREADY_USED.
 */
export const cancelLines: OrderCommand<NamedLines> = (order, command, now) =>
  writeContent(order, command, now, (draft) => {
    const open = linesNamed(draft, command.orderLineIds).filter(
      ({ status }) => status === 'CONFIRMED' || status === 'DRAFT',
    );
    const removed = open.filter((line) => isNew(draft, line));
    const cancelled = open.filter((line) => !isNew(draft, line));
    if (open.length === 0) return undefined;
    if (cancelled.some(({ usedAt }) => usedAt !== undefined)) throw alreadyUsed();
    const removal = removed.length > 0 ? removeFrom(draft, removed) : { content: {}, events: [] };
    const without = { ...draft, ...removal.content };
    const cancellation = cancelled.length > 0 ? cancelIn(without, cancelled) : { content: {}, events: [] };
    return {
      content: { ...removal.content, ...cancellation.content },
      events: inWireOrder([...removal.events, ...cancellation.events]),
    };
  });

function isNew(draft: Order, { id, status }: OrderLine): boolean {
  return status === 'DRAFT' && confirmedLine(draft, id) === undefined;
}

function removeFrom(draft: Order, lines: readonly OrderLine[]): ContentEdit {
  const orderVersion = draft.version;
  const ids = new Set(lines.map(({ id }) => id));
  const freed = draft.reservations.filter(({ orderLineId }) => ids.has(orderLineId));
  const { kept, events: feeEvents } = withoutFeesOfChange(draft, ids);
  return {
    content: {
      orderLines: draft.orderLines.filter(({ id }) => !ids.has(id)),
      reservations: draft.reservations.filter(({ orderLineId }) => !ids.has(orderLineId)),
      fees: kept.map((fee) =>
        fee.orderLineIds.some((id) => ids.has(id))
          ? { ...fee, orderLineIds: fee.orderLineIds.filter((id) => !ids.has(id)) }
          : fee,
      ),
    },
    events: [
      ...feeEvents,
      ...freed.map((reservation) => reservationEvent('ReservationRemoved', orderVersion, reservation)),
      ...lines.map((line) => ({ type: 'OrderLineRemoved' as const, orderVersion, ...lineRef(line) })),
      { type: 'OrderLinesRemoved', orderVersion, orderLines: lines.map(lineRef) },
    ],
  };
}

/** What was changed of a line since its confirmation is dropped: it is cancelled as it was sold. */
function cancelIn(draft: Order, lines: readonly OrderLine[]): ContentEdit {
  const orderVersion = draft.version;
  const after = new Map(
    lines.map((line) => {
      const sold = confirmedLine(draft, line.id) ?? line;
      return [line.id, { ...sold, status: 'CANCELLATION_DRAFT' as const }];
    }),
  );
  const sold = (draft.confirmed?.reservations ?? []).filter(({ orderLineId }) => after.has(orderLineId));
  const soldIds = new Set(sold.map(({ id }) => id));
  const present = draft.reservations.filter(({ orderLineId }) => after.has(orderLineId));
  const presentIds = new Set(present.map(({ id }) => id));
  const cancelled = [...after.values()];
  const { kept, events: feeEvents } = withoutFeesOfChange(draft, new Set(after.keys()));
  return {
    content: {
      fees: kept,
      orderLines: draft.orderLines.map((line) => after.get(line.id) ?? line),
      reservations: [...draft.reservations.filter(({ orderLineId }) => !after.has(orderLineId)), ...sold],
    },
    events: [
      ...feeEvents,
      ...present
        .filter(({ id }) => !soldIds.has(id))
        .map((each) => reservationEvent('ReservationRemoved', orderVersion, each)),
      ...sold
        .filter(({ id }) => !presentIds.has(id))
        .map((each) => reservationEvent('ReservationAdded', orderVersion, each)),
      ...cancelled.map((line) => ({ type: 'OrderLineCancelled' as const, orderVersion, ...lineRef(line) })),
      { type: 'OrderLinesCancelled', orderVersion, orderLines: cancelled.map(lineRef) },
    ],
  };
}

/** The fees of a change go with the change that this draft made. */
function withoutFeesOfChange({ fees, version }: Order, lineIds: ReadonlySet<OrderLineId>) {
  const isDropped = ({ isAutomatic, orderVersion, orderLineIds }: Fee) =>
    isAutomatic === true && orderVersion === version && orderLineIds.some((id) => lineIds.has(id));
  return {
    kept: fees.filter((fee) => !isDropped(fee)),
    events: fees
      .filter(isDropped)
      .map(({ id, type }) => ({ type: 'FeeRemoved' as const, orderVersion: version, feeId: id, feeType: type })),
  };
}
