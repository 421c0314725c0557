/** A stored arrangement as other areas read it. Pure. */
import type { SeatArrangement, Stretch } from '../shared/seating.ts';
import type { ArrangementDocument } from './seating-model.ts';

/** Undefined while its seat is not held yet. */
export function toArrangement(stored: ArrangementDocument | undefined): SeatArrangement | undefined {
  if (!stored || stored.status === 'PENDING') return undefined;
  const { carriageNumber, seatNumber, compartmentNumber, seatingProperties } = stored;
  if (carriageNumber === undefined || seatNumber === undefined || seatingProperties === undefined) return undefined;
  return {
    arrangementId: stored.arrangementId,
    reservationId: stored._id,
    orderLineId: stored.orderLineId,
    travellerId: stored.travellerId,
    stretch: stretchOf(stored),
    carriageNumber,
    seatNumber,
    ...(compartmentNumber !== undefined && { compartmentNumber }),
    seatingProperties,
    status: stored.status,
    heldAt: stored.heldAt,
    attempt: stored.attempt,
  };
}

/** Without what else the given value has, as an order's leg. */
export function stretchOf(given: Stretch): Stretch {
  const { datedServiceJourneyId, serviceJourneyId, lineId, fromStopPlaceId, toStopPlaceId } = given;
  const { fromPosition, toPosition, departure } = given;
  return {
    datedServiceJourneyId,
    serviceJourneyId,
    lineId,
    fromStopPlaceId,
    toStopPlaceId,
    fromPosition,
    toPosition,
    departure,
  };
}
