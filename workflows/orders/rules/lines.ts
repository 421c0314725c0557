/** Adding lines, and what all commands on lines share. Pure. */
import type { OrderLineId } from '../../shared/ids.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { writeContent } from './content-write.ts';
import { invalidState } from './guards.ts';
import type { Order, OrderLine, OrderTraveller, Reservation } from './order.ts';
import type { OrderCommand } from './order-change.ts';
import { lineRef, type OrderEvent } from './order-events.ts';
import { unknownTraveller } from './travellers.ts';

/** What a caller, or reserving, says of a line; the rest follows from its life. */
export type NewLine = Omit<
  OrderLine,
  | 'version'
  | 'status'
  | 'refundedShareMinor'
  | 'refundedAmountMinor'
  | 'usedAt'
  | 'disruption'
  | 'movedStart'
  | 'createdAt'
  | 'confirmedAt'
>;

export interface NewLines {
  readonly lines: readonly NewLine[];
  /** Held for these lines, which name them in `reservationIds`. */
  readonly reservations?: readonly Reservation[];
}

export const addLines: OrderCommand<NewLines> = (order, command, now) =>
  writeContent(order, command, now, (draft) => {
    const { lines, reservations = [] } = command;
    if (lines.length === 0) return undefined;
    const ids = new Set(draft.orderLines.map(({ id }) => id));
    for (const { id } of lines) {
      if (ids.has(id)) throw invalidState(`The order has a line ${id} already.`);
      ids.add(id);
    }
    assertLineTravellers(draft, lines);
    assertReservations(lines, reservations);
    const added = lines.map((line) => newLine(line, now));
    return {
      content: {
        orderLines: [...draft.orderLines, ...added],
        reservations: [...draft.reservations, ...reservations],
      },
      events: addedEvents(draft, added, reservations),
    };
  });

export function newLine(line: NewLine, now: Date): OrderLine {
  return { ...line, version: 1, status: 'DRAFT', refundedShareMinor: 0, refundedAmountMinor: 0, createdAt: now };
}

function addedEvents(
  { version }: Order,
  lines: readonly OrderLine[],
  reservations: readonly Reservation[],
): readonly OrderEvent[] {
  return [
    ...lines.map((line) => ({
      type: 'OrderLineAdded' as const,
      orderVersion: version,
      ...lineRef(line),
      status: line.status,
    })),
    ...reservations.map((reservation) => reservationEvent('ReservationAdded', version, reservation)),
    { type: 'OrderLinesAdded' as const, orderVersion: version, orderLines: lines.map(lineRef) },
  ];
}

export function reservationEvent(
  type: 'ReservationAdded' | 'ReservationRemoved',
  orderVersion: number,
  { id, orderLineId }: Reservation,
) {
  return { type, orderVersion, reservationId: id, orderLineId } as const;
}

/** The named lines in the order's own order. Throws UNKNOWN_ORDER_LINE. */
export function linesNamed({ orderLines }: Order, ids: readonly OrderLineId[]): readonly OrderLine[] {
  const wanted = new Set(ids);
  const found = orderLines.filter(({ id }) => wanted.has(id));
  if (found.length < wanted.size) {
    const known = new Set(found.map(({ id }) => id));
    throw unknownLine([...wanted].filter((id) => !known.has(id)));
  }
  return found;
}

/** The line of the last confirmed version. */
export function confirmedLine({ confirmed }: Order, id: OrderLineId): OrderLine | undefined {
  return confirmed?.orderLines.find((line) => line.id === id);
}

/** Lines of the last confirmed version that the draft changes or cancels. */
export function changedLineIds(order: Order): readonly OrderLineId[] {
  const isChanged = ({ id, status }: OrderLine) =>
    status === 'CANCELLATION_DRAFT' || (status === 'DRAFT' && confirmedLine(order, id) !== undefined);
  return order.orderLines.filter(isChanged).map(({ id }) => id);
}

export function unknownLine(ids: readonly OrderLineId[]): ServiceError {
  return new ServiceError('UNKNOWN_ORDER_LINE', `The order has no such line: ${ids.join(', ')}.`);
}

export function alreadyUsed(): ServiceError {
  return new ServiceError('TICKET_ALREADY_USED', 'The ticket of the line has been used.');
}

export function assertLineTravellers(
  { travellers }: { readonly travellers: readonly OrderTraveller[] },
  lines: readonly Pick<NewLine, 'travellers'>[],
): void {
  const known = new Set(travellers.map(({ id }) => id));
  const named = new Set(lines.flatMap((line) => line.travellers.map(({ travellerId }) => travellerId)));
  const unknown = [...named].filter((id) => !known.has(id));
  if (unknown.length > 0) throw unknownTraveller(unknown);
}

/** A line names exactly the reservations that are given for it. */
export function assertReservations(
  lines: readonly Pick<NewLine, 'id' | 'reservationIds'>[],
  reservations: readonly Reservation[],
): void {
  const given = new Map(reservations.map(({ id, orderLineId }) => [id, orderLineId]));
  const named = lines.flatMap(({ id, reservationIds }) => reservationIds.map((reservation) => ({ id, reservation })));
  const isMatch = named.every(({ id, reservation }) => given.get(reservation) === id) && named.length === given.size;
  if (!isMatch) throw new RangeError('Lines and reservations do not name each other');
}
