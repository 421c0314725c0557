/** The seats that a line keeps when it is rewritten. Pure. */

import type { ReservationId } from '../../shared/ids.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { plainUuid } from '../../shared/uuid.ts';
import type { LineReplacements } from './line-replacement.ts';
import type { NewLine } from './lines.ts';
import type { Order, Reservation } from './order.ts';

export interface RewrittenLine {
  readonly line: Omit<NewLine, 'reservationIds'>;
  /** Absent: all that still fit its travellers and rides. */
  readonly keptReservationIds?: readonly ReservationId[];
}

/** `pointerOf` names a line in the request. Throws VALIDATION_FAILED (422) when a seat that is to be kept is not one of the line, or no longer fits. */
export function withKeptSeats(
  order: Order,
  rewritten: readonly RewrittenLine[],
  pointerOf: (at: number) => string,
): LineReplacements {
  const kept = rewritten.map(({ line, keptReservationIds }, at) => {
    const fitting = order.reservations.filter((each) => each.orderLineId === line.id && fits(each, line));
    if (!keptReservationIds) return { line, seats: fitting };
    const ids = new Set<string>(keptReservationIds.map(plainUuid));
    const seats = fitting.filter(({ id }) => ids.has(id));
    if (seats.length < ids.size) throw misfit(`${pointerOf(at)}/reservationIds`);
    return { line, seats };
  });
  return {
    lines: kept.map(({ line, seats }) => ({ ...line, reservationIds: seats.map(({ id }) => id) })),
    reservations: kept.flatMap(({ seats }) => seats),
  };
}

function fits(reservation: Reservation, { travellers, travelSpecification }: Omit<NewLine, 'reservationIds'>): boolean {
  const isTravelling = travellers.some(({ travellerId }) => travellerId === reservation.travellerId);
  const leg = travelSpecification.legs.find(({ legId }) => legId === reservation.legId);
  if (!isTravelling || !leg) return false;
  const { datedServiceJourneyId, fromStopPlaceId, toStopPlaceId } = reservation;
  const isRide = leg.datedServiceJourneyId === datedServiceJourneyId;
  return isRide && leg.fromStopPlaceId === fromStopPlaceId && leg.toStopPlaceId === toStopPlaceId;
}

function misfit(pointer: string): ServiceError {
  const detail = 'must name seats of the line, for its travellers and rides';
  return new ServiceError('VALIDATION_FAILED', `${pointer} ${detail}.`, {
    status: 422,
    errors: [{ pointer, code: 'UNKNOWN_REFERENCE', detail }],
  });
}
