/** Compares a ride as it was sold with its journey as it is published now. Pure. */
import type { SoldLeg } from '../../../workflows/offers/rules/offer.ts';
import type { DisruptionCause } from '../../../workflows/orders/rules/order.ts';
import type { SoldRide } from '../../shared/orders.ts';
import { type DatedJourney, findRideCalls } from '../../shared/timetable.ts';

/** Planned at the sale. */
export function soldDeparture({ calls, expectedStartTime }: SoldLeg): Date {
  return calls[0]?.departure ?? expectedStartTime;
}

function soldArrival({ calls, expectedEndTime }: SoldLeg): Date {
  return calls.at(-1)?.arrival ?? expectedEndTime;
}

/**
 * Undefined: it runs as it was sold. A traveller who comes in time misses a ride that departs earlier, so any earlier minute counts; a
 * later time counts from `laterMs`, and where the next ride of the line has departed before.
 */
export function causeOfRide(
  { leg, next }: SoldRide,
  journey: Pick<DatedJourney, 'isCancelled' | 'calls'> | undefined,
  laterMs: number,
): DisruptionCause | undefined {
  const departure = soldDeparture(leg);
  const ride = journey && !journey.isCancelled ? findRideCalls(journey, { ...leg, departure }) : undefined;
  if (ride?.from.departure === undefined || ride.to.arrival === undefined) return 'WITHDRAWN';
  const departsLaterMs = ride.from.departure.getTime() - departure.getTime();
  const arrivesLaterMs = ride.to.arrival.getTime() - soldArrival(leg).getTime();
  const isMissed =
    next !== undefined && arrivesLaterMs > 0 && ride.to.arrival.getTime() > soldDeparture(next).getTime();
  return departsLaterMs < 0 || departsLaterMs >= laterMs || arrivesLaterMs >= laterMs || isMissed
    ? 'RESCHEDULED'
    : undefined;
}
