/** Another seat for a reservation. Pure. */
import type { ReservationId } from '../../shared/ids.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { writeContent } from './content-write.ts';
import { assertReplaceable, nextVersion } from './line-replacement.ts';
import { linesNamed } from './lines.ts';
import type { OrderLine, Reservation } from './order.ts';
import type { OrderCommand } from './order-change.ts';
import { lineRef, type OrderEvent } from './order-events.ts';

export interface MovedSeat {
  readonly reservationId: ReservationId;
  /** Held beside it, for the same traveller and leg; it has an id of its own. */
  readonly replacement: Reservation;
}

/**
 * The old seat is released with this write; where it is sold, when the change is confirmed. A confirmed line becomes the
 * draft of its next version, since its ticket shows the seat. Throws NOT_FOUND, TICKET_ALREADY_USED.
 */
export const updateReservation: OrderCommand<MovedSeat> = (order, command, now) =>
  writeContent(order, command, now, (draft) => {
    const { reservationId, replacement } = command;
    const earlier = draft.reservations.find(({ id }) => id === reservationId);
    if (!earlier) throw new ServiceError('NOT_FOUND', 'The order has no such reservation.');
    const [line] = linesNamed(draft, [earlier.orderLineId]) as [OrderLine];
    assertReplaceable(line);
    const reservationIds = line.reservationIds.map((id) => (id === reservationId ? replacement.id : id));
    const { confirmedAt: _confirmedAt, ...facts } = line;
    const moved: OrderLine = { ...facts, reservationIds, status: 'DRAFT', version: nextVersion(line) };
    const updated: OrderEvent = {
      type: 'ReservationUpdated',
      orderVersion: draft.version,
      reservationId: replacement.id,
      orderLineId: line.id,
      replacedReservationId: reservationId,
    };
    const lineUpdated: OrderEvent = { type: 'OrderLineUpdated', orderVersion: draft.version, ...lineRef(moved) };
    return {
      content: {
        reservations: draft.reservations.map((each) => (each === earlier ? replacement : each)),
        orderLines: draft.orderLines.map((each) => (each === line ? moved : each)),
      },
      events: [updated, ...(line.status === 'CONFIRMED' ? [lineUpdated] : [])],
    };
  });
