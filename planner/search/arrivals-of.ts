/** When the journeys of the answer arrive, as far as the first pass alone can tell. */
import type { Earliest } from './earliest.ts';
import { NEVER } from './query.ts';

/**
 * Arrivals of different journeys of the answer, earliest first; there may be more of them. Where A(d, k) is lower than for a later
 * departure and for fewer rides, some journey of just that departure, those rides and that arrival is in the answer.
 */
export function arrivalsOf(earliest: Earliest, maximumRides: number): number[] {
  const { arrivals, groups, rounds } = earliest;
  const width = maximumRides + 1;
  const found: number[] = [];
  for (let group = 0; group < groups; group++) {
    let fewer = NEVER;
    for (let rides = 1; rides <= rounds; rides++) {
      const arrival = arrivals[group * width + rides] as number;
      const later = group === 0 ? NEVER : (arrivals[(group - 1) * width + rides] as number);
      if (arrival < fewer && arrival < later) found.push(arrival);
      fewer = Math.min(fewer, arrival);
    }
  }
  return found.sort((one, other) => one - other);
}
