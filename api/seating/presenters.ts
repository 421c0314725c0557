/** Documents of the seating area as bodies. Pure. */
import type { SeatedArrangement } from '../../activities/seating/arrangement-search.ts';
import type { CarriageSeats } from '../../activities/seating/journey-seats.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Schemas } from './contract.gen.ts';

type SeatingArrangement = Schemas['SeatingArrangement'];
type CarriageOfJourney = Schemas['Carriage'];

export function presentArrangement(arrangement: SeatedArrangement): SeatingArrangement {
  const { status } = arrangement;
  if (status === 'PENDING') throw new ServiceError('NOT_FOUND', 'There is no such seating arrangement.');
  return {
    id: arrangement.arrangementId,
    reservationId: arrangement._id,
    orderId: arrangement.orderId,
    orderLineId: arrangement.orderLineId,
    travellerId: arrangement.travellerId,
    datedServiceJourneyId: arrangement.datedServiceJourneyId,
    fromStopPlaceId: arrangement.fromStopPlaceId,
    toStopPlaceId: arrangement.toStopPlaceId,
    carriageNumber: arrangement.carriageNumber,
    seatNumber: arrangement.seatNumber,
    ...(arrangement.compartmentNumber !== undefined && { compartmentNumber: arrangement.compartmentNumber }),
    seatingProperties: arrangement.seatingProperties,
    status,
  };
}

export function presentCarriages(carriages: readonly CarriageSeats[]): CarriageOfJourney[] {
  return carriages.map(({ carriageNumber, seats }) => ({
    carriageNumber,
    seats: seats.map(({ seatNumber, free, compartmentNumber, properties }) => ({
      seatNumber,
      free,
      ...(compartmentNumber !== undefined && { compartmentNumber }),
      seatingProperties: properties,
    })),
  }));
}
