/** The seats that a line of an offer takes, ride by ride. Pure. */
import { isSeatCompulsory, takesSeat } from '../../../offers/rules/needed-seats.ts';
import type { Offer, OfferedSupplement, SoldLeg } from '../../../offers/rules/offer.ts';
import type { Accommodation, FareClass } from '../../../shared/fares.ts';
import type { OrderLineId, ReservationId, TravellerId } from '../../../shared/ids.ts';

export interface PlannedPlace {
  readonly reservationId: ReservationId;
  readonly travellerId: TravellerId;
}

/** Seats of one line on one ride. */
export interface PlannedSeats {
  readonly orderLineId: OrderLineId;
  readonly leg: SoldLeg;
  /** The ride may not be ridden without them. */
  readonly isCompulsory: boolean;
  readonly accommodation: Accommodation;
  readonly fareClass?: FareClass;
  readonly facilities: readonly string[];
  /** That ask for seats, or for what the seats have. */
  readonly supplementIds: readonly string[];
  readonly wholeCompartment: boolean;
  readonly places: readonly PlannedPlace[];
}

interface SeatedLine {
  readonly orderLineId: OrderLineId;
  readonly travellerIds: readonly TravellerId[];
  readonly supplements: readonly OfferedSupplement[];
  /** The id of a seat on this ride for the traveller at this position. */
  readonly reservationId: (legId: string, position: number) => ReservationId;
}

export function planSeats(offer: Offer, line: SeatedLine): readonly PlannedSeats[] {
  const { orderLineId, travellerIds, supplements, reservationId } = line;
  const facilities = [...new Set(supplements.flatMap(({ seatFacility }) => seatFacility ?? []))];
  const supplementIds = supplements.filter(takesSeat).map(({ id }) => id);
  return offer.seating
    .filter((seating) => isSeatCompulsory(seating) || supplements.some(takesSeat))
    .map((seating) => {
      const { legId, accommodation, fareClass, wholeCompartment } = seating;
      const leg = offer.legs.find((each) => each.legId === legId);
      if (!leg) throw new RangeError(`The offer ${offer._id} has seats on a leg that it lacks`);
      const places = travellerIds.map((travellerId, position) => ({
        travellerId,
        reservationId: reservationId(legId, position),
      }));
      return {
        orderLineId,
        leg,
        isCompulsory: isSeatCompulsory(seating),
        accommodation,
        ...(fareClass !== undefined && { fareClass }),
        facilities,
        supplementIds,
        wholeCompartment,
        places,
      };
    });
}
