/** Finds what became of a sold ride in a build of the timetable. Caller: compare-journeys.ts. */
import type { SoldLeg } from '../../../workflows/offers/rules/offer.ts';
import type { DisruptionCause } from '../../../workflows/orders/rules/order.ts';
import type { SoldRide } from '../../shared/orders.ts';
import type { DatedJourney, PublishedBuild } from '../../shared/timetable.ts';
import { causeOfRide, soldDeparture } from './sold-ride.ts';

type Build = Pick<PublishedBuild, 'findJourney' | 'findRide' | 'findPeriod'>;

/**
 * `journey`: of the ride's id, which may be another journey's by now. Undefined: the ride runs as it was sold, perhaps under another id;
 * or the build cannot say, because the timetable never had the ride, or has no journeys of its codespace for that day.
 */
export async function causeInBuild(
  ride: SoldRide,
  journey: DatedJourney | undefined,
  build: Build,
  laterMs: number,
): Promise<DisruptionCause | undefined> {
  const { leg } = ride;
  // Only an imported ride has no authority.
  if (leg.authorityId === '') return undefined;
  const cause = causeOfRide(ride, journey, laterMs);
  if (cause === undefined) return undefined;
  const renamed = [
    await findOfJourney(leg, build),
    await build.findRide({ ...leg, departure: soldDeparture(leg) }),
  ].flatMap((found) => (found ? [causeOfRide(ride, found, laterMs)] : []));
  if (renamed.includes(undefined)) return undefined;
  const isOfItsDay = journey?.serviceDay === leg.serviceDay;
  if ((isOfItsDay && cause === 'RESCHEDULED') || renamed.includes('RESCHEDULED')) return 'RESCHEDULED';
  if (isOfItsDay) return 'WITHDRAWN';
  const period = await build.findPeriod(codespaceOf(leg));
  return period && period.first <= leg.serviceDay && leg.serviceDay <= period.last ? 'WITHDRAWN' : undefined;
}

/** The service journey may run that day under another dated journey. */
async function findOfJourney(leg: SoldLeg, { findJourney }: Build): Promise<DatedJourney | undefined> {
  const { serviceJourneyId, fromStopPlaceId, toStopPlaceId, serviceDay } = leg;
  const departure = soldDeparture(leg);
  const found = await findJourney({ serviceJourneyId, fromStopPlaceId, toStopPlaceId, departure });
  return found?.serviceDay === serviceDay && !found.isCancelled ? found : undefined;
}

/** Ids of timetables begin with it. */
function codespaceOf({ serviceJourneyId }: SoldLeg): string {
  return serviceJourneyId.split(':', 1)[0] as string;
}
