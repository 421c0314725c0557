/** Refuses legs that are one ride twice, wholly or in part: nobody needs two tickets or two seats for it. Pure. */
import type { SoldLeg } from '../../workflows/offers/rules/offer.ts';
import type { ErrorItem } from '../../workflows/shared/service-error.ts';
import { fault } from './search-faults.ts';

type Stretch = Pick<SoldLeg, 'datedServiceJourneyId' | 'fromPosition' | 'toPosition'>;

/** `pointerOf`: of the leg of a ride, by the position of the ride. */
export function repeatedRides(rides: readonly Stretch[], pointerOf: (at: number) => string): readonly ErrorItem[] {
  return rides.flatMap((ride, at) => {
    const earlier = rides.slice(0, at).findIndex((other) => isShared(ride, other));
    if (earlier < 0) return [];
    return [
      fault(
        pointerOf(at),
        'DUPLICATE',
        `is on a stretch of the journey that ${pointerOf(earlier)} is on: send it once`,
      ),
    ];
  });
}

function isShared(one: Stretch, other: Stretch): boolean {
  if (one.datedServiceJourneyId !== other.datedServiceJourneyId) return false;
  return one.fromPosition < other.toPosition && other.fromPosition < one.toPosition;
}
