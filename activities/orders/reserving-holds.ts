/** Holds the planned seats of a request, and gives them back when its order cannot be written. Caller: reserving.ts. */

import type { Reservation } from '../../workflows/orders/rules/order.ts';
import type { PlannedSeats } from '../../workflows/orders/rules/reserving/planned-seats.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { HoldCall, SeatArrangement, SeatHold, SeatKeeper, SeatRequest } from '../shared/seating.ts';

/** A hold without its order ends 2 minutes after the call, so the order is written well before. */
const LONGEST_HOLD_MS = 60_000;

export type HoldingRequest = Omit<HoldCall, 'requests'>;

type Seating = Pick<SeatKeeper, 'hold'>;

export interface HeldReservations {
  readonly reservations: readonly Reservation[];
  /** What is given back when the order is not written. */
  readonly holds: readonly SeatHold[];
  /** Of the oldest hold: an earlier attempt of the request may have made it. */
  readonly heldAt: Date;
}

/** All or nothing. Throws SEAT_UNAVAILABLE. */
export async function holdSeats(
  seating: Seating,
  request: HoldingRequest,
  planned: readonly PlannedSeats[],
): Promise<HeldReservations> {
  if (planned.length === 0) return { reservations: [], holds: [], heldAt: request.heldAt };
  const arrangements = await seating.hold({ ...request, requests: planned.map(toRequest) });
  const byId = new Map(arrangements.map((arrangement) => [arrangement.reservationId, arrangement]));
  const reservations = planned.flatMap((seats) =>
    seats.places.map(({ reservationId }) => {
      const arrangement = byId.get(reservationId);
      if (!arrangement) throw new Error(`The seat keeper has held no seat for the reservation ${reservationId}`);
      return toReservation(seats, arrangement);
    }),
  );
  const times = arrangements.map(({ heldAt }) => heldAt.getTime());
  return { reservations, holds: arrangements, heldAt: new Date(Math.min(request.heldAt.getTime(), ...times)) };
}

/** Called within the write of the order. Throws UNAVAILABLE: the sweep of holds may be about to free the seats. */
export function assertStillHeld(heldAt: Date, now: Date): void {
  if (now.getTime() - heldAt.getTime() <= LONGEST_HOLD_MS) return;
  throw new ServiceError('UNAVAILABLE', 'The seats were held too long ago. Send the request again.', {
    headers: { 'retry-after': '1' },
  });
}

/**
 * After a refusal, which has written nothing. After any other failure the order may hold these seats: the sweep of holds
 * finds out.
 */
export function mayRelease(failure: unknown): boolean {
  return failure instanceof ServiceError && failure.status < 500;
}

function toRequest(seats: PlannedSeats): SeatRequest {
  const { orderLineId, leg, accommodation, fareClass, facilities, supplementIds, wholeCompartment, places } = seats;
  return {
    orderLineId,
    stretch: {
      datedServiceJourneyId: leg.datedServiceJourneyId,
      serviceJourneyId: leg.serviceJourneyId,
      lineId: leg.lineId,
      fromStopPlaceId: leg.fromStopPlaceId,
      toStopPlaceId: leg.toStopPlaceId,
      fromPosition: leg.fromPosition,
      toPosition: leg.toPosition,
      departure: leg.calls[0]?.departure ?? leg.expectedStartTime,
    },
    wish: { accommodation, facilities, ...(fareClass !== undefined && { fareClass }) },
    ...{ supplementIds, wholeCompartment, places },
  };
}

function toReservation({ leg, isCompulsory }: PlannedSeats, arrangement: SeatArrangement): Reservation {
  const { reservationId, orderLineId, travellerId, stretch, carriageNumber, seatNumber } = arrangement;
  const { compartmentNumber, seatingProperties } = arrangement;
  return {
    id: reservationId,
    orderLineId,
    travellerId,
    legId: leg.legId,
    datedServiceJourneyId: stretch.datedServiceJourneyId,
    fromStopPlaceId: stretch.fromStopPlaceId,
    toStopPlaceId: stretch.toStopPlaceId,
    departure: stretch.departure,
    isCompulsory,
    carriageNumber,
    seatNumber,
    ...(compartmentNumber !== undefined && { compartmentNumber }),
    seatingProperties,
  };
}
